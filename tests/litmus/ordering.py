# SPDX-License-Identifier: BSD-3-Clause
"""Check that docs/ordering.md knows every file with atomics, and every test it names exists.

    ordering.py SOURCE_ROOT TEST...     the names of the tests of the suites litmus and tsan
"""
import pathlib
import re
import sys

ATOMIC = re.compile(r"__atomic_\w+\(|\btern_(load|store)_\w+\(|\btern_fetch_add\(|\btern_fence_\w+\(")

# Where the words for them are defined.
DEFINITIONS = {"base/atomics.h"}


def main():
    root, tests = pathlib.Path(sys.argv[1]), set(sys.argv[2:])
    page = (root / "docs/ordering.md").read_text()
    wrong = []
    for path in sorted((root / "src").rglob("*.[chi]*")):
        name = str(path.relative_to(root / "src"))
        if name not in DEFINITIONS and ATOMIC.search(path.read_text()) and f"`{name}`" not in page:
            wrong.append(f"docs/ordering.md: nothing about {name}, which has atomics")
    for name in sorted(set(re.findall(r"`((?:litmus|tsan)/\w+)`", page)) - tests):
        wrong.append(f"docs/ordering.md: there is no test {name}")
    for name in sorted(tests):
        if name.startswith("litmus/") and f"`{name}`" not in page:
            wrong.append(f"docs/ordering.md: {name} is the test of nothing")
    print(*wrong, sep="\n")
    sys.exit(1 if wrong else 0)


main()
