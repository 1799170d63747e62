#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures Tern, and other OpenSHMEM libraries beside it, and writes what came of it.

Usage: run.py [--quick | --full] [--repeats N] [--looks N] [--only GROUP,...] [--no-oshmem]
              [--prefix DIR]... [--output DIR] BUILD

BUILD is Tern's build directory. Debian's oshmem takes part if it is installed, and what is installed
under each DIR (DIR/bin/oshcc and DIR/bin/oshrun). Every program runs for each library in turn, and
the whole several times; a row keeps the least time of each. Programs with rows that miss one of Tern's
targets run four times more, and so do rows behind another library, unless it is quick. In OUTPUT,
BUILD/bench if not given: results.json, and report.html with tables and plots.
"""
import argparse
import json
import os
import platform
import select
import signal
import statistics
import subprocess
import sys
import time

import job
import report
import standing
import summary
import targets
from library import debians, of_build, of_prefix

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = {"rma": [], "amo": [], "wait": [], "coll": [], "memory": [], "apps": [], "hello": None}
WITH_SYCL = ("ishmem",)    # in C++, for Tern alone
MIB = 1 << 20
MORE_LOOKS = (0, 4, 4)  # at what misses its target; by the size of the suite


def build(library):
    for program, more in PROGRAMS.items():
        library.compile(program, "-O2", "-pthread", program + ".c", *([] if more is None else ["bench.c"]))
    for program in WITH_SYCL:
        if library.name == "Tern":
            library.compile_sycl(program, "-O2", "-pthread", program + ".cpp")
        else:
            library.broken[program] = "it is Tern's only"


def libraries(options):
    yield of_build(options.build, os.path.join(options.output, "Tern"))
    oshmem = None if options.no_oshmem else debians(
        os.path.join(options.output, "Debian-oshmem"),
        env={"SHMEM_SYMMETRIC_HEAP_SIZE": "512M", "OMPI_MCA_btl_vader_single_copy_mechanism": "none"})
    if oshmem:
        yield oshmem
    for prefix in options.prefix:
        yield of_prefix(prefix, os.path.join(options.output, os.path.basename(os.path.abspath(prefix))))


class Step:
    """A program with its PEs and arguments."""

    def __init__(self, program, pes, *arguments, seconds=60, only_first=False, runs=1, again=True):
        self.program, self.pes, self.arguments = program, pes, arguments
        self.seconds, self.runs = seconds, runs
        self.again = again  # in each repeat of the whole
        self.only_first = only_first  # for Tern: circumstances that its targets speak of

    def __str__(self):
        return " ".join([f"{self.program}, {self.pes} PEs", *self.arguments])

    def of_row(self, row):
        """The same for one row, or those of its name and size."""
        return Step(self.program, self.pes, *self.arguments, "--operation", row["operation"],
                    "--bytes", str(row["bytes"]), "--max-bytes", str(64 * MIB), seconds=self.seconds)

    def mode(self):
        """As the program names it in its rows."""
        return next((m for m in ("threads", "unaligned", "team") if "--" + m in self.arguments), "plain")


def steps(size):
    """What is measured; size is 0 for quick, 1, or 2 for full."""
    row = ["--row-ms", str((6, 15, 100)[size])]
    largest = ["--max-bytes", str((MIB, 8 * MIB, 64 * MIB)[size])]
    yield Step("rma", 2, *row, "--max-bytes", str((MIB, 64 * MIB, 64 * MIB)[size]), seconds=120)
    for program in ("amo", "wait", "coll", "memory", "apps"):
        yield Step(program, 2, *row, *(largest if program == "coll" else []), seconds=120)
    # The way of a cache line between two cores depends on its physical address, by a factor of two,
    # so short exchanges need several processes: each has other pages. So do arrays that just fit
    # into a core's cache: an alltoall of 512 KiB takes 22 or 29 us, by hand as well.
    more = (2, 4, 12)[size]
    for program in ("wait", "coll", "rma", "amo"):
        yield Step(program, 2, "--row-ms", "5",
                   "--max-bytes", str(512 << 10 if program == "coll" else 4096),
                   runs=more, again=size == 2)
    # Where PEs take turns on the cores, a row takes long in some libraries.
    for pes in ((3, 8), (3, 4, 8, 16, 64), (3, 4, 8, 16, 32, 64))[size]:
        most = 8 * MIB if pes == 3 else 512 << 10 if pes < 8 else 4096
        yield Step("coll", pes, "--row-ms", str((4, 8, 50)[size]),
                   "--max-bytes", str((64, most, 8 * MIB)[size]),
                   seconds=(8, 60 if pes == 3 else 20, 200)[size], again=pes < 8 or size == 2)
    # There, too, the time of a copy of 32 KiB and more differs between processes by a factor of two.
    for pes in (3, 4) if size else ():
        yield Step("coll", pes, "--row-ms", "4", "--max-bytes", str(512 << 10), seconds=20,
                   runs=more // 2, again=size == 2)
    for pes in (4, 8, 16) if size else ():
        yield Step("rma", pes, "--row-ms", "4", "--max-bytes", str(MIB), seconds=20,
                   runs=more, again=size == 2)
    for program in ("rma", "amo", "apps"):
        yield Step(program, 3, *row, *largest, only_first=True)
    for pes in (4, 8, 16) if size else ():
        for program in ("rma", "amo"):
            yield Step(program, pes, "--row-ms", str((0, 4, 50)[size]),
                       "--max-bytes", str(64 * MIB), again=size == 2)
    for program in WITH_SYCL:
        yield Step(program, 2, *row, seconds=120, only_first=True)
    for program in ("rma", "amo", "wait", "coll"):
        yield Step(program, 2, *row, *largest, "--threads", only_first=size < 2, again=size == 2)
    for program in ("rma", "coll"):
        yield Step(program, 2, *row, *largest, "--unaligned", only_first=size < 2)
    yield Step("coll", 2, *row, *largest, "--team", only_first=True)


class Table:
    """Rows of all runs, each the least of its runs."""

    def __init__(self):
        self.rows = {}

    def add(self, library, row):
        key = (library, row["group"], row["operation"], row["variant"], row["mode"], row["bytes"],
               row["pes"])
        row.update(library=library, load=round(os.getloadavg()[0], 2))
        old = self.rows.setdefault(key, row)
        if old is row:
            row["medians"] = [row["ns"]] if "ns" in row else []
            return
        for name in ("ns_min", "limit_ns_min", "kib", "limit_kib"):
            if name in row:
                old[name] = min(old[name], row[name])
        if "ns" in row:
            old["medians"].append(row["ns"])
            old["ns"] = statistics.median(old["medians"])
        old["load"] = max(old["load"], row["load"])

    def list(self):
        return [{k: v for k, v in row.items() if k != "medians"} for row in self.rows.values()]


class Progress:
    """One line that changes, or one a step where nobody watches."""

    def __init__(self, total):
        self.total, self.done, self.start = total, 0, time.monotonic()

    def more(self, steps):
        self.total += steps

    def show(self, what):
        self.done += 1
        seconds = time.monotonic() - self.start
        text = f"[{self.done}/{self.total}] {seconds:4.0f} s  {what}"
        if sys.stdout.isatty():
            print(f"\r\033[K{text}", end="", flush=True)
        else:
            print(text, flush=True)

    def end(self):
        if sys.stdout.isatty():
            print("\r\033[K", end="", flush=True)


def run_step(library, step, table):
    """None, or what went wrong. The rows before that count."""
    if step.program in library.broken:
        return None
    output, note = job.run(library.command(step.pes, step.program, *step.arguments), library.env,
                           step.seconds, good=(0, 77))
    for line in output.splitlines():
        if line.startswith("{"):
            table.add(library.name, json.loads(line))
    return note


class Failed(Exception):
    """A job did not end as it should: its time counts for nothing."""


def nanoseconds(command, env=None, seconds=60):
    """Of a job from start to end. Popen.wait(timeout) would look at it in intervals of up to 50 ms."""
    start = time.monotonic_ns()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=env,
                               start_new_session=True)
    pidfd = os.pidfd_open(process.pid)
    try:
        ended = select.select([pidfd], [], [], seconds)[0]
        taken = time.monotonic_ns() - start
    except BaseException:
        os.killpg(process.pid, signal.SIGKILL)
        raise
    finally:
        os.close(pidfd)
    if not ended:
        job.stop(process)
        raise Failed(f"given up after {seconds} s")
    if process.wait():
        raise Failed(f"status {process.returncode}")
    return taken


def measure_start(library, directory, pes, runs, table):
    """Jobs from start to end, beside as many empty programs. None, or what went wrong: then no row."""
    spawn, empty = (os.path.join(directory, name) for name in ("spawn", "empty"))
    ours, by_hand = [], []
    try:
        for _ in range(runs):
            ours.append(nanoseconds(library.command(pes, "hello"), library.env))
            by_hand.append(nanoseconds([spawn, str(pes), empty]))
    except Failed as failed:
        return str(failed)
    table.add(library.name, {
        "group": "start", "operation": "start to end", "variant": "", "mode": "plain", "bytes": 0,
        "pes": pes, "runs": len(ours), "ns_min": min(ours), "ns": statistics.median(ours),
        "limit": "empty programs", "limit_ns_min": min(by_hand),
        "limit_ns": statistics.median(by_hand)})
    return None


def measure_memory(library, directory, pes, table):
    """None, or what went wrong: then no row."""
    empty = subprocess.run([os.path.join(directory, "empty"), "memory"], capture_output=True,
                           text=True, check=True)
    output, note = job.run(library.command(pes, "hello", "memory"), library.env, 60)
    if note or not output.strip().isdigit():
        return note or "told no memory"
    table.add(library.name, {
        "group": "start", "operation": "private memory", "variant": "", "mode": "plain",
        "bytes": 0, "pes": pes, "kib": int(output), "limit": "empty program",
        "limit_kib": int(empty.stdout)})
    return None


def measure_starts(found, directory, pes, runs, table, notes):
    """Of all libraries that can start so many; the first one is measured more often."""
    for library in found:
        if pes > library.most_pes or "hello" in library.broken:
            continue
        note = measure_start(library, directory, pes, runs if library is found[0] else 2, table)
        if not note and pes != 1:
            note = measure_memory(library, directory, pes, table)
        if note:
            notes.setdefault(f"{library.name}: start, {pes} PEs", note)


def build_plain(directory):
    """What needs no OpenSHMEM."""
    cc = ["cc", "-O2", "-o"]
    for name in ("spawn", "empty"):
        subprocess.run([*cc, os.path.join(directory, name), name + ".c"], cwd=HERE, check=True)


def measure(options, found, table, notes):
    size = 0 if options.quick else 2 if options.full else 1
    repeats = options.repeats or (1, 2, 3)[size]
    counts = ((1, 2, 64), (1, 2, 8, 64, 256, 1000), (1, 2, 8, 64, 256, 1000))[size]
    only = options.only.split(",") if options.only else None
    chosen = [s for s in steps(size) if not only or s.program in only]
    starts = not only or "start" in only
    progress = Progress(len(chosen) + (repeats - 1) * sum(s.again for s in chosen) +
                        repeats * (len(counts) if starts else 0))

    def run(step):
        progress.show(step)
        for library in found[:1] if step.only_first else found:
            for _ in range(step.runs if step.pes <= library.most_pes else 0):
                note = run_step(library, step, table)
                if note:
                    notes.setdefault(f"{library.name}: {step.program}", note)

    def start(pes):
        progress.show(f"start, {pes} PEs")
        measure_starts(found, options.output, pes, (5 if pes > 64 else 10) + size, table, notes)

    for repeat in range(repeats):
        for step in chosen if repeat == 0 else [s for s in chosen if s.again]:
            run(step)
        for pes in counts if starts else ():
            start(pes)

    # Least times need enough runs: what misses its target gets as many more, the limits as well.
    looks = MORE_LOOKS[size] if options.looks is None else options.looks
    missed = targets.missed(table.list(), found[0].name) if looks else ()
    again = [s for s in chosen if (s.program, s.pes, s.mode()) in missed]
    start_again = [pes for group, pes, _ in sorted(missed) if group == "start"]
    progress.more(looks * (len(again) + len(start_again)))
    for _ in range(looks):
        for step in again:
            run(step)
        for pes in start_again:
            start(pes)
    # And so do rows behind another library: what a large copy takes depends on a process's pages.
    behind = list(rows_behind(chosen, table.list(), found)) if looks else []
    progress.more(looks * len(behind))
    for _ in range(looks):
        for step in behind:
            run(step)
    progress.end()


def rows_behind(chosen, rows, found):
    """A step for each row of the first library that is behind another one: that row alone."""
    first, *others = (library.name for library in found)
    for ours in {standing.key(ours): ours for other in standing.behind(rows, first, others)
                 for _, ours, _ in other.rows}.values():
        step = next((s for s in chosen if s.program == ours["group"] and s.pes == ours["pes"]
                     and s.mode() == ours["mode"] and not s.only_first), None)
        if step:
            yield step.of_row(ours)


def machine():
    model = ""
    with open("/proc/cpuinfo", encoding="ascii", errors="replace") as f:
        for line in f:
            if line.startswith(("model name", "CPU part")):
                model = line.split(":", 1)[1].strip()
                break
    return {"processor": model, "cores": len(os.sched_getaffinity(0)), "kernel": platform.release(),
            "architecture": platform.machine(), "date": time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime()),
            "memory_gib": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30)}


def parse(arguments):
    parser = argparse.ArgumentParser(description="Compares OpenSHMEM libraries with hand-written code.")
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--quick", action="store_true", help="about a minute")
    size.add_argument("--full", action="store_true", help="more sizes and PEs, longer")
    parser.add_argument("--repeats", type=int, metavar="N",
                        help="of the whole, 2 if not given (1 with --quick, 3 with --full)")
    parser.add_argument("--looks", type=int, metavar="N",
                        help="further runs of what misses its target or is behind another library, 4 if "
                        "not given (0 with --quick)")
    parser.add_argument("--only", metavar="GROUP,...",
                        help="of " + ", ".join([*list(PROGRAMS)[:-1], "start"]))
    parser.add_argument("--no-oshmem", action="store_true", help="leave Debian's oshmem out")
    parser.add_argument("--prefix", action="append", default=[], metavar="DIR",
                        help="another OpenSHMEM, installed there")
    parser.add_argument("--output", metavar="DIR")
    parser.add_argument("build", metavar="BUILD")
    options = parser.parse_args(arguments)
    options.build = os.path.abspath(options.build)
    options.output = os.path.abspath(options.output or os.path.join(options.build, "bench"))
    return options


def main():
    options = parse(sys.argv[1:])
    os.makedirs(options.output, exist_ok=True)
    build_plain(options.output)
    found = list(libraries(options))
    table, notes = Table(), {}
    for library in found:
        build(library)
        for program, why in library.broken.items():
            notes[f"{library.name}: {program} does not build"] = why.splitlines()[0]
    measure(options, found, table, notes)
    results = {"machine": machine(), "libraries": [l.name for l in found], "notes": notes,
               "rows": table.list()}
    with open(os.path.join(options.output, "results.json"), "w", encoding="utf-8") as f:
        json.dump(results, f, indent=1)
    report.write(results, os.path.join(options.output, "report.html"))
    summary.print_table(results)
    print(f"\n{options.output}/report.html shows it all; results.json is beside it.")


if __name__ == "__main__":
    main()
