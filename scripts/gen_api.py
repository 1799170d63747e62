# SPDX-License-Identifier: BSD-3-Clause
"""Fill a template (a header, the map of exported symbols) from a table of an interface.

    gen_api.py VERSION TEMPLATE TABLE... >OUTPUT

spec/api.table explains the format of all tables. A table that begins with "types of OTHER" knows
the types, classes and suffixes of the table OTHER beside it. A line of the template that is one of
these is replaced:

    @CONSTANTS@             macros
    @ROUTINES@              commented prototypes
    @PROFILING_ROUTINES@    prototypes of the pshmem_ twins
    @DEFINITIONS@           the routines that the table itself defines by others
    @ADAPTERS@              functions that generics call for types which have no routine of the name
    @GENERICS@              the type-generic macros of C11
    @OVERLOADS@             the same as templates and overloads of C++
    @INLINES@               what is made in line: MACRO(NAME, C-TYPE) of the template's macros
    @INLINE_NAMES@          has the routines' names stand for that
    @SYMBOLS@               names of all routines and of their twins, for a version script

In other lines @MAJOR@ stands for the first number of the version.
"""
import os
import re
import sys
import textwrap
from dataclasses import dataclass, field

from c_text import WIDTH, comment, fill, parameters, returning, wrapped
from cxx_text import function, indented, member, names, selection, texts


@dataclass
class Routine:
    """One concrete routine."""
    name: str
    result: str
    params: str
    context: bool
    typename: str | None
    body: str | None


@dataclass
class Family:
    """One line of the table."""
    section: str
    name: str        # with {T} and {N}
    result: str
    params: str
    lists: list      # of classes and suffix lists
    generic: str | None
    flags: set       # of Table.flags
    body: str | None = None    # an expression that does its work
    more: list = field(default_factory=list)    # classes that the generic takes as well
    more_body: str | None = None                # by this call
    routines: list = field(default_factory=list)


@dataclass
class Group:
    """Families or constants under one comment."""
    text: str
    families: list = field(default_factory=list)
    constants: list = field(default_factory=list)    # (name, value)


@dataclass
class Section:
    title: str
    groups: list = field(default_factory=list)


class Table:
    """One table, or several in a row."""
    flags = ("ctx", "deprecated", "noreturn")

    def __init__(self, version, *paths):
        self.ctype = {}       # type -> its spelling in C
        self.same_as = {}     # type -> types, one of which it is
        self.classes = {}     # class -> types
        self.suffixes = {}    # suffix list -> suffixes
        self.sections = []
        for path in paths:
            self._read(path, version)

    def _read(self, path, version):
        text = []
        self.path = path
        with open(path) as file:
            for number, line in enumerate(file, 1):
                line = line.rstrip("\n").replace("@VERSION@", version)
                try:
                    self._parse(line, text)
                except (ValueError, KeyError, IndexError) as error:
                    sys.exit(f"{path}:{number}: {error!r}: {line}")
        for family in self.families():
            if not family.routines:
                self._expand_family(family)

    def families(self):
        return [f for s in self.sections for g in s.groups for f in g.families]

    def _parse(self, line, text):
        word, _, rest = line.partition(" ")
        if not line or word == "#" or line.startswith("#"):
            return
        if word == "types":
            other = Table("", os.path.join(os.path.dirname(self.path), rest.removeprefix("of ")))
            for name in ("ctype", "same_as", "classes", "suffixes"):
                getattr(self, name).update(getattr(other, name))
        elif word == "type":
            name, _, spelling = rest.strip().partition(" ")
            spelling, _, same = spelling.strip().partition(" same as ")
            self.ctype[name] = spelling.strip()
            self.same_as[name] = same.split()
        elif word == "class":
            name, *self.classes[name] = rest.split()
            for typename in self.classes[name]:
                self.ctype[typename]
        elif word == "suffix":
            name, *self.suffixes[name] = rest.split()
        elif word == "section":
            self.sections.append(Section(rest))
        elif word == "|":
            text.append(rest)
        elif word == "+":
            family = self.sections[-1].groups[-1].families[-1]
            more, _, family.more_body = rest.partition(" = ")
            family.more = more.split()
        elif word == "=":
            self.sections[-1].groups[-1].families[-1].body = rest.strip()
        else:
            groups = self.sections[-1].groups
            if text or not groups:
                groups.append(Group(" ".join(text)))
                text.clear()
            if word == "constant":
                name, _, value = rest.partition(" ")
                value, _, old = value.partition(" : ")
                groups[-1].constants.append((name, value))
                if old:
                    groups[-1].constants.append(("_" + name, name))
            else:
                groups[-1].families.append(self._family(line))

    def _family(self, line):
        match = re.fullmatch(r"(.+?[ *])([\w{}]+)\((.*)\) : (\S+)(.*)", line)
        if not match:
            raise ValueError("not a prototype with attributes")
        result, name, params, section, attributes = match.groups()
        family = Family(section, name, result.strip(), params, [], None, set())
        for attribute in attributes.split():
            if attribute in self.classes or attribute in self.suffixes:
                family.lists.append(attribute)
            elif attribute == "generic":
                family.generic = name.replace("{T}_", "").replace("{N}", "")
            elif attribute.startswith("generic="):
                family.generic = attribute.partition("=")[2]
            elif attribute in self.flags:
                family.flags.add(attribute)
            else:
                raise ValueError(f"unknown attribute {attribute}")
        return family

    def _expand_family(self, family):
        for context in (False, True) if "ctx" in family.flags else (False,):
            family.routines += self._expand(family, context)

    def _expand(self, family, context):
        def with_context(text):
            return re.sub(r"\b(shmemx?)_", r"\1_ctx_", text, count=1)

        def routine(named, element, typename=None):
            name, body = named(family.name), family.body and named(family.body)
            params = family.params.replace("{T}", element)
            if context:
                name = with_context(name)
                body = body and with_context(body).replace("(", "(ctx, ", 1).replace(", )", ")")
                params = "shmem_ctx_t ctx" + ("" if params == "void" else ", " + params)
            return Routine(name, family.result.replace("{T}", element), params, context, typename,
                           body)

        if not family.lists:
            yield routine(lambda text: text, "")
        for name in family.lists:
            for typename in self.classes.get(name, ()):
                yield routine(lambda text: text.replace("{T}", typename).replace("{N}", ""),
                              self.ctype[typename], typename)
            for suffix in self.suffixes.get(name, ()):
                suffix = "" if suffix == "-" else suffix
                yield routine(lambda text: text.replace("{T}_", "").replace("{N}", suffix), "void")

    def distinct_types(self, families):
        """The types of a generic, without those that are others of them under a second name."""
        types = [t for f in families for c in f.lists + f.more for t in self.classes.get(c, ())]
        types = list(dict.fromkeys(types))
        distinct = []
        for typename in types:
            known = [same in types for same in self.same_as[typename]]
            if any(known) and not all(known):
                raise ValueError(f"{families[0].name}: {typename} may be one of its other types")
            if not any(known):
                distinct.append(typename)
        return distinct


