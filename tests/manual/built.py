# SPDX-License-Identifier: BSD-3-Clause
"""Check what Sphinx made of the documents. Skipped before `ninja docs`, and without it.

    built.py names MAN3 LIBRARY...    every routine that a library exports has a manual page
    built.py lint MAN3 MAN7           the manual pages are correct; skipped without mandoc
    built.py whatis MAN3              man, apropos and whatis find names; skipped without man-db
    built.py html HTML                links inside of the site lead somewhere
"""
import html.parser
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

SKIPPED = 77


def output(*command, **options):
    return subprocess.run(list(map(str, command)), check=True, stdout=subprocess.PIPE, text=True,
                          **options).stdout


def skip(why):
    print(why)
    sys.exit(SKIPPED)


def is_page(path):
    return not path.read_text().startswith(".so ")


def names(man, *libraries):
    for library in libraries:
        found = [name for name in re.findall(r" [TW] (\w+)(?:@.*)?$",
                                             output("nm", "-D", "--defined-only", library), re.M)
                 if not name.startswith(("shmemi_", "ishmemi_"))]    # what inlined code calls
        if not found:
            yield f"{library} exports nothing"
        for name in found:
            path = man / f"{name}.3"
            if not path.exists():
                yield f"{name} has no manual page"
            elif not is_page(path):
                target = path.read_text().removeprefix(".so man3/").rstrip()
                if not (man / target).exists() or not is_page(man / target):
                    yield f"{name} leads to {target}, which is no page"


def lint(man3, man7):
    """Style is left out: lines are as long as those of the documents."""
    if not shutil.which("mandoc"):
        skip("no mandoc")
    pages = [path for path in [*man3.glob("*.3"), pathlib.Path(man7, "tern-messages.7")] if is_page(path)]
    run = subprocess.run(["mandoc", "-Tlint", "-W", "warning", *pages],
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    yield from run.stdout.splitlines()


def whatis(man):
    if not all(map(shutil.which, ("mandb", "apropos", "whatis", "man"))):
        skip("no man-db")
    wanted = {"shmem_put": "shmem_put", "shmem_long_put": "shmem_put", "shmem_ctx_put64": "shmem_put",
              "pshmem_putmem": "shmem_put", "SHMEM_INTEGER_PUT": "shmem_put",
              "shmem_long_atomic_fetch_add": "shmem_atomic_fetch_add",
              "shmem_fadd": "shmem_atomic_fetch_add", "pshmem_int_fadd": "shmem_atomic_fetch_add",
              "shmem_set_lock": "shmem_set_lock", "shmem_clear_lock": "shmem_set_lock",
              "ishmem_put": "ishmem_put", "ishmem_long_p": "ishmem_put"}
    constants = {"SHMEM_CTX_PRIVATE": "shmem_constants", "_SHMEM_CMP_EQ": "shmem_constants",
                 "SHMEM_TEAM_WORLD": "shmem_constants"}
    with tempfile.TemporaryDirectory() as directory:
        for name in {*wanted, *wanted.values(), *constants, *constants.values()}:
            (pathlib.Path(directory) / "man3").mkdir(exist_ok=True)
            if (man / f"{name}.3").exists():
                shutil.copy(man / f"{name}.3", pathlib.Path(directory) / "man3")
        output("mandb", "--quiet", "--create", directory)
        env = {**os.environ, "MANPATH": directory, "MANWIDTH": "100", "MANPAGER": "cat", "LC_ALL": "C.UTF-8"}
        for name, page in wanted.items():
            for command in ("apropos", "whatis"):
                done = subprocess.run([command, name], env=env, stdout=subprocess.PIPE, text=True)
                if not re.search(rf"^{name} \(3\) +- \w", done.stdout, re.M):
                    yield f"{command} {name}: {done.stdout or 'nothing'}"
        for name, page in (wanted | constants).items():
            shown = subprocess.run(["man", name], env=env, stdout=subprocess.PIPE, text=True).stdout
            if not re.match(rf"{page.upper()}\(3\)", shown):
                yield f"man {name} shows {shown[:40]!r}, not {page}"


class Document(html.parser.HTMLParser):
    """The links and anchors of a page."""

    def __init__(self, path):
        super().__init__()
        self.links, self.anchors = [], set()
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.anchors.update(filter(None, (attributes.get("id"), attributes.get("name"))))
        link = attributes.get("src") or (attributes.get("href") if tag in ("a", "link") else None)
        if link is not None:
            self.links.append(link)


def site(root):
    documents = {path.resolve(): Document(path) for path in root.rglob("*.html")}
    if len(documents) < 20:
        yield f"{root} has {len(documents)} pages"
    for path, document in documents.items():
        for link in dict.fromkeys(document.links):
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            anchor = urllib.parse.unquote(parts.fragment)
            if not target.is_file():
                yield f"{path.relative_to(root.resolve())}: there is no {link}"
            elif anchor and target in documents and anchor not in documents[target].anchors:
                yield f"{path.relative_to(root.resolve())}: {link} has no such anchor"


def main():
    check, made, *rest = sys.argv[1:]
    if not pathlib.Path(made).is_dir():
        skip("nothing is built")
    wrong = list({"names": names, "lint": lint, "whatis": whatis, "html": site}[check](pathlib.Path(made), *rest))
    print(*wrong, sep="\n")
    sys.exit(1 if wrong else 0)


main()
