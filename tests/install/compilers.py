# SPDX-License-Identifier: BSD-3-Clause
"""Build systems set CC, CXX and FC to the wrappers, which find those variables set to themselves.

    compilers.py CASE FOLDER_OF_WRAPPERS
"""
import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SKIPPED = 77
SECONDS = 60  # a wrapper that runs itself does not end

# The variable, its wrapper, other names of that, and a program.
LANGUAGES = [("CC", "oshcc", ["shmemcc"], "hello.c"),
             ("CXX", "oshc++", ["oshCC", "oshcxx", "shmemCC"], "hello.cpp"),
             ("FC", "oshfort", [], "hello.f90")]

MAKEFILE = "hello: {source}\n\t$({variable}) -o $@ $<\n"

# As autoconf's scripts are: the compiler has to make a program, and is written into a makefile.
CONFIGURE = """#!/bin/sh
echo 'int main(void) { return 0; }' >conftest.c
$CC -o conftest conftest.c && ./conftest || exit 77
printf 'CC = %s\\nhello: hello.c\\n\\t$(CC) -o $@ $<\\n' "$CC" >Makefile
"""

CMAKE = """cmake_minimum_required(VERSION 3.13)
project(hello {language})
add_executable(hello {source})
"""


def run(*command, fails=False, **variables):
    """The output of a command, which has to end, and to succeed unless it is to fail."""
    print("$", *(f"{name}={value}" for name, value in variables.items()),
          shlex.join(map(str, command)), flush=True)
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          env={**os.environ, **variables}, start_new_session=True) as process:
        try:
            output, _ = process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            sys.exit("FAILED: it does not end")
    if command[0] != "readelf":
        print(output, end="", flush=True)
    if (process.returncode != 0) != fails:
        sys.exit(f"FAILED: status {process.returncode}")
    return output


def expect(truth, what):
    if not truth:
        sys.exit(f"FAILED: {what}")


def script(name, *lines):
    path = pathlib.Path(name).absolute()
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join(["#!/bin/sh", *lines, ""]))
    path.chmod(0o755)
    return path


def works(program="hello"):
    """It is an OpenSHMEM program; the next one is made anew."""
    expect("PE 0 of 1 heard from 0" in run(f"./{program}"), f"output of {program}")
    expect("[libtern" in run("readelf", "--dynamic", program), f"{program} is Tern's")
    os.unlink(program)


def spellings(wrapper, others):
    """The ways in which people name a wrapper: as a program, and as a command of several words."""
    path = shutil.which(wrapper)
    pathlib.Path("links").mkdir(exist_ok=True)
    link = pathlib.Path("links", f"a-{wrapper.replace('+', 'x')}-of-mine").absolute()
    link.unlink(missing_ok=True)
    link.symlink_to(path)
    if not shutil.which("ccache"):
        script("bin/ccache", 'exec "$@"')
    plain = [wrapper, path, str(link)]
    more = [*others, f"env {wrapper}", f"env A=b {path}", f"env -u A {link}", f"ccache {wrapper}",
            f"A=b {wrapper}"]
    return plain, more


def languages():
    for language in LANGUAGES:
        if language[0] != "FC" or shutil.which("gfortran"):
            yield language


def make():
    """`make CC=oshcc` and `CC=oshcc make` both export the variable."""
    for variable, wrapper, others, source in languages():
        pathlib.Path("Makefile").write_text(MAKEFILE.format(variable=variable, source=source))
        plain, more = spellings(wrapper, others)
        for spelling in plain + more:
            run("make", f"{variable}={spelling}")
            works()
        for spelling in plain:
            run("make", **{variable: spelling})
            works()


def makefile():
    """A makefile that names the wrapper exports it in place of a compiler in the environment."""
    for variable, wrapper, _, source in languages():
        pathlib.Path("Makefile").write_text(
            f"{variable} = {wrapper}\n" + MAKEFILE.format(variable=variable, source=source))
        for given in [{}, {"CC": "gcc", "CXX": "g++", "FC": "gfortran"}]:
            run("make", **given)
            works()


def configure():
    script("configure").write_text(CONFIGURE)
    plain, more = spellings("oshcc", ["shmemcc"])
    for spelling in plain + more:
        if not spelling.startswith("A=b"):  # which a shell does not take from a variable
            run("./configure", CC=spelling)
            run("make", CC=spelling)
            works()


def cmake():
    if not shutil.which("cmake"):
        sys.exit(SKIPPED)
    for language, (variable, wrapper, _, source) in zip(["C", "CXX", "Fortran"], languages()):
        pathlib.Path("CMakeLists.txt").write_text(CMAKE.format(language=language, source=source))
        plain, _ = spellings(wrapper, [])
        for spelling in plain if variable == "CC" else plain[:1]:
            run("cmake", "-S", ".", "-B", "b", **{variable: spelling})
            run("cmake", "--build", "b", **{variable: spelling})
            works("b/hello")
            shutil.rmtree("b")


