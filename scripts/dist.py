# SPDX-License-Identifier: BSD-3-Clause
"""Make the archive of a release from the last commit.

    dist.py SOURCE_ROOT OUTPUT

OUTPUT/tern-VERSION.tar.xz contains the files of the commit, and in docs/made the HTML site and the
routines' manual pages. A commit gives the same bytes each time with the same version of Sphinx: files
are in alphabetical order, belong to root, and have the time of the commit.
"""
import hashlib
import io
import lzma
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile


def git(root, *words):
    return subprocess.run(["git", "-C", root, *words], check=True, stdout=subprocess.PIPE).stdout


def make_docs(tree, work, time):
    """Builds the documents of a tree into its docs/made."""
    env = {**os.environ, "SOURCE_DATE_EPOCH": time, "TZ": "UTC"}
    made = tree / "docs/made"
    for builder, *names in ("html", "html"), ("man", "man3", "man7"):
        outputs = [made / name for name in names]
        if subprocess.run([sys.executable, tree / "scripts/build_docs.py", builder, tree, work, *outputs],
                          env=env).returncode:
            sys.exit("dist: the documents could not be built")
    (made / "html/.buildinfo").unlink()    # for the next build of Sphinx


def add(archive, tree, path, time):
    info = tarfile.TarInfo(f"{tree.name}/{path.relative_to(tree)}".removesuffix("/."))
    info.mtime = int(time)
    info.uname = info.gname = "root"
    info.mode = 0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644
    if path.is_symlink():
        info.type, info.linkname = tarfile.SYMTYPE, os.readlink(path)
        archive.addfile(info)
    elif path.is_dir():
        info.type = tarfile.DIRTYPE
        archive.addfile(info)
    else:
        content = path.read_bytes()
        info.size = len(content)
        archive.addfile(info, io.BytesIO(content))


def main():
    root, output = map(pathlib.Path, sys.argv[1:])
    if not (root / ".git").exists():
        sys.exit("dist: this is no clone of the repository; an archive is made from a commit")
    time = git(root, "log", "-1", "--format=%ct").decode().strip()
    described = git(root, "show", "HEAD:meson.build").decode()
    name = "tern-" + re.search(r"^ +version: '(.*)'", described, re.M)[1]
    with tempfile.TemporaryDirectory() as directory:
        tree = pathlib.Path(directory, name)
        with tarfile.open(fileobj=io.BytesIO(git(root, "archive", f"--prefix={name}/", "HEAD"))) as archive:
            archive.extractall(directory)
        make_docs(tree, pathlib.Path(directory, "work"), time)
        for cache in tree.rglob("__pycache__"):
            sys.exit(f"dist: {cache} should not be there")
        content = io.BytesIO()
        with tarfile.open(fileobj=content, mode="w", format=tarfile.GNU_FORMAT) as archive:
            for path in sorted([tree, *tree.rglob("*")]):
                add(archive, tree, path, time)
    output.mkdir(parents=True, exist_ok=True)
    packed = lzma.compress(content.getvalue(), preset=6)
    (output / f"{name}.tar.xz").write_bytes(packed)
    (output / f"{name}.tar.xz.sha256").write_text(f"{hashlib.sha256(packed).hexdigest()}  {name}.tar.xz\n")
    if git(root, "status", "--porcelain"):
        print("dist: changes that are not committed are not in the archive")
    print(f"{output / name}.tar.xz")


main()
