# SPDX-License-Identifier: BSD-3-Clause
"""Prepare the sources of the HTML site and of the manual pages that Sphinx makes.

Code hosts show the documents as they are in the tree. Sphinx gets copies of them in STAGE: README.md
as the front page, docs/ without its folder, a page for each chapter of the reference, the programs'
manual pages as mandoc formats them, and a page for each other file that a document links to. Links
follow, and plots are copied. The groups of the README's last list of links become the site's
navigation. Files that did not change keep their time.
"""
import os
import pathlib
import re
import shutil
import subprocess

import pages

LINK = re.compile(r"\]\(([^)\s]+)\)")
CODE = re.compile(r"^```.*?^```$", re.M | re.S)
LANGUAGES = {".c": "c", ".h": "c", ".cpp": "c++", ".f90": "fortran", ".py": "python", ".sh": "sh"}
NAVIGATION = "Where to read on"
MESSAGES = '<a class="Xr">tern-messages(7)</a>'    # made of docs/messages.md
PROGRAMS = "programs"    # the folder of the programs' manual pages


class Stage:
    def __init__(self, root, stage):
        self.root, self.stage = pathlib.Path(root).resolve(), pathlib.Path(stage)
        self.chapters = pages.by_chapter(root, pages.interface(root))
        self.written = set()
        self.shown = set()    # files that get a page because a document links to them
        self.mandoc = shutil.which("mandoc")

    def write(self, name, text):
        path = self.stage / name
        self.written.add(path)
        if not path.exists() or path.read_text() != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def remove_others(self):
        """Removes sources of earlier builds; returns whether there were any."""
        others = [path for path in self.stage.rglob("*") if path.is_file() and path not in self.written]
        for path in others:
            path.unlink()
        return others != []

    def staged(self, path):
        """The name in STAGE of the page for a file of the tree."""
        if path.suffix in (".md", ".svg"):
            path = path.with_name("index.md") if path.name == "README.md" else path
            return str(path.relative_to("docs") if path.parts[0] == "docs" else path)
        if path.parts[0] == "man" and self.mandoc:
            return f"{PROGRAMS}/{path.stem}.md"
        self.shown.add(path)
        return f"files/{path}.md"

    def with_links(self, document):
        """The text of a document, with links for its place in STAGE."""
        here = os.path.dirname(self.staged(document))

        def link(match):
            name, mark, anchor = match[1].partition("#")
            path = pathlib.Path(os.path.normpath(self.root / document.parent / name))
            if not name or re.match(r"[a-z]+:", name) or not path.is_file():
                return match[0]
            target = self.staged(path.relative_to(self.root))
            return f"]({os.path.relpath(target, here or '.')}{mark}{anchor})"

        text = (self.root / document).read_text()
        text = re.sub(r"\[([^]]*)\]\((\S+?)\)", lambda match: match[1] if
                      (self.root / document.parent / match[2]).is_dir() else match[0], text)
        parts = re.split(f"({CODE.pattern})", text, flags=CODE.flags)
        return "".join(part if part.startswith("```") else LINK.sub(link, part) for part in parts)

    def add_all(self):
        """Writes all sources; returns whether some of an earlier build are gone."""
        self.add_documents()
        self.add_images()
        self.add_programs()
        self.add_chapters()
        self.add_files()
        return self.remove_others()

    def add_documents(self):
        documents = [path.relative_to(self.root) for path in
                     [*self.root.glob("*.md"), *self.root.glob("docs/**/*.md")]]
        for document in sorted(documents):
            text = self.with_links(document)
            if document == pathlib.Path("README.md"):
                text += "".join(toctree(caption, names) for caption, names in self.navigation(text))
            elif document == pathlib.Path("docs/reference/index.md"):
                text += toctree("", ["terms", *self.chapters])
            elif document.name == "README.md":    # of a folder, such as docs/tutorial
                text += toctree("", [name.removesuffix(".md") for name in LINK.findall(text)
                                     if re.fullmatch(r"[\w-]+\.md", name)])
            self.write(self.staged(document), text)

    def add_images(self):
        for path in sorted(self.root.glob("docs/**/*.svg")):
            self.write(self.staged(path.relative_to(self.root)), path.read_text())

    def navigation(self, text):
        """The captions and pages of the README's last list, with the programs' pages."""
        for group in text.partition(f"\n## {NAVIGATION}\n")[2].partition("\n## ")[0].split("\n### ")[1:]:
            names = [name.removesuffix(".md") for name in LINK.findall(group) if "#" not in name]
            yield group.partition("\n")[0], names
        if self.mandoc:
            yield "Programs", [self.staged(page).removesuffix(".md") for page in self.program_pages()]

    def program_pages(self):
        return sorted(path.relative_to(self.root) for path in (self.root / "man").glob("*.[1-8]"))

    def add_programs(self):
        for page in self.program_pages() if self.mandoc else []:
            html = subprocess.run([self.mandoc, "-Thtml", "-Ofragment", self.root / page], check=True,
                                  stdout=subprocess.PIPE, text=True).stdout
            html = re.sub(r'<table class="(head|foot)">.*?</table>', "", html, flags=re.S)
            html = re.sub(r"(</?)h2\b", r"\1h3", html)
            html = re.sub(r"(</?)h1\b", r"\1h2", html)
            html = re.sub(r'<a class="Xr">([\w-]+)\((\d)\)</a>', self.with_target, html)
            self.write(self.staged(page), f"# {page.stem}\n\n```{{raw}} html\n{html}```\n")

    def with_target(self, match):
        """mandoc's reference to another manual page, as a link if that is one of these."""
        if match[0] == MESSAGES:
            return f'<a class="Xr" href="../messages.html">{match[1]}({match[2]})</a>'
        if not (self.root / "man" / f"{match[1]}.{match[2]}").exists():
            return match[0]
        return f'<a class="Xr" href="{match[1]}.html">{match[1]}({match[2]})</a>'

    def add_chapters(self):
        for key, members in self.chapters.items():
            lines = "".join(f"[{page.name}]({page.path.name})\n: {page.summary}\n\n" for page in members)
            self.write(f"reference/{key}.md", f"# {pages.CHAPTERS[key]}\n\n{lines}" +
                       toctree("", [page.path.stem for page in members]))

    def add_files(self):
        for path in sorted(self.shown):
            text = (self.root / path).read_text()
            fence = "`" * max([3] + [len(ticks) + 1 for ticks in re.findall("^`+", text, re.M)])
            self.write(f"files/{path}.md", f"---\norphan: true\n---\n\n# {path.name}\n\n"
                       f"{fence}{LANGUAGES.get(path.suffix, 'none')}\n{text}{fence}\n")


def toctree(caption, names):
    option = f":caption: {caption}\n" if caption else ""
    return f"\n```{{toctree}}\n:hidden:\n{option}\n" + "\n".join(names) + "\n```\n"
