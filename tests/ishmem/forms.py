#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Check that all routines of Intel SHMEM exist, in all their forms and with their types.

    forms.py names [FACTS]     forms.tsv is complete: FACTS is a folder with tables of all names
    forms.py compile CXX STD   each form is assigned to a pointer of its exact type; compiled and linked
                               with the words after these
    forms.py empty CXX STD     a program that only includes the headers: how long its compilation takes, and
                               that ISHMEM_NO_SYCL leaves SYCL out

forms.tsv comes from Intel's documents, and not from the table that the headers are made from.
"""
import csv
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile

FORMS = pathlib.Path(__file__).with_name("forms.tsv")
SKIPPED = 77
SIZES = ["8", "16", "32", "64", "128"]
FACTS = ("ishmem-host.tsv", "ishmem-device.tsv")
TOTAL = 3363    # routines, of which some share names
GROUPS = ("sycl::group<1>", "sycl::group<3>", "sycl::sub_group")
MOST_SECONDS = 2.5    # of a processor, for a program without a call
TYPE_OF_ALL = "unsigned int"    # that all templates accept


def rows():
    """(name, result, parameters, kind) of each routine, and of each template once."""
    spelling, lists = {}, {}
    for line in FORMS.read_text().splitlines():
        word, *rest = line.split("\t")
        if word.startswith("#"):
            continue
        if word == "type":
            spelling[rest[0]] = rest[1]
        elif word == "types":
            lists[rest[0]] = rest[1].split()
        else:
            name, result, params, kind = rest
            params = "" if params == "void" else params
            if kind.startswith("types "):
                for typename in lists[kind.removeprefix("types ")]:
                    yield (name.replace("{T}", typename), *(text.replace("{T}", spelling[typename])
                                                            for text in (result, params)), "type")
            elif kind == "sizes":
                yield from ((name.replace("{N}", size), result, params, kind) for size in SIZES)
            else:
                yield name, result, params, kind


def names(facts=None):
    found = [name for name, *_ in rows()]
    print(f"{len(found)} forms, {len(set(found))} names")
    if len(found) != TOTAL:
        yield f"forms.tsv has {len(found)} forms, not {TOTAL}"
    if not facts or not pathlib.Path(facts).is_dir():
        return
    expected = set()
    for table in FACTS:
        with open(pathlib.Path(facts) / table) as file:
            expected |= {row["name"] for row in csv.DictReader(file, delimiter="\t")}
    print(f"{len(expected)} names in {facts}")
    yield from (f"forms.tsv has no {name}" for name in sorted(expected - set(found)))
    yield from (f"no table has {name}" for name in sorted(set(found) - expected))


def pointers():
    """A pointer of its type to each form."""
    number = 0
    for name, result, params, kind in rows():
        for group in GROUPS if "Group" in params and kind != "type" else GROUPS[:1]:
            words = [re.sub(r"\bT\b", TYPE_OF_ALL, text) if kind == "template" else text
                     for text in (result, params)]
            words[1] = re.sub(r"\bGroup\b", group, words[1])
            yield f"{words[0]} (*volatile form_{number})({words[1]}) = {name};"
            number += 1


def compile(compiler, standard, *words):
    lines = list(pointers())
    text = "\n".join(["#include <ishmem.h>", "#include <ishmemx.h>", "#include <cstdio>", "",
                      *(f"static {line}" for line in lines), "", "int main()", "{",
                      "    int missing = 0;", *(f"    missing += !form_{i};" for i in range(len(lines))),
                      f'    std::printf("{len(lines)} forms, %d missing\\n", missing);',
                      "    return missing != 0;", "}", ""])
    with tempfile.TemporaryDirectory() as directory:
        source, program = pathlib.Path(directory, "forms.cpp"), pathlib.Path(directory, "forms")
        source.write_text(text)
        command = [*compiler.split(), f"-std={standard}", "-O0", source, "-o", program, *words]
        for one in (command, [program]):
            done = subprocess.run(one, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            if done.returncode:
                errors = [line for line in done.stdout.splitlines() if "error" in line or "undefined" in line]
                yield f"{' '.join(map(str, one))}: status {done.returncode}:\n" + "\n".join(errors[:30])
                return
        print(done.stdout, end="")


EMPTY = "#include <ishmem.h>\n#include <ishmemx.h>\n{}int main() {{}}\n"
WITHOUT = """#if defined SYCL_LANGUAGE_VERSION || defined ISHMEMX_SYCL_H
#error "SYCL is there"
#endif
"""


def seconds_of_children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def empty(compiler, standard, *words):
    with tempfile.TemporaryDirectory() as directory:
        source, made = pathlib.Path(directory, "empty.cpp"), pathlib.Path(directory, "empty.o")
        command = [*compiler.split(), f"-std={standard}", "-O0", "-c", source, "-o", made, *words]
        source.write_text(EMPTY.format(""))
        taken = []
        for _ in range(3):
            before = seconds_of_children()
            subprocess.run(command, check=True)
            taken.append(seconds_of_children() - before)
        print(f"{min(taken):.2f} s")
        if min(taken) > MOST_SECONDS:
            yield f"an empty program takes {min(taken):.2f} s to compile, more than {MOST_SECONDS}"
        source.write_text(EMPTY.format(WITHOUT))
        if subprocess.run([*command, "-DISHMEM_NO_SYCL"]).returncode:
            yield "ISHMEM_NO_SYCL does not leave SYCL out"


def main():
    checks = {"names": names, "compile": compile, "empty": empty}
    if sys.argv[1] != "names" and not shutil.which(sys.argv[2].split()[0]):
        print(f"no {sys.argv[2]}")
        sys.exit(SKIPPED)
    wrong = list(checks[sys.argv[1]](*sys.argv[2:]))
    print(*wrong, sep="\n")
    sys.exit(1 if wrong else 0)


main()
