# SPDX-License-Identifier: BSD-3-Clause
"""The results of a run, as the report and the terminal's table look them up and name them."""
import standing
import targets
from plots import bytes_text

HAND = "hand-written"


class Results:
    def __init__(self, results):
        self.machine, self.libraries = results["machine"], results["libraries"]
        self.notes, self.rows = results["notes"], results["rows"]
        self.main = self.libraries[0]

    def css(self, library):
        return "tern" if library == self.main else f"other{min(self.libraries.index(library), 3)}"

    def verdicts(self):
        """Of all targets; one without rows is not measured, and does not vanish."""
        return targets.judge(self.rows, self.main)

    def behind(self):
        return standing.behind(self.rows, self.main, self.libraries[1:])

    def distance(self):
        return standing.Distance(self.rows, self.main)

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


def row_name(row):
    parts = [row["operation"], row["variant"], bytes_text(row["bytes"]) if row["bytes"] else "",
             f"{row['pes']} PEs", "" if row["mode"] == "plain" else row["mode"]]
    return ", ".join(p for p in parts if p)


def figure_text(value, target):
    return f"{value:.0f} {target.unit}" if target.unit else f"{value:.2f}"


def count_states(verdicts):
    """The number of targets in each state, in the order in which they are shown."""
    return {state: sum(v.state() == state for v in verdicts)
            for state in (targets.MET, targets.MISSED, targets.NOT_MEASURED)}


def excess_text(verdict):
    percent = verdict.excess() * 100
    return f"{percent:.{1 if percent < 10 else 0}f} % over"
