# SPDX-License-Identifier: BSD-3-Clause
"""Writes the pages about settings as tern-info makes them, or checks that they are up to date.

usage: settings_pages.py TERN_INFO SOURCE_ROOT [--check]
"""
import pathlib
import subprocess
import sys

PAGES = {"docs/settings.md": "markdown", "man/tern-settings.7": "man"}


def main():
    tern_info, root = sys.argv[1], pathlib.Path(sys.argv[2])
    check = sys.argv[3:] == ["--check"]
    stale = []
    for name, form in PAGES.items():
        text = subprocess.run([tern_info, f"--settings={form}"], check=True,
                              stdout=subprocess.PIPE, text=True).stdout
        page = root / name
        if page.exists() and page.read_text() == text:
            continue
        stale.append(name)
        if not check:
            page.write_text(text)
    if check and stale:
        sys.exit(f"{', '.join(stale)} stale: ninja settings-pages makes them anew")


if __name__ == "__main__":
    main()
