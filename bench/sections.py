# SPDX-License-Identifier: BSD-3-Clause
"""The sections of the report that have plots: what is in each plot, and from which rows."""
import plots
from plots import count_text, rate_text

PES_TICKS = [1, 2, 4, 8, 16, 64, 256, 1000]


def latency(_, ns):
    return ns


def bandwidth(row, ns):
    return row["bytes"] / ns * 1e9


def moved_bytes(n):
    return rate_text(n) + "B/s"


def messages(_, ns):
    return 1e9 / ns


def rma_plots(r):
    for op in ("put", "get"):
        yield plots.lines(f"{op}: time", r.series("bytes", latency, "rma", op, variant="heap", pes=2),
                          x_label="bytes")
        yield plots.lines(f"{op}: bandwidth", r.series("bytes", bandwidth, "rma", op, variant="heap", pes=2),
                          x_label="bytes", y_text=moved_bytes)
    yield plots.lines("put to static data: time", r.series("bytes", latency, "rma", "put", variant="static", pes=2),
                      x_label="bytes")
    yield plots.bars("Single elements", r.bar_groups(
        [(f"{op}, {variant}", ("rma", op, {"variant": variant, "pes": 2})) for op in ("p", "g")
         for variant in ("heap", "static")]), logarithmic=True)
    yield plots.bars("Messages a second", r.bar_groups(
        [(f"{size} B, {ways}", ("rma", "message rate", {"variant": ways, "bytes": size, "pes": 2}))
         for size in (8, 512) for ways in ("one way", "both ways")], messages), rate_text)
    yield plots.bars("Strided, 1,024 elements", r.bar_groups(
        [(op, ("rma", op, {"pes": 2})) for op in ("iput", "iget", "ibput", "ibget")]), logarithmic=True)


def amo_plots(r):
    for variant, title in (("heap", "Atomic operations, heap"), ("static", "Atomic operations, static data"),
                           ("contended", "Atomic operations, both PEs on one word")):
        yield plots.bars(title, r.bar_groups(
            [(op, ("amo", op, {"variant": variant, "bytes": 8, "pes": 2}))
             for op in ("fetch", "set", "inc", "fetch_add", "swap", "compare_swap", "fetch_xor")]),
            logarithmic=True)


def shape_plots(r):
    """Of jobs with more PEs: PE 0 and the last PE, while the others wait in a barrier."""
    for pes in (4, 8, 16):
        for op in ("put", "get"):
            yield plots.lines(f"{op}, {pes} PEs: time", r.series("bytes", latency, "rma", op, variant="heap", pes=pes),
                              x_label="bytes")
        yield plots.bars(f"Atomic operations, {pes} PEs", r.bar_groups(
            [(op, ("amo", op, {"variant": "heap", "bytes": 8, "pes": pes}))
             for op in ("fetch", "set", "fetch_add", "compare_swap")]), logarithmic=True)


def wait_plots(r):
    yield plots.bars("Round trip", r.bar_groups(
        [(op, ("wait", op, {"bytes": 8, "pes": 2}))
         for op in ("set, wait_until", "p, wait_until", "put_signal, wait", "put, fence, p, wait")]))
    yield plots.bars("Order and locks", r.bar_groups(
        [(op + (f", {v}" if v else ""), ("wait", op, {"variant": v, "pes": 2}))
         for op, v in (("wait_until", "satisfied"), ("p, fence", ""), ("p, quiet", ""), ("lock", "free"),
                       ("lock", "contended"))]), logarithmic=True)
    yield plots.bars("Memory, teams, contexts", r.bar_groups(
        [(op, ("memory", op, {"pes": 2})) for op in ("malloc, free", "team split, destroy",
                                                     "context create, destroy")]), logarithmic=True)


KINDS = (("broadcast", ""), ("fcollect", ""), ("collect", ""), ("alltoall", ""), ("sum", "long"))


def size_plots(r):
    for op, variant in KINDS:
        yield plots.lines(f"{op}, 2 PEs", r.series("bytes", latency, "coll", op, variant=variant, pes=2),
                          x_label="bytes of a PE")


def pes_plots(r):
    def ticks(rows):
        return sorted({row["pes"] for row in rows}) or None

    for op, variant, size in (("barrier_all", "", 0), ("sync", "", 0), *((o, v, 8) for o, v in KINDS)):
        found = r.find("coll", op, variant=variant, bytes=size)
        yield plots.lines(f"{op}{', 8 B' if size else ''}",
                          r.series("pes", latency, "coll", op, variant=variant, bytes=size),
                          x_text=count_text, x_label="PEs", x_ticks=ticks(found))
    yield plots.bars("Kinds of reduction, 4 KiB, 2 PEs", r.bar_groups(
        [(f"{op}, {t}", ("coll", op, {"variant": t, "bytes": 4096, "pes": 2})) for op, t in (
            ("sum", "long"), ("prod", "long"), ("min", "long"), ("and", "ulong"), ("sum", "short"),
            ("sum", "float"), ("sum", "double"), ("inscan", "long"))]))


def start_plots(r):
    yield plots.lines("A job from start to end", r.series("pes", latency, "start", "start to end"),
                      x_text=count_text, x_label="PEs", x_ticks=PES_TICKS)
    groups = []
    for pes in (2, 64, 1000):
        values = [(row["library"], r.css(row["library"]), row["kib"])
                  for row in r.find("start", "private memory", pes=pes)]
        main = r.one("start", "private memory", pes=pes)
        if main:
            values.append(("empty program", "hand", main["limit_kib"]))
        groups.append((f"{count_text(pes)} PEs", values))
    yield plots.bars("A PE's own memory", groups, lambda kib: f"{kib:,.0f} KiB", logarithmic=True)


def apps_plots(r):
    names = list(dict.fromkeys(row["operation"] for row in r.rows if row["group"] == "apps"))
    yield plots.bars("Applications, 2 PEs", r.bar_groups(
        [(name, ("apps", name, {"pes": 2})) for name in names]), logarithmic=True)


SECTIONS = (
    ("Puts and gets", "From PE 0 to its peer. The hand-written code is an out-of-line memcpy, load or "
     "store through shmem_ptr.", rma_plots),
    ("Atomic operations", "64 bits. The hand-written code is the processor's own instruction, out of line.",
     amo_plots),
    ("More PEs", "The same where PEs take turns on the cores: PE 0 accesses the last PE, and the others wait.",
     shape_plots),
    ("Signals, order, locks, memory", "A round trip of two PEs, and what one PE does.", wait_plots),
    ("Collectives by size", "The hand-written code has a barrier of flags before and after, and copies or adds "
     "directly from the other PE's memory. Of a sum of more than 4 KiB, each PE adds a slice for all.", size_plots),
    ("Collectives by PEs", "More PEs than cores take turns. The hand-written barrier is a counter whose waiters "
     "yield.",
     pes_plots),
    ("Start and memory", "The hand-written code spawns the same number of empty programs, and waits for "
     "them.", start_plots),
    ("Applications", "Each verifies its result. The hand-written code is the same algorithm with loads, stores, "
     "memcpy and the processor's atomics on the shared memory.", apps_plots),
)