def prototype(routine, prefix="", attributes=""):
    head = f"{attributes}{returning(routine.result)}{prefix}{routine.name}("
    return "\n".join(wrapped(head, routine.params.split(", "), ");")) + "\n"


def constants(table):
    out = []
    for section in table.sections:
        groups = [g for g in section.groups if g.constants]
        if groups:
            out.append(comment(section.title))
        for group in groups:
            out.append(comment(group.text) +
                       "".join(f"#define {name} {value}\n" for name, value in group.constants))
    return "\n".join(out)


def attributes(family, current_generics):
    out = ""
    if "noreturn" in family.flags:
        out += "SHMEMI_NORETURN "
    # A generic with current forms names its deprecated ones too, so these cannot carry a warning.
    if "deprecated" in family.flags and family.generic not in current_generics:
        out += "SHMEMI_DEPRECATED "
    return out


def places(group):
    """The sections of the standard, or the libraries, that have the routines."""
    names = list(dict.fromkeys(n for f in group.families for n in f.section.split(",")))
    if names[0][0].isdigit():
        return names[0] if len(names) == 1 else f"{names[0]} to {names[-1]}"
    return ", ".join(names)


def routines(table, prefix=""):
    current_generics = {f.generic for f in table.families()
                        if f.generic and "deprecated" not in f.flags}
    out = []
    for section in table.sections:
        groups = [g for g in section.groups if g.families]
        if groups:
            out.append(comment(section.title))
        for group in groups:
            text = "" if prefix else comment(f"{group.text} ({places(group)})")
            for family in group.families:
                before = attributes(family, current_generics)
                text += "".join(prototype(r, prefix, before) for r in family.routines)
            out.append(text)
    return "\n".join(out)