def others():
    """The wrappers of other libraries, and other copies of Tern, are no compilers for ours."""
    for variable, wrapper, names, source in languages():
        for name in [wrapper, *names]:
            foreign = script(f"foreign/{name}", "echo foreign; exit 1")
            link = pathlib.Path("links", "foreign")
            link.parent.mkdir(exist_ok=True)
            link.unlink(missing_ok=True)
            link.symlink_to(foreign)
            for spelling in [foreign, link.absolute(), f"env {foreign}"]:
                run(wrapper, "-o", "hello", source, **{variable: str(spelling)})
                works()


def counts():
    """A compiler that is one is taken, from Tern's own variable first."""
    script("bin/mine", 'echo mine; exec gcc "$@"')
    script("bin/yours", 'echo yours; exec gcc "$@"')

    def is_taken(name, **variables):
        output = run("oshcc", "-o", "hello", "hello.c", **variables)
        expect(output == ("" if name == "default" else f"{name}\n"), f"{name} with {variables}")
        works()

    is_taken("mine", CC="mine")
    is_taken("mine", CC="env A=b mine")
    is_taken("mine", CC="A=b mine")
    is_taken("mine", CC="yours", TERN_CC="mine")
    is_taken("mine", CC="oshcc", TERN_CC="env mine")
    is_taken("mine", TERN_CC="A=b mine")
    is_taken("default", CC="yours", TERN_CC="cc")
    is_taken("default", CC="", TERN_CC="")
    output = run("oshcc", "-o", "hello", "hello.c", fails=True, TERN_CC="env oshcc")
    expect(output == "oshcc: TERN_CC='env oshcc' would run an OpenSHMEM wrapper again; "
                     "set TERN_CC to a compiler, such as /usr/bin/cc\n", "TERN_CC is judged")


def mpi():
    """An MPI wrapper is a compiler, unless its variables name an OpenSHMEM wrapper."""
    script("bin/mpicc", 'echo mpicc; exec ${OMPI_CC:-${MPICH_CC:-gcc}} "$@"')
    output = run("oshcc", "-o", "hello", "hello.c", CC="mpicc")
    expect(output == "mpicc\n", "mpicc is taken")
    works()
    for name in ["OMPI_CC", "MPICH_CC"]:
        output = run("mpicc", "-o", "hello", "hello.c", **{"CC": "mpicc", name: "oshcc"})
        expect(output == "mpicc\n", "mpicc runs oshcc, and that no mpicc")
        works()
        run("oshcc", "-o", "hello", "hello.c", CC=f"env {name}=oshcc mpicc")
        works()


def recursion():
    """What can't be seen in advance ends with one line; a wrapper below another one may be right."""
    script("bin/mine", 'exec oshcc "$@"')
    for variable in ["CC", "TERN_CC"]:
        output = run("oshcc", "-o", "hello", "hello.c", fails=True, **{variable: "mine"})
        expect(output == "oshcc: the compiler 'mine' runs oshcc again; "
                         "set TERN_CC to a compiler, such as /usr/bin/cc\n", "one line")
    pathlib.Path("bin/cc").symlink_to(shutil.which("oshcc"))
    output = run("oshcc", "-o", "hello", "hello.c", fails=True)
    expect(output == "oshcc: the compiler 'cc' runs oshcc again; "
                     "set TERN_CC to a compiler, such as /usr/bin/cc\n", "cc itself is a wrapper")
    os.unlink("bin/cc")
    script("bin/mine", 'TERN_CC=gcc oshcc -o below hello.c && exec gcc "$@"')
    run("oshcc", "-o", "hello", "hello.c", CC="mine")
    works()
    works("below")


def itself():
    """Tern is not built by wrappers, which would take the headers of another Tern."""
    for variable, wrapper, _, _ in LANGUAGES:
        output = run("meson", "setup", "b", HERE.parent.parent, fails=True, **{variable: wrapper})
        expect(f" {variable} is set to a wrapper for OpenSHMEM programs; " in output, "a line")
        shutil.rmtree("b")


CASES = [make, makefile, configure, cmake, others, counts, mpi, recursion, itself]


def main():
    case, wrappers = sys.argv[1:]
    for name in ["LD_LIBRARY_PATH", "MAKEFLAGS", "CC", "CXX", "FC", "TERN_CC", "TERN_CXX", "TERN_FC",
                 "OMPI_CC", "MPICH_CC", "I_MPI_CC"]:
        os.environ.pop(name, None)
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        os.environ["PATH"] = f"{directory}/bin:{wrappers}:{os.environ['PATH']}"
        for name in ["hello.c", "hello.f90"]:
            shutil.copy(HERE / name, name)
        shutil.copy("hello.c", "hello.cpp")
        {c.__name__: c for c in CASES}[case]()


main()
