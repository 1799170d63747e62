#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Run random programs against their oracle, for a given time on each route.

    soak.py [--seconds S] [--routes NAME,...] [--seed N] OSHRUN PROGRAM

A route is a number of PEs and nodes, with or without --chaos and the gathering of small operations. PE 0
prints its progress every ten seconds. A failure prints the command that repeats the round. The table at the
end has one line for each route. Returns 1 if a route failed.
"""
import argparse
import collections
import os
import re
import subprocess
import sys
import time

# Name: PEs, settings, whether --chaos takes part, the least threads of a phase. A number of bytes is the length of a frame.
Route = collections.namedtuple("Route", "pes settings chaos threads", defaults=[1])
NODES = {"SHMEM_NODES": "3"}
ON, OFF = {**NODES, "SHMEM_GATHER": "on"}, {**NODES, "SHMEM_GATHER": "off"}
ROUTES = {
    "node": Route(5, {}, False),
    "node-chaos": Route(4, {}, True),
    "single": Route(6, OFF, False),
    "single-chaos": Route(6, OFF, True),
    "gather": Route(6, ON, False),
    "gather-chaos": Route(6, ON, True),
    "gather-cyclic": Route(6, {**ON, "SHMEM_NODES_CYCLIC": "on"}, False),
    "gather-100": Route(6, {**ON, "SHMEM_GATHER_BYTES": "100"}, False),
    "gather-32": Route(6, {**ON, "SHMEM_GATHER_BYTES": "32"}, False),
    "gather-1": Route(6, {**ON, "SHMEM_GATHER_BYTES": "1"}, False),
    "threads": Route(3, {}, False, 3),
    "threads-gather": Route(6, ON, False, 3),
    "threads-single": Route(4, OFF, False, 3),
}
USUAL = ["node", "node-chaos", "threads", "single", "gather", "gather-100", "gather-chaos", "gather-cyclic",
         "threads-gather"]
LONGEST_ROUND = 100  # seconds; the program itself reports a longer one as a hang


def run(route, arguments):
    """The status of a job, and the last line that it wrote about its progress."""
    command = [arguments.oshrun, "-n", str(route.pes), "--timeout",
               str(arguments.seconds + LONGEST_ROUND + 20)]
    if route.chaos:
        command += ["--chaos", str(arguments.seed)]
    command += [arguments.program, "--seed", str(arguments.seed), "--seconds", str(arguments.seconds),
                "--hang", str(LONGEST_ROUND), "--threads", str(route.threads)]
    last = ""
    with subprocess.Popen(command, env={**os.environ, **route.settings}, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT) as job:
        for line in job.stdout:
            print("  " + line, end="", flush=True)
            if re.match(r"soak: \d+ s,", line):
                last = line
    return job.returncode, last


def row(name, status, last):
    found = re.match(r"soak: (\d+) s, (\d+) rounds, (\d+) operations of all PEs", last)
    seconds, rounds, operations = found.groups() if found else ("-", "-", "-")
    return f"{name:14} {seconds:>7} {rounds:>7} {operations:>11}  {'passed' if status == 0 else 'FAILED'}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=int, default=60, help="of each route")
    parser.add_argument("--routes", default=",".join(USUAL), help="of " + ", ".join(ROUTES))
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("oshrun")
    parser.add_argument("program")
    arguments = parser.parse_args()
    names = arguments.routes.split(",")
    unknown = [name for name in names if name not in ROUTES]
    if unknown:
        parser.error(f"no route {unknown[0]}: {', '.join(ROUTES)}")
    results = []
    for name in names:
        print(f"{name}: seed {arguments.seed}, {arguments.seconds} s", flush=True)
        results.append((name, *run(ROUTES[name], arguments)))
    print(f"\n{'route':14} {'seconds':>7} {'rounds':>7} {'operations':>11}")
    print(*(row(*result) for result in results), sep="\n")
    return 1 if any(status for _, status, _ in results) else 0


if __name__ == "__main__":
    sys.exit(main())
