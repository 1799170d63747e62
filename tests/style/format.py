# SPDX-License-Identifier: BSD-3-Clause
"""Compare the layout of C files, their templates and C++ headers with that of clang-format 14 (Debian 12's).

Skipped where there is none.

    format.py SOURCE_ROOT
"""
import pathlib
import re
import shutil
import subprocess
import sys

VERSION = 14  # others disagree on details
SKIPPED = 77


def is_c_template(path):
    """Those of tests/fortran are Fortran."""
    return path.suffix == ".inc" and path.read_text().startswith("/*")


def main():
    tool = shutil.which(f"clang-format-{VERSION}") or shutil.which("clang-format")
    if not tool:
        print("no clang-format")
        sys.exit(SKIPPED)
    version = subprocess.run([tool, "--version"], stdout=subprocess.PIPE, text=True).stdout
    if not re.search(rf"version {VERSION}\.", version):
        print("another", version.strip())
        sys.exit(SKIPPED)
    root = pathlib.Path(sys.argv[1])
    files = [path for folder in ("include", "src", "tests", "examples", "bench")
             for path in sorted((root / folder).rglob("*"))
             if path.suffix in (".c", ".h", ".hpp") or is_c_template(path)]
    sys.exit(subprocess.run([tool, "--dry-run", "--Werror", *files]).returncode)


main()
