# SPDX-License-Identifier: BSD-3-Clause
"""What bench/run.py prints at its end: how the rows and the targets stand, for the terminal."""
import standing
import targets
from plots import time_text
from results import Results, count_states, excess_text, figure_text, row_name


def value_text(row):
    return time_text(row["ns_min"]) if "ns_min" in row else f"{row['kib']} KiB"


def print_behind(results):
    for other in results.behind():
        print(f"behind {other.name} in {len(other.rows)} of the {other.shared} rows that both have; in "
              f"{other.explained} of these, hand-written code differs between the processes as much")
        for ratio, ours, theirs in other.rows:
            print(f"  {ratio:7.2f}  {value_text(ours):>9}  {value_text(theirs):>9}  {row_name(ours)}")


def print_distance(distance):
    total = len(distance.rows)
    print(f"rows with a hand-written limit: {total}, " + ", ".join(
        f"{distance.within(bound)} within {bound:g}" for bound in standing.BOUNDS))
    for ratio, row in distance.worst():
        print(f"  {ratio:7.2f}  {time_text(row['ns_min']):>9}  {time_text(row['limit_ns_min']):>9}  {row_name(row)}")


def state_text(verdict):
    state = verdict.state()
    return f"MISSED, {excess_text(verdict)}" if state == targets.MISSED else state


def print_target(v):
    figure, row = "-", ""
    if v.worst:
        figure, row = figure_text(v.worst[0], v.target), row_name(v.worst[1])
    print(f"{v.target.name:48} {figure_text(v.target.most, v.target):>8} {figure:>9}"
          f"  {state_text(v):18} {row}".rstrip())
    if not v.other_met():
        figure, row = figure_text(v.other[0], v.target), row_name(v.other[1])
        print(f"{'  elsewhere':48} {figure_text(v.target.most * targets.SLACK, v.target):>8} {figure:>9}"
              f"  {'':18} {row}")


def print_table(results):
    r = Results(results)
    verdicts = r.verdicts()
    print(f"{'operation':48} {'at most':>8} {'measured':>9}  {'':18} the worst row")
    for v in verdicts:
        print_target(v)
    print(f"targets: {', '.join(f'{n} {state}' for state, n in count_states(verdicts).items())}")
    print_behind(r)
    print_distance(r.distance())
    for what, why in r.notes.items():
        print(f"note: {what}: {why}")
