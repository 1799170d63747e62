# SPDX-License-Identifier: BSD-3-Clause
"""Build the HTML site or the routines' manual pages with Sphinx.

    build_docs.py html|man SOURCE_ROOT WORK OUTPUT [DEPFILE]

WORK keeps what Sphinx reuses in the next build, and for the other of the two. DEPFILE receives, for
ninja, the files that OUTPUT is made of. Manual pages are complete with a page for each name of a
routine. A warning is an error with Sphinx 5.3, Debian 12's; another version may have warnings of its
own.
"""
import os
import pathlib
import shutil
import subprocess
import sys

import sphinx

sys.dont_write_bytecode = True    # into the sources

import man_pages    # noqa: E402
import stage_docs    # noqa: E402

STRICT = ["-W", "--keep-going"] if sphinx.version_info[:2] == (5, 3) else []


def run_sphinx(builder, root, work, output):
    env = {**os.environ, "TERN_SOURCE": str(root), "PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8"}
    command = [sys.executable, "-m", "sphinx", "-q", *STRICT, "-b", builder, "-c", root / "docs/sphinx",
               "-d", work / "doctrees", work / "source", output]
    if subprocess.run(command, env=env).returncode:
        sys.exit("Sphinx failed")


def depend(root, output, depfile):
    used = [*root.glob("*.md"), *root.glob("docs/**/*"), *root.glob("man/*"), *root.glob("spec/*"),
            *root.glob("scripts/*.py"), *root.glob("examples/**/*"), root / "meson.build"]
    files = " ".join(str(path).replace(" ", "\\ ") for path in sorted(used) if path.is_file())
    depfile.write_text(f"{output}: {files}\n")


def html(root, work, output):
    run_sphinx("html", root, work, output)


def man(root, work, output):
    run_sphinx("man", root, work, work / "man-pages")
    man_pages.finish(root, work / "man-pages/man3", output)


def main():
    builder, *paths = sys.argv[1:]
    root, work, output, *depfile = (pathlib.Path(path).resolve() for path in paths)
    if stage_docs.Stage(root, work / "source").add_all():
        shutil.rmtree(output, ignore_errors=True)
    {"html": html, "man": man}[builder](root, work, output)
    os.utime(output)    # ninja compares the folder's time
    if depfile:
        depend(root, paths[2], depfile[0])


main()
