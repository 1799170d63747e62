#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What oshrun's tools cost: calls, small applications and a whole program without them and with each.

    tools.py [--runs N] [--tools NAME,...] [--markdown] BUILD

BUILD is a build directory; the programs of this folder, examples/heat2d and examples/sort.c are
compiled for it. Each program runs without a tool and with each, in turn, N times (5); a figure is the
least of all turns. Returns 1 if a bound is missed: with --check ten times for a call and twice for a
program; with --check=races ten times for either; for heat2d and sort also twice with --check=races, and
1.05 times with --profile. --markdown: prints the tables of docs/check.md and docs/profile.md.
"""
import argparse
import json
import os
import sys
import tempfile
import time

import job
from library import HERE, of_build

SECONDS = 120  # that a turn of a program may take
OPTION = {"check": "check", "races": "check=races", "profile": "profile"}
TOOLS = {tool: [f"--{option}"] for tool, option in OPTION.items()}
FOUND = 66  # where a race is found: puts to one place, again and again, are one; the search has one
PES = 2
PROGRAMS = {  # which rows of them
    "rma": (["--row-ms", "5", "--max-bytes", "4096"],
            [("p", "heap", 8), ("g", "heap", 8), ("put", "heap", 8), ("put", "heap", 4096),
             ("get", "heap", 8), ("get", "heap", 4096)]),
    "amo": (["--row-ms", "5"], [("fetch_add", "heap", 8)]),
    "wait": (["--row-ms", "5", "--max-bytes", "8"],
             [("set, wait_until", "ping-pong", 8), ("p, fence", "", 8), ("p, quiet", "", 8),
              ("lock", "free", 8)]),
    "coll": (["--row-ms", "5", "--max-bytes", "8"],
             [("barrier_all", "", 0), ("broadcast", "", 8), ("sum", "long", 8)]),
}
APPLICATIONS = ("integer sort", "random access", "histogram", "index gather", "stencil", "transpose", "bfs")
EXAMPLES = {"heat2d": "8,000 steps of 480 x 270 cells", "sort": "4 million numbers a PE"}
CALL_BOUND = {"check": 10, "races": 10}
PROGRAM_BOUND = {"check": 2, "races": 10}
EXAMPLE_BOUND = {"check": 2, "races": 2, "profile": 1.05}


class Bench:
    def __init__(self, build, directory):
        self.library = of_build(build, directory)
        self.least = {}  # (row, tool or None) -> nanoseconds

    def compile(self):
        heat = "../examples/heat2d"
        for name in (*PROGRAMS, "apps"):
            self.library.compile(name, "-g", "-O2", "-pthread", f"{name}.c", "bench.c")
        self.library.compile("heat2d", "-g", "-O3", *(f"{heat}/{name}.c" for name in ("heat2d", "plate", "png")),
                             "-lm")
        self.library.compile("sort", "-g", "-O3", "../examples/sort.c")
        for name, why in self.library.broken.items():
            raise SystemExit(f"{name} does not build: {why}")
        self.plate = os.path.join(HERE, heat, "plate.txt")

    def job(self, tool, name, *arguments, races=False):
        """What a job wrote; it must not fail. races: there are some, which may be found."""
        output, problem = job.run(self.library.command(PES, name, *arguments, options=TOOLS.get(tool, ())),
                                  dict(self.library.env, SHMEM_PROFILE=self.library.path("profile")),
                                  SECONDS, good=(0, FOUND) if races and tool == "races" else (0,))
        if problem:
            raise SystemExit(f"{name} with {tool or 'no tool'}: {problem}")
        return output

    def take(self, row, tool, ns):
        key = (row, tool)
        self.least[key] = min(self.least.get(key, ns), ns)

    def take_turn(self, tool):
        for program, (arguments, wanted) in PROGRAMS.items():
            for line in self.job(tool, program, *arguments, races=True).splitlines():
                r = json.loads(line)
                row = (r["operation"], r["variant"], r["bytes"])
                if row in wanted:
                    self.take(row, tool, r["ns_min"])
        for line in self.job(tool, "apps", races=True).splitlines():
            r = json.loads(line)
            self.take((r["operation"], "", 0), tool, r["ns_min"])
        for name, arguments in ("heat2d", (self.plate, self.library.path("heat"), "8000")), ("sort", ("4000000",)):
            start = time.monotonic_ns()
            self.job(tool, name, *arguments)
            self.take((name, EXAMPLES[name], 0), tool, time.monotonic_ns() - start)

    def show(self, row, tools, bounds, markdown):
        """Prints a row; whether it keeps the bounds: {tool: ratio}."""
        plain = self.least[row, None]
        name, kept = " ".join(map(str, filter(None, row))), True
        text = f"| {name} | {rounded(plain)}" if markdown else f"{name:44s} {plain:14,.1f}"
        for tool in tools:
            ratio = self.least[row, tool] / plain
            good = ratio <= bounds.get(tool, ratio)
            kept &= good
            text += (f" | {rounded(self.least[row, tool])} | {ratio:.1f}" if markdown else
                     f" {self.least[row, tool]:14,.1f} {ratio:6.2f}{' ' if good else '!'}")
        print(text + (" |" if markdown else ""))
        return kept


def rounded(ns):
    """Two digits, or whole nanoseconds."""
    return f"{ns:.1f}" if ns < 10 else f"{ns:,.0f}"


def show_head(tools, markdown):
    if markdown:
        print("| ns | without |" + "".join(f" `--{OPTION[tool]}` | ratio |" for tool in tools))
        print("|---|---|" + "---|---|" * len(tools))
    else:
        print(f"{'nanoseconds':44s} {'without':>14s}" + "".join(f" {tool:>14s}  ratio" for tool in tools))


def main():
    parser = argparse.ArgumentParser(description="What oshrun's tools cost.")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--tools", default=",".join(TOOLS))
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("build")
    options = parser.parse_args()
    tools = options.tools.split(",")
    with tempfile.TemporaryDirectory() as directory:
        bench = Bench(options.build, directory)
        bench.compile()
        for _ in range(options.runs):
            for tool in (None, *tools):
                bench.take_turn(tool)
        show_head(tools, options.markdown)
        rows = [(row, CALL_BOUND) for _, rows in PROGRAMS.values() for row in rows]
        rows += [((name, "", 0), PROGRAM_BOUND) for name in APPLICATIONS]
        rows += [((*example, 0), EXAMPLE_BOUND) for example in EXAMPLES.items()]
        kept = [bench.show(row, tools, bounds, options.markdown) for row, bounds in rows]
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
