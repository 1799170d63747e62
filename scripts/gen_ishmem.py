# SPDX-License-Identifier: BSD-3-Clause
"""Fill a template (a header, a source of libishmem) from the table of Intel SHMEM's interface.

    gen_ishmem.py VERSION TEMPLATE TABLE API_TABLE >OUTPUT

spec/ishmem.table explains its own format. A line of the template that is one of these is replaced;
in ishmemx.h, those about routines are about the ishmemx_ ones, elsewhere in headers about the others:

    @CONSTANTS@      macros
    @ROUTINES@       prototypes
    @TEMPLATES@      for C++: templates, and forms without a team
    @SYCL_FORMS@     for C++: what takes a queue or a group of SYCL
    @DEFINITIONS@    the routines that are calls of OpenSHMEM's
"""
import os
import sys

import c_text
import gen_api
import ishmem_calls
import sycl_forms
from cxx_text import function, member, names, selection, texts


class Interface(gen_api.Table):
    flags = ("team", "own", "own=byte", "host", "group", "group=void", "queue")

    def __init__(self, version, path, api_path):
        super().__init__(version, path)
        api = gen_api.Table(version, api_path)
        self.known = {r.name for f in api.families() for r in f.routines}

    def of_header(self, prefix):
        return [f for f in self.families() if f.name.startswith(prefix)]

    def counterpart(self, routine):
        """The OpenSHMEM routine of this name, or of this name with an equal type."""
        name = "shmem_" + routine.name.partition("_")[2]
        alike = [t for t, same in self.same_as.items() if routine.typename in same]
        for candidate in [name] + [name.replace(f"_{routine.typename}_", f"_{t}_") for t in alike]:
            if candidate in self.known:
                return candidate
        sys.exit(f"{routine.name}: OpenSHMEM has no {name}")

    def is_own(self, family, routine):
        return "own" in family.flags or ("own=byte" in family.flags and
                                         routine.typename in self.classes["byte"])


def result_of(family, element):
    return c_text.returning(family.result.replace("{T}", element))


def attributes(family):
    return "" if "host" in family.flags else "ISHMEM_DEVICE_ATTRIBUTES "


def routines(table, prefix):
    out = []
    for section in table.sections:
        text = []
        for group in section.groups:
            families = [f for f in group.families if f.name.startswith(prefix)]
            if families:
                text += [c_text.comment(group.text)] if group.text else []
                text += [gen_api.prototype(r, attributes=attributes(f)) for f in families
                         for r in f.routines]
        if text:
            out.append(c_text.comment(section.title.removeprefix("- ")) + "\n" + "".join(text))
    return "\n".join(out)


def types_of(table, family):
    """The lists of types of a family, in one word."""
    return "_".join(c for c in family.lists if c in table.classes)


def selected(table, prefix, families):
    """The structure that has the routines of families of one list of types."""
    name = prefix + types_of(table, families[0])
    verbs = [family.name.replace("{N}", "").partition("{T}_")[2] for family in families]
    before = families[0].name.partition("{T}_")[0]
    return f"template <typename T> struct {name};\n" + selection(
        name, [member(verb, f"prefix##type##_{verb}") for verb in verbs],
        [(before, t, table.ctype[t]) for t in table.distinct_types(families[:1])])


def without_team(name, result, params):
    """The form of a collective for all PEs."""
    params = params[1:]
    return function(f"{result}{name}", texts(params), (name, ["ISHMEM_TEAM_WORLD"] + names(params)), True)


def templates(table, prefix):
    families = table.of_header(prefix)
    internal = prefix.rstrip("_") + "i_"
    by_types = {}
    for family in families:
        if family.generic:
            by_types.setdefault(types_of(table, family), []).append(family)
    out = [selected(table, internal, group) for group in by_types.values()]
    for family in families:
        if family.generic:
            result = "template <typename T> ISHMEMI_INLINE " + result_of(family, "T")
            params = c_text.parameters(family.params.replace("{T}", "T"))
            routine = f"{internal}{types_of(table, family)}<T>::{family.generic.removeprefix(prefix)}"
            out.append(function(result + family.generic, texts(params), (routine, names(params)),
                                family.result != "void"))
            if "team" in family.flags:
                out.append(without_team(family.generic, result, params))
    for family in families:
        if "team" in family.flags:
            out += [without_team(r.name, "ISHMEMI_INLINE int ", c_text.parameters(r.params))
                    for r in family.routines]
    return "\n".join(out)


def definitions(table):
    return "\n".join(ishmem_calls.body(family, routine, table.counterpart(routine))
                     for family in table.families() for routine in family.routines
                     if not table.is_own(family, routine))


def main():
    version, template, *tables = sys.argv[1:]
    table = Interface(version, *tables)
    prefix = "ishmemx_" if os.path.basename(template).startswith("ishmemx") else "ishmem_"
    fillers = {
        "@CONSTANTS@": gen_api.constants,
        "@ROUTINES@": lambda table: routines(table, prefix),
        "@TEMPLATES@": lambda table: templates(table, prefix),
        "@SYCL_FORMS@": lambda table: sycl_forms.forms(table, types_of),
        "@DEFINITIONS@": definitions,
    }
    c_text.fill(template, version, table, fillers)


if __name__ == "__main__":
    main()
