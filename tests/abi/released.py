#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compare the symbols of the libraries with those of the last release, of which none may go.

    released.py check LIBRARY...    fails if a symbol of released.txt is missing
    released.py write LIBRARY...    writes released.txt, as a step of a release

A library may lose symbols only when the number in its soname changes.
"""
import pathlib
import re
import subprocess
import sys

RELEASED = pathlib.Path(__file__).with_name("released.txt")


def symbols(library):
    """Each exported symbol with its version, such as shmem_init@@TERN_0."""
    output = subprocess.run(["nm", "--dynamic", "--defined-only", "--format=posix", library],
                            stdout=subprocess.PIPE, text=True, check=True).stdout
    return {line.split()[0] for line in output.splitlines() if " A " not in line}


def soname(library):
    return re.match(r".*\.so\.\d+", pathlib.Path(library).name)[0]


def write(libraries):
    with RELEASED.open("w") as file:
        for library in libraries:
            file.write(f"{soname(library)}\n")
            file.writelines(f" {name}\n" for name in sorted(symbols(library)))


def check(libraries):
    released, name = {}, None
    for line in RELEASED.read_text().splitlines():
        if line.startswith(" "):
            released[name].add(line.strip())
        else:
            name = line
            released[name] = set()
    compared = 0
    for library in libraries:
        # A library with a new soname has no ancestor.
        expected = released.get(soname(library), set())
        compared += len(expected)
        for lost in sorted(expected - symbols(library)):
            yield f"{soname(library)} has no {lost} any more"
    if not compared:
        yield f"{RELEASED} names no symbol of these libraries"
    print(f"{compared} symbols compared")


def main():
    command, *libraries = sys.argv[1:]
    if command == "write":
        write(libraries)
        return
    wrong = list(check(libraries))
    print(*wrong, sep="\n")
    sys.exit(1 if wrong else 0)


main()
