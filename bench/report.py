# SPDX-License-Identifier: BSD-3-Clause
"""The report: one HTML file that needs no other, and a table for the terminal.

Usage: report.py RESULTS.json REPORT.html     makes the report anew from results.
"""
import json
import os
import sys

import standing
import summary
import targets
from plots import escape, time_text
from results import HAND, Results, count_states, excess_text, figure_text, row_name
from sections import SECTIONS

HERE = os.path.dirname(os.path.abspath(__file__))
MOST_OPEN = 40  # rows of a table that is shown at once
CSS_OF_STATE = {targets.MET: "yes", targets.MISSED: "no", targets.NOT_MEASURED: "none"}


# ---- pieces of the page ----

def tile(figure, text, css=""):
    return f'<div class="tile {css}"><b>{escape(figure)}</b><span>{escape(text)}</span></div>'


def standing_tiles(r, verdicts):
    """The answer first: rows behind others, rows near hand-written code, and targets."""
    out = [tile(f"{len(b.rows)} of {b.shared}", f"rows behind {b.name}", "no" if b.rows else "yes")
           for b in r.behind()]
    distance = r.distance()
    if distance.rows:
        out.append(tile(f"{distance.within(1.25):,} of {len(distance.rows):,}", "rows within 1.25 of hand-written code"))
    states = count_states(verdicts)
    out += [tile(f"{n} of {len(verdicts)}", f"targets {state}", CSS_OF_STATE[state] if n else "")
            for state, n in states.items()]
    return f"<div class=tiles>{''.join(out)}</div>"


def time_tiles(r):
    out = []
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


def table(heads, rows):
    """Heads and cells are HTML, without their tags' ends."""
    return f"<div class=scroll><table><tr>{heads}</tr>{''.join(f'<tr>{row}</tr>' for row in rows)}</table></div>"


def folded(summary_text, body, rows):
    """A table of many rows is closed until it is asked for."""
    opened = " open" if len(rows) <= MOST_OPEN else ""
    return f"<details{opened}><summary>{escape(summary_text)}</summary>{body}</details>"


def behind_section(r):
    """Empty if no other library was measured."""
    out = []
    for b in r.behind():
        rows = [f"<td class=row>{escape(ours['group'])}: {escape(row_name(ours))}<td>{value_text(ours, 'ns_min')}"
                f"<td>{value_text(theirs, 'ns_min')}<td>{ratio:.2f}<td>{value_text(ours, 'limit_ns_min')}"
                for ratio, ours, theirs in b.rows]
        heads = f"<th>row<th>{escape(r.main)}<th>{escape(b.name)}<th>times<th>{HAND}"
        text = (f"Behind {b.name} in {len(rows)} of the {b.shared} rows that both have; in {b.explained} of these, "
                "hand-written code differs between the processes as much")
        out.append(folded(text, table(heads, rows), rows) if rows else f"<p><b>{escape(text)}</b></p>")
    return "".join(["<h2>Behind other libraries</h2>", *out] if out else out)


def share_bar(shares):
    """shares: (rows, CSS class, text), of all rows."""
    total = sum(n for n, _, _ in shares)
    parts = "".join(f'<i class={css} style="width:{n / total * 100:.2f}%" title="{escape(text)}"></i>'
                    for n, css, text in shares if n)
    keys = "".join(f"<span><i class={css}></i>{escape(text)}: {n:,}</span>" for n, css, text in shares)
    return f"<div class=shares>{parts}</div><div class=legend>{keys}</div>"


def distance_section(r):
    d = r.distance()
    if not d.rows:
        return ""
    shares, before = [], 0
    for i, bound in enumerate(standing.BOUNDS):
        shares.append((d.within(bound) - before, f"near{i}", f"within {bound:g}"))
        before = d.within(bound)
    shares.append((len(d.rows) - before, "far", f"beyond {standing.BOUNDS[-1]:g}"))
    worst = [f"<td class=row>{escape(row['group'])}: {escape(row_name(row))}<td>{ratio:.2f}<td>{value_text(row, 'ns_min')}"
             f"<td>{value_text(row, 'limit_ns_min')}<td class=left>{escape(row['limit'])}"
             for ratio, row in d.worst()]
    totals = ", ".join(f"{d.within(bound):,} within {bound:g}" for bound in standing.BOUNDS)
    return (f"<h2>Distance from {HAND} code</h2><p>Of {len(d.rows):,} rows, {totals} times the time of the same "
            f"work, {HAND}.</p>{share_bar(shares)}<h3>The worst {len(worst)} rows</h3>" +
            table(f"<th>row<th>ratio<th>{escape(r.main)}<th>{HAND}<th class=left>which is", worst))


def badge(v):
    state = v.state()
    text = f"missed, {excess_text(v)}" if state == targets.MISSED else state
    return f'<span class="verdict {CSS_OF_STATE[state]}">{text}</span>'


def worst_cells(v):
    if not v.worst:
        return "<td>–<td class=metered><td class=row>"
    figure, row = v.worst
    return (f"<td>{figure_text(figure, v.target)}<td class=metered>{meter(figure, v.target.most)}"
            f"<td class=row>{escape(row_name(row))}")


def other_cells(v):
    if not v.other:
        return "<td>–<td class=row>"
    figure, row = v.other
    css = "" if v.other_met() else " class=over"
    return f"<td{css}>{figure_text(figure, v.target)}<td class=row>{escape(row_name(row))}"


def meter(value, most):
    share = min(value / most, 1) * 100
    return f'<span class=meter><i {"class=over" if round(value, 2) > most else ""} style="width:{max(share, 0):.0f}%"></i></span>'


def targets_table(verdicts):
    return table("<th>operation<th class=left>target<th>at most<th>measured<th class=metered>"
                 "<th class=left>the worst row<th>elsewhere<th class=left>its worst row",
                 [f"<td class=row>{escape(v.target.name)}<td class=left>{badge(v)}"
                  f"<td>{figure_text(v.target.most, v.target)}{worst_cells(v)}{other_cells(v)}" for v in verdicts])


def value_text(row, name):
    if "kib" in row:
        return f"{row['kib' if name == 'ns_min' else 'limit_kib']} KiB" if name.endswith("_min") else ""
    return time_text(row[name]) if name in row else ""


def all_rows(r):
    rows = []
    for row in r.rows:
        ratio = f"{row['ns_min'] / row['limit_ns_min']:.2f}" if row.get("limit_ns_min") else ""
        rows.append(f"<td>{escape(row['group'])}: {escape(row_name(row))}<td class=left>{escape(row['library'])}"
                    f"<td>{value_text(row, 'ns_min')}<td>{value_text(row, 'ns')}"
                    f"<td class=left>{escape(row.get('limit', ''))}<td>{value_text(row, 'limit_ns_min')}"
                    f"<td>{value_text(row, 'limit_ns')}<td>{ratio}<td>{row['load']}")
    heads = ("<th>row<th class=left>library<th>least<th>median<th class=left>limit<th>least<th>median<th>ratio"
             "<th>load")
    return folded(f"All {len(rows):,} rows", table(heads, rows), rows)


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
           standing_tiles(r, verdicts), behind_section(r), distance_section(r),
           "<h2>Targets</h2><p>A figure is the least time of an operation divided by the least time of the same "
           "work, hand-written. Each target shows its worst row. Elsewhere (on a team that was split off, at 3 "
           "PEs, with unaligned buffers, with two threads a PE) 1.5 times the target is allowed.</p>",
           targets_table(verdicts), time_tiles(r)]
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
