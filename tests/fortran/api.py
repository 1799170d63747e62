# SPDX-License-Identifier: BSD-3-Clause
"""Hold the Fortran interface to api.tsv: by the symbols of the library, and by small programs.

    api.py names NM LIBTERN_FORTRAN     each routine has its three names, and there are few others
    api.py constants OSHFORT OSHRUN     the include files have all constants, in fixed and free form
    api.py types OSHFORT OSHRUN         they declare the types of three functions
    api.py implicit OSHFORT OSHRUN      a program calls each routine without interfaces, and links
    api.py module OSHFORT OSHRUN        the same with the module, whose interfaces must fit
    api.py mistakes OSHRUN PROGRAM      how programs end that make them
    api.py old OSHFORT OSHRUN           old.f, a program without SHMEM_INIT and SHMEM_FINALIZE
"""
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent

# More than the standard has: threads, and the non-blocking operations of older libraries.
EXTENSIONS = re.compile(r"SHMEM_(INIT|QUERY)_THREAD|SHMEMX?_.*_NB|SHMEM_(PUT|GET)_NB|SHMEMX_WTIME")
# Functions whose types the include files declare.
DECLARED_FUNCTIONS = ("SHMEM_PE_ACCESSIBLE", "SHMEM_ADDR_ACCESSIBLE", "SHMEM_PTR")
VALUES = {"INTEGER": "1", "INTEGER*4": "1", "INTEGER*8": "1_8", "REAL*4": "1.0", "REAL*8": "1d0"}
DECLARED = {"POINTER": "INTEGER*8", "ANY": "INTEGER", "ANY32": "REAL", "ANY64": "DOUBLE PRECISION",
            "ANY128": "COMPLEX*16", "CHARACTER*(*)": "CHARACTER*8"}


def rows(*kinds):
    """(name, result, [(argument, type)])"""
    for line in (HERE / "api.tsv").read_text().splitlines():
        if not line.startswith("#"):
            name, kind, result, arguments = (line.split("\t") + [""])[:4]
            if kind in kinds:
                yield name, result, [tuple(a.split(":")) for a in arguments.split(", ") if a]


def fail(text):
    sys.exit(f"FAILED: {text}")


def run(*command, status=0, limit=60):
    print("$", shlex.join(map(str, command)), flush=True)
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=limit)
    print(done.stdout[:4000], end="", flush=True)
    if done.returncode != status:
        fail(f"status {done.returncode}, expected {status}")
    return done.stdout


def names(nm, library):
    listing = run(nm, "-D", "--defined-only", library)
    symbols = {line.split()[-1] for line in listing.splitlines() if " A " not in line}
    if wrong := {symbol for symbol in symbols if not symbol.endswith("@@TERN_FORTRAN_0")}:
        fail(f"other versions than TERN_FORTRAN_0: {wrong}")
    found = {symbol.partition("@")[0] for symbol in symbols}
    count = 0
    for name, *_ in rows("subroutine", "function"):
        forms = {name.lower() + "_", name.lower() + "__", name}
        if not forms <= found:
            fail(f"there is no {forms - found}")
        found -= forms
        count += 1
    found = {name for name in found if not EXTENSIONS.fullmatch(name.rstrip("_").upper())}
    if found:
        fail(f"the standard does not have {found}")
    if count != 149 + 23:
        fail(f"{count} routines in api.tsv")


def compiled(oshfort, name, text, *flags):
    pathlib.Path(name).write_text(text)
    program = pathlib.Path(name).with_suffix(".exe")
    run(oshfort, "-std=legacy", "-Wall", "-Wno-unused-variable", "-Wno-unused-dummy-argument",
        "-Wno-conversion", "-Werror", *flags, "-o", program, name)
    return f"./{program}"


