#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""floor_symbols.py GLIBC FILE...: fails if a program or library needs a symbol of a later version of
glibc, or one that none of the files nor that version has. zig's headers declare newer functions too,
and a plug-in with such a call is linked, but can't be loaded."""
import re
import subprocess
import sys


def number(version):
    return tuple(map(int, version.split(".")))


def dynamic_symbols(path):
    """(name, version or "", needed, weak) of each dynamic symbol."""
    output = subprocess.run(["nm", "--dynamic", "--with-symbol-versions", path], check=True,
                            capture_output=True, text=True).stdout
    for line in output.splitlines():
        kind, name = line.split()[-2:]
        name, _, version = name.replace("@@", "@").partition("@")
        yield name, version, kind in "Uwv", kind in "wv"


def main():
    newest, paths = number(sys.argv[1]), sys.argv[2:]
    symbols = {}
    for path in paths:
        with open(path, "rb") as file:
            if file.read(4) == b"\x7fELF":
                symbols[path] = list(dynamic_symbols(path))
    defined = {name for all_of in symbols.values() for name, _, needed, _ in all_of if not needed}
    wrong = []
    for path, all_of in symbols.items():
        for name, version, needed, weak in all_of:
            match = re.fullmatch(r"GLIBC_(\d[\d.]*)", version)
            if match and number(match[1]) > newest:
                wrong.append(f"{path}: {name} is of glibc {match[1]}")
            elif needed and not weak and not version and name not in defined:
                wrong.append(f"{path}: {name} is in no library of glibc {sys.argv[1]}")
    if not symbols:
        sys.exit("floor_symbols.py: there are no programs")
    print(f"{len(symbols)} programs and libraries need glibc {sys.argv[1]} at most"
          if not wrong else "\n".join(wrong))
    sys.exit(bool(wrong))


main()
