# SPDX-License-Identifier: BSD-3-Clause
"""`make dist`: a commit gives the same archive each time, and an installation from it has the manual
pages and the site without Sphinx. Skipped outside of a clone.

    archive.py SOURCE_ROOT PYTHON_WITH_SPHINX
"""
import os
import pathlib
import subprocess
import sys
import tarfile
import tempfile

SKIPPED = 77


def run(*command, **options):
    subprocess.run(list(map(str, command)), check=True, **options)


def made(root, python, output, **environment):
    run(python, root / "scripts/dist.py", root, output, env={**os.environ, **environment})
    archive, = output.glob("tern-*.tar.xz")
    run("sha256sum", "--check", "--quiet", f"{archive.name}.sha256", cwd=output)
    return archive


def main(root, python):
    root = pathlib.Path(root)
    if not (root / ".git").exists():
        sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory() as directory:
        at = pathlib.Path(directory)
        first = made(root, python, at / "first", TZ="UTC")
        os.umask(0o077)
        second = made(root, python, at / "a second one", TZ="Asia/Tokyo", PYTHONHASHSEED="7")
        assert first.read_bytes() == second.read_bytes(), "two archives of a commit differ"

        with tarfile.open(first) as archive:
            members = archive.getmembers()
            assert {(m.uname, m.uid) for m in members} == {("root", 0)}
            assert len({m.mtime for m in members}) == 1
            archive.extractall(at)
        tree = at / first.name.removesuffix(".tar.xz")
        run("meson", "setup", "-Dtests=false", "-Ddocs=disabled", "--prefix=/usr", tree, at / "build",
            stdout=subprocess.DEVNULL)
        run("meson", "install", "-C", at / "build", "--no-rebuild", "--quiet", "--tags", "man,doc", "--destdir", at / "dest")
        for name in ["share/man/man3/shmem_put.3", "share/man/man3/pshmem_put64.3", "share/man/man7/tern-messages.7", "share/man/man1/oshrun.1",
                     "share/doc/tern/html/index.html", "share/doc/tern/html/reference/shmem_put.html",
                     "share/doc/tern/docs/reference/shmem_put.md", "share/doc/tern/examples/hello.c"]:
            assert (at / "dest/usr" / name).is_file(), f"{name} is not installed"
        assert not (at / "dest/usr/share/doc/tern/docs/made").exists()


main(*sys.argv[1:])
