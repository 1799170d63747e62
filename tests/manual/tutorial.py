# SPDX-License-Identifier: BSD-3-Clause
"""Do what the pages of a tutorial say, and compare with the output that they show.

    tutorial.py OSHCC OSHRUN PAGE...

A page is followed from top to bottom in an empty folder:

- A `c`, `cpp` or `fortran` block that begins with a comment of one word (/* halo.c */, ! halo.f90) is
  saved under that name.
- A `sh` block is run by sh, with oshcc, oshc++ and oshrun in PATH. Each of its commands must succeed, unless the
  paragraph before it says "status N".
- A `text` block is the output of the `sh` block before it. "..." stands for any text in a line, and
  alone in a line for any number of lines. If the paragraph before it says "in any order", the lines are
  compared sorted.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)


def blocks(text):
    """(the paragraph before it, language, content) of each fenced block."""
    end = 0
    for block in BLOCK.finditer(text):
        yield text[end:block.start()].strip().split("\n\n")[-1], block[1], block[2]
        end = block.end()


def pattern(shown):
    """The output that a text block stands for, as a regular expression."""
    parts = []
    for line in shown.splitlines():
        if line == "...":
            parts.append(r"(?:.*\n)*?")
        else:
            parts.append(".*".join(re.escape(piece) for piece in line.split("...")) + "\n")
    return "".join(parts)


def name_of(language, content):
    comment = {"c": r"/\* (\S+) \*/\n", "cpp": r"/\* (\S+) \*/\n", "fortran": r"! (\S+)\n"}.get(language)
    found = comment and re.match(comment, content)
    return found and found[1]


def ordered(text):
    return "".join(sorted(text.splitlines(keepends=True)))


def follow(page, environment):
    """What goes wrong on a page."""
    output, ran = "", 0
    with tempfile.TemporaryDirectory() as folder:
        for before, language, content in blocks(page.read_text()):
            if name := name_of(language, content):
                pathlib.Path(folder, name).write_text(content)
            elif language == "sh":
                status = re.search(r"status (\d+)", before)
                done = subprocess.run(["sh", "-e", "-c", content], cwd=folder, env=environment, text=True,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                output = done.stdout
                ran += 1
                if done.returncode != int(status[1] if status else 0):
                    yield f"{page}: status {done.returncode}:\n{content}{output}"
                    return
            elif language == "text":
                sort = ordered if "any order" in before else str
                if not re.fullmatch(pattern(sort(content)), sort(output)):
                    yield f"{page}: the page shows:\n{content}and this is the output:\n{output}"
    if not ran:
        yield f"{page}: nothing to run"


def main():
    oshcc, oshrun, *pages = sys.argv[1:]
    path = [os.path.dirname(os.path.abspath(tool)) for tool in (oshcc, oshrun)]
    environment = {**os.environ, "PATH": ":".join([*path, os.environ["PATH"]])}
    wrong = [line for page in pages for line in follow(pathlib.Path(page), environment)]
    print(*wrong, sep="\n")
    sys.exit(1 if wrong else 0)


main()
