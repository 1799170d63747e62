# SPDX-License-Identifier: BSD-3-Clause
"""The targets of Tern's speed on one node, as data, and the rows that each of them is about.

A target bounds the ratio of the least time of an operation to the least time of its limit, the same
work hand-written. Each of its rows must be within the bound, or in other circumstances (a team that was
split off, three PEs, buffers that are not aligned, two threads a PE) within one and a half times.
"""
KIB, MIB = 1 << 10, 1 << 20
SLACK = 1.5
MET, MISSED, NOT_MEASURED = "met", "missed", "not measured"

SMALL_COLLECTIVES = ("collect", "fcollect", "alltoall", "sum", "prod", "min", "max", "and", "or", "xor",
                     "inscan", "exscan")
AMOS = ("fetch", "set", "add", "inc", "fetch_add", "fetch_inc", "swap", "compare_swap", "and", "or", "xor",
        "fetch_and", "fetch_or", "fetch_xor")


class Target:
    def __init__(self, name, most, group, operations, sizes=None, pes=(2,), variants=None,
                 modes=("team", "unaligned", "threads"), three=True, against=None, unit=""):
        self.name, self.most, self.group, self.operations = name, most, group, operations
        self.sizes, self.pes, self.variants, self.unit = sizes, pes, variants, unit
        self.modes, self.three = modes, three
        self.against = against  # (group, operation) whose limit is the limit of this one

    def holds(self, figure, slack):
        return round(figure, 2) <= self.most * slack

    def is_about(self, row):
        """1 for a plain row, SLACK for one in other circumstances, 0 for none of this target's."""
        if row["group"] != self.group or row["operation"] not in self.operations:
            return 0
        if self.sizes and row["bytes"] not in self.sizes:
            return 0
        if self.variants and row["variant"] not in self.variants:
            return 0
        if row["pes"] in self.pes:
            return 1 if row["mode"] == "plain" else SLACK if row["mode"] in self.modes else 0
        return SLACK if self.three and row["pes"] == 3 and row["mode"] == "plain" else 0


def rma(name, most, *sizes):
    return Target(name, most, "rma", ("put", "get"), sizes, variants=("heap", "static"))


def coll(name, most, operations, *sizes, **more):
    return Target(name, most, "coll", operations, sizes, **more)


TARGETS = [
    Target("p, g, 64 bit, heap and static", 1.9, "rma", ("p", "g"), variants=("heap", "static")),
    rma("put, get 8 B and 64 B", 1.3, 8, 64),
    rma("put, get 512 B", 1.4, 512),
    rma("put, get 4 KiB", 1.0, 4 * KIB),
    rma("put, get 64 KiB", 1.03, 64 * KIB),
    rma("put, get 1 MiB", 1.0, MIB),
    rma("put, get 8 MiB", 1.1, 8 * MIB),
    Target("AMOs, fetching or not, heap and static", 1.15, "amo", AMOS, variants=("heap", "static")),
    Target("set + wait_until ping-pong", 1.1, "wait", ("set, wait_until",), three=False),
    Target("put_signal + wait ping-pong", 1.3, "wait", ("put_signal, wait",), three=False),
    Target("barrier_all, 2 PEs", 1.25, "coll", ("barrier_all", "sync")),
    coll("8 B broadcast", 0.3, ("broadcast",), 8),
    coll("other 8 B collectives", 0.9, SMALL_COLLECTIVES, 8),
    coll("4 KiB collectives", 1.2, SMALL_COLLECTIVES + ("broadcast",), 4 * KIB),
    coll("512 KiB broadcast", 1.2, ("broadcast",), 512 * KIB),
    coll("512 KiB fcollect, alltoall", 1.3, ("fcollect", "alltoall"), 512 * KIB),
    coll("512 KiB sum", 1.6, ("sum",), 512 * KIB, variants=("long",)),
    coll("8 MiB broadcast", 1.1, ("broadcast",), 8 * MIB),
    coll("8 MiB fcollect, alltoall", 1.1, ("fcollect", "alltoall"), 8 * MIB),
    coll("8 MiB sum", 1.3, ("sum",), 8 * MIB, variants=("long",)),
    Target("barrier_all, 8 to 64 PEs", 1.1, "coll", ("barrier_all",), pes=(8, 16, 32, 64), three=False),
    coll("8 B reduction, 8 to 64 PEs, against a barrier", 2.0, ("sum", "max", "and"), 8,
         pes=(8, 16, 32, 64), three=False, against=("coll", "barrier_all")),
    Target("Intel SHMEM's host routines over OpenSHMEM's", 2, "ishmem",
           ("p", "g", "put", "add", "fetch_add", "test"), (8,), three=False, unit="ns"),
    Target("1 MiB put by a work-group, against put", 1.1, "ishmem", ("put_work_group",), (MIB,), three=False),
    Target("put on a queue over an empty host task", 5000, "ishmem", ("put_on_queue",), three=False, unit="ns"),
    Target("start to end, 2 and 64 PEs", 1.5, "start", ("start to end",), pes=(2, 64), three=False),
    Target("start to end, 1,000 PEs", 1.8, "start", ("start to end",), pes=(1000,), three=False),
    Target("private memory of a PE over an empty program's", 100, "start", ("private memory",),
           pes=(1000,), three=False, unit="KiB"),
    Target("applications, against hand-written shared memory", 1.1, "apps",
           ("integer sort", "random access", "histogram", "index gather", "stencil", "transpose", "bfs"),
           pes=(2,)),
]