class Generic:
    """One name for the routines of all types."""

    def __init__(self, table, name, families):
        self.name, self.families = name, families
        main = families[0]
        self.result, self.params = main.result, main.params
        self.context = "ctx" in main.flags
        self.deprecated = all("deprecated" in f.flags for f in families)
        self.prefix = re.match(r"shmemx?_", main.name)[0]
        self.verb = main.name.replace("{N}", "").partition("{T}_")[2]
        self.types = table.distinct_types(families)
        lists = [c for f in families for c in f.lists if c in table.classes]
        self.own = {t for c in lists for t in table.classes[c]}
        more = ["also", *families[0].more] if families[0].more else []
        internal = {"shmem_": "shmemi", "shmemx_": "shmemi_x"}[self.prefix]
        self.routines = "_".join([internal, *lists, *more])    # of which it chooses one

    def prefix_of(self, typename):
        """What the name of the routine for the type begins with."""
        return self.prefix if typename in self.own else "shmemi_"

    def qualifier(self):
        """What elements may be as well: pointers to those convert to the routine's."""
        if self.params.startswith("const {T}"):
            return "const"
        return "volatile" if re.match(r"\{T\} \*ivars?,", self.params) else ""


def generics_of(table):
    by_name = {}
    for family in table.families():
        if family.generic:
            by_name.setdefault(family.generic, []).append(family)
    return [Generic(table, name, families) for name, families in by_name.items()]


def associations(table, generic, context, indent):
    """One line of a _Generic for each type and each kind of pointer to it."""
    out = []
    for typename in generic.types:
        routine = f"{generic.prefix_of(typename)}{context}{typename}##op"
        for qualifier in ("", generic.qualifier() + " ") if generic.qualifier() else ("",):
            out.append(f"{indent}{qualifier}{table.ctype[typename]} *: {routine}")
    return ", \\\n".join(out)


def chooser(table, name, generic):
    """A macro that stands for the routine that fits the type of its pointer argument."""
    if not generic.context:
        return (f"#define {name}(op, pointer, ...) \\\n"
                "    _Generic(SHMEMI_VALUE(pointer), \\\n" +
                associations(table, generic, "", " " * 8) + ")\n")
    return (f"#define {name}(op, first, second, ...) \\\n"
            "    _Generic(SHMEMI_VALUE(first), \\\n" +
            associations(table, generic, "", " " * 8) + ", \\\n"
            "        shmem_ctx_t: _Generic(SHMEMI_VALUE(second), \\\n" +
            associations(table, generic, "ctx_", " " * 12) + ", \\\n"
            "            default: shmemi_unsupported_element_type))\n")


def generics(table):
    choosers = {}
    uses = []
    for generic in generics_of(table):
        if not generic.types:
            uses.append(by_handle(generic))
            continue
        context = ["ctx"] * generic.context
        macro = "_".join([generic.routines, *context, generic.qualifier()]).rstrip("_")
        choosers[macro] = chooser(table, macro, generic)
        first = "team, " if generic.params.startswith("shmem_team_t") else ""
        use = (f"#define {generic.name}({first}...) "
               f"{macro}(_{generic.verb}, __VA_ARGS__, )({first}__VA_ARGS__)\n")
        uses.append(use if len(use) <= WIDTH else use.replace(") shmemi", ") \\\n    shmemi", 1))
    return "\n".join(choosers.values()) + "\n" + "".join(uses)


def by_handle(generic):
    """A generic of routines without element type: one with a leading handle, one without."""
    handle = {}
    for routine in (r for f in generic.families for r in f.routines):
        first = routine.params.split(" ")[0]
        handle[first if first in ("shmem_ctx_t", "shmem_team_t") else "default"] = routine.name
    cases = ", ".join(f"{key}: {value}" for key, value in sorted(handle.items(), reverse=True))
    first = f"shmemi_first_{generic.name.removeprefix('shmem_')}"
    return (f"#define {first}(first, ...) \\\n    _Generic(SHMEMI_VALUE(first), {cases})\n"
            f"#define {generic.name}(...) {first}(__VA_ARGS__, )(__VA_ARGS__)\n")


def adapters(table):
    """What generics call for types that have no routine of the name."""
    out = []
    for generic in generics_of(table):
        for family in (f for f in generic.families if f.more):
            for typename in generic.types:
                if typename not in generic.own:
                    def filled(text):
                        return text.replace("{T}", table.ctype[typename])
                    head = f"SHMEMI_ADAPTER {filled(returning(family.result))}shmemi_{typename}_"
                    call = re.fullmatch(r"(\w+)\((.*)\)", family.more_body.replace("{T}", typename))
                    out.append(function(head + generic.verb, filled(family.params).split(", "),
                                        (call[1], call[2].split(", ")), family.result != "void"))
    return "\n".join(out)


