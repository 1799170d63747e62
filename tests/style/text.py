# SPDX-License-Identifier: BSD-3-Clause
"""Check what holds for every text file: a licence line, line lengths, white space, the ending, and
that who can be run says by what.

    text.py SOURCE_ROOT
"""
import pathlib
import sys

COLUMNS = 100
C = {".c", ".h", ".cpp", ".hpp", ".inc"}
CODE = C | {".def", ".py", ".sh", ".in", ".ini", ".table", ".build"}
OTHER = {".md", ".1", ".7", ".txt", ".tsv"}
NAMES = {"Makefile", "run"}  # code, too
FOLDERS = ("include", "src", "tests", "examples", "bench", "scripts", "packaging", "spec", "docs",
           "man", ".ci")


def files(root):
    for path in root.iterdir():
        if path.is_file():
            yield path
    for folder in FOLDERS:
        yield from (path for path in (root / folder).rglob("*") if path.is_file())


def wrong(path, is_code):
    text = path.read_text()
    lines = text.split("\n")
    if lines.pop() != "" or lines[-1:] == [""]:
        yield f"{path}: should end with one newline"
    if is_code and not any("SPDX-License-Identifier: BSD-3-Clause" in l for l in lines[:3]):
        yield f"{path}: has no SPDX line"
    if text.startswith("#!") != bool(path.stat().st_mode & 0o111):
        yield f"{path}: should have both of #! and the mode of a program, or none"
    for number, line in enumerate(lines, 1):
        if line != line.rstrip():
            yield f"{path}:{number}: white space at the end"
        if path.suffix in C and len(line) > COLUMNS:
            yield f"{path}:{number}: has {len(line)} columns"
        if is_code and "\t" in line and path.name != "Makefile":
            yield f"{path}:{number}: has a tab"


def main():
    found = 0
    messages = []
    for path in sorted(files(pathlib.Path(sys.argv[1]))):
        is_code = path.suffix in CODE or path.name in NAMES
        if is_code or path.suffix in OTHER:
            found += 1
            messages += wrong(path, is_code)
    print(*messages, f"{found} files", sep="\n")
    sys.exit(1 if messages or not found else 0)


main()