def limit_of(target, row, rows):
    if not target.against:
        return row.get("limit_ns_min")
    group, operation = target.against
    for r in rows:
        if (r["group"], r["operation"], r["pes"], r["mode"], r["library"]) == (
                group, operation, row["pes"], row["mode"], row["library"]):
            return r.get("limit_ns_min")
    return None


def own_figure(target, row):
    """A time, or the difference in the target's unit."""
    if target.unit == "KiB":  # such a row has no time
        return row["kib"] - row["limit_kib"]
    return row["ns_min"] - (row["limit_ns_min"] if target.unit else 0)


def ratios(target, rows):
    """Of each row that the target is about: its figure, the row, and the slack that it has."""
    for row in rows:
        slack = target.is_about(row)
        if not slack:
            continue
        limit = 1 if target.unit else limit_of(target, row, rows)
        if limit:
            yield own_figure(target, row) / limit, row, slack


class Verdict:
    """One target: the figure of the worst row and which it is, for plain rows and for the others."""

    def __init__(self, target):
        self.target = target
        self.worst = None  # (figure, row): plain
        self.other = None  # the same in other circumstances

    def add(self, figure, row, slack):
        if slack == 1:
            self.worst = max(self.worst or (0, row), (figure, row), key=lambda w: w[0])
        else:
            self.other = max(self.other or (0, row), (figure, row), key=lambda w: w[0])

    def met(self):
        return self.worst is not None and self.target.holds(self.worst[0], 1)

    def state(self):
        """Of all rows that the target speaks of. Rows elsewhere can miss it before a plain row is measured."""
        if not self.other_met() or self.worst and not self.met():
            return MISSED
        return MET if self.worst else NOT_MEASURED

    def other_met(self):
        return self.other is None or self.target.holds(self.other[0], SLACK)

    def excess(self):
        """How far the worst row is beyond its bound, as a share of the bound: 0.1 is 10 % too much."""
        return max(figure / (self.target.most * slack) - 1
                   for (figure, _), slack in ((self.worst or (0, None), 1), (self.other or (0, None), SLACK)))


def judge(rows, library):
    rows = [r for r in rows if r["library"] == library]
    verdicts = []
    for target in TARGETS:
        verdict = Verdict(target)
        for ratio in ratios(target, rows):
            verdict.add(*ratio)
        verdicts.append(verdict)
    return verdicts


def missed(rows, library):
    """The group, PEs and mode of each row that does not hold its target."""
    rows = [r for r in rows if r["library"] == library]
    return {(row["group"], row["pes"], row["mode"]) for target in TARGETS
            for figure, row, slack in ratios(target, rows) if not target.holds(figure, slack)}
