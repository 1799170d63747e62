# SPDX-License-Identifier: BSD-3-Clause
"""Finish the manual pages that Sphinx made. A page of routines lists them in its section NAME, and each
name of a routine or a constant gets a page that leads to the right one. The page of messages gets a section
DESCRIPTION."""
import re
import shutil

import pages
import sycl_forms

MESSAGES = "tern-messages"
HANDLES = "shmem_constants"    # the page of the predefined teams and contexts


def names_of(family):
    """All names that lead to the page of a family."""
    routines = [routine.name for routine in family.routines()]
    generics = [line.generic for line in family.lines if line.generic]
    twins = [] if family.table == "ishmem" else ["p" + name for name in routines]
    if family.table == "ishmem":
        generics += [name for line in family.lines for name in sycl_forms.names_of(line)]
    fortran = [routine.name for routine in family.fortran]
    return dict.fromkeys([family.base, *generics, *routines, *twins, *fortran])


def constants_of(interface, page):
    sections = [interface.constants_of(words) for words in page.constants]
    return [name for section in sections for group in section.groups for name, value in group.constants]


def handles_of(root, page):
    """The predefined handles, which no table lists."""
    text = (root / "include/shmem-types.h.in").read_text() if page.name == HANDLES else ""
    return dict.fromkeys(re.findall(r"^#define (SHMEM_(?:CTX|TEAM)_\w+) ", text, re.M))


def make_empty(output):
    shutil.rmtree(output, ignore_errors=True)
    output.mkdir(parents=True)


def finish_messages(made, output):
    """The page's introduction stands in the section NAME, where Sphinx puts it."""
    make_empty(output)
    text = (made / f"{MESSAGES}.7").read_text()
    text = re.sub(r"(\n\.SH NAME\n.*\n)", r"\1.SH DESCRIPTION\n", text, count=1)
    (output / f"{MESSAGES}.7").write_text(in_terminal_form(listings(text, "4")))


def finish_routines(root, made, output):
    interface = pages.interface(root)
    make_empty(output)
    for page in map(pages.Page, pages.all_paths(root)):
        families = [interface.families[name] for name in page.families]
        bases = dict.fromkeys([page.name, *(family.base for family in families)])
        text = (made / f"{page.name}.3").read_text()
        (output / f"{page.name}.3").write_text(finished(text, page.name, bases))
        names = [name for family in families for name in names_of(family)]
        names += [*constants_of(interface, page), *handles_of(root, page)]
        for name in (name for name in names if name != page.name):
            (output / f"{name}.3").write_text(f".so man3/{page.name}.3\n")


def finished(text, name, bases):
    """Sphinx's page with all names, and in the form of a program's listing where it is one."""
    text = re.sub(rf"^{name} \\- ", lambda _: ", ".join(bases) + " \\- ", text, count=1, flags=re.M)
    before, title, synopsis = text.partition(".SH SYNOPSIS\n")
    synopsis, description, after = synopsis.partition(".SH DESCRIPTION\n")
    return in_terminal_form(before + title + listings(synopsis, "0") + description + listings(after, "4"))


def in_terminal_form(text):
    """Without hyphenation, which would break names."""
    text = re.sub(r"^(\.TH .*\n)", r"\1.nh\n.ad l\n", text, count=1, flags=re.M)
    text = re.sub(r"^(\.SH .*\n)\.sp\n", r"\1", text, flags=re.M)
    return "'\\\" t\n" + text if "\n.TS\n" in text else text


def listings(text, indent):
    """Blocks of code without a font of their own, which terminals do not have; 72 columns of a
    synopsis fit a terminal of 80."""
    text = text.replace(".INDENT 0.0\n.INDENT 3.5\n.sp\n.nf\n.ft C\n", f".sp\n.RS {indent}\n.nf\n")
    return text.replace(".ft P\n.fi\n.UNINDENT\n.UNINDENT\n", ".fi\n.RE\n")
