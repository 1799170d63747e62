# SPDX-License-Identifier: BSD-3-Clause
"""What bench/run.py prints at its end: a table for the terminal."""
import targets
from results import Results, figure_text, met_text, row_name


def print_table(results):
    r = Results(results)
    verdicts = r.verdicts()
    print(f"{'operation':48} {'at most':>8} {'measured':>9}  {'':6} the worst row")
    for v in verdicts:
        figure, verdict, row = "-", "not measured", ""
        if v.worst:
            figure, row = figure_text(v.worst[0], v.target), row_name(v.worst[1])
            verdict = "met" if v.met() else "MISSED"
        print(f"{v.target.name:48} {figure_text(v.target.most, v.target):>8} {figure:>9}"
              f"  {verdict:6} {row}".rstrip())
        if not v.other_met():
            figure, row = figure_text(v.other[0], v.target), row_name(v.other[1])
            print(f"{'  elsewhere':48} {figure_text(v.target.most * targets.SLACK, v.target):>8} {figure:>9}"
                  f"  MISSED {row}")
    print(f"{met_text(verdicts)} targets met")
    for what, why in r.notes.items():
        print(f"note: {what}: {why}")
