# SPDX-License-Identifier: BSD-3-Clause
"""Fill a template of the Fortran interface from its table and that of the C interface.

    gen_fortran.py VERSION TEMPLATE FORTRAN_TABLE API_TABLE >OUTPUT

spec/fortran.table explains its own format. A line of the template that is one of these is replaced:

    @CONSTANTS@     PARAMETERs, in a form that is fixed and free at once
    @TYPES@         types of functions, in the same form
    @INTERFACES@    interface bodies for a module
    @PROTOTYPES@    C prototypes of the routines, under the first of their names
    @WRAPPERS@      their definitions, but for those that are written by hand
    @SYMBOLS@       all names, for a version script
"""
import re
import sys
from dataclasses import dataclass

import gen_api
from c_text import WIDTH, comment, fill, returning, wrapped

FORTRAN_WIDTH = 72

# Spelling in C, and in the module.
VALUES = {
    "int": ("int", "integer"),
    "long": ("long", "integer(c_int64_t)"),
    "float": ("float", "real(c_float)"),
    "double": ("double", "real(c_double)"),
    "pointer": ("void *", "integer(c_intptr_t)"),
}
# Without ISO_C_BINDING, which an include file can't USE: 18 digits are those of 8 bytes.
INCLUDED = {"logical": "LOGICAL", "pointer": "INTEGER(SELECTED_INT_KIND(18))"}
RESULTS = {**VALUES, "logical": ("int", "logical")}


@dataclass
class Argument:
    name: str
    kind: str

    def in_c(self):
        """Its declaration as a parameter."""
        if self.kind in ("any", "pSync"):
            return f"void *{self.name}"
        if self.kind == "const":
            return f"const void *{self.name}"
        if self.kind in ("characters", "string"):
            return f"char *{self.name}"
        if self.kind == "count":
            return f"const int *{self.name}"
        spelling = VALUES[self.kind.rstrip("*")][0]
        const = "" if self.kind.endswith("*") else "const "
        if spelling.endswith("*"):
            return f"{spelling}{const}*{self.name}"
        return f"{const}{spelling} *{self.name}"

    def hidden(self):
        """The parameters that follow all others."""
        return [f"size_t {self.name}_length"] if self.kind in ("characters", "string") else []

    def value(self, routine):
        """What the C routine gets."""
        if self.kind == "count":
            return f'tern_fortran_count(*{self.name}, "{self.name}", "{routine.lower()}")'
        return f"*{self.name}" if self.kind in VALUES else self.name

    def in_module(self):
        """The lines of its declaration."""
        if self.kind in ("any", "const"):
            return [f"!GCC$ ATTRIBUTES NO_ARG_CHECK :: {self.name}",
                    f"!DIR$ IGNORE_TKR {self.name}",
                    f"type(*), dimension(*) :: {self.name}"]
        if self.kind == "pSync":
            return [f"integer, dimension(*) :: {self.name}"]
        if self.kind == "characters":
            return [f"character(len=*), dimension(*) :: {self.name}"]
        if self.kind == "string":
            return [f"character(len=*) :: {self.name}"]
        if self.kind == "count":
            return [f"integer, intent(in) :: {self.name}"]
        spelling = VALUES[self.kind.rstrip("*")][1]
        return [f"{spelling}{'' if self.kind.endswith('*') else ', intent(in)'} :: {self.name}"]


@dataclass
class Routine:
    section: str
    name: str          # in upper case
    result: str | None
    arguments: list
    constants: list    # what the C routine gets after those
    target: str        # the C routine, or hand
    in_module: bool
    declared: bool     # in the include files

    def head(self, opening):
        """The beginning of a C declaration, as lines."""
        params = [a.in_c() for a in self.arguments]
        params += [length for a in self.arguments for length in a.hidden()]
        return wrapped(opening, params or ["void"], ")")

    def result_in_c(self):
        return RESULTS[self.result][0] if self.result else "void"


