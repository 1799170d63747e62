# SPDX-License-Identifier: BSD-3-Clause
"""Compare the ordered atomic accesses of the sources with docs/ordering.md, function by function.

    ordering.py SOURCE_ROOT TEST...     the names of the tests of the suites litmus and tsan

A function that loads with acquire, stores with release, has a fence or the like is named in a row of
the page, beside its file. What the first column names is in that file. A file with relaxed accesses
only is named somewhere. Every test that the page names exists.
"""
import collections
import pathlib
import re
import sys

ATOMIC = re.compile(r"__atomic_\w+\(|\btern_(load|store)_\w+\(|\btern_fetch_add\(|\btern_fence_\w+\(")
ORDERED = re.compile(r"__ATOMIC_(ACQUIRE|RELEASE|ACQ_REL|SEQ_CST)|\btern_(load_acquire|load_flag|"
                     r"store_release)\(|\btern_fetch_add\(|\btern_fence_\w+\(")

# Where the words for them are defined, and where the program's own are carried out.
DEFINITIONS = {"base/atomics.h", "instrument/atomics.c"}
# Macros that a function's name stands in, and which of their arguments it is.
WRAPPERS = {"LOCAL": 0, "TERN_API": 1, "TERN_PASTE": 0, "TYPED": 0}
NO_NAMES = {"__attribute__", "__typeof__"}
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


def name_of(declaration):
    """The function that is declared."""
    for name, arguments in re.findall(r"\b(\w+)\(([^()]*)\)", declaration):
        if name in WRAPPERS:
            return arguments.split(",")[WRAPPERS[name]].strip()
        if name not in NO_NAMES:
            return name
    return next(iter(re.findall(r"\b(\w+)\(", declaration)), None)


def functions(text):
    """{name: body} of the functions of a file that is laid out as by clang-format."""
    found = collections.defaultdict(str)
    declaration, inside = "", False
    for line in COMMENT.sub("", text).splitlines():
        if inside:
            found[name] += line + "\n"
            inside = not line.startswith("}")
        elif line.startswith("{"):
            name, inside = name_of(declaration), True
            found[name] += ""
        elif not line or line[0] in "#}" or line[-1] in ";}":
            declaration = ""
        else:
            declaration += line + " "
    return found


def rows_of(page):
    """The names of files, functions and words in each row of a table."""
    return [set(re.findall(r"`([^`]+)`", line)) for line in page.splitlines() if line[:1] == "|"]


def named_first(page):
    """Yield each file with a name that follows it in the first column."""
    for line in page.splitlines():
        if line.startswith("| `"):
            file = ""
            for word in re.findall(r"`([^`]+)`", line.split(" | ")[0]):
                if "/" in word:
                    file = word
                else:
                    yield file, word


def compare(root, page):
    """Yield a message for each function with ordered accesses that the page lacks, and for each
    function or variable in the first column that its file lacks."""
    rows, words_of = rows_of(page), {}
    for path in sorted((root / "src").rglob("*.[chi]*")):
        name = str(path.relative_to(root / "src"))
        if name in DEFINITIONS:
            continue
        text = COMMENT.sub("", path.read_text())
        bodies = functions(text)
        words_of[name] = set(re.findall(r"\w+", text))
        inside = sum(len(ORDERED.findall(body)) for body in bodies.values())
        if inside != len(ORDERED.findall(text)):
            yield f"src/{name}: an ordered access stands outside of functions"
        if ATOMIC.search(text) and f"`{name}`" not in page:
            yield f"docs/ordering.md: nothing about {name}, which has atomics"
        for function, body in bodies.items():
            if ORDERED.search(body) and not any({name, function} <= row for row in rows):
                yield f"docs/ordering.md: no row names `{name}` `{function}`"
    for name, word in named_first(page):
        if name in words_of and word not in words_of[name]:
            yield f"docs/ordering.md: there is no {word} in {name}"


def main():
    root, tests = pathlib.Path(sys.argv[1]), set(sys.argv[2:])
    page = (root / "docs/ordering.md").read_text()
    wrong = list(compare(root, page))
    for name in sorted(set(re.findall(r"`((?:litmus|tsan)/\w+)`", page)) - tests):
        wrong.append(f"docs/ordering.md: there is no test {name}")
    for name in sorted(tests):
        if name.startswith("litmus/") and f"`{name}`" not in page:
            wrong.append(f"docs/ordering.md: {name} is the test of nothing")
    print(*wrong, sep="\n")
    sys.exit(1 if wrong else 0)


main()
