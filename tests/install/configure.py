# SPDX-License-Identifier: BSD-3-Clause
"""scripts/configure.sh, with a stand-in for Meson: when it is called, and with which options."""
import os
import pathlib
import subprocess
import sys
import tempfile

MESON = """#!/bin/sh
echo "$*" >>'{at}/calls'
for build; do :; done
mkdir -p "$build" && touch "$build/build.ninja" && test ! -e '{at}/fails'
"""


def main(script):
    with tempfile.TemporaryDirectory() as folder:
        at = pathlib.Path(folder)
        (at / "meson").write_text(MESON.format(at=at))
        (at / "meson").chmod(0o755)
        env = {**os.environ, "PATH": f"{at}:{os.environ['PATH']}"}
        build = f"{at}/build"

        def calls(*options):
            """What Meson is called with by configure.sh with these options."""
            (at / "calls").write_text("")
            job = subprocess.run([script, build, *options], env=env)
            assert (job.returncode != 0) == (at / "fails").exists(), job
            return (at / "calls").read_text().splitlines()

        assert calls() == [f"setup {build}"]
        assert calls() == []
        assert calls("-Da=1") == [f"setup --wipe -Da=1 {build}"]
        assert calls("-Da=1") == [] and calls() == []
        (at / "fails").touch()
        assert calls("-Da=1", "-Db=2") == [f"setup --wipe -Da=1 -Db=2 {build}"]
        (at / "fails").unlink()
        assert calls("-Da=1", "-Db=2") == [f"setup --wipe -Da=1 -Db=2 {build}"]
        assert calls("-Da=1", "-Db=2") == []
        os.utime(f"{build}/build.ninja", (0, 0))    # packages have come since
        assert calls() == [f"setup --reconfigure {build}"] and calls("-Da=1", "-Db=2") == []
        os.utime(f"{build}/build.ninja", (0, 0))
        assert calls("-Da=1") == [f"setup --wipe -Da=1 {build}"] and calls("-Da=1") == []


main(sys.argv[1])
