#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compare small operations between nodes with single messages and with code that gathers them by hand.

    gathering.py [--turns N] [--only PART,...] [--into FILE] [--plot FILE] BUILD

The parts: `rows`, single operations between two PEs on two nodes of this machine, over tcp on loopback;
`hosts`, the same between two hosts of network namespaces; `apps`, the applications of bench/irregular.c on
two to eight PEs; `sizes`, the rate of puts against their size, with Open MPI's oshmem over tcp where its
oshcc is installed. The programs of a part take turns. A figure is the median of the turns' medians, a
ratio the median of the turns' ratios. The tables are Markdown; --into puts them between the two comments
of a document that begin with "gathering.py". --plot writes the plot of `sizes` as SVG. Returns
1 if a target is missed.
"""
import argparse
import contextlib
import io
import os
import pathlib
import re
import statistics
import sys

import plots
from figures import Figures, shown
from library import of_build
from network import compile_for, compile_raw, oshmem, two_hosts

ON = {"SHMEM_GATHER": "on"}
OFF = {"SHMEM_GATHER": "off"}

# The row, how the table calls it, the least ratio of its rate to that of single messages, and the greatest
# ratio of its time to that of gathering by hand.
ROWS = [
    ("atomic_add", "atomic_add, random words", 50, 1.5),
    ("p_8B", "p of 8 bytes, random words", 50, 1.5),
    ("put_nbi_64B", "put_nbi of 64 bytes", 15, 1.5),
    ("get_nbi_8B", "get_nbi of 8 bytes, 10,000 under way", 25, 1.7),
    ("fetch_add_nbi", "atomic_fetch_add_nbi", 25, 1.7),
    ("many_signals", "put_signal of 8 bytes to one signal", 10, 2),
]
# One at a time: gathering must not make them slower.
LATENCIES = [
    ("put_8B", "put of 8 bytes and quiet"),
    ("get_8B", "get of 8 bytes"),
    ("fetch_add", "fetch_add"),
    ("barrier", "barrier"),
]
LATENCY_BOUND = 1.1  # more is more than noise
APPLICATIONS = [
    ("histogram", "histogram"),
    ("gather", "index gather"),
    ("gups", "random access"),
    ("bfs", "breadth-first search"),
    ("sparse", "transpose of a sparse matrix"),
    ("toposort", "topological sort"),
]
SHAPES = [(2, 2), (3, 3), (4, 2), (4, 4), (8, 2), (8, 4)]  # PEs, nodes
SIZES = [1 << i for i in range(13)]


class Turns:
    """Programs that take turns, and the ratios of their rows, turn by turn."""

    def __init__(self, n, **programs):
        self.programs = {name: program for name, program in programs.items() if program}
        left = list(self.programs.values())
        for _ in range(n):
            left = [program for program in left if program.take_turn()]  # a failure takes long

    def medians(self, program, row):
        found = self.programs.get(program)
        return [turn[1] for turn in found.rows.get(row, [])] if found else []

    def figure(self, program, row):
        values = self.medians(program, row)
        return statistics.median(values) if values else None

    def ratio(self, above, below):
        """Of two rows, each given as (program, row)."""
        pairs = list(zip(self.medians(*above), self.medians(*below)))
        return statistics.median(a / b for a, b in pairs) if pairs else None


def marked(ratio, is_met, form=".2f"):
    """A ratio that misses its target is bold."""
    text = shown(ratio, form)
    return text if is_met else f"**{text}**"


def million(rate):
    return f"{rate / 1e6:.3g}" if rate else "-"


def table(head, rows):
    print("\n" + "| " + " | ".join(head) + " |")
    print("|" + "---|" * len(head))
    for row in rows:
        print("| " + " | ".join(row) + " |")


def print_rates(turns, title):
    """The number of targets that are missed."""
    missed, lines = 0, []
    for row, text, least, most in ROWS:
        single = turns.ratio(("gathered", row), ("raw", row + "_single"))
        time = turns.ratio(("raw", row + "_by_hand"), ("gathered", row))
        met = single is not None and single >= least, time is not None and time <= most
        missed += 2 - sum(met)
        lines.append([text, million(turns.figure("gathered", row)), million(turns.figure("raw", row + "_single")),
                      million(turns.figure("raw", row + "_by_hand")), marked(single, met[0], ".0f"), str(least),
                      marked(time, met[1]), str(most)])
    table([title + ", millions in a second", "Tern", "single", "by hand", "to single", "at least",
           "time, to by hand", "at most"], lines)
    return missed


def print_latencies(turns, title):
    missed, lines = 0, []
    for row, text in LATENCIES:
        ratio = turns.ratio(("gathered", row), ("off", row))
        met = ratio is not None and ratio <= LATENCY_BOUND
        missed += not met
        lines.append([text, shown(turns.figure("gathered", row), ".1f"), shown(turns.figure("off", row), ".1f"),
                      marked(ratio, met), str(LATENCY_BOUND)])
    table([title + ", one at a time, µs", "gathering on", "off", "ratio", "at most"], lines)
    return missed


def raw_rows():
    return [row[0] + kind for row in ROWS for kind in ("_single", "_by_hand")]


def our_rows():
    return [row[0] for row in ROWS + LATENCIES]


def measure_rows(tern, folder, n):
    turns = Turns(n, raw=Figures("libfabric", compile_raw(folder, *raw_rows())),
                  gathered=Figures("Tern", tern.command(2, "network", *our_rows()), SHMEM_NODES="2", **ON),
                  off=Figures("Tern, off", tern.command(2, "network", *(row[0] for row in LATENCIES)),
                              SHMEM_NODES="2", **OFF))
    return print_rates(turns, "loopback") + print_latencies(turns, "loopback")


def measure_hosts(tern, folder, n):
    place, second = two_hosts()
    network = tern.path("network")
    turns = Turns(n, raw=Figures("libfabric", place.hosts.on(1, compile_raw(folder, *raw_rows())), **second),
                  gathered=Figures("Tern", place.command(2, [network, *our_rows()]), **ON,
                                   **place.hosts.environment),
                  off=Figures("Tern, off", place.command(2, [network, *(row[0] for row in LATENCIES)]), **OFF,
                              **place.hosts.environment))
    place.stop()
    return print_rates(turns, "host to host") + print_latencies(turns, "host to host")


def measure_shape(tern, pes, nodes, n):
    """Medians of an application's turns: (rate, rate by hand, ratio of the times), by name."""
    command = tern.command(pes, "irregular", "--runs", "5", options=["--timeout", "55"])
    turns = Turns(n, on=Figures(f"{pes} PEs", command, SHMEM_NODES=str(nodes), **ON),
                  off=Figures(f"{pes} PEs, off", command + ["--by-hand"], SHMEM_NODES=str(nodes), **OFF))
    results = {}
    for name, _ in APPLICATIONS:
        plain = turns.medians("on", name + "_plain")
        by_hand = [max(pair) for pair in zip(turns.medians("on", name + "_by_hand"),
                                             turns.medians("off", name + "_by_hand"))]
        if plain and by_hand:
            results[name] = (statistics.median(plain), statistics.median(by_hand),
                             statistics.median(b / a for a, b in zip(plain, by_hand)))
    return results


