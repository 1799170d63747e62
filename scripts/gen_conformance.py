#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes docs/conformance.md: which test covers which rule of the standard.

usage: gen_conformance.py SOURCE_ROOT [--check BUILD_ROOT]

The rules are the rows of tests/rules/*.tsv, in the order of the files' names:

    section <TAB> id <TAB> rule <TAB> tests

tests is a list of PROGRAM:CHECK, separated by spaces: a test as Meson knows it, without what
follows the first blank of its name, and the name of a check in its sources; just PROGRAM where the
whole test is about the rule. Where no test can be, it is "-" and a blank, and then the reason.

With --check nothing is written. It fails if the page is stale, if a test is not registered in the
build, or if a check's name does not occur in the sources of its test.
"""
import collections
import json
import pathlib
import re
import sys

PAGE = "docs/conformance.md"

HEAD = """\
<!-- Made from tests/rules/*.tsv by scripts/gen_conformance.py. -->
# Conformance

Every rule of OpenSHMEM 1.6 that is easy to get wrong, and the test that holds Tern to it. A test is
`program:check`: the program is what `meson test` lists, and the check is the name that a failure
prints. Where no test can observe a rule, the reason stands in its place.
"""

Rule = collections.namedtuple("Rule", "file line section id text tests reason")


def read_rules(root):
    rules = []
    for path in sorted((root / "tests/rules").glob("*.tsv")):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if not line or line.startswith("#"):
                continue
            columns = line.split("\t")
            if len(columns) != 4 or not all(columns):
                sys.exit(f"{path.name}:{number}: not four columns")
            section, name, text, tests = columns
            reason = tests[2:] if tests.startswith("- ") else ""
            rules.append(Rule(path.name, number, section, name, text,
                              [] if reason else tests.split(), reason))
    return rules


def page(rules):
    sections = {}
    for rule in rules:
        sections.setdefault(rule.section, []).append(rule)
    covered = sum(bool(rule.tests) for rule in rules)
    lines = [HEAD, f"{len(rules)} rules: {covered} are tested, {len(rules) - covered} cannot be."]
    for section, members in sections.items():
        lines += ["", f"## {section}", "", "| rule | covered by |", "|---|---|"]
        for rule in members:
            by = "<br>".join(f"`{test}`" for test in rule.tests) or f"*{rule.reason}*"
            text = rule.text.replace("|", "\\|")
            lines.append(f"| {text} | {by} |")
    return "\n".join(lines) + "\n"


def sources_of(tests, program):
    """The text of a program: its file and what that names (with x.h, x.c), or all of its folder."""
    stem = tests / program
    files = [f for f in stem.parent.glob(stem.name + ".*") if f.is_file()]
    if not files:
        files = [f for f in stem.parent.glob("*") if f.is_file()]
    text, todo, seen = [], files, set()
    while todo:
        path = todo.pop()
        if path in seen:
            continue
        seen.add(path)
        text.append(path.read_text(errors="replace"))
        for name in re.findall(r'"([\w./-]+\.(?:h|inc|c|sh|py))"', text[-1]):
            for found in (tests / name, path.parent / name):
                if found.is_file():
                    todo.append(found)
                if found.suffix == ".h" and found.with_suffix(".c").is_file():
                    todo.append(found.with_suffix(".c"))
    return "\n".join(text)


def faults(root, build, rules):
    registered = {test["name"].split(" ")[0]
                  for test in json.loads((build / "meson-info/intro-tests.json").read_text())}
    ids = collections.Counter(rule.id for rule in rules)
    for rule in rules:
        at = f"{rule.file}:{rule.line}: {rule.id}"
        if ids[rule.id] > 1:
            yield f"{at}: more than one rule has this id"
        for test in rule.tests:
            program, _, check = test.partition(":")
            if program not in registered:
                yield f"{at}: there is no test {program}"
            elif check and check not in re.findall(
                    r"[\"']([\w-]+)[\"']", sources_of(root / "tests", program)):
                yield f"{at}: {program} has no check {check}"
    written = root / PAGE
    if not written.exists() or written.read_text() != page(rules):
        yield f"{PAGE} is stale: scripts/gen_conformance.py {root} makes it anew"


def main():
    if len(sys.argv) not in (2, 4) or len(sys.argv) == 4 and sys.argv[2] != "--check":
        sys.exit(__doc__)
    root = pathlib.Path(sys.argv[1])
    rules = read_rules(root)
    if len(sys.argv) == 2:
        (root / PAGE).write_text(page(rules))
        return
    found = list(faults(root, pathlib.Path(sys.argv[3]), rules))
    if found:
        sys.exit("\n".join(found))


if __name__ == "__main__":
    main()
