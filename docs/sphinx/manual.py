# SPDX-License-Identifier: BSD-3-Clause
"""Sphinx's extension for the manual: the directives {synopsis} and {constants}, which the tables of
spec fill in, and the form of a page as a manual page."""
import hashlib
import os
import pathlib

from docutils import nodes
from sphinx import addnodes
from sphinx.util.docutils import SphinxDirective

import pages
import sycl_forms
from c_text import returning, wrapped

WIDTH = 72
MESSAGES = "messages"    # a manual page of section 7, whose introduction stays
COMPLEX = {"shmemi_complexd": "double complex", "shmemi_complexf": "float complex"}
FORTRAN_TYPES = {"int": "INTEGER", "long": "INTEGER*8", "float": "REAL", "double": "REAL*8",
                 "count": "INTEGER", "pointer": "INTEGER*8 or a pointer", "pSync": "INTEGER array",
                 "logical": "LOGICAL", "characters": "CHARACTER array", "string": "CHARACTER*(*)",
                 "any": "any type", "const": "any type"}
INCLUDES = {"api": "#include <shmem.h>", "ext": "#include <shmemx.h>",
            "classic": "#include <mpp/shmem.h>    /* or <shmemx.h> */"}


class Synopsis(SphinxDirective):
    """The forms of families, whose names its lines are."""
    has_content = True

    def run(self):
        interface = self.env.app.interface
        families = [interface.families[name] for name in self.content if name]
        lines = [line for family in families for line in family.lines]
        out = [index_entries(families)]
        includes = "\n".join(dict.fromkeys(
            INCLUDES.get(family.table, f"#include <{family.header}>") for family in families if family.lines))
        if includes:
            out.append(code(includes, "c"))
        for deprecated in False, True:
            chosen = [line for line in lines if ("deprecated" in line.flags) == deprecated]
            if chosen and deprecated:
                out.append(label("Deprecated"))
            known = {line.generic for line in lines if "deprecated" not in line.flags} if deprecated else set()
            out += c_forms(chosen, interface.tables, families[0].table, known)
        if families[0].table == "ishmem":
            out += forms_with_sycl(lines, interface.tables["ishmem"])
        fortran = [routine for family in families for routine in family.fortran]
        if fortran:
            out += [label("Fortran"), code("\n\n".join(fortran_forms(fortran)), "fortran")]
        return out + all_names(families)


def index_entries(families):
    entries = [("single", name, "", "", None) for family in families
               for name in dict.fromkeys([family.base, *(line.generic for line in family.lines if line.generic)])]
    return addnodes.index(entries=entries)


def code(text, language):
    return nodes.literal_block(text, text, language=language)


def label(text):
    return nodes.paragraph("", "", nodes.strong(text, text))


def prototype(result, name, params):
    return "\n".join(wrapped(f"{returning(result)}{name}(", params, ");", WIDTH))


def with_context(name):
    before, _, after = name.partition("_")
    return f"{before}_ctx_{after}"


def c_forms(lines, tables, name, known):
    """Blocks of prototypes: one for all lines that have the same lists of types and sizes. Generics in
    `known` have been shown."""
    table = tables.get(name)
    groups = {}
    for line in lines:
        groups.setdefault(tuple(line.lists), []).append(line)
    for lists, members in groups.items():
        generic = dict.fromkeys(text for line in members if line.generic not in known
                                for text in generic_forms(line))
        plain = dict.fromkeys(text for line in members for text in plain_forms(line, table))
        comment = ("/* C++ */" if members[0].name.startswith("ishmem") else "/* C11 and C++ */")
        blocks = [comment, *generic, "", "/* C and C++ */"] if generic else []
        yield code("\n".join([*blocks, *plain]), "c")
        yield from kinds(lists, members, table)


def generic_forms(line):
    if not line.generic or line.generic == line.name:
        return
    params = line.params.replace("{T}", "TYPE").split(", ")
    result = line.result.replace("{T}", "TYPE")
    yield prototype(result, line.generic, params)
    if "ctx" in line.flags:
        yield prototype(result, line.generic, ["shmem_ctx_t ctx", *params])
    if "team" in line.flags:
        yield prototype(result, line.generic, params[1:])


