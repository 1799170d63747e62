# SPDX-License-Identifier: BSD-3-Clause
"""Programs that people put before a PE's."""
import os
import subprocess
import sys

from system import build, check, contains, equal, fine, main, need, program, public, run, skip

WORK = program("work")


def works(job):
    fine(job, "work: fine\n")


def test_valgrind():
    """It finds no error in the library, and nothing that was lost."""
    need("valgrind")
    job = run("-n", 2, "valgrind", "-q", "--leak-check=full", "--errors-for-leak-kinds=definite",
              "--error-exitcode=9", WORK, 1, 4, seconds=100)
    if "debuginfo reader" in job.err:
        skip("it does not understand what this compiler says for debuggers")
    works(job)


def test_gdb():
    need("gdb")
    job = run("-n", 2, "gdb", "-batch", "-nx", "-ex", "run", "-ex", "print $_exitcode", "--args",
              WORK, env={"DEBUGINFOD_URLS": ""}, seconds=60)
    equal(job.status, 0, job.err)
    contains(job.out, "work: fine\n")
    equal(job.out.count("$1 = 0"), 2, job.out)


def test_gdb_and_static_data():
    """A debugger sees and changes variables that are shared with peers."""
    need("gdb")
    path = build("work.c", "-g", "-O0")
    job = run("-n", 2, "gdb", "-batch", "-nx", "-ex", "break collect", "-ex", "run", "-ex",
              "print guarded", "-ex", "set var dest[3] = 5", "-ex", "print dest[3]", "-ex",
              "continue", "--args", path, env={"DEBUGINFOD_URLS": ""}, seconds=60)
    contains(job.out, "$1 = 100", "$2 = 5", "work: fine")


def test_strace():
    need("strace")
    if subprocess.run(["strace", "-o", "/dev/null", "true"], check=False,
                      capture_output=True).returncode != 0:
        skip("tracing is not permitted")
    works(run("-n", 2, "strace", "-f", "-o", "/dev/null", WORK, seconds=60))


def test_numactl():
    need("numactl")
    if subprocess.run(["numactl", "-l", "true"], check=False, capture_output=True).returncode != 0:
        skip("numactl does not work here")
    works(run("-n", 2, "numactl", "-l", WORK))


def test_shells():
    works(run("-n", 3, "sh", "-c", WORK))
    works(run("-n", 3, "sh", "-c", f"{WORK}; true"))
    works(run("-n", 3, "sh", "-c", f"true; exec {WORK}"))
    works(run("-n", 3, "sh", "-c", f"{WORK} | cat"))


def test_chain():
    works(run("-n", 3, "env", "A=b", "nice", "timeout", "30", "sh", "-c", 'exec "$0"', WORK))


def test_empty_environment():
    """Without oshrun's variables a program is a job of its own."""
    for n in (1, 3):
        fine(run("-n", n, "env", "-i", WORK), n * "work: fine\n")


CLOSE = "import os, sys; os.closerange(3, 1000); os.execv(sys.argv[1], sys.argv[1:])"


def test_wrapper_that_closes_descriptors():
    works(run("-n", 3, sys.executable, "-S", "-c", CLOSE, WORK))


def test_wrapper_that_cannot_be_followed():
    """Another user's process cannot join the job by itself; it says that it runs alone."""
    if os.getuid() != 0:
        skip("only root can become somebody else")
    work = public("work")[1]
    job = run("-n", 1, need("python3"), "-S", "-c", "import os; os.setuid(65534); " + CLOSE, work)
    equal((job.status, job.out, job.err.count("\n")), (0, "work: fine\n", 1))
    contains(job.err, "tern: PE 0 of 1: warning: the job that oshrun has started can't be joined (",
             "Permission denied), so this program is one of its own: does a wrapper close "
             "descriptors, or change the user?")


def test_two_programs_in_a_row():
    """The first to initialize is the PE; what comes later is a job of its own."""
    forks = program("forks")
    job = run("-n", 2, "sh", "-c", f"{forks} who; {forks} who")
    fine(job)
    check(sorted(job.out.splitlines()) == 2 * ["PE 0 of 1"] + ["PE 0 of 2", "PE 1 of 2"], job.out)


main(globals())
