# SPDX-License-Identifier: BSD-3-Clause
"""The library in programs that were not linked with it, and beside libraries that start threads."""
import os
import subprocess
import sys

from system import LIBRARY, build, check, equal, fine, main, program, run, scratch

FROM_PYTHON = """if True:
    import ctypes, os, subprocess, sys, threading
    if sys.argv[2] == "thread":
        threading.Thread(target=threading.Event().wait, daemon=True).start()
    tern = ctypes.CDLL(sys.argv[1])
    tern.shmem_malloc.restype = ctypes.c_void_p
    tern.shmem_init()
    me, n = tern.shmem_my_pe(), tern.shmem_n_pes()
    block = tern.shmem_malloc(ctypes.c_size_t(8))
    tern.shmem_int_p(ctypes.c_void_p(block), 40 + me, (me + 1) % n)
    tern.shmem_barrier_all()
    assert ctypes.c_int.from_address(block).value == 40 + (me + n - 1) % n
    assert subprocess.run(["echo", "hello"], capture_output=True).stdout == b"hello\\n"
    assert os.system("exit 5") == 5 << 8
    child = os.fork()
    if child == 0:
        os._exit(3)
    assert os.waitpid(child, 0)[1] == 3 << 8
    tern.shmem_finalize()
    print("done")
"""


def test_python():
    for threads in ("alone", "thread"):
        fine(run("-n", 2, sys.executable, "-c", FROM_PYTHON, LIBRARY, threads), "done\ndone\n")


def test_loaded_late():
    job = run("-n", 2, program("late"), LIBRARY, "alone")
    fine(job)
    equal(sorted(job.out.splitlines()), 2 * ["heap works"] + 2 * ["static data works"])


def test_loaded_late_among_threads():
    """The library cannot move variables that a thread may be using, and says so."""
    job = run("-n", 2, program("late"), LIBRARY, "thread")
    equal((job.status, job.out), (1, 2 * "heap works\n"), "status and standard output")
    check(job.err.startswith("tern: PE 0 of 2: shmem_int_p: dest 0x"), job.err)
    check(job.err.endswith(" is static data, which is not symmetric here: the library was loaded "
                           "while the program already ran several threads\n"), job.err)
    alone = subprocess.run([program("late"), LIBRARY, "thread"], capture_output=True, text=True,
                           timeout=20, check=False)
    check("PE 1 is outside 0..0" in alone.stderr, alone)


def test_unloaded():
    fine(run("-n", 2, program("late"), LIBRARY, "unload"), "")
    subprocess.run([program("late"), LIBRARY, "unload"], check=True, timeout=20)


def test_threads_before_main():
    """Whichever constructor comes first, that of Tern or that of a library that starts a thread."""
    early = build("early.c", "-shared", "-fPIC", "-pthread", name="libearly.so")
    orders = set()
    for libraries in ([early], ["-L" + os.path.dirname(LIBRARY), "-ltern", early]):
        for form in (["-pie", "-fPIE"], ["-no-pie", "-fno-pie"]):
            path = build("threaded.c", *form, "-Wl,--no-as-needed", "-Wl,-rpath," + scratch(),
                         libraries=libraries)
            job = run("-n", 3, path)
            fine(job)
            orders.add(job.out)
    check("before Tern\n" in orders, orders)


main(globals())