def plain_forms(line, table):
    """The prototypes in C, with TYPENAME and SIZE where there are lists."""
    names = [] if line.lists else [(line.name, "")]
    for word in line.lists:
        if word in table.classes:
            names.append((line.name.replace("{T}", "TYPENAME").replace("{N}", ""), "TYPE"))
        else:
            sizes = table.suffixes[word]
            words = ["SIZE"] if sizes[0].isdigit() else ["" if size == "-" else size for size in sizes]
            names += [(line.name.replace("{T}_", "").replace("{N}", size), "void") for size in words]
    for name, element in dict.fromkeys(names):
        params = [p for p in line.params.replace("{T}", element).split(", ")]
        result = line.result.replace("{T}", element)
        yield prototype(result, name, params)
        if "ctx" in line.flags:
            rest = [] if params == ["void"] else params
            yield prototype(result, with_context(name), ["shmem_ctx_t ctx", *rest])
        if "team" in line.flags and not line.lists:
            yield prototype(result, name, params[1:]) + "    /* C++ */"


def forms_with_sycl(lines, table):
    """What takes queues and groups. Group is the type of a group, in a template."""
    texts = dict.fromkeys(prototype(*signature) for line in lines
                          for host, element in hosts(line, table)
                          for signature in sycl_forms.signatures(line, host, element))
    if texts:
        yield label("C++ with SYCL")
        yield code("#include <ishmemx.h>\n\n" + "\n".join(texts), "c++")


def hosts(line, table):
    """The names of templates and routines, with TYPENAME and SIZE, and their elements' type."""
    if line.generic:
        yield line.generic, "TYPE"
    if not line.lists:
        yield line.name, ""
    for word in line.lists:
        if word in table.classes:
            yield line.name.replace("{T}", "TYPENAME").replace("{N}", ""), "TYPE"
        else:
            sizes = table.suffixes[word]
            for size in ["SIZE"] if sizes[0].isdigit() else sizes:
                yield line.name.replace("{T}_", "").replace("{N}", size), "void"


def kinds(lists, lines, table):
    """What TYPENAME, TYPE and SIZE stand for."""
    types = list(dict.fromkeys(t for word in lists for t in table.classes.get(word, ())))
    if types:
        yield paragraph("TYPENAME", type_names(types, table))
    sizes = [size for word in lists for size in table.suffixes.get(word, ()) if size.isdigit()]
    if sizes:
        yield paragraph("SIZE", [(size, None) for size in sizes])
    more = list(dict.fromkeys(t for line in lines for word in line.more for t in table.classes[word]
                              if t not in types))
    if more:
        yield paragraph("The generic form also accepts", type_names(more, table))


def type_names(types, table):
    for name in types:
        spelling = COMPLEX.get(table.ctype[name], table.ctype[name])
        yield name, None if spelling == name else spelling


def paragraph(what, words):
    """what: word, word (TYPE is its spelling), ..."""
    out = nodes.paragraph("", "", nodes.strong(what, what), nodes.Text(": "))
    for number, (word, spelling) in enumerate(words):
        out += [nodes.Text(", " * bool(number)), nodes.literal(word, word)]
        if spelling:
            out += [nodes.Text(" ("), nodes.literal(spelling, spelling), nodes.Text(")")]
    return out


def fortran_forms(routines):
    """Blocks of routines that have the same arguments, and the types of these."""
    groups = {}
    for routine in routines:
        kinds = tuple((a.name, FORTRAN_TYPES[a.kind.rstrip("*")]) for a in routine.arguments)
        groups.setdefault(kinds, []).append(routine)
    for arguments, members in groups.items():
        lines = []
        for routine in members:
            kind = f"{FORTRAN_TYPES[routine.result]} FUNCTION" if routine.result else "SUBROUTINE"
            if routine.result == "pointer":
                kind = "INTEGER*8 FUNCTION"
            given = [a.name for a in routine.arguments] + routine.constants
            text = wrapped(f"{kind} {routine.name}(", given, ")", WIDTH - 2)
            lines += [line + " &" for line in text[:-1]] + text[-1:]
        by_type = {}
        for name, kind in arguments:
            by_type.setdefault(kind, []).append(name)
        lines += [f"!   {', '.join(names)}: {kind}" for kind, names in by_type.items()]
        yield "\n".join(lines)


