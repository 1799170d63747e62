# SPDX-License-Identifier: BSD-3-Clause
"""All tables of spec together, as the manual describes them: families of C routines by name, the
Fortran routines of each, constants by the title of their section, and the manual's chapters.

A family's name is that of its lines in a table, such as shmem_{T}_put{N}; several lines may share
it. A Fortran routine without a C family forms a family of its own name, such as SHPALLOC.
"""
import pathlib
import re
from dataclasses import dataclass, field

import gen_api
import gen_fortran
import gen_ishmem

# The tables in C, and what a program includes for their routines.
HEADERS = {"api": "shmem.h", "ext": "shmemx.h", "classic": "shmem.h", "ishmem": "ishmem.h"}


@dataclass
class Family:
    """Everything that has one name in the tables."""
    name: str
    table: str                                   # a key of HEADERS, or fortran
    section: str                                 # the title of its section of the table
    lines: list = field(default_factory=list)    # of gen_api.Family
    fortran: list = field(default_factory=list)  # of gen_fortran.Routine

    @property
    def base(self):
        """The generic or untyped name."""
        return base_of(self.name)

    @property
    def header(self):
        return "ishmemx.h" if self.name.startswith("ishmemx_") else HEADERS.get(self.table, "shmem.fh")

    def routines(self):
        return [routine for line in self.lines for routine in line.routines]

    def numbers(self):
        """The sections of the standard that describe it."""
        numbers = dict.fromkeys(line.section for line in self.lines)
        return [number for number in numbers if re.fullmatch(r"\d+(\.\d+)+", number)]

    def arguments(self):
        """The names of the arguments, in C or, without a C routine, in Fortran."""
        if not self.lines:
            return list(dict.fromkeys(a.name for routine in self.fortran for a in routine.arguments))
        texts = ", ".join(routine.params for routine in self.routines()).split(", ")
        return list(dict.fromkeys(re.search(r"(?:\(\*|\b)(\w+)(?:\[\]|\)\(.*\))?$", text)[1]
                                  for text in texts if text not in ("void", "...")))


@dataclass
class Constants:
    """The constants of one section of a table."""
    table: str
    title: str
    groups: list    # of gen_api.Group


def base_of(name):
    return name.replace("{T}_", "").replace("{N}", "")


def title_of(section):
    """A section's title without its number."""
    return re.sub(r"^([\d.]+|-|Extension) ", "", section)


class Interface:
    def __init__(self, root, version):
        spec = pathlib.Path(root) / "spec"
        self.tables = {name: gen_api.Table(version, spec / f"{name}.table")
                       for name in ("api", "classic", "ext")}
        self.tables["ishmem"] = gen_ishmem.Interface(version, spec / "ishmem.table", spec / "api.table")
        self.families = {}     # by name
        self.constants = []    # of Constants
        for name, table in self.tables.items():
            for section in table.sections:
                self._add_section(name, section)
        values = {name: value for section in self.tables["api"].sections
                  for group in section.groups for name, value in group.constants}
        self.fortran = gen_fortran.Table(spec / "fortran.table", values)
        self._of_routine = {routine.name: family for family in self.families.values()
                            for routine in family.routines()}
        for routine in self.fortran.routines:
            self._add_fortran(routine)

    def _add_section(self, table, section):
        title = title_of(section.title)
        for group in section.groups:
            for line in group.families:
                family = self.families.setdefault(line.name, Family(line.name, table, title))
                family.lines.append(line)
        groups = [group for group in section.groups if group.constants]
        if groups:
            self.constants.append(Constants(table, title, groups))

    def _add_fortran(self, routine):
        family = self._of_routine.get(routine.target)
        if routine.target == "hand":
            like = routine.name.lower().replace("shmem_real16_", "shmem_longdouble_")
            family = self._of_routine.get(like)
        if not family:
            family = self.families.setdefault(
                routine.name, Family(routine.name, "fortran", routine.section))
        family.fortran.append(routine)

    def family_of(self, routine):
        """The family of a concrete C routine."""
        return self._of_routine[routine]

    def constants_of(self, words):
        """The sections that a line of a page means: a title, after a table's name or, without
        one, in the first table that has it; None if there is none."""
        table, _, title = words.rpartition(": ")
        found = [c for c in self.constants if c.title == title and table in ("", c.table)]
        return found[0] if found else None
