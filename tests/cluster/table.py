# SPDX-License-Identifier: BSD-3-Clause
"""Prints what suite.py has found as a table of programs by launchers, in Markdown.

    table.py RESULTS
"""
import collections
import pathlib
import sys


def count(rows, place):
    verdicts = [row[place] for row in rows.values() if place in row]
    return f"{sum('**' not in verdict for verdict in verdicts)} of {len(verdicts)}"


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
    print("| **passed** |", " | ".join(count(rows, place) for place in places), "|")


main()