def constants(oshfort, oshrun):
    """Integers with plausible values, of INTEGERs and text; an array can be dimensioned by them."""
    known = [name for name, *_ in rows("constant")]
    if len(known) != 19:
        fail(f"{len(known)} constants in api.tsv")
    for header in ["shmem.fh", "mpp/shmem.fh"]:
        for form in ["f", "f90"]:
            text = "      PROGRAM P\n      IMPLICIT NONE\n"
            text += f"      INCLUDE '{header}'\n      INCLUDE '{header.replace('.fh', 'x.fh')}'\n"
            text += "      INTEGER SYNC(SHMEM_SYNC_SIZE)\n      SYNC = SHMEM_SYNC_VALUE\n"
            text += "".join(f"      PRINT *, {name}\n" for name in known)
            text += "      IF (SIZE(SYNC) .LT. 1) STOP 1\n      END\n"
            lines = run(compiled(oshfort, f"constants.{form}", text)).splitlines()
            if len(lines) != len(known):
                fail(f"{len(lines)} lines")
            check_values(dict(zip(known, lines)))
    for path in pathlib.Path(include_dir(oshfort)).glob("*.fh"):
        for line in path.read_text().splitlines():
            if len(line) > 72 or not re.match(r"!| {6}\S", line):
                fail(f"{path}: no fixed and free form: {line}")


ACCESS = """      PROGRAM ACCESS
      INCLUDE '{header}'
      INTEGER BLOCK, THERE
      COMMON /SHARED/ BLOCK(2)
      POINTER (PLACE, THERE(2))
      CALL SHMEM_INIT()
      BLOCK(2) = 7
      CALL SHMEM_BARRIER_ALL()
      IF (.NOT. SHMEM_PE_ACCESSIBLE(0)) STOP 1
      IF (SHMEM_PE_ACCESSIBLE(-1)) STOP 2
      IF (.NOT. SHMEM_ADDR_ACCESSIBLE(BLOCK, 0)) STOP 3
      PLACE = SHMEM_PTR(BLOCK, 0)
      IF (PLACE .EQ. 0 .OR. KIND(SHMEM_PTR(BLOCK, 0)) .NE. 8) STOP 4
      PRINT *, THERE(2)
      CALL SHMEM_FINALIZE()
      END
"""


def types(oshfort, oshrun):
    for header in ["shmem.fh", "mpp/shmem.fh"]:
        for form in ["f", "f90"]:
            program = compiled(oshfort, f"access.{form}", ACCESS.format(header=header),
                               "-fcray-pointer")
            if run(oshrun, "-n", "2", program).split() != ["7", "7"]:
                fail("the value by SHMEM_PTR")


def include_dir(oshfort):
    flags = shlex.split(run(oshfort, "--showme:compile"))
    return next(flag[2:] for flag in flags if flag.startswith("-I"))


def check_values(values):
    sizes = {name: int(value) for name, value in values.items() if "SIZE" in name}
    if min(sizes.values()) < 1 or int(values["SHMEM_SYNC_SIZE"]) < max(
            size for name, size in sizes.items() if name.endswith("SYNC_SIZE")):
        fail(f"sizes {sizes}")
    comparisons = [values[f"SHMEM_CMP_{c}"] for c in ["EQ", "NE", "LT", "LE", "GT", "GE"]]
    if len(set(comparisons)) != 6:
        fail(f"comparisons {comparisons}")
    if not values["SHMEM_VENDOR_STRING"].strip() or \
            len(values["SHMEM_VENDOR_STRING"]) >= int(values["SHMEM_MAX_NAME_LEN"]):
        fail("the vendor's name")
    if int(values["SHMEM_MAJOR_VERSION"]) < 1:
        fail("the version")


def declared(name, typename, arrays):
    """A declaration of an argument; arrays: whether it may be one."""
    base, size = re.fullmatch(r"(.*?)(\((?:\*|SHMEM\w+)\))?", typename).groups() \
        if not typename.startswith("CHARACTER") else (typename, None)
    base = DECLARED.get(base, base)
    if size == "(*)":
        size = "(64)"
    return f"{base} {name}{size or arrays}"


