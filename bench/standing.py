# SPDX-License-Identifier: BSD-3-Clause
"""How the rows of one library stand: behind which other libraries, and how far from hand-written code.

All rows count, whether a target is about them or not, with their least times.
"""
BOUNDS = (1.05, 1.25, 1.5, 2.0)
WORST = 10


def key(row):
    """Equal for the rows of two libraries that measure the same."""
    return tuple(row[name] for name in ("group", "operation", "variant", "mode", "bytes", "pes"))


def least(row):
    """Of a row: nanoseconds, or KiB where memory is measured."""
    return row.get("ns_min") or row.get("kib") or 0


def is_explained(ours, theirs):
    """Whether hand-written code, in the processes of both libraries, differs as much as the libraries do.

    Then the processes differ: their physical pages, or what the machine did meanwhile.
    """
    if not ours.get("limit_ns_min") or not theirs.get("limit_ns_min"):
        return False
    return ours["ns_min"] / theirs["ns_min"] <= ours["limit_ns_min"] / theirs["limit_ns_min"]


class Behind:
    """One other library: the number of rows that both have, and the rows in which it is ahead."""

    def __init__(self, name, pairs):
        self.name, self.shared = name, len(pairs)
        self.rows = sorted(((least(ours) / least(theirs), ours, theirs) for ours, theirs in pairs
                            if least(ours) > least(theirs)), key=lambda b: -b[0])
        self.explained = sum(is_explained(ours, theirs) for _, ours, theirs in self.rows)


def behind(rows, library, others):
    """A Behind for each of the others; the rows that are furthest behind come first."""
    ours = {key(r): r for r in rows if r["library"] == library and least(r)}
    return [Behind(name, [(ours[key(r)], r) for r in rows
                          if r["library"] == name and least(r) and key(r) in ours])
            for name in others]


class Distance:
    """All rows that have a hand-written limit, as (ratio, row); the worst come first."""

    def __init__(self, rows, library):
        self.rows = sorted(((r["ns_min"] / r["limit_ns_min"], r) for r in rows
                            if r["library"] == library and r.get("limit_ns_min")), key=lambda d: -d[0])

    def within(self, bound):
        """The number of rows. A ratio is rounded as it is printed: 1.25 is within 1.25."""
        return sum(round(ratio, 2) <= bound for ratio, _ in self.rows)

    def worst(self):
        return self.rows[:WORST]
