# SPDX-License-Identifier: BSD-3-Clause
"""The report: one HTML file that needs no other, and a table for the terminal.

Usage: report.py RESULTS.json REPORT.html     makes the report anew from results.
"""
import json
import os
import sys

import plots
import targets
from plots import bytes_text, count_text, escape, rate_text, time_text

HERE = os.path.dirname(os.path.abspath(__file__))
HAND = "hand-written"
PES_TICKS = [1, 2, 4, 8, 16, 64, 256, 1000]


class Results:
    def __init__(self, results):
        self.machine, self.libraries = results["machine"], results["libraries"]
        self.notes, self.rows = results["notes"], results["rows"]
        self.main = self.libraries[0]

    def css(self, library):
        return "tern" if library == self.main else f"other{min(self.libraries.index(library), 3)}"

    def verdicts(self):
        """Of all targets: one without rows is not met, and does not vanish."""
        return targets.judge(self.rows, self.main)

    def find(self, group, operation, **wanted):
        wanted = {"mode": "plain", **wanted}
        return [r for r in self.rows if r["group"] == group and r["operation"] == operation
                and all(r[k] == v for k, v in wanted.items())]

    def one(self, group, operation, **wanted):
        found = self.find(group, operation, library=self.main, **wanted)
        return found[0] if found else None

    def series(self, x, y, group, operation, **wanted):
        """A line for each library; the hand-written code's is that of the main library's rows."""
        rows = self.find(group, operation, library=self.main, **wanted)
        out = [(HAND, "hand", [(r[x], y(r, r["limit_ns_min"])) for r in rows if "limit_ns_min" in r and r[x]])]
        for library in reversed(self.libraries):
            rows = self.find(group, operation, library=library, **wanted)
            out.append((library, self.css(library), [(r[x], y(r, r["ns_min"])) for r in rows if r[x]]))
        return out

    def bar_groups(self, wanted_rows, value=lambda r, ns: ns):
        """Bars by name: each library's, and the hand-written code's. wanted_rows: (name, find's arguments)."""
        out = []
        for name, (group, operation, more) in wanted_rows:
            values = []
            for library in self.libraries:
                rows = self.find(group, operation, library=library, **more)
                if rows:
                    values.append((library, self.css(library), value(rows[0], rows[0]["ns_min"])))
            main = self.one(group, operation, **more)
            if main and "limit_ns_min" in main:
                values.append((HAND, "hand", value(main, main["limit_ns_min"])))
            out.append((name, values))
        return out


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


def wait_plots(r):
    yield plots.bars("To and fro", r.bar_groups(
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
    ("Signals, order, locks, memory", "A round trip of two PEs, and what one PE does.", wait_plots),
    ("Collectives by size", "The hand-written code has a barrier of flags before and after, and copies or adds "
     "directly from the other PE's memory. For a sum of more than 4 KiB it only copies.", size_plots),
    ("Collectives by PEs", "More PEs than cores take turns. The hand-written barrier is a counter whose waiters "
     "yield.",
     pes_plots),
    ("Start and memory", "The hand-written code spawns the same number of empty programs, and waits for "
     "them.", start_plots),
    ("Applications", "Each verifies its result. The hand-written code is the same algorithm with loads, stores, "
     "memcpy and the processor's atomics on the shared memory.", apps_plots),
)


# ---- pieces of the page ----

def tile(figure, text):
    return f"<div class=tile><b>{escape(figure)}</b><span>{escape(text)}</span></div>"


def met_text(verdicts):
    return f"{sum(v.counts() for v in verdicts)} of {len(verdicts)}"


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


def row_name(row):
    parts = [row["operation"], row["variant"], bytes_text(row["bytes"]) if row["bytes"] else "",
             f"{row['pes']} PEs", "" if row["mode"] == "plain" else row["mode"]]
    return ", ".join(p for p in parts if p)


def figure_text(value, target):
    return f"{value:.0f} {target.unit}" if target.unit else f"{value:.2f}"


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


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as f:
        results = json.load(f)
    write(results, sys.argv[2])
    print_table(results)


if __name__ == "__main__":
    main()
