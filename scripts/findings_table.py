# SPDX-License-Identifier: BSD-3-Clause
"""Writes the table of findings in docs/check.md, or checks that it is up to date.

usage: findings_table.py SOURCE_ROOT [--check]
"""
import pathlib
import re
import sys

SOURCE = "src/tools/check/report/findings.def"
PAGE = "docs/check.md"
BEGIN, END = "<!-- findings -->\n", "<!-- end of findings -->\n"
FINDING = re.compile(r'^FINDING\(\w+, (?:CALL|JOB), "([^"]+)",\s*((?:"[^"]+"\s*)+)\)$', re.M)


def table(source):
    findings = FINDING.findall(source)
    if len(findings) != source.count("\nFINDING("):
        sys.exit(f"{SOURCE}: a finding is not FINDING(NAME, SCOPE, \"title\", \"what the program does\")")
    rows = [(title, "".join(re.findall(r'"([^"]*)"', does))) for title, does in findings]
    return "".join(f"| {title} | {does} |\n" for title, does in
                   [("message", "what the program does"), ("---", "---"), *rows]).replace(" --- ", "---")


def main():
    root = pathlib.Path(sys.argv[1])
    page = (root / PAGE).read_text()
    before, rest = page.split(BEGIN)
    after = rest.split(END)[1]
    made = before + BEGIN + table((root / SOURCE).read_text()) + END + after
    if sys.argv[2:] != ["--check"]:
        (root / PAGE).write_text(made)
    elif made != page:
        sys.exit(f"{PAGE} is stale: ninja findings-table makes its table of findings anew")


if __name__ == "__main__":
    main()
