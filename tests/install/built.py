# SPDX-License-Identifier: BSD-3-Clause
"""What is built for an installation: all of it, and no test program.

    built.py SOURCE_ROOT BUILD_ROOT
"""
import json
import pathlib
import subprocess
import sys
import tempfile


def output(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout


def inputs(build, target):
    """All files that ninja makes or reads for a target."""
    direct = output("ninja", "-C", build, "-t", "query", target).split("outputs:")[0]
    return {*(line.strip("| ") for line in direct.splitlines()),
            *output("ninja", "-C", build, "-t", "inputs", target).splitlines()}


def expect_no_tests(build, target):
    tests = {path for path in inputs(build, target) if path.startswith("tests/")}
    assert not tests, f"{target} needs {sorted(tests)[:5]}"


def main(source, build):
    targets = output("ninja", "-C", build, "-t", "targets", "all").splitlines()
    makes = {line.rsplit(": ", 1)[0] for line in targets}
    installs = {str(pathlib.Path(path).relative_to(build))
                for path in json.loads(output("meson", "introspect", "--installed", build))
                if path.startswith(f"{build}/")}
    missing = installs & makes - inputs(build, "installed-with-docs")
    assert {"src/libtern.a", "include/shmem.h"} <= installs & makes
    assert not missing, f"`installed-with-docs` is without {missing}"
    expect_no_tests(build, "installed")

    recipe = output("make", "-C", source, "--dry-run", "--silent", "install", f"BUILD={build}")
    assert f'ninja -C "{build}" installed-with-docs\n' in recipe and "--no-rebuild" in recipe, recipe

    with tempfile.TemporaryDirectory() as bare:
        output("meson", "setup", "-Dtests=false", source, bare)
        expect_no_tests(bare, "all")

    log = pathlib.Path(build, "meson-logs/meson-log.txt").read_text()
    told = [line for line in log.splitlines() if "DEPRECATION:" in line or "WARNING:" in line]
    assert not told, told


main(*sys.argv[1:])
