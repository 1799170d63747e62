# SPDX-License-Identifier: BSD-3-Clause
"""The report: one HTML file that needs no other, and a table for the terminal.

Usage: report.py RESULTS.json REPORT.html     makes the report anew from results.
"""
import json
import os
import sys

import summary
from plots import escape, time_text
from results import Results, figure_text, met_text, row_name
from sections import SECTIONS

HERE = os.path.dirname(os.path.abspath(__file__))


# ---- pieces of the page ----

def tile(figure, text):
    return f"<div class=tile><b>{escape(figure)}</b><span>{escape(text)}</span></div>"


def tiles(r, verdicts):
    out = [tile(met_text(verdicts), "targets met")]
    for text, row in (
            ("put of 8 bytes", r.one("rma", "put", bytes=8, variant="heap", pes=2)),
            ("atomic fetch-add", r.one("amo", "fetch_add", bytes=8, variant="heap", pes=2)),
            ("barrier of 2 PEs", r.one("coll", "barrier_all", pes=2)),
            ("barrier of 64 PEs", r.one("coll", "barrier_all", pes=64)),
            ("job of 2 PEs, start to end", r.one("start", "start to end", pes=2)),
            ("job of 1,000 PEs, start to end", r.one("start", "start to end", pes=1000))):
        if row:
            out.append(tile(time_text(row["ns_min"]), text))
    return f"<div class=tiles>{''.join(out)}</div>"


def badge(good):
    return f'<span class="verdict {"yes" if good else "no"}">{"met" if good else "missed"}</span>'


def worst_cells(v):
    if not v.worst:
        return "<td>–<td><td>not measured<td>"
    figure, row = v.worst
    return (f"<td>{figure_text(figure, v.target)}<td>{meter(figure, v.target.most)}<td>{badge(v.met())}"
            f"<td class=left>{escape(row_name(row))}")


def other_cells(v):
    if not v.other:
        return "<td>–<td>"
    figure, row = v.other
    return (f"<td>{figure_text(figure, v.target)} {badge(v.other_met())}"
            f"<td class='left last'>{escape(row_name(row))}")


def meter(value, most):
    share = min(value / most, 1) * 100
    return f'<span class=meter><i {"class=over" if round(value, 2) > most else ""} style="width:{max(share, 0):.0f}%"></i></span>'


def targets_table(verdicts):
    out = ["<div class=scroll><table><tr><th>operation<th>at most<th>measured<th class=left><th>"
           "<th class=left>the worst row<th>elsewhere<th class=left>its worst row</tr>"]
    for v in verdicts:
        out.append(f"<tr><td>{escape(v.target.name)}<td>{figure_text(v.target.most, v.target)}"
                   f"{worst_cells(v)}{other_cells(v)}</tr>")
    return "".join(out) + "</table></div>"


def value_text(row, name):
    if "kib" in row:
        return f"{row['kib' if name == 'ns_min' else 'limit_kib']} KiB" if name.endswith("_min") else ""
    return time_text(row[name]) if name in row else ""


def all_rows(r):
    out = ["<div class=scroll><table><tr><th>row<th class=left>library<th>least<th>median<th class=left>limit"
           "<th>least<th>median<th>ratio<th>load</tr>"]
    for row in r.rows:
        ratio = f"{row['ns_min'] / row['limit_ns_min']:.2f}" if row.get("limit_ns_min") else ""
        out.append(f"<tr><td>{escape(row['group'])}: {escape(row_name(row))}<td class=left>{escape(row['library'])}"
                   f"<td>{value_text(row, 'ns_min')}<td>{value_text(row, 'ns')}"
                   f"<td class=left>{escape(row.get('limit', ''))}<td>{value_text(row, 'limit_ns_min')}"
                   f"<td>{value_text(row, 'limit_ns')}<td>{ratio}<td>{row['load']}</tr>")
    return f"<details><summary>All {len(r.rows)} rows</summary>{''.join(out)}</table></div></details>"


def notes_list(r):
    if not r.notes:
        return ""
    items = "".join(f"<li><b>{escape(k)}</b>: {escape(v)}</li>" for k, v in r.notes.items())
    return f"<details open><summary>What did not run to its end</summary><ul>{items}</ul></details>"


def page(results):
    r = Results(results)
    verdicts = r.verdicts()
    with open(os.path.join(HERE, "report.css"), encoding="utf-8") as f:
        css = f.read()
    m = r.machine
    loads = [row["load"] for row in r.rows]
    out = [f"<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>"
           f"<title>{escape(r.main)}: performance on one node</title><style>{css}</style><main>",
           f"<h1>{escape(r.main)} on one node</h1>",
           f"<p>{escape(m['processor'])}, {m['cores']} cores, {m['memory_gib']} GiB; Linux {escape(m['kernel'])}; "
           f"{escape(m['date'])}. Load of the machine while rows were measured: {min(loads)} to {max(loads)}. "
           f"Measured in turn: {escape(', '.join(r.libraries))}. Figures are the least of interleaved runs.</p>",
           tiles(r, verdicts),
           "<h2>Targets</h2><p>A figure is the least time of an operation divided by the least time of the same "
           "work, hand-written. Each target shows its worst row. Elsewhere (on a team that was split off, at 3 "
           "PEs, with unaligned buffers, with two threads a PE) 1.5 times the target is allowed.</p>",
           targets_table(verdicts)]
    for title, text, make in SECTIONS:
        figures = [f for f in make(r) if f]
        if figures:
            out.append(f"<h2>{title}</h2><p>{escape(text)}</p><div class=plots>{''.join(figures)}</div>")
    out += [all_rows(r), notes_list(r), "<footer>Made by bench/run.py of Tern.</footer></main>"]
    return "\n".join(out)


def write(results, path):
    with open(path, "w", encoding="utf-8") as f:
        f.write(page(results))


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as f:
        results = json.load(f)
    write(results, sys.argv[2])
    summary.print_table(results)


if __name__ == "__main__":
    main()
