# SPDX-License-Identifier: BSD-3-Clause
"""Prints what suite.py has found as a table of programs by launchers, in Markdown.

    table.py RESULTS
"""
import collections
import pathlib
import sys


def main():
    rows = collections.defaultdict(dict)
    places = []
    for path in sorted(pathlib.Path(sys.argv[1]).glob("*.tsv")):
        for line in path.read_text().splitlines():
            program, place, verdict, seconds = line.split("\t")
            rows[program][place] = f"{seconds} s" if verdict == "passed" else f"**{verdict}**"
            if place not in places:
                places.append(place)
    if not rows:
        sys.exit("there are no results")
    print("| program |", " | ".join(places), "|")
    print("|---|" + "---|" * len(places))
    for program in sorted(rows):
        print(f"| {program} |", " | ".join(rows[program].get(p, "") for p in places), "|")
    passed = [sum("**" not in row.get(p, "**") for row in rows.values()) for p in places]
    print(f"| **passed of {len(rows)}** |", " | ".join(map(str, passed)), "|")


main()