def overloads(table):
    """The generics of C++."""
    groups = {}
    for generic in generics_of(table):
        if generic.types:
            groups.setdefault(generic.routines, []).append(generic)
    out = [chosen(table, name, group) for name, group in groups.items()]
    for generic in generics_of(table):
        deprecated = "SHMEMI_DEPRECATED " * generic.deprecated
        if not generic.types:
            out += [overload(generic, r) for f in generic.families for r in f.routines
                    if r.name != generic.name]
            continue
        for context in ("", "ctx_") if generic.context else ("",):
            out.append(f"template <typename T, typename Of = typename {generic.routines}<T>::routines>\n"
                       + forwarding(generic, f"{deprecated}SHMEMI_OVERLOAD ", generic.name,
                                    f"Of::{context}{generic.verb}", context, "typename Of::element"))
    return "\n".join(out)


def overload(generic, routine):
    params = parameters(routine.params)
    return function(f"SHMEMI_OVERLOAD {returning(routine.result)}{generic.name}", texts(params),
                    (routine.name, names(params)), routine.result != "void")


def forwarding(generic, before, name, callee, context, others, cast="{}"):
    """A function of element type T, by the first pointer; other arguments have elements `others`."""
    text = generic.params.replace("{T}", "T", 1).replace("{T}", others)
    params = parameters(("shmem_ctx_t ctx, " if context else "") + text)
    arguments = [cast.format(p.name) if re.search(r"\{T\} \*" + p.name, generic.params) else p.name
                 for p in params]
    return function(before + returning(generic.result.replace("{T}", "T")) + name, texts(params),
                    (callee, arguments), generic.result != "void")


def chosen(table, name, group):
    """The structure with the routines of the generics in group, a specialization for each type."""
    members = [f"typedef {name} routines;", "typedef spelling element;"]
    for generic in group:
        for context in ("", "ctx_##") if generic.context else ("",):
            members.append(member(context.rstrip("#") + generic.verb,
                                  f"prefix##{context}type##_{generic.verb}"))
    primary = f"template <typename T> struct {name};\n"
    more = ""
    if "complexd" in group[0].types:
        primary = f"template <typename T, typename = void> struct {name};\n"
        more = of_classes(name, group)
    return primary + selection(name, members, [
        (group[0].prefix_of(t), t, table.ctype[t]) for t in group[0].types]) + more


def of_classes(name, group):
    """The specialization for classes that are complex numbers."""
    members = [f"typedef {name} routines;\ntypedef T element;\n"
               "typedef typename shmemi_complex<T>::number number;\n"]
    members += [forwarding(g, "static ", g.verb, f"{name}<number>::{g.verb}", "", "T",
                           "shmemi_complex<T>::of({})") for g in group]
    return (f"template <typename T> struct {name}<T, typename shmemi_complex<T>::is> {{\n" +
            indented("\n".join(members)) + "};\n")


def definitions(table):
    """A public routine that does its work by the second names of others."""
    out = []
    for routine in (r for f in table.families() for r in f.routines if r.body):
        call = re.sub(r"\b(shmemx?_\w+\()", r"p\1", routine.body)
        back = "" if routine.result == "void" else "return "
        lines = textwrap.wrap(f"{back}{call};", WIDTH - 4, subsequent_indent="    ",
                              break_long_words=False, break_on_hyphens=False)
        out.append(f"TERN_API({routine.result}, {routine.name})\n({routine.params})\n{{\n" +
                   "".join(f"    {line}\n" for line in lines) + "}\n")
    return "\n".join(out)


# Routines of a type for which shmem-inline.h has a macro.
IN_LINE = re.compile(r"shmem_\{T\}_(p|g|atomic_(?!.*_nbi)\w+)")


def in_line(table):
    """The routines that are made in line, and what is done."""
    for family in table.families():
        found = IN_LINE.fullmatch(family.name)
        if found:
            yield from ((r, found[1]) for r in family.routines if not r.context)


def inlines(table):
    return "".join(f"SHMEMI_{verb.upper()}({r.typename}, {table.ctype[r.typename]})\n"
                   for r, verb in in_line(table))


def inline_names(table):
    return "".join(f"#define {r.name} shmemi_{r.typename}_{verb}\n" for r, verb in in_line(table))


def symbols(table):
    names = [r.name for f in table.families() for r in f.routines]
    return "".join(f"    {name};\n    p{name};\n" for name in names)


def main():
    version, template, *tables = sys.argv[1:]
    table = Table(version, *tables)
    fillers = {
        "@CONSTANTS@": constants,
        "@ROUTINES@": routines,
        "@PROFILING_ROUTINES@": lambda table: routines(table, prefix="p"),
        "@DEFINITIONS@": definitions,
        "@ADAPTERS@": adapters,
        "@GENERICS@": generics,
        "@OVERLOADS@": overloads,
        "@INLINES@": inlines,
        "@INLINE_NAMES@": inline_names,
        "@SYMBOLS@": symbols,
    }
    fill(template, version, table, fillers)


if __name__ == "__main__":
    main()