def measure_apps(tern, _, n):
    missed, cores = 0, len(os.sched_getaffinity(0))
    results = {shape: measure_shape(tern, *shape, n) for shape in SHAPES}
    lines = []
    for name, text in APPLICATIONS:
        line = [text]
        for shape in SHAPES:
            rates = results[shape].get(name)
            met = rates is not None and rates[2] <= (1.5 if shape[0] <= cores else 2)
            missed += not met
            line.append(f"{million(rates[0])}, {million(rates[1])}, {marked(rates[2], met)}" if rates else "-")
        lines.append(line)
    bounds = [f"{pes} PEs, {nodes} nodes (at most {1.5 if pes <= cores else 2})" for pes, nodes in SHAPES]
    table(["plain and by hand, millions in a second of a PE; ratio of the times", *bounds], lines)
    return missed


def measure_sizes(tern, folder, n, plot):
    other = oshmem(folder, ["sizes"])
    turns = Turns(n, raw=Figures("libfabric", compile_raw(folder, "sizes")),
                  gathered=Figures("Tern", tern.command(2, "network", "sizes"), SHMEM_NODES="2", **ON),
                  oshmem=Figures("oshmem", other, UCX_TLS="tcp,self") if other else None)
    series = [("Tern", "tern", "gathered", ""), ("gathered by hand", "hand", "raw", "_by_hand"),
              ("single messages", "other2", "raw", "_single"), ("Open MPI's oshmem", "other1", "oshmem", "")]
    points = [(name, css, [(size, turns.figure(program, f"size_{size}{end}")) for size in SIZES])
              for name, css, program, end in series]
    table(["put_nbi of bytes, millions in a second", *(name for name, _, _ in points)],
          [[str(size), *(million(values[i][1]) for _, _, values in points)] for i, size in enumerate(SIZES)])
    if plot:
        with open(plot, "w", encoding="utf-8") as file:
            file.write(plots.image("Puts to random words of another node: rate against size",
                                   [(name, css, [p for p in values if p[1]]) for name, css, values in points],
                                   y_text=plots.rate_text, x_label="bytes of a put"))
    return 0


PARTS = {"rows": measure_rows, "hosts": measure_hosts, "apps": measure_apps, "sizes": measure_sizes}


def measure(arguments, tern, folder):
    """Prints the tables; the number of targets that are missed."""
    missed = 0
    print(f"Turns: {arguments.turns}. Load of the machine before: {os.getloadavg()[0]:.1f}.")
    for part in arguments.only.split(","):
        more = [arguments.plot] if part == "sizes" else []
        missed += PARTS[part](tern, folder, arguments.turns, *more)
    print(f"\n{missed} targets are missed.")
    return missed


def insert(path, text, plot):
    """Between the two comments of a document; with a link to the plot."""
    path = pathlib.Path(path)
    if plot:
        text += (f"\n![Rates of puts of 1 byte to 4 KiB to random words of another node]"
                 f"({os.path.relpath(plot, path.parent)})\n")
    parts = re.split(r"(<!-- gathering\.py.*?-->\n)", path.read_text(encoding="utf-8"))
    if len(parts) != 5:
        raise SystemExit(f"{path}: needs two comments that begin with gathering.py")
    parts[2] = f"\n{text}\n"
    path.write_text("".join(parts), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--only", default=",".join(PARTS), help="of " + ", ".join(PARTS))
    parser.add_argument("--into", help="puts the tables into this document")
    parser.add_argument("--plot", help="writes the plot of `sizes` to this file")
    parser.add_argument("build")
    arguments = parser.parse_args()
    unknown = [part for part in arguments.only.split(",") if part not in PARTS]
    if unknown:
        parser.error(f"no part {unknown[0]}: {', '.join(PARTS)}")
    folder = os.path.join(arguments.build, "bench")
    tern = of_build(arguments.build, folder)
    compile_for(tern, "network", "irregular")
    tables = io.StringIO()
    with contextlib.redirect_stdout(tables if arguments.into else sys.stdout):
        missed = measure(arguments, tern, folder)
    if arguments.into:
        insert(arguments.into, tables.getvalue(), arguments.plot if "sizes" in arguments.only else None)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
