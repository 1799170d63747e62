# SPDX-License-Identifier: BSD-3-Clause
"""The forms of Intel SHMEM's routines that take a queue or a group of SYCL, as C++.

All of them are templates, also those of one element type: a program pays for those that it calls. A
form of one type or size calls the one of its family:

    ishmemx_float_put_on_queue -> ishmemx_put_on_queue<float> -> ishmem_put, in a host task
"""
from typing import NamedTuple

from c_text import WIDTH, parameters, wrapped
from cxx_text import names, texts

QUEUE = ["sycl::queue &q", "const std::vector<sycl::event> &deps"]
TEAM = "ISHMEM_TEAM_WORLD"


class Form(NamedTuple):
    """How routines are called on a queue, or by a group."""
    flags: tuple       # those of the families that have the form
    suffix: str
    kinds: tuple       # parameters of the template

    def has(self, family):
        return any(flag in family.flags for flag in self.flags)

    def name(self, host):
        """That of the form of a routine or a family."""
        return "ishmemx_" + host.partition("_")[2] + self.suffix

    def is_silent(self, family):
        """Whether the form says nothing of the host routine's result."""
        return family.result == "void" or f"{self.flags[0]}=void" in family.flags


class OnQueue(Form):
    def result(self, family, _element):
        return "sycl::event "

    def more(self, family, element, with_default):
        """The parameters behind those of the host routine."""
        ret = [] if self.is_silent(family) else [f"{family.result.replace('{T}', element)} *ret"]
        return ret + QUEUE[:1] + [QUEUE[1] + (" = {}" if with_default else "")]

    def handed_on(self, family):
        return ([] if self.is_silent(family) else ["ret"]) + ["q", "deps"]

    def work(self, family, call):
        head = "    return ishmemi::on_queue("
        return wrapped(head, ["ishmemi_here()", "q", "deps", *self.handed_on(family)[:-2]]
                       + [f"[=]() ISHMEMI_WORK {{ return {call}; }}"], ");")


class ByGroup(Form):
    def result(self, family, element):
        return "void " if self.is_silent(family) else family.result.replace("{T}", element) + " "

    def more(self, _family, _element, _with_default):
        return ["const Group &group"]

    def handed_on(self, _family):
        return ["group"]

    def work(self, family, call):
        back = "(void)" if self.is_silent(family) and family.result != "void" else "return "
        return wrapped("    return ishmemi::by_group(", ["group", f"[&]() ISHMEMI_WORK {{ {back}{call}; }}"], ");")


FORMS = (OnQueue(("queue",), "_on_queue", ()), ByGroup(("group", "group=void"), "_work_group", ("Group",)))


def function(form, head, params, body, kinds):
    """A function template."""
    typenames = ", ".join(f"typename {kind}" for kind in kinds)
    lines = [f"template <{typenames or 'typename = void'}>",
             *wrapped(f"ISHMEMI_INLINE {head}(", params, ")"), "{", *body, "}", ""]
    return "\n".join(lines)


def leaf(form, family, host, element, kinds, drop):
    """The form that calls the host routine. drop: its parameters that stand for themselves."""
    given = parameters(family.params.replace("{T}", element))
    call = f"{host}({', '.join([*drop, *names(given[len(drop):])])})"
    return function(form, form.result(family, element) + form.name(host.partition('<')[0]),
                    texts(given[len(drop):]) + form.more(family, element, True),
                    form.work(family, call), kinds)


def teams(family):
    """The arguments that a form without a team stands for, of each form with and without one."""
    return [[], [TEAM]] if "team" in family.flags else [[]]


def of_family(form, family):
    """The forms of a family that are no others': for all types, or those that have no type."""
    out = []
    for drop in teams(family):
        if family.generic:
            out.append(leaf(form, family, family.generic, "T", ("T", *form.kinds), drop))
        for routine in family.routines:
            if not routine.typename:
                out.append(leaf(form, family, routine.name, "void", form.kinds, drop))
    return out


def typed(form, family, drop):
    """The form of one type, in a macro: `name` and `type` stand for parts of it."""
    before, _, verb = family.name.replace("{N}", "").partition("{T}_")
    given = parameters(family.params.replace("{T}", "type"))[len(drop):]
    head = f"{form.result(family, 'type')}ishmemx_##name##_{verb}{form.suffix}"
    arguments = names(given) + form.handed_on(family)
    body = wrapped(f"    return {form.name(family.generic)}<type>(", arguments, ");", WIDTH - 2)
    return function(form, head, texts(given) + form.more(family, "type", True), body, form.kinds)


def of_types(forms, macro, families, types):
    """The forms of each type of families that have the same types, (name, spelling)."""
    text = "\n".join(typed(form, family, drop) for family in families for form in forms
                     if form.has(family) for drop in teams(family))
    lines = [f"#define {macro}(name, type)", *(line for line in text.splitlines() if line)]
    return (" \\\n".join(lines) + "\n" +
            "".join(f"{macro}({name}, {spelling})\n" for name, spelling in types) + f"#undef {macro}\n")


def forms(table, types_of):
    families = [f for f in table.families() if any(form.has(f) for form in FORMS)]
    out = [text for family in families for form in FORMS if form.has(family)
           for text in of_family(form, family)]
    by_types = {}
    for family in families:
        if any(routine.typename for routine in family.routines):
            by_types.setdefault(types_of(table, family), []).append(family)
    for name, group in by_types.items():
        types = [(t, table.ctype[t]) for c in group[0].lists for t in table.classes.get(c, ())]
        out.append(of_types(FORMS, f"ISHMEMI_FORMS_OF_{name.upper()}", group, types))
    return "\n".join(out)


def names_of(family):
    """The names of all forms of a family's routines."""
    hosts = [family.generic, *(routine.name for routine in family.routines)]
    return list(dict.fromkeys(form.name(host) for form in FORMS if form.has(family)
                              for host in hosts if host))


def signatures(family, host, element):
    """(result, name, parameters) of the forms of one routine, or of a template, for the manual."""
    for form in FORMS:
        if form.has(family):
            for drop in teams(family):
                given = texts(parameters(family.params.replace("{T}", element)))[len(drop):]
                yield (form.result(family, element).strip(), form.name(host),
                       given + form.more(family, element, False))
