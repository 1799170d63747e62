# SPDX-License-Identifier: BSD-3-Clause
"""What the turns of a program measured, in rows as bench/row.h prints them, and ratios of two programs."""
import os
import statistics
import sys

import job

SECONDS = 60  # that a turn of a program may take


class Figures:
    """What the turns of one program said: row -> list of (best, median, p99, worst)."""

    def __init__(self, name, command, **settings):
        self.name, self.command = name, command
        self.environment = dict(os.environ, **settings)
        self.rows = {}

    def take_turn(self):
        """Whether it went well."""
        output, problem = job.run(self.command, self.environment, SECONDS)
        if problem:
            print(f"{self.name}: {problem}", file=sys.stderr)
        for line in output.splitlines():
            fields = line.split()
            if len(fields) == 6 and fields[1] in ("us", "MiB/s", "op/s"):
                self.rows.setdefault(fields[0], []).append([float(f) for f in fields[2:]])
        return not problem

    def best(self, row, more):
        values = [turn[0] for turn in self.rows.get(row, [])]
        return (max if more else min)(values) if values else None

    def median(self, row):
        values = [turn[1] for turn in self.rows.get(row, [])]
        return statistics.median(values) if values else None

    def p99(self, row):
        values = [turn[2] for turn in self.rows.get(row, [])]
        return statistics.median(values) if values else None

    def worst(self, row):
        values = [turn[3] for turn in self.rows.get(row, [])]
        return max(values) if values else None


def ratios(ours, theirs, row, other, more):
    """Of the best batches, and the median of turns that belong together; None where one failed."""
    best, bottom = ours.best(row, more), theirs.best(other, more)
    pairs = [a[1] / b[1] for a, b in zip(ours.rows.get(row, []), theirs.rows.get(other, []))]
    return best / bottom if best and bottom else None, statistics.median(pairs) if pairs else None


def is_met(pair, bound, more):
    """Whether the turns' median keeps the bound: a best batch may be one turn's luck."""
    median = pair[1]
    return median is not None and (median >= bound if more else median <= bound)


def shown(value, form):
    return format(value, form) if value is not None else "-"
