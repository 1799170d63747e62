# SPDX-License-Identifier: BSD-3-Clause
"""Build the HTML site, or the manual pages of routines and messages, with Sphinx.

    build_docs.py html SOURCE_ROOT WORK HTML [DEPFILE]
    build_docs.py man SOURCE_ROOT WORK MAN3 MAN7 [DEPFILE]

WORK keeps what Sphinx reuses in the next build, and for the other of the two. DEPFILE receives, for
ninja, the files that the output is made of. Section 3 is complete with a page for each name of a routine.
A warning is an error with Sphinx 5.3, Debian 12's; another version may have warnings of its own.
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


def man(root, work, man3, man7):
    run_sphinx("man", root, work, work / "man-pages")
    man_pages.finish_routines(root, work / "man-pages/man3", man3)
    man_pages.finish_messages(work / "man-pages/man7", man7)


def main():
    builder, *words = sys.argv[1:]
    build, outputs = {"html": (html, 1), "man": (man, 2)}[builder]
    root, work, *paths = (pathlib.Path(path).resolve() for path in words)
    if stage_docs.Stage(root, work / "source").add_all():
        for output in paths[:outputs]:
            shutil.rmtree(output, ignore_errors=True)
    build(root, work, *paths[:outputs])
    for output in paths[:outputs]:
        os.utime(output)    # ninja compares the folder's time
    for depfile in paths[outputs:]:
        depend(root, words[2], depfile)


main()
