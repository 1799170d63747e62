# SPDX-License-Identifier: BSD-3-Clause
"""Plots as SVG text: lines on logarithmic axes, and bars."""
import html
import math
import re

WIDTH, HEIGHT = 460, 300
LEFT, RIGHT, TOP, BOTTOM = 58, 14, 12, 42


def escape(text):
    return html.escape(str(text), quote=True)


def bytes_text(n):
    for unit, size in (("MiB", 1 << 20), ("KiB", 1 << 10)):
        if n >= size:
            return f"{n / size:g} {unit}"
    return f"{n:g} B"


def time_text(ns):
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if ns >= size:
            return f"{ns / size:.3g} {unit}"
    return f"{ns:.3g} ns"


def count_text(n):
    return f"{n:,.0f}" if n >= 1 else f"{n:g}"


def rate_text(n):
    for unit, size in (("T", 1e12), ("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if n >= size:
            return f"{n / size:.3g} {unit}"
    return f"{n:.3g}"


class Axis:
    """Logarithmic: from values to pixels, with ticks at powers of the base."""

    def __init__(self, values, start, end, base):
        self.base = base
        self.low = math.floor(math.log(min(values), base) + 1e-9)
        self.high = math.ceil(math.log(max(values), base) - 1e-9)
        if self.low == self.high:
            self.high += 1
        self.start, self.end = start, end

    def at(self, value):
        part = (math.log(value, self.base) - self.low) / (self.high - self.low)
        return self.start + part * (self.end - self.start)

    def ticks(self, most):
        step = max(1, math.ceil((self.high - self.low) / most))
        return [self.base**k for k in range(self.low, self.high + 1, step)]


def lines(title, series, x_text=bytes_text, y_text=time_text, x_label="", x_ticks=None):
    """series: (name, CSS class, [(x, y), ...]); None if there is nothing to draw."""
    series = [(name, css, sorted(points)) for name, css, points in series if points]
    points = [p for _, _, ps in series for p in ps]
    if not points:
        return None
    x = Axis([p[0] for p in points], LEFT, WIDTH - RIGHT, 2)
    y = Axis([p[1] for p in points], HEIGHT - BOTTOM, TOP, 10)
    out = [f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(title)}">']
    for v in y.ticks(6):
        out.append(f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y.at(v):.1f}" y2="{y.at(v):.1f}"/>')
        out.append(f'<text class="tick" x="{LEFT - 7}" y="{y.at(v) + 3.5:.1f}" text-anchor="end">{y_text(v)}</text>')
    for v in x_ticks or x.ticks(6):
        out.append(f'<line class="grid" y1="{TOP}" y2="{HEIGHT - BOTTOM}" x1="{x.at(v):.1f}" x2="{x.at(v):.1f}"/>')
        out.append(f'<text class="tick" x="{x.at(v):.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{x_text(v)}</text>')
    out.append(f'<text class="label" x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 6}" text-anchor="middle">{escape(x_label)}</text>')
    for name, css, ps in series:
        path = " ".join(f"{x.at(a):.1f},{y.at(b):.1f}" for a, b in ps)
        out.append(f'<polyline class="line {css}" points="{path}"/>')
        for a, b in ps:
            out.append(f'<circle class="dot {css}" cx="{x.at(a):.1f}" cy="{y.at(b):.1f}" r="2.6">'
                       f"<title>{escape(name)}: {x_text(a)}, {y_text(b)}</title></circle>")
    out.append("</svg>")
    return figure(title, "".join(out), [(name, css) for name, css, _ in series])


ROW, BAR = 15, 12
NAMES, LETTER = 128, 6.6  # the least width of the names; the widest fonts' mean letter


def bars(title, groups, text=time_text, logarithmic=False):
    """groups: (name, [(series, CSS class, value), ...]); lengths are shares of the longest."""
    groups = [(name, [v for v in values if v[2]]) for name, values in groups]
    groups = [g for g in groups if g[1]]
    values = [v[2] for _, vs in groups for v in vs]
    if not values:
        return None
    low = min(values) / 2 if logarithmic else 0
    names = max(NAMES, 8 + LETTER * max(len(name) for name, _ in groups))
    room = WIDTH - names - 70

    def length(value):
        if logarithmic:
            return room * math.log(value / low) / math.log(max(values) / low)
        return room * value / max(values)

    out, y, seen = [], 6, []
    for name, vs in groups:
        middle = y + len(vs) * ROW / 2 + 3
        out.append(f'<text class="name" x="{names - 8:.1f}" y="{middle:.1f}" text-anchor="end">{escape(name)}</text>')
        for series, css, value in vs:
            if (series, css) not in seen:
                seen.append((series, css))
            out.append(f'<rect class="bar {css}" x="{names:.1f}" y="{y:.1f}" width="{max(length(value), 1):.1f}" height="{BAR}" rx="2"/>')
            out.append(f'<text class="tick" x="{names + length(value) + 5:.1f}" y="{y + 10:.1f}">{text(value)}</text>')
            y += ROW
        y += 8
    body = f'<svg viewBox="0 0 {WIDTH} {y}" role="img" aria-label="{escape(title)}">{"".join(out)}</svg>'
    return figure(title, body, seen)


def figure(title, svg, legend):
    keys = "".join(f'<span><i class="{css}"></i>{escape(name)}</span>' for name, css in legend)
    return f"<figure><figcaption>{escape(title)}</figcaption>{svg}<div class=legend>{keys}</div></figure>"


# For a file of its own: the colours of report.css on a light card, and the legend below the plot.
COLOURS = {"tern": "#0b7a75", "hand": "#98a2b3", "other1": "#d97706", "other2": "#7c3aed"}
STYLE = ("text { font: 11px sans-serif; fill: #667085; } .title { font-size: 14px; fill: #1c2430; } "
         ".grid { stroke: #e4e7ec; } .line { fill: none; stroke-width: 2; } .line.hand { stroke-dasharray: 5 4; } "
         + " ".join(f".line.{css} {{ stroke: {colour}; }} .dot.{css}, .key.{css} {{ fill: {colour}; }}"
                    for css, colour in COLOURS.items()))


def image(title, series, **options):
    """The plot of lines() as an SVG file with a title and a legend."""
    inside = re.search(r"<svg[^>]*>(.*)</svg>", lines(title, series, **options), re.S).group(1)
    keys, x = [], LEFT
    for name, css, _ in series:
        keys.append(f'<rect class="key {css}" x="{x}" y="{HEIGHT + 34}" width="18" height="4"/>'
                    f'<text x="{x + 23}" y="{HEIGHT + 40}">{escape(name)}</text>')
        x += 40 + 6 * len(name)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT + 52}" width="{WIDTH * 2}">'
            f'<style>{STYLE}</style><rect width="100%" height="100%" fill="#fff"/>'
            f'<text class="title" x="{LEFT}" y="18">{escape(title)}</text>'
            f'<g transform="translate(0 22)">{inside}</g>{"".join(keys)}</svg>\n')
