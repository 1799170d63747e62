#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What oshrun's tools cost: calls, small applications and whole programs without them and with each.

    tools.py [--runs N] [--tools NAME,...] [--only PART,...] [--markdown | --into FOLDER] BUILD

BUILD is a build directory; the programs of this folder, examples/heat2d and examples/sort.c are
compiled for it. There are two parts: `plain`, with each tool; and `instrumented`, the applications and
examples compiled with `oshcc --tern-instrument`, without a tool and with --check=races, beside the plain
ones without a tool. Each program runs in each of these ways, in turn, N times (5); a figure is the least
of all turns. A last row has the geometric mean of the ratios, and the worst. Returns 1 if a bound is
missed, which a `!` or bold type marks: with --check ten times for a call and twice for a program; with
--check=races ten times for a call and 3 times for an application; with --profile twice for a call; for
heat2d and sort also twice with --check=races, and 1.05 times with --profile; instrumented, with
--check=races, 3 times by the geometric mean and 15 at worst. --markdown prints the tables of docs/check.md
and docs/profile.md; --into puts them into these files of a folder, between the two comments of each that
begin with "tools.py".
"""
import argparse
import contextlib
import io
import json
import math
import os
import pathlib
import re
import sys
import tempfile
import time

import job
from library import HERE, of_build

SECONDS = 300  # that a turn of a program may take
OPTION = {"check": "check", "races": "check=races", "profile": "profile"}
TOOLS = {tool: [f"--{option}"] for tool, option in OPTION.items()}
BUILT, BUILT_RACES = "instrumented", "instrumented, races"  # the ways of the second part
FOUND = 66  # where a race is found: puts to one place, again and again, are one; the search has one
PES = 2
PROGRAMS = {  # their rows, and how the tables call them
    "rma": (["--row-ms", "5", "--max-bytes", "4096"],
            {("p", "heap", 8): "`shmem_long_p`, to one word", ("g", "heap", 8): "`shmem_long_g`",
             ("put", "heap", 8): "`shmem_putmem`, 8 bytes", ("put", "heap", 4096): "`shmem_putmem`, 4 KiB",
             ("get", "heap", 8): "`shmem_getmem`, 8 bytes", ("get", "heap", 4096): "`shmem_getmem`, 4 KiB"}),
    "amo": (["--row-ms", "5"], {("fetch_add", "heap", 8): "`shmem_long_atomic_fetch_add`"}),
    "wait": (["--row-ms", "5", "--max-bytes", "8"],
             {("set, wait_until", "ping-pong", 8): "`shmem_long_atomic_set` and `shmem_long_wait_until`",
              ("p, fence", "", 8): "`shmem_long_p` and `shmem_fence`",
              ("p, quiet", "", 8): "`shmem_long_p` and `shmem_quiet`",
              ("lock", "free", 8): "`shmem_set_lock` and `shmem_clear_lock`"}),
    "coll": (["--row-ms", "5", "--max-bytes", "8"],
             {("barrier_all", "", 0): "`shmem_barrier_all`", ("broadcast", "", 8): "`shmem_long_broadcast` of one",
              ("sum", "long", 8): "`shmem_long_sum_reduce` of one"}),
}
APPLICATIONS = ("integer sort", "random access", "histogram", "index gather", "stencil", "transpose", "bfs")
STEPS = {"plain": 8000, "instrumented": 2000}  # of heat2d
NUMBERS = 4000000  # that sort sorts on each PE
CALL_BOUND = {"check": 10, "races": 10, "profile": 2}
PROGRAM_BOUND = {"check": 2, "races": 3, "profile": 2}
EXAMPLE_BOUND = {"check": 2, "races": 2, "profile": 1.05}
INSTRUMENTED_BOUND = {BUILT_RACES: 15}
MEAN_BOUND = {BUILT_RACES: 3}
PARTS = ("plain", "instrumented")
DOCUMENTS = {"check.md": [("plain", ("check", "races")), ("instrumented", (BUILT, BUILT_RACES))],
             "profile.md": [("plain", ("profile",))]}


SORT_ROW = ("sort", f"{NUMBERS // 1000000} million numbers a PE", 0)


def heat_row(part):
    return ("heat2d", f"{STEPS[part]:,} steps of 480 x 270 cells", 0)


class Bench:
    def __init__(self, build, directory):
        self.library = of_build(build, directory)
        self.least = {}  # (row, way or None) -> nanoseconds

    def compile(self, with_instrumented):
        heat = "../examples/heat2d"
        programs = {name: ("-g", "-O2", "-pthread", f"{name}.c", "bench.c") for name in (*PROGRAMS, "apps")}
        programs["heat2d"] = ("-g", "-O3", *(f"{heat}/{name}.c" for name in ("heat2d", "plate", "png")), "-lm")
        programs["sort"] = ("-g", "-O3", "../examples/sort.c")
        for name, words in programs.items():
            self.library.compile(name, *words)
            if with_instrumented and name not in PROGRAMS:
                self.library.compile(f"{name}_instrumented", "--tern-instrument", *words)
        for name, why in self.library.broken.items():
            raise SystemExit(f"{name} does not build: {why}")
        self.plate = os.path.join(HERE, heat, "plate.txt")

    def job(self, way, name, *arguments, races=False):
        """What a job wrote; it must not fail. races: there are some, which may be found."""
        tool = {BUILT: None, BUILT_RACES: "races"}.get(way, way)
        if way in (BUILT, BUILT_RACES):
            name += "_instrumented"
        output, problem = job.run(self.library.command(PES, name, *arguments, options=TOOLS.get(tool, ())),
                                  dict(self.library.env, SHMEM_PROFILE=self.library.path("profile")),
                                  SECONDS, good=(0, FOUND) if races and tool == "races" else (0,))
        if problem:
            raise SystemExit(f"{name} with {tool or 'no tool'}: {problem}")
        return output

    def take(self, row, way, ns):
        key = (row, way)
        self.least[key] = min(self.least.get(key, ns), ns)

    def take_calls(self, way):
        for program, (arguments, wanted) in PROGRAMS.items():
            for line in self.job(way, program, "--no-limits", *arguments, races=True).splitlines():
                r = json.loads(line)
                row = (r["operation"], r["variant"], r["bytes"])
                if row in wanted:
                    self.take(row, way, r["ns_min"])

    def take_applications(self, way):
        for line in self.job(way, "apps", "--no-limits", races=True).splitlines():
            r = json.loads(line)
            self.take((r["operation"], "", 0), way, r["ns_min"])

    def take_example(self, row, way, *arguments):
        start = time.monotonic_ns()
        self.job(way, row[0], *arguments)
        self.take(row, way, time.monotonic_ns() - start)

    def take_heat(self, part, way):
        self.take_example(heat_row(part), way, self.plate, self.library.path("heat"), str(STEPS[part]))

    def take_programs(self, part, way):
        self.take_applications(way)
        self.take_heat(part, way)
        self.take_example(SORT_ROW, way, str(NUMBERS))

    def ratio(self, row, way):
        return self.least[row, way] / self.least[row, None]


class Plain:
    """Text with aligned columns."""

    def __init__(self, bench, ways):
        self.bench, self.ways = bench, ways
        print(f"{'nanoseconds':44s} {'without':>14s}" + "".join(f" {way:>19s}  ratio" for way in ways))

    def row(self, row, missed):
        print(f"{shown(row):44s} {self.bench.least[row, None]:14,.1f}" + "".join(
            f" {self.bench.least[row, way]:19,.1f} {self.bench.ratio(row, way):6.2f}{'!' if way in missed else ' '}"
            for way in self.ways))

    def last(self, ratios, missed):
        """ratios: way -> geometric mean, worst."""
        print(f"{'geometric mean, worst':59s}" + "".join(
            f" {ratios[way][0]:18.2f}{'!' if way in missed else ' '} {ratios[way][1]:6.2f} " for way in self.ways))


class Markdown:
    """A table."""

    def __init__(self, bench, ways):
        self.bench, self.ways = bench, ways
        print("\n| call or program | without |" + "".join(f" {title(way)} | ratio |" for way in ways))
        print("|---|---|" + "---|---|" * len(ways))

    def row(self, row, missed):
        cells = [named(row), rounded(self.bench.least[row, None])]
        for way in self.ways:
            cells += [rounded(self.bench.least[row, way]), marked(self.bench.ratio(row, way), way in missed)]
        print("| " + " | ".join(cells) + " |")

    def last(self, ratios, missed):
        cells = ["programs: geometric mean, worst", ""]
        for way in self.ways:
            cells += [marked(ratios[way][0], way in missed), f"{ratios[way][1]:.1f}"]
        print("| " + " | ".join(cells) + " |")


def title(way):
    if way in OPTION:
        return f"`--{OPTION[way]}`"
    return "instrumented" if way == BUILT else "and with `--check=races`"


def shown(row):
    return " ".join(map(str, filter(None, row)))


def named(row):
    """As readers of the documents know it."""
    return next((rows[row] for _, rows in PROGRAMS.values() if row in rows), ", ".join(filter(None, row[:2])))


def marked(ratio, is_missed):
    return f"**{ratio:.1f}**" if is_missed else f"{ratio:.1f}"


def rounded(ns):
    """Two or three digits and a unit."""
    scale, unit = next((u for u in ((1e9, "s"), (1e6, "ms"), (1e3, "µs")) if ns >= u[0]), (1, "ns"))
    return f"{ns / scale:.{1 if ns / scale < 10 else 0}f} {unit}"


def rows_of(part):
    """Rows and their bounds, way -> ratio."""
    programs = [(name, "", 0) for name in APPLICATIONS]
    examples = [heat_row(part), SORT_ROW]
    if part == "instrumented":
        return [(row, INSTRUMENTED_BOUND) for row in programs + examples]
    calls = [row for _, rows in PROGRAMS.values() for row in rows]
    return ([(row, CALL_BOUND) for row in calls] + [(row, PROGRAM_BOUND) for row in programs] +
            [(row, EXAMPLE_BOUND) for row in examples])


def show_table(bench, part, ways, form):
    """Prints the table of a part; whether all its bounds are kept."""
    table, kept = form(bench, ways), True
    for row, bounds in rows_of(part):
        missed = [way for way in ways if bench.ratio(row, way) > bounds.get(way, math.inf)]
        table.row(row, missed)
        kept &= not missed
    programs = [row for row, bounds in rows_of(part) if bounds is not CALL_BOUND]
    ratios = {}
    for way in ways:
        each = [bench.ratio(row, way) for row in programs]
        ratios[way] = math.exp(sum(map(math.log, each)) / len(each)), max(each)
    missed = [way for way in ways if part == "instrumented" and ratios[way][0] > MEAN_BOUND.get(way, math.inf)]
    table.last(ratios, missed)
    return kept and not missed


def insert(path, text):
    """Between the two comments of a document."""
    parts = re.split(r"(<!-- tools\.py.*?-->\n)", path.read_text(encoding="utf-8"))
    if len(parts) != 5:
        raise SystemExit(f"{path}: needs two comments that begin with tools.py")
    parts[2] = f"{text}\n"
    path.write_text("".join(parts), encoding="utf-8")


def write_documents(bench, parts, tools, folder):
    """The tables of the parts that were measured; whether all bounds are kept."""
    kept = True
    for name, tables in DOCUMENTS.items():
        text = io.StringIO()
        tables = [(part, ways) for part, ways in tables
                  if part in parts and (part != "plain" or set(ways) <= set(tools))]
        with contextlib.redirect_stdout(text):
            kept &= all([show_table(bench, part, ways, Markdown) for part, ways in tables])
        if tables:
            insert(pathlib.Path(folder, name), text.getvalue())
    return kept


def measure(bench, parts, tools, runs):
    """All ways take turns, so that what else the machine does concerns all of them."""
    for _ in range(runs):
        for way in (None, *tools) if "plain" in parts else ():
            bench.take_calls(way)
            bench.take_programs("plain", way)
        for way in (None, BUILT, BUILT_RACES) if "instrumented" in parts else ():
            bench.take_programs("instrumented", way)


def main():
    parser = argparse.ArgumentParser(description="What oshrun's tools cost.")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--tools", default=",".join(TOOLS))
    parser.add_argument("--only", default=",".join(PARTS), help="of " + ", ".join(PARTS))
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--into", help="puts the tables into the documents of this folder")
    parser.add_argument("build")
    options = parser.parse_args()
    tools, parts = options.tools.split(","), options.only.split(",")
    if not set(parts) <= set(PARTS):
        parser.error("the parts are " + ", ".join(PARTS))
    with tempfile.TemporaryDirectory() as directory:
        bench = Bench(options.build, directory)
        bench.compile("instrumented" in parts)
        measure(bench, parts, tools, options.runs)
        if options.into:
            return 0 if write_documents(bench, parts, tools, options.into) else 1
        form = Markdown if options.markdown else Plain
        ways = {"plain": tools, "instrumented": (BUILT, BUILT_RACES)}
        return 0 if all([show_table(bench, part, ways[part], form) for part in PARTS if part in parts]) else 1


if __name__ == "__main__":
    sys.exit(main())
