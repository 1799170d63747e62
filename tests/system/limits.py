# SPDX-License-Identifier: BSD-3-Clause
"""Limits of the machine, of the shell and of the control group; settings that make no sense."""
import os
import re
import resource
import subprocess

from system import (OSHRUN, build, check, contains, equal, fine, main, program, public, run, script,
                    skip)

LIMITS, WORK = program("limits"), program("work")
MIB = 1 << 20
SEE_HEAP = r'; see tern-messages\(7\), "The symmetric heap"'


def refused(job, message, pes="0-9"):
    """The job ended because of one line, which one PE has printed for all."""
    equal((job.status, job.out), (1, ""), job.err)
    check(re.fullmatch(f"tern: PE [{pes}] of \\d: error: {message}\n", job.err), job.err)
    check(job.seconds < 1, job.seconds)


def with_size(size, *words, n=2, **more):
    return run("-n", n, *words, env={"SHMEM_SYMMETRIC_SIZE": str(size)}, **more)


def limited(what, soft, hard=None):
    return lambda: resource.setrlimit(what, (soft, soft if hard is None else hard))


def physical_memory():
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def test_default_size():
    subprocess.run([program("heap_size")], check=True)


def one_without_room(job, out=None):
    """It ended well, but for one line about an allocation that found no room."""
    equal((job.status, job.err.count("no room for"), job.err.count("\n")), (0, 1, 1), job.err)
    if out is not None:
        equal(job.out, out, "standard output")


def test_address_space_and_default_size():
    """The default shrinks."""
    space = limited(resource.RLIMIT_AS, 400 * MIB)
    for n, fits, too_much in ((1, 63 * MIB, 101 * MIB), (2, 31 * MIB, 51 * MIB),
                              (8, 7 * MIB, 13 * MIB)):
        job = run("-n", n, LIMITS, "room", fits, too_much, preexec_fn=space)
        one_without_room(job, n * f"{fits} fits\n{too_much} does not fit\n" if n == 1 else None)
        equal(sorted(job.out.splitlines()),
              sorted(n * [f"{fits} fits"] + n * [f"{too_much} does not fit"]))
    fine(run("-n", 2, WORK, preexec_fn=limited(resource.RLIMIT_AS, 100 * MIB)), "work: fine\n")


def test_valgrind_and_default_size():
    """It reads whatever is mapped, so there the heap is small; other PEs go along."""
    preloaded = "LD_PRELOAD=" + build("refuse.c", "-shared", "-fPIC", name="vgpreload_test.so")
    room = [LIMITS, "room", str(250 * MIB), str(300 * MIB)]
    one_without_room(
        run("-n", 1, "env", preloaded, *room), f"{250 * MIB} fits\n{300 * MIB} does not fit\n")
    # The PE that starts first decides for all, so the heap may have room or not.
    job = run("-n", 1, "env", preloaded, *room, ":", "-n", 2, *room)
    equal((job.status, job.err.count("\n")), (0, job.err.count("no room for")), job.err)
    check(job.err.count("\n") <= 1, job.err)
    equal(len(set(job.out.splitlines())), 2, job.out)


def test_address_space_and_explicit_size():
    space = limited(resource.RLIMIT_AS, 1000 * MIB)
    fine(with_size("200M", WORK, "199", preexec_fn=space), "work: fine\n")
    refused(with_size("400M", WORK, preexec_fn=space),
            "a symmetric heap of 419430400 bytes for each of 2 PEs needs 1073741824 bytes of "
            r"addresses and exceeds the limit of 1048576000 \(ulimit -v\): lower "
            "SHMEM_SYMMETRIC_SIZE" + SEE_HEAP)
    refused(with_size("700M", WORK, n=1, preexec_fn=space),
            "a symmetric heap of 734003200 bytes needs 1073741824 bytes of addresses and exceeds "
            r"the limit of 1048576000 \(ulimit -v\): lower SHMEM_SYMMETRIC_SIZE" + SEE_HEAP)