class Table:
    def __init__(self, path, constants):
        self.constants = []    # (name, value): both text
        self.routines = []
        self._lists = {"": [("", "")]}
        self._section = ""
        with open(path) as file:
            for number, line in enumerate(file, 1):
                line = line.rstrip("\n")
                try:
                    self._parse(line, constants)
                except (ValueError, KeyError, AttributeError) as error:
                    sys.exit(f"{path}:{number}: {error!r}: {line}")

    def _parse(self, line, constants):
        word, _, rest = line.partition(" ")
        if not line or line.startswith("#"):
            return
        if word == "section":
            self._section = rest
        elif word == "constant":
            name, _, factor = rest.partition(" ")
            self.constants.append((name, fortran_value(constants[name], int(factor or 1))))
        elif word == "list":
            name, *pairs = rest.split()
            self._lists[name] = [pair.split("=") for pair in pairs]
        else:
            self._routine(line)

    def _routine(self, line):
        match = re.fullmatch(r"(external |declared )?(subroutine|function (\S+)) ([\w{}]+)\((.*)\)"
                             r" = ([\w{}]+)(?: : (.*))?", line)
        prefix, _, result, name, arguments, target, lists = match.groups()
        for chosen in (lists or "").split() or [""]:
            for fortran, c in self._lists[chosen]:
                def filled(text):
                    return text and text.replace("{F}", fortran).replace("{C}", c)
                parts = [part for part in filled(arguments).split(", ") if part]
                self.routines.append(
                    Routine(self._section, filled(name), filled(result),
                            [Argument(*part.split(":")) for part in parts if ":" in part],
                            [part for part in parts if ":" not in part], filled(target),
                            prefix != "external ", prefix == "declared "))


def fortran_value(value, factor):
    """A constant of the C interface as Fortran writes it."""
    if value.startswith('"'):
        return "'" + value.strip('"') + "'"
    return str(int(value.rstrip("L"), 0) * factor)


def by_section(table, make, title):
    """What `make` makes of each routine, with the sections' titles."""
    out, section = "", None
    for routine in table.routines:
        text = make(routine)
        if text and routine.section != section:
            section = routine.section
            out += f"\n{title(section)}"
        out += text
    return out


def constants(table):
    out = ""
    for name, value in table.constants:
        typename = f"CHARACTER*{len(value) - 2}" if value.startswith("'") else "INTEGER"
        out += statement(f"{typename} {name}") + statement(f"PARAMETER ({name} = {value})")
    return out


def types(table):
    return "".join(statement(f"{INCLUDED[routine.result]} {routine.name}")
                   for routine in table.routines if routine.declared)


def statement(text):
    """A line that is one in fixed and in free form."""
    line = f"      {text}"
    if len(line) > FORTRAN_WIDTH:
        sys.exit(f"a fixed form has no room for: {line}")
    return line + "\n"


def interface(routine):
    if not routine.in_module:
        return ""
    kind = "function" if routine.result else "subroutine"
    name = routine.name.lower()
    opening = f"{kind} {name}("
    lines = wrapped(opening, [a.name for a in routine.arguments], ")", WIDTH - 6)
    lines = [line + " &" for line in lines[:-1]] + lines[-1:]
    body = [line for a in routine.arguments for line in a.in_module()]
    if routine.result:
        body.append(f"{RESULTS[routine.result][1]} :: {name}")
    used = sorted(set(re.findall(r"\((c_\w+)\)", " ".join(body))))
    if used:
        body.insert(0, f"import :: {', '.join(used)}")
    body = [line if line.startswith("!") else "  " + line for line in body]
    lines += body + [f"end {kind} {name}"]
    return "".join(line + "\n" if line.startswith("!") else f"    {line}\n" for line in lines)


def interfaces(table):
    return by_section(table, interface, lambda text: f"    ! {text}\n").lstrip("\n")


def prototype(routine):
    opening = f"{returning(routine.result_in_c())}{routine.name.lower()}_("
    return "\n".join(routine.head(opening)) + ";\n"


def prototypes(table):
    return by_section(table, prototype, comment)


def wrapper(routine):
    if routine.target == "hand":
        return ""
    opening = f"TERN_FORTRAN({routine.result_in_c()}, {routine.name.lower()}, {routine.name})("
    call = f"    {'return ' if routine.result else ''}{routine.target}("
    values = [a.value(routine.name) for a in routine.arguments] + routine.constants
    body = wrapped(call, values, ");")
    return "\n".join(["", *routine.head(opening), "{", *body, "}", ""])


def wrappers(table):
    return by_section(table, wrapper, comment)


def symbols(table):
    return "".join(f"    {name};\n" for routine in table.routines
                   for name in (routine.name.lower() + "_", routine.name.lower() + "__",
                                routine.name))


def main():
    version, template, path, api_path = sys.argv[1:]
    api = gen_api.Table(version, api_path)
    table = Table(path, {name: value for section in api.sections for group in section.groups
                         for name, value in group.constants})
    fillers = {
        "@CONSTANTS@": constants,
        "@TYPES@": types,
        "@INTERFACES@": interfaces,
        "@PROTOTYPES@": prototypes,
        "@WRAPPERS@": wrappers,
        "@SYMBOLS@": symbols,
    }
    fill(template, version, table, fillers)


if __name__ == "__main__":
    main()
