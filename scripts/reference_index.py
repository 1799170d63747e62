# SPDX-License-Identifier: BSD-3-Clause
"""Writes docs/reference/index.md, the list of the manual's pages, or checks that it is up to date.

usage: reference_index.py SOURCE_ROOT [--check]
"""
import pathlib
import sys

import pages

HEAD = """\
<!-- Made from the other pages by scripts/reference_index.py. -->

# Manual

Each page describes routines that belong together: what they do, their arguments, what Tern does with
mistakes, and an example that you can compile. [Terms of the manual](terms.md) explains the words that all
pages use. Every routine also has a manual page under each of its names, such as `man shmem_long_put` and
`man pshmem_put64`.
"""


def entry(page, interface):
    others = dict.fromkeys(interface.families[name].base for name in page.families)
    names = [f"[{page.name}]({page.path.name})"] + [f"`{name}`" for name in others if name != page.name]
    return f"- {', '.join(names)}: {page.summary[:1].lower()}{page.summary[1:]}\n"


def text(root):
    interface = pages.interface(root)
    out = HEAD
    for key, members in pages.by_chapter(root, interface).items():
        out += f"\n## {pages.CHAPTERS[key]}\n\n" + "".join(entry(page, interface) for page in members)
    return out


def main():
    root = pathlib.Path(sys.argv[1])
    path = root / "docs/reference/index.md"
    if sys.argv[2:] != ["--check"]:
        path.write_text(text(root))
    elif not path.exists() or path.read_text() != text(root):
        sys.exit(f"{path} is stale: `ninja -C build reference-index` makes it anew")


if __name__ == "__main__":
    main()