def test_hardly_any_address_space():
    refused(run("-n", 2, WORK, preexec_fn=limited(resource.RLIMIT_AS, 50 * MIB)),
            r"a symmetric heap of \d+ bytes for each of 2 PEs: its \d+ bytes of addresses can't be "
            r'mapped: Cannot allocate memory \(see ulimit -v\); see tern-messages\(7\), "Limits"')
    job = run("-n", 2, WORK, preexec_fn=limited(resource.RLIMIT_AS, 5 * MIB))
    equal((job.status, job.out), (1, ""), job.err)
    contains(job.err, "the job's shared memory can't be mapped: Cannot allocate memory (see ulimit")


def test_physical_memory():
    there = physical_memory()
    for size in (there + 4096, 2 * there):
        refused(with_size(size, WORK, n=1),
                f"a symmetric heap of {size} bytes exceeds the physical memory of {there} bytes: "
                "lower SHMEM_SYMMETRIC_SIZE" + SEE_HEAP)
    half = (there // 2 & -4096) + 4096
    refused(with_size(half, WORK),
            f"a symmetric heap of {half} bytes for each of 2 PEs exceeds the physical memory of "
            f"{there} bytes: lower SHMEM_SYMMETRIC_SIZE" + SEE_HEAP)
    refused(with_size("16000000t", WORK), "a symmetric heap of 17592186044416000000 bytes for each "
            "of 2 PEs exceeds any address space: lower SHMEM_SYMMETRIC_SIZE")
    alone = subprocess.run([WORK], env={**os.environ, "SHMEM_SYMMETRIC_SIZE": "999T"},
                           capture_output=True, text=True, check=False)
    equal(alone.returncode, 1)
    contains(alone.stderr, "tern: PE 0 of 1: error: a symmetric heap of ")


class ControlGroup:
    """One with a memory limit, if this user can make one."""

    def __init__(self, limit):
        version1 = "/sys/fs/cgroup/memory"
        if os.path.exists(version1):
            own = [line.split(":")[2] for line in open("/proc/self/cgroup", encoding="ascii").read()
                   .splitlines() if line.split(":")[1] == "memory"]
            root, file = version1, "memory.limit_in_bytes"
        else:
            own = [line.split(":")[2] for line in open("/proc/self/cgroup", encoding="ascii").read()
                   .splitlines() if line.startswith("0:")]
            root, file = "/sys/fs/cgroup", "memory.max"
        self.path = f"{root}{(own or [''])[0].rstrip('/')}/tern-test-{os.getpid()}"
        try:
            os.mkdir(self.path)
            with open(f"{self.path}/{file}", "w", encoding="ascii") as f:
                f.write(str(limit))
        except OSError as e:
            self.remove()
            skip(f"no control group can be made: {e}")

    def enter(self):
        with open(f"{self.path}/cgroup.procs", "w", encoding="ascii") as f:
            f.write("0")

    def remove(self):
        try:
            os.rmdir(self.path)
        except OSError:
            pass


def test_control_group():
    group = ControlGroup(200 * MIB)
    try:
        refused(with_size("150M", WORK, preexec_fn=group.enter),
                "a symmetric heap of 157286400 bytes for each of 2 PEs exceeds the control group's "
                f"memory limit of {200 * MIB} bytes: lower SHMEM_SYMMETRIC_SIZE" + SEE_HEAP)
        fine(with_size("60M", WORK, "50", preexec_fn=group.enter), "work: fine\n")
        job = run("-n", 2, LIMITS, "room", 31 * MIB, 51 * MIB, preexec_fn=group.enter)
        equal(sorted(job.out.splitlines()),
              2 * [f"{31 * MIB} fits"] + 2 * [f"{51 * MIB} does not fit"])
    finally:
        group.remove()


def test_file_size():
    """The job's object has huge offsets; a limit on files concerns the files of the program."""
    infinite = resource.RLIM_INFINITY
    if resource.getrlimit(resource.RLIMIT_FSIZE)[1] != infinite:
        skip("file sizes are limited here")
    fine(run("-n", 2, WORK, preexec_fn=limited(resource.RLIMIT_FSIZE, 512 * 1024, infinite)),
         "work: fine\n")
    fine(run("-n", 2, "sh", "-c", f"ulimit -f 100; exec {WORK} 10"), "work: fine\n")
    fine(run("-n", 2, "sh", "-c", f"ulimit -f 100; exec {program('forks')} fork during 5"), "")


def test_descriptors():
    fine(run("-n", 3, "sh", "-c", f"ulimit -n 8; exec {WORK} 10"), "work: fine\n")
    fine(run("-n", 2, "sh", "-c", f"ulimit -n 20; exec {LIMITS} fork"), "fine\nfine\n")


def test_stack_and_locked_memory():
    fine(run("-n", 2, "sh", "-c", f"ulimit -s 256; ulimit -l 0; exec {WORK} 10"), "work: fine\n")
    fine(run("-n", 2, WORK, "10", preexec_fn=limited(resource.RLIMIT_STACK, 64 << 10)),
         "work: fine\n")


def test_processes():
    """No process or thread is started on the side."""
    if os.getuid() != 0:
        skip("only root can become somebody else")
    oshrun, work = public("work")
    fine(script(f"exec setpriv --reuid 64123 --clear-groups {oshrun} -n 3 {work}", cwd="/",
                preexec_fn=limited(resource.RLIMIT_NPROC, 4)), "work: fine\n")


def test_sizes_that_disagree():
    job = run("-n", 1, "env", "SHMEM_SYMMETRIC_SIZE=1M", WORK, ":",
              "-n", 2, "env", "SHMEM_SYMMETRIC_SIZE=2M", WORK)
    refused(job, "a symmetric heap of (1048576|2097152) bytes here but of (1048576|2097152) bytes on "
            "another PE: give all PEs the same SHMEM_SYMMETRIC_SIZE" + SEE_HEAP)


MALFORMED = {
    "SHMEM_SYMMETRIC_SIZE": (("12x", "-5", "", "1e6", "0x10", "M"),
                             "a number of bytes such as 1048576, 512K, 64M or 1.5G"),
    "SHMEM_SYMMETRIC_HEAP_SIZE": (("many",), "a number of bytes such as .*"),
    "SMA_SYMMETRIC_SIZE": (("many",), "a number of bytes such as .*"),
    "XT_SYMMETRIC_HEAP_SIZE": (("many",), "a number of bytes such as .*"),
    "ISHMEM_SYMMETRIC_SIZE": (("many",), "a number of bytes such as .*"),
    "SHMEM_STATIC_DATA": (("maybe", ""), "on or off"),
    "SHMEM_HEAP_PREFAULT": (("2",), "on or off"),
    "SHMEM_HEAP_HUGE_PAGES": (("some",), "on or off"),
    "SHMEM_WAIT_AWAKE_US": (("soon", "-1", "1.5", ""), "a whole number"),
}


def test_malformed_settings():
    for name, (values, expected) in MALFORMED.items():
        for value in values:
            message = f'{name} is "{re.escape(value)}": expected {expected}'
            refused(run("-n", 2, WORK, env={name: value}), message)
    job = run("-n", 2, LIMITS, "init", env={"SHMEM_SYMMETRIC_SIZE": "12x"})
    equal(job.status, 3)
    contains(job.out, "refused\n")
    alone = subprocess.run([LIMITS, "init"], env={**os.environ, "SHMEM_WAIT_AWAKE_US": "soon"},
                           capture_output=True, text=True, check=False)
    equal((alone.returncode, alone.stdout, alone.stderr), (
        3, "refused\n",
        'tern: PE 0 of 1: error: SHMEM_WAIT_AWAKE_US is "soon": expected a whole number\n'))


def test_many_pes_one_line():
    refused(run("-n", 8, WORK, env={"SHMEM_SYMMETRIC_SIZE": "lots"}),
            'SHMEM_SYMMETRIC_SIZE is "lots": expected .*')
    job = run("-n", 50, WORK, env={"SHMEM_SYMMETRIC_SIZE": "lots"})
    equal((job.status, job.err.count("\n")), (1, 1), job.err)


def test_out_of_symmetric_memory():
    """All PEs get NULL, one line is printed, and the job continues."""
    job = with_size("64M", LIMITS, "room", 32 * MIB, 100 * MIB, 1 << 62, 2**64 - 1, 33 * MIB, n=3)
    one_without_room(job)
    expected = [f"{32 * MIB} fits", f"{100 * MIB} does not fit", f"{1 << 62} does not fit",
                f"{2**64 - 1} does not fit", f"{33 * MIB} fits"]
    equal(sorted(job.out.splitlines()), sorted(3 * expected))


main(globals())