def all_names(families):
    """The names of all routines, folded in HTML, where they serve the search."""
    names = [routine.name for family in families for routine in family.routines()]
    names += [name for family in families if family.table == "ishmem" for line in family.lines
              for name in sycl_forms.names_of(line)]
    if len(names) < 3:
        return []
    text = " ".join(f"<code>{name}</code>" for name in names)
    return [nodes.raw("", f"<details class=\"names\"><summary>All {len(names)} names</summary>"
                      f"<p>{text}</p></details>", format="html")]


class Constants(SphinxDirective):
    """The constants of sections of the tables, whose titles its lines are."""
    has_content = True

    def run(self):
        interface = self.env.app.interface
        found = [interface.constants_of(words) for words in self.content if words]
        fortran = dict(interface.fortran.constants)
        return [node for section in found for group in section.groups
                for node in (nodes.paragraph("", group.text),
                             constants_table(group.constants, fortran if section.table == "api" else {}))]


def constants_table(constants, fortran):
    """Names, values, old names and values in Fortran; columns that would be empty are left out."""
    old = {value: name for name, value in constants if name.startswith("_")}
    rows = [[name, value, old.get(name, ""), fortran.get(name, "")] for name, value in constants
            if not name.startswith("_")]
    titles = ["Constant", "Value", "Old name", "Value in Fortran"]
    used = [number for number in range(4) if any(row[number] for row in rows)]
    group = nodes.tgroup("", *(nodes.colspec(colwidth=1) for _ in used), cols=len(used))
    group += nodes.thead("", table_row([titles[number] for number in used], nodes.Text))
    group += nodes.tbody("", *(table_row([row[number] for number in used], literal) for row in rows))
    return nodes.table("", group)


def literal(text):
    return nodes.literal(text, text)


def table_row(texts, make):
    return nodes.row("", *(nodes.entry("", nodes.paragraph("", "", *([make(text)] if text else [])))
                           for text in texts))


def as_manual_page(app, tree, document):
    """Takes from a page what the section NAME has said, and gives links the form of references."""
    if app.builder.name != "man":
        return
    for reference in tree.findall(nodes.reference):
        target = reference.get("refuri", "")
        name = reference.astext()
        if "://" not in target:
            here = pages_of(app)
            reference.replace_self(nodes.inline("", "", nodes.strong(name, name), nodes.Text("(3)"))
                                   if name in here else nodes.inline("", name))
    section = next(iter(tree.findall(nodes.section)), None)
    if document != MESSAGES and section and isinstance(section[1], nodes.paragraph):
        section.remove(section[1])


def fold_navigation(app, name, template, context, tree):
    """Has the navigation of a page unfold only the chapter that it is in. The theme would give each
    page the names of all others, which takes three quarters of the time and of the room."""
    unfolded = context.get("toctree")
    if unfolded:
        context["toctree"] = lambda **options: unfolded(**{**options, "collapse": True})


def pages_of(app):
    return {entry[1] for entry in app.config.man_pages}


def digest(root):
    """Changes with what pages are made of besides their texts."""
    paths = [*root.glob("spec/*.table"), *root.glob("scripts/*.py"), *root.glob("docs/sphinx/*.py")]
    return hashlib.sha256(b"".join(path.read_bytes() for path in sorted(paths))).hexdigest()


def setup(app):
    root = pathlib.Path(os.environ["TERN_SOURCE"])
    app.interface = pages.interface(root)
    app.add_config_value("made_of", digest(root), "env")    # Sphinx reads all pages if it differs
    app.add_directive("synopsis", Synopsis)
    app.add_directive("constants", Constants)
    app.connect("doctree-resolved", as_manual_page)
    app.connect("html-page-context", fold_navigation, priority=400)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
