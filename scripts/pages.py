# SPDX-License-Identifier: BSD-3-Clause
"""The pages of the manual in docs/reference: their form, their chapters, and what they describe."""
import pathlib
import re
from dataclasses import dataclass

from interface import Interface

# The sections of a page, in order; those with True may be left out.
SECTIONS = {"Synopsis": False, "Description": False, "Arguments": True, "Return value": True,
            "Completion and ordering": True, "Errors": False, "Speed": True, "Common mistakes": True,
            "Fortran": True, "Example": False, "See also": False, "Standard": False}

# The manual's chapters: those of the standard by the titles of its sections, then other interfaces.
CHAPTERS = {
    "setup": "Library setup, exit and query",
    "threads": "Thread support",
    "memory": "Memory management",
    "teams": "Team management",
    "contexts": "Communication management",
    "rma": "Remote memory access",
    "atomics": "Atomic memory operations",
    "signals": "Signaling operations",
    "sessions": "Sessions",
    "collectives": "Collectives",
    "waiting": "Point-to-point synchronization",
    "ordering": "Memory ordering",
    "locks": "Locks",
    "profiling": "Profiling interface",
    "caches": "Caches",
    "constants": "Library constants",
    "extensions": "Extensions of other libraries",
    "classic": "Routines of older libraries",
    "ishmem": "Intel SHMEM",
}

# Pages of docs/reference that describe no routine.
ARTICLES = ("index", "terms")

FENCE = re.compile(r"^```(\{?\w*\}?)[^\n]*\n(.*?)^```$", re.M | re.S)


@dataclass
class Example:
    language: str
    source: str
    command: str      # oshrun and its options, perhaps behind variables
    status: int       # the exit status that the page names, or 0
    output: str
    any_order: bool


class Page:
    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.text = self.path.read_text()
        hidden = FENCE.sub(lambda match: re.sub(r"(?m)^#", " ", match[0]), self.text)
        head, *parts = re.split(r"^## (.*)$", hidden, flags=re.M)
        self.titles = [title.strip() for title in parts[::2]]
        self.sections = dict(zip(self.titles, parts[1::2]))
        title = re.match(r"# (\S+)\n", head)
        self.name = title[1] if title else ""
        self.summary = " ".join(head[title.end():].split()) if title else ""
        self.families = self._fenced("synopsis")
        self.constants = self._fenced("constants")

    def _fenced(self, directive):
        """The lines of all fences of a directive."""
        return [line for kind, body in FENCE.findall(self.text) if kind == f"{{{directive}}}"
                for line in body.splitlines() if line]

    def wrong_sections(self):
        if self.name.lower() != self.path.stem:
            yield f"the title is {self.name or 'not one name'}, not {self.path.stem}"
        known = [title for title in self.titles if title in SECTIONS]
        for title in self.titles:
            if title not in SECTIONS:
                yield f"a page has no section called {title}"
            elif not self.sections[title].strip():
                yield f"`## {title}` is empty"
        if known != [title for title in SECTIONS if title in known]:
            yield f"the sections are not in order: {', '.join(known)}"
        for title, optional in SECTIONS.items():
            if not optional and title not in known:
                yield f"there is no section called {title}"
        if not self.families and not self.constants:
            yield "there is neither a {synopsis} nor a {constants} with a line"

    def terms(self, title):
        """The lines of a section that definitions follow."""
        lines = self.sections.get(title, "").splitlines()
        return [line for line, below in zip(lines, lines[1:]) if below.startswith(": ")]

    def examples(self):
        """The examples, and what is wrong with their form."""
        parts = FENCE.split(self.text.partition("\n## Example\n")[2].partition("\n## See also\n")[0])
        blocks = list(zip(parts[0::3], parts[1::3], parts[2::3]))
        found, wrong = [], []
        while blocks:
            _, language, source = blocks.pop(0)
            if language not in ("c", "cpp", "fortran"):
                wrong.append(f"`## Example`: a block of {language or 'no language'} follows no program")
                continue
            if not blocks or blocks[0][1] != "text":
                wrong.append("`## Example`: no block of text follows a program")
                continue
            prose, _, output = blocks.pop(0)
            command = re.search(r"`([^`]*\boshrun\b[^`]*)`", prose)
            if not command or not re.search(r"prints(, in any order)?:\s*$", prose):
                wrong.append("`## Example`: a line such as \"`oshrun -n 2` prints:\" is missing before the output")
                continue
            status = re.search(r"\bstatus (\d+)", prose)
            found.append(Example(language, source, command[1], int(status[1]) if status else 0, output,
                                 "in any order" in prose))
        return found, wrong


def all_paths(root):
    """The pages of the reference that describe routines or constants."""
    return sorted(path for path in (pathlib.Path(root) / "docs/reference").glob("*.md")
                  if path.stem not in ARTICLES)


def interface(root):
    version = re.search(r"^ +version: '(.*)'", (pathlib.Path(root) / "meson.build").read_text(), re.M)[1]
    return Interface(root, version)


def chapter(page, interface):
    """The key in CHAPTERS of a page's first family, or of its constants."""
    family = next((interface.families[name] for name in page.families if name in interface.families), None)
    constants = next(filter(None, map(interface.constants_of, page.constants)), None)
    table = family.table if family else constants.table if constants else "api"
    if table in ("ext", "classic", "ishmem"):
        return {"ext": "extensions"}.get(table, table)
    title = family.section if family else CHAPTERS["constants"]
    return next(key for key, words in CHAPTERS.items() if words == title)


def by_chapter(root, interface):
    """The pages of each chapter that has some, in the order of the tables."""
    order = {name: number for number, name in enumerate(interface.families)}
    found = {}
    for page in map(Page, all_paths(root)):
        found.setdefault(chapter(page, interface), []).append(page)
    return {key: sorted(found[key], key=lambda page: min((order.get(name, 0) for name in page.families), default=0))
            for key in CHAPTERS if key in found}
