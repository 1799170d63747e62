# SPDX-License-Identifier: BSD-3-Clause
"""Check what users read.

    docs.py links SOURCE_ROOT       links inside of the documents lead somewhere
    docs.py reachable SOURCE_ROOT   links lead from README.md to every document
    docs.py help PROGRAM...         --help fits a terminal of 24 lines of 80 columns
    docs.py files SOURCE_ROOT       the files that DEVELOPERS.md names exist
    docs.py man SOURCE_ROOT         the manual pages are correct mdoc; skipped without mandoc
"""
import pathlib
import re
import shutil
import subprocess
import sys

SKIPPED = 77


def prose(path):
    """A document's text without its blocks of code."""
    return re.sub(r"^```.*?^```", "", path.read_text(), flags=re.M | re.S)


def anchors(path):
    """The anchors of a document's headings, as code hosts make them."""
    return {re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", "-")
            for title in re.findall(r"^#+ (.*)$", prose(path), flags=re.M)}


def documents(root):
    return sorted([*root.glob("*.md"), *root.glob("docs/**/*.md"), *root.glob("examples/**/*.md")])


def targets(page):
    """The links of a document into the tree."""
    return [target for target in re.findall(r"\]\(([^)\s]+)\)", prose(page))
            if not re.match(r"[a-z]+:", target)]


def links(root):
    root = pathlib.Path(root)
    found = 0
    for page in documents(root):
        for target in targets(page):
            found += 1
            name, _, anchor = target.partition("#")
            path = page.parent / name if name else page
            if not path.exists():
                yield f"{page}: there is no {target}"
            elif anchor and anchor not in anchors(path):
                yield f"{page}: {name} has no heading for #{anchor}"
    if not found:
        yield f"{root}: no links found"


def reachable(root):
    root = pathlib.Path(root).resolve()
    found, new = set(), {root / "README.md"}
    while new:
        page = new.pop()
        found.add(page)
        linked = {(page.parent / target.partition("#")[0]).resolve() for target in targets(page)}
        new |= {path for path in linked if path.suffix == ".md" and path.is_file()} - found
    for page in documents(root):
        if page not in found:
            yield f"no links lead from README.md to {page.relative_to(root)}"


def files(root):
    """Paths in code marks whose first folder exists; what a build makes is left out."""
    root = pathlib.Path(root)
    named = [name for name in re.findall(r"`([\w./-]+/[\w./+-]+)`", (root / "DEVELOPERS.md").read_text())
             if not name.startswith(("build/", "/"))]
    for name in named:
        if (root / name.split("/")[0]).is_dir() and not (root / name).exists():
            yield f"DEVELOPERS.md: there is no {name}"
    if not named:
        yield "DEVELOPERS.md names no files"


def help_fits(*programs):
    for program in programs:
        run = subprocess.run([program, "--help"], stdout=subprocess.PIPE, text=True)
        lines = run.stdout.splitlines()
        if run.returncode or not lines:
            yield f"{program} --help: status {run.returncode}, {len(lines)} lines"
        if len(lines) > 24:
            yield f"{program} --help: {len(lines)} lines"
        for line in lines:
            if len(line) > 79:
                yield f"{program} --help: too wide: {line}"


def man(root):
    if not shutil.which("mandoc"):
        print("no mandoc")
        sys.exit(SKIPPED)
    pages = sorted((pathlib.Path(root) / "man").glob("*.[1-8]"))
    if not pages:
        yield f"{root}: no manual pages found"
    run = subprocess.run(["mandoc", "-Tlint", "-W", "warning", *pages],
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    yield from run.stdout.splitlines()


def main():
    check = {"links": links, "reachable": reachable, "help": help_fits, "files": files, "man": man}[sys.argv[1]]
    wrong = list(check(*sys.argv[2:]))
    print(*wrong, sep="\n")
    sys.exit(1 if wrong else 0)


main()
