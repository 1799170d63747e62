# SPDX-License-Identifier: BSD-3-Clause
"""Check docs/messages.md, the manual page tern-messages(7), against the messages in the sources.

    messages.py SOURCE_ROOT

Each heading that a message names with TERN_SEE exists. Each message that the page quotes can come from a format
string: quotes are the blocks of text, and what stands in code marks in a column "message" and where a paragraph begins.
In a quote, "..." stands for any words; a conversion such as %d, for one word; %s, for any words.
"""
import functools
import pathlib
import re
import sys

STRING = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
NOT_CODE = re.compile(r'/\*.*?\*/|^[ \t]*#[ \t]*include.*?$', re.S | re.M)
GAP = re.compile(r'(?:\s|\\\n|\b(?:PRI|SCN)\w+\b|\bTERN_[A-Z_]+\b(?!\())*\Z')
CONVERSION = re.compile(r"%[-+ #0]*(?:\*|\d+)?(?:\.(?:\*|\d+)?)?(?:hh|h|ll|l|z|j|t)?[diuxXcsgfp]|%$|@")
PREFIX = re.compile(r"(?:tern: |oshrun: |error: |warning: |check: |shmem_\w+: "
                    r"|PEs? [-\d, ]+(?: of \d+)?:? (?:(?:was|were) )?)*")
LEAST = 3    # words of a part of a quote that is compared
LITERAL = 0.4    # how much of it the format string contains itself; a lone %s matches everything


def formats(root):
    """String literals of the sources; neighbours, also with a macro between them, are one."""
    for path in [*root.glob("src/**/*.[ch]"), *root.glob("src/**/*.inc"), *root.glob("src/**/*.def")]:
        text = NOT_CODE.sub("", path.read_text())
        joined, end = "", None
        for match in STRING.finditer(text):
            gap = None if end is None else text[end:match.start()]
            if gap is None or not GAP.match(gap):
                yield joined
                joined = ""
            elif gap.strip():
                joined += "@"    # a macro's text, or what follows a %
            joined += match[1]
            end = match.end()
        yield joined


def words(text):
    """Without the marks that end a word, as a quote may end there."""
    text = re.sub(r'\\n|\\"', lambda found: " " if found[0] == r"\n" else '"', text)
    return [word.rstrip(",:;") for word in text.split() if word.rstrip(",:;")]


def as_patterns(text):
    """(pattern of a word, whether it is a text of any length, whether it is literal)"""
    text = re.sub(r"%@", "%d", text)
    for word in words(text):
        parts = CONVERSION.split(word)
        any_text = "%s" in word or ".*s" in word or "@" in word
        pattern = re.compile((".*" if any_text else r"\S*").join(map(re.escape, parts)))
        yield pattern, any_text, len(parts) == 1


def common(quote, patterns):
    """How many literal words the quote shares with a message in which it occurs; -1 if it does not occur."""
    @functools.lru_cache(maxsize=None)
    def rest(q, m):
        if q == len(quote):
            return 0
        if m == len(patterns):
            return -1
        pattern, any_text, literal = patterns[m]
        best = -1
        for used in range(1, min(12, len(quote) - q) + 1) if any_text else [1]:
            if pattern.fullmatch(" ".join(quote[q:q + used])):
                following = rest(q + used, m + 1)
                best = max(best, following + literal if following >= 0 else -1)
        if any_text and pattern.fullmatch(""):
            best = max(best, rest(q, m + 1))
        return best
    return max((rest(0, m) for m in range(len(patterns))), default=-1)


def quotes(page):
    """The messages that the page quotes."""
    for block in re.findall(r"^```text\n(.*?)^```", page, re.M | re.S):
        for message in re.split(r"\n(?=tern: |check: )", block):
            yield " ".join(message.split())
    prose = re.sub(r"^```.*?^```", "", page, flags=re.M | re.S)
    for paragraph in prose.split("\n\n"):
        lines = paragraph.strip().splitlines()
        if lines and lines[0].startswith("| "):
            titles = [cell.strip() for cell in lines[0].strip("|").split("|")]
            for line in lines[2:]:
                cells = line.strip("|").split(" | ")
                for title, cell in zip(titles, cells):
                    if title == "message":
                        yield from re.findall(r"`([^`]+)`", cell)
        else:
            yield from re.findall(r"\A`([^`]{20,})`", paragraph.strip().replace("\n", " "))


def pieces(quote):
    """The parts of a quote that stand in one message each."""
    for piece in re.split(r"\.\.\.|\b0x[0-9a-f]+\b|; ", quote):
        piece = words(PREFIX.sub("", piece, count=1))
        if len(piece) >= LEAST:
            yield piece


def main(root):
    root = pathlib.Path(root)
    page = (root / "docs/messages.md").read_text()
    headings = re.findall(r"^## (.*)$", page, re.M)
    named = [(path, name) for path in root.glob("src/**/*.[ch]")
             for name in re.findall(r'TERN_SEE\(\s*"(.*?)"\)', path.read_text())]
    wrong = [f"{path}: docs/messages.md has no section {name}" for path, name in named if name not in headings]
    if not named:
        wrong.append("no message names a section")

    known = [list(as_patterns(text)) for text in set(formats(root)) if text]
    found = list(quotes(page))
    for quote in found:
        parts = list(pieces(quote))
        if not parts:
            wrong.append(f"docs/messages.md: too short to find: {quote}")
        for piece in parts:
            if max(common(tuple(piece), patterns) for patterns in known) < LITERAL * len(piece):
                wrong.append(f"docs/messages.md: no message of Tern: {' '.join(piece)}")
    if len(found) < 40:
        wrong.append(f"docs/messages.md: {len(found)} quotes")
    print(*wrong, sep="\n")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main(sys.argv[1])