def calls(preamble, with_module):
    """A program that calls each routine in a subroutine of its own, none of which is executed."""
    text, mains = "", ""
    for number, (name, result, arguments) in enumerate(rows("subroutine", "function")):
        external = not with_module or name in ("MY_PE", "NUM_PES")
        text += f"      SUBROUTINE CALL{number}()\n{preamble}"
        passed = []
        for argument, typename in arguments:
            big = argument in ("dest", "source") and "TO_ALL" not in name and "ANY" in typename
            text += f"      {declared('A_' + argument, typename, '(4, 4)' if big else '')}\n"
            text += f"      SAVE A_{argument}\n"
            literal = argument in ("value", "cond", "cmp_value", "nelems", "nreduce", "cmp", "pe")
            passed.append(VALUES[typename] if literal else "A_" + argument)
        call = f"{name}({', '.join(passed)})"
        if result == "-":
            text += wrap(f"CALL {call}")
        else:
            typename = DECLARED.get(result, result)
            text += f"      {typename} RESULT\n"
            if external and (with_module or name not in DECLARED_FUNCTIONS):
                text += f"      {typename}, EXTERNAL :: {name}\n"
            text += wrap(f"RESULT = {call}")
            text += f"      PRINT *, RESULT\n"
        text += "      END SUBROUTINE\n\n"
        mains += f"      IF (COMMAND_ARGUMENT_COUNT() .GT. {number}) CALL CALL{number}()\n"
    return f"{text}      PROGRAM EVERYTHING\n{mains}      PRINT *, 'LINKED'\n      END PROGRAM\n"


def wrap(statement):
    """In free form, at commas."""
    lines, line = [], "      "
    for part in statement.split(", "):
        if len(line) + len(part) > 100:
            lines.append(line + "&")
            line = "        "
        line += part + ", "
    return "\n".join([*lines, line.removesuffix(", ")]) + "\n"


def implicit(oshfort, oshrun):
    text = calls("      IMPLICIT NONE\n      INCLUDE 'shmem.fh'\n", False)
    program = compiled(oshfort, "implicit.f90", text, "-fallow-argument-mismatch", "-Wno-all")
    if "LINKED" not in run(oshrun, "-n", "1", program):
        fail("no output")


def module(oshfort, oshrun):
    text = calls("      USE SHMEM\n      IMPLICIT NONE\n", True)
    program = compiled(oshfort, "module.f90", text, "-Wno-uninitialized",
                       "-Wimplicit-interface", "-Wno-error=implicit-interface")
    if "LINKED" not in run(oshrun, "-n", "1", program):
        fail("no output")


def mistakes(oshrun, program):
    run(oshrun, "-n", "2", program, "exit", status=7)
    for mistake, routine, message in [
            ("count", "shmem_integer_put", "nelems is -1"),
            ("pe", "shmem_int_put", "PE 99 is outside 0..1"),
            ("lock", "shmem_clear_lock", "not held by this PE"),
            ("lock value", "shmem_set_lock", "has a value that no lock has"),
            ("odd lock", "shmem_set_lock", "is not aligned: it must be a multiple of 4"),
            ("odd clear", "shmem_clear_lock", "is not aligned: it must be a multiple of 4"),
            ("shpalloc", "shpalloc", "error -1: length is not positive"),
            ("shpclmove", "shpclmove", "error -3: addr is not in the symmetric heap"),
            ("shpdeallc", "shpdeallc", "error -3: addr is not in the symmetric heap"),
            ("reduce", "shmem_real16_sum_to_all", "nreduce is -4")]:
        output = run(oshrun, "-n", "2", program, mistake, status=1)
        if not re.search(rf"^tern: PEs? [01-]+ of 2: {routine}: .*{re.escape(message)}", output, re.M):
            fail(f"no message for {mistake}")
        if "not reached" in output:
            fail(f"the program goes on after {mistake}")
    output = run(oshrun, "-n", "2", program, "room")
    if not re.fullmatch("tern: PE 0 of 2: warning: shmem_malloc: no room for 8000000000 bytes: .*\n", output):
        fail(f"no warning of a heap without room: {output}")


def old(oshfort, oshrun):
    program = compiled(oshfort, "old.f", (HERE / "old.f").read_text())
    for n in [1, 2, 3, 5]:
        if run(oshrun, "-n", str(n), program) != f"PES {n} SUM {n * (n - 1) // 2}\n":
            fail("the sum")


CASES = {case.__name__: case for case in (names, constants, types, implicit, module, mistakes, old)}


def main():
    case, *arguments = sys.argv[1:]
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        CASES[case](*arguments)


main()
