#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compare operations between two nodes with what libfabric does by itself, and with another library.

    network.py [--runs N] [--real-time] [--other 'COMMAND'] OSHRUN NETWORK RAW_OFI

NETWORK and RAW_OFI are the programs of bench/network.c and bench/raw_ofi.c. The PEs of this machine
are made two nodes (SHMEM_NODES=2), so that all goes through the network engine. --other gives the
command that runs bench/network.c as compiled for another OpenSHMEM. Runs take turns; each figure is
the median of them, and so is each ratio. --real-time has all programs run before others (as root).
"""
import argparse
import os
import shlex
import statistics
import subprocess
import sys

# A row, the row of libfabric alone that bounds it, and the bound of their ratio.
ROWS = [
    ("put_8B", "put_8B", "at most", 1.3),
    ("get_8B", "get_8B", "at most", 1.2),
    ("put_1MiB", "put_1MiB", "at least", 0.95),
    ("get_1MiB", "get_1MiB", "at least", 0.95),
    ("put_nbi_8B", "put_nbi_8B", "at least", 0.8),
    ("fetch_add", "round_trip", "at most", 1.5),
    ("barrier", "round_trip", "at most", 1.5),
    ("put_8B_computing", None, "at most", 10000),
    ("get_8B_computing", None, "at most", 10000),
    ("fetch_add_computing", None, "at most", 10000),
    ("lock_computing", None, "at most", 10000),
]


def figures(command, environment, seconds):
    """Run a program and return its rows: name -> value (of two alike, the greater)."""
    try:
        run = subprocess.run(command, env=environment, timeout=seconds, stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL, text=True, check=False)
        output = run.stdout
    except subprocess.TimeoutExpired as expired:
        output = (expired.stdout or b"").decode()
    rows = {}
    for line in output.splitlines():
        fields = line.split()
        if len(fields) == 3 and fields[2] in ("us", "MiB/s", "op/s"):
            rows[fields[0]] = max(float(fields[1]), rows.get(fields[0], 0.0))
    return rows


def median(runs, row):
    values = [run[row] for run in runs if row in run]
    return statistics.median(values) if values else None


def ratio(ours, theirs, row, other):
    """The median of what turns that belong together give."""
    pairs = [a[row] / b[other] for a, b in zip(ours, theirs) if row in a and other in b]
    return statistics.median(pairs) if pairs else None


def shown(value, form):
    return format(value, form) if value is not None else "-"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--real-time", action="store_true")
    parser.add_argument("--other")
    parser.add_argument("oshrun")
    parser.add_argument("network")
    parser.add_argument("raw")
    arguments = parser.parse_args()
    before = ["chrt", "--rr", "10"] if arguments.real_time else []
    nodes = dict(os.environ, SHMEM_NODES="2")
    over_tcp = dict(os.environ, UCX_TLS="tcp,self")
    ours, raw, other = [], [], []
    for _ in range(arguments.runs):
        raw.append(figures([*before, arguments.raw], None, 60))
        ours.append(figures([*before, arguments.oshrun, "-n", "2", arguments.network], nodes, 120))
        if arguments.other:
            other.append(figures([*before, *shlex.split(arguments.other)], over_tcp, 60))
    print(f"{'row':20} {'this':>12} {'libfabric':>12} {'ratio':>7} {'bound':>14} {'other':>12}")
    missed = 0
    for row, limit, relation, bound in ROWS:
        value = median(ours, row)
        compared = ratio(ours, raw, row, limit) if limit else value
        ok = compared is not None and (compared <= bound if relation == "at most"
                                       else compared >= bound)
        missed += not ok
        print(f"{row:20} {shown(value, '12.2f'):>12} {shown(median(raw, limit), '12.2f'):>12} "
              f"{shown(compared if limit else None, '7.2f'):>7} {relation + ' ' + str(bound):>14} "
              f"{shown(median(other, row), '12.2f'):>12}{'' if ok else '  missed'}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
