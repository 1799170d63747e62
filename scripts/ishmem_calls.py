# SPDX-License-Identifier: BSD-3-Clause
"""The bodies of libishmem's routines, which call those of OpenSHMEM.

Most are one call. A routine that waits may be called by a kernel whose work-items share a thread, so
it does not block that thread while others need it (src/ishmem/kernel.h): a wait for variables polls
them, and a collective routine runs on another thread.
"""
import re

import c_text
from cxx_text import names, texts

# How an argument is handed on to the OpenSHMEM routine.
CONVERSIONS = {"ishmem_team_t": "tern_ishmem_team({})", "int cmp": "tern_ishmem_comparison({})"}
# The type of such an argument there.
TYPES = {"ishmem_team_t": "shmem_team_t"}

# For what follows wait_until: the other condition of the loop, and the end of a wait.
ENDS = {
    "": ("", "if ({test})", "return;"),
    "_all": ("", "if ({test})", "return;"),
    "_any": (" && tern_ishmem_selects(nelems, status)", "if ((found = {test}) != SIZE_MAX)", "return found;"),
    "_some": (" && tern_ishmem_selects(nelems, status)", "if ((found = {test}) != 0)", "return found;"),
}


def converted(param):
    kind = param.text if param.text in CONVERSIONS else param.text.partition(" ")[0]
    return CONVERSIONS.get(kind, "{}").format(param.name)


def definition(routine, lines):
    params = c_text.parameters(routine.params)
    head = c_text.wrapped(f"{c_text.returning(routine.result)}{routine.name}(", texts(params) or ["void"], ")")
    return "\n".join([*head, "{", *lines, "}", ""])


def call(routine, counterpart, indent="    "):
    """The statement that calls the routine of OpenSHMEM, and returns its result."""
    back = "" if routine.result == "void" else "return "
    arguments = [converted(p) for p in c_text.parameters(routine.params)]
    return c_text.wrapped(f"{indent}{back}{counterpart}(", arguments, ");")


def plain(routine, counterpart):
    return definition(routine, call(routine, counterpart))


def waiting(routine, counterpart):
    """A wait for variables: it polls as long as work-items need the thread."""
    kind = re.search(r"_wait_until(_all|_any|_some)?", routine.name)[1] or ""
    arguments = ", ".join(converted(p) for p in c_text.parameters(routine.params))
    test = f"{counterpart.replace('_wait_until', '_test')}({arguments})"
    condition, found, end = ENDS[kind]
    lines = ["    struct tern_ishmem_turns turns = {0};"]
    if "found" in end:
        lines.append("    size_t found;")
    lines += ["", f"    while (tern_ishmem_gives_way(&turns){condition})",
              f"        {found.format(test=test)}", f"            {end}"]
    return definition(routine, lines + call(routine, counterpart))


def collective(routine, counterpart):
    """A collective routine: it runs on another thread if work-items need this one."""
    params = c_text.parameters(routine.params)
    name = routine.name.removeprefix("ishmem_")
    fields = [TYPES.get(p.type, p.type) + ("" if p.type.endswith("*") else " ") + p.name for p in params]
    result = [] if routine.result == "void" else [f"{routine.result} result"]
    given = ", ".join([converted(p) for p in params] + ["0"] * len(result))
    handed_on = ", ".join(f"call->{name}" for name in names(params))
    structure = ["", *(f"    {field};" for field in fields + result)]
    returns = "return call.result;" if result else "return;"
    aside = [f"struct {name} {{", *structure[1:], "};", "",
             f"static void run_{name}(void *arguments)", "{",
             f"    struct {name} *call = arguments;", "",
             f"    {'call->result = ' if result else ''}{counterpart}({handed_on});", "}", "", ""]
    lines = ["    if (tern_ishmem_needs_thread()) {",
             f"        struct {name} call = {{{given}}};", "",
             f"        tern_ishmem_run_aside(run_{name}, &call, __builtin_return_address(0));",
             f"        {returns}", "    }"]
    return "\n".join(aside) + definition(routine, lines + call(routine, counterpart))


def body(family, routine, counterpart):
    if re.match(r"ishmem_\w+_wait_until", routine.name) and routine.typename:
        return waiting(routine, counterpart)
    if family.section.startswith("9.10."):
        return collective(routine, counterpart)
    return plain(routine, counterpart)
