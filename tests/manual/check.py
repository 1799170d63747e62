#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Check the pages of the manual in docs/reference.

    check.py form PAGE...              sections, summary, arguments, references to the standard
    check.py coverage                  pages and the tables of spec describe the same interface
    check.py examples BUILD PAGE...    the examples compile and print what the pages show, also
                                       under --check
    check.py examples BUILD --chapter=CHAPTER...
                                       likewise for the pages of chapters, which scripts/pages.py lists
    check.py examples BUILD --with=OPTION... PAGE|--chapter=CHAPTER...
                                       with options of oshrun instead of --check
"""
import concurrent.futures
import difflib
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts")]
sys.dont_write_bytecode = True

import pages    # noqa: E402

COMPILERS = {"c": ["oshcc", "-std=c11"], "cpp": ["oshc++", "-std=c++17"], "fortran": ["oshfort"]}
SUFFIXES = {"c": ".c", "cpp": ".cpp", "fortran": ".f90"}
WARNINGS = ["-O0", "-Wall", "-Wextra", "-Werror"]
MOST_LINES = 45
AT_A_TIME = 2
TIME_LIMIT = 60
# What `oshrun --check` prints at the end of a job without a finding.
NO_FINDING = re.compile(r"check: no mistake was found on any of \d+ PEs\n"
                        r"(check: the program's own loads and stores are not checked; .*\n)?")


def wrong_form(page, interface):
    yield from page.wrong_sections()
    summary = page.summary
    if not re.fullmatch(r"[A-Z][a-z]+s .*[^.]\.", summary) or summary.count(". "):
        yield f"the summary is not one sentence that begins with a verb in the third person: {summary}"
    if len(summary) > 70:
        yield f"the summary has {len(summary)} characters, more than 70"
    if page.name in summary:
        yield "the summary repeats the name"
    families = [interface.families[name] for name in page.families if name in interface.families]
    if page.families and page.name.lower() not in [family.base.lower() for family in families]:
        yield f"no family of the synopsis is called {page.name}"
    arguments = {name for family in families for name in family.arguments()}
    described = set(re.findall(r"`(\w+)`", "\n".join(page.terms("Arguments"))))
    if arguments - described:
        yield f"`## Arguments` has no {', '.join(sorted(arguments - described))}"
    standard = re.findall(r"\d+(?:\.\d+)+", page.sections.get("Standard", ""))
    for number in dict.fromkeys(n for family in families for n in family.numbers()):
        if number not in standard:
            yield f"`## Standard` does not name section {number}"
    if not re.search(r"\]\([^)\s]+\)", page.sections.get("See also", "")):
        yield "`## See also` has no link"
    yield from wrong_examples(page, families)


def wrong_examples(page, families):
    examples, wrong = page.examples()
    yield from wrong
    languages = [example.language for example in examples]
    if not languages or len(set(languages)) < len(languages):
        yield f"there is not one example for each language but {languages}"
    if any(family.fortran for family in families) and "fortran" not in languages:
        yield "there is a Fortran form, but no example in Fortran"
    for example in examples:
        if len(example.source.splitlines()) > MOST_LINES:
            yield f"an example has {len(example.source.splitlines())} lines, more than {MOST_LINES}"


def form(*names):
    interface = pages.interface(ROOT)
    for page in map(pages.Page, names or pages.all_paths(ROOT)):
        if page.path.stem in pages.ARTICLES:
            continue
        for message in wrong_form(page, interface):
            yield f"{page.path}: {message}"


def coverage():
    interface = pages.interface(ROOT)
    described = {}
    constants = set()
    for page in map(pages.Page, pages.all_paths(ROOT)):
        for name in page.families:
            if name not in interface.families:
                yield f"{page.path}: no table has {name}"
            described.setdefault(name, []).append(page.path)
        for words in page.constants:
            found = interface.constants_of(words)
            if not found:
                yield f"{page.path}: no table has a section of constants called {words}"
            else:
                constants.add((found.table, found.title))
    for name, family in interface.families.items():
        if name not in described:
            yield f"no page describes {name} ({family.table}: {family.section})"
        elif len(described.get(name, [])) > 1:
            yield f"{name} is described by {' and by '.join(map(str, described[name]))}"
    for section in interface.constants:
        if (section.table, section.title) not in constants:
            yield f"no page shows the constants of {section.table}: {section.title}"


class Runner:
    """Compiles and runs examples with the programs of a build tree."""

    def __init__(self, build, options):
        self.build, self.options = pathlib.Path(build).resolve(), options

    def wrong(self, page, example, directory):
        """What is wrong with an example of a page."""
        program = pathlib.Path(directory) / f"{page.name}-{example.language}"
        source = program.with_suffix(SUFFIXES[example.language])
        source.write_text(example.source)
        compiler, *flags = COMPILERS[example.language]
        done = self._run([self.build / "src/cc" / compiler, *flags, *WARNINGS, "-o", program, source, "-lm"],
                         directory)
        if done.returncode or done.stdout:
            return [f"{page.path}: the {example.language} example does not compile:\n{done.stdout}"]
        return [message for options in self._shapes(example)
                for message in self._wrong_run(page, example, program, options)]

    def _shapes(self, example):
        """The lists of options with which an example runs."""
        if self.options:
            return [self.options]
        return [[]] if example.language == "fortran" else [[], ["--check"]]

    def _wrong_run(self, page, example, program, options):
        before, oshrun, *rest = re.fullmatch(r"(.*?)(\boshrun\b)(.*)", example.command).groups()
        command = [*shlex.split(before), self.build / "src/launch/oshrun", *options,
                   *shlex.split("".join(rest)), program]
        with tempfile.TemporaryDirectory() as work:
            done = self._run(["env", *command], work)
        shown = f"{before}{oshrun} {' '.join([*options, ''])}{''.join(rest).strip()}"
        if done.returncode != example.status:
            yield f"{page.path}: {shown}: status {done.returncode}, not {example.status}:\n{done.stdout}"
        printed, clean = NO_FINDING.subn("", done.stdout)
        if "--check" in " ".join(options) and not clean and not example.status:
            yield f"{page.path}: {shown}: the check does not report that it found no mistake"
        expected, actual = example.output.splitlines(), printed.splitlines()
        if example.any_order:
            expected.sort()
            actual.sort()
        if expected != actual:
            difference = difflib.unified_diff(expected, actual, "shown", "printed", lineterm="", n=9)
            yield f"{page.path}: {shown}: the {example.language} example:\n" + "\n".join(difference)

    @staticmethod
    def _run(command, directory):
        try:
            return subprocess.run(list(map(str, command)), cwd=directory, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                  timeout=TIME_LIMIT)
        except subprocess.TimeoutExpired as expired:
            text = (expired.stdout or b"").decode() + f"no end after {TIME_LIMIT} s\n"
            return subprocess.CompletedProcess(command, 124, text)


def examples(build, *words):
    options = [word.removeprefix("--with=") for word in words if word.startswith("--with=")]
    chapters = [word.removeprefix("--chapter=") for word in words if word.startswith("--chapter=")]
    chosen = [pages.Page(word) for word in words if not word.startswith("--")]
    if chapters:
        interface = pages.interface(ROOT)
        every = map(pages.Page, pages.all_paths(ROOT))
        chosen += [page for page in every if pages.chapter(page, interface) in chapters]
        yield from (f"there is no chapter {name}" for name in set(chapters) - set(pages.CHAPTERS))
    runner = Runner(build, options)
    jobs = [(page, example) for page in chosen for example in page.examples()[0]]
    with tempfile.TemporaryDirectory() as directory, \
            concurrent.futures.ThreadPoolExecutor(AT_A_TIME) as pool:
        found = list(pool.map(lambda job: runner.wrong(*job, directory), jobs))
    print(f"{len(jobs)} examples of {len(chosen)} pages")
    if not jobs:
        yield "no examples found"
    yield from (message for messages in found for message in messages)


def main():
    if not sys.argv[1:] or sys.argv[1] in ("-h", "--help"):
        sys.exit(__doc__)
    checks = {"form": form, "coverage": coverage, "examples": examples}
    wrong = list(checks[sys.argv[1]](*sys.argv[2:]))
    print(*wrong, sep="\n")
    sys.exit(1 if wrong else 0)


main()
