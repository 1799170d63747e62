# SPDX-License-Identifier: BSD-3-Clause
"""What the generators of sources share: templates, the layout of C, and its lists of parameters."""
import re
import sys
import textwrap
from typing import NamedTuple

WIDTH = 100


class Parameter(NamedTuple):
    text: str    # as it is written
    type: str
    name: str


def parameters(text):
    """Those of a prototype; `...`, which has no name, is left out."""
    return [Parameter(one, *(part.strip() for part in re.fullmatch(r"(.*?)(\w+)", one).groups()))
            for one in text.split(", ") if one not in ("void", "...")]


def returning(spelling):
    """The type of a result, such that a name can follow."""
    return spelling if spelling.endswith("*") else spelling + " "


def wrapped(head, words, tail="", width=WIDTH):
    """head, words with commas between, and tail; as lines, which are aligned behind head."""
    *words, last = words or [""]
    lines, room = [head], 0
    for word in [word + "," for word in words] + [last + tail]:
        if room and len(lines[-1]) + 1 + len(word) > width:
            lines.append(" " * len(head))
            room = 0
        lines[-1] += " " * room + word
        room = 1
    return lines


def comment(text):
    """text as a C comment"""
    if len(text) + 6 <= WIDTH:
        return f"/* {text} */\n"
    lines = textwrap.wrap(text, WIDTH - 3, break_long_words=False, break_on_hyphens=False)
    return "/*\n" + "".join(f" * {line}\n" for line in lines) + " */\n"


def fill(template, version, table, fillers):
    """Print the template, with what a filler makes of the table where the line is its key."""
    with open(template) as file:
        for line in file:
            filler = fillers.get(line.strip())
            line = line.replace("@MAJOR@", version.partition(".")[0])
            sys.stdout.write(filler(table) if filler else line)
