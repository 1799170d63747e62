# SPDX-License-Identifier: BSD-3-Clause
"""A crash leaves a small core file in a moment, with the PE's static data and heap in it."""
import glob
import os
import resource
import subprocess

from system import build, check, contains, equal, main, need, run, scratch, skip

MIB = 1 << 20


def crash(path, *words, **more):
    """The core file that the last of two PEs leaves."""
    with open("/proc/sys/kernel/core_pattern", encoding="ascii") as f:
        pattern = f.read().strip()
    if pattern.startswith("|") or "/" in pattern:
        skip(f"cores do not go to the current directory: {pattern}")
    place = os.path.join(scratch(), "cores")
    os.mkdir(place)
    infinite = resource.RLIM_INFINITY

    def allow_cores():
        resource.setrlimit(resource.RLIMIT_CORE, (infinite, infinite))
    if resource.getrlimit(resource.RLIMIT_CORE)[1] != infinite and os.getuid() != 0:
        skip("cores are limited here")
    job = run("-n", 2, path, *words, cwd=place, preexec_fn=allow_cores, **more)
    check(job.seconds < 2, f"{job.seconds} s")
    cores = glob.glob(place + "/core*")
    equal(len(cores), 1, f"number of cores ({job.err})")
    return job, cores[0]


def debugger(path, core, *commands):
    words = [need("gdb"), "-batch", "-nx"]
    for command in commands:
        words += ["-ex", command]
    return subprocess.run([*words, path, core], capture_output=True, text=True, timeout=30,
                          env={**os.environ, "DEBUGINFOD_URLS": ""}, check=False).stdout


def check_content(path, core):
    seen = debugger(path, core, "print kept.text", "print kept.number", "print block->text",
                    "print block->number")
    contains(seen, "in static data", "= 4711", "on the symmetric heap", "= 1147")


def expect_size(core, most):
    there = os.stat(core)
    check(there.st_blocks * 512 < most, f"{there.st_blocks * 512} bytes on disk")


def test_crash():
    path = build("crash.c", "-g", "-DLARGE=1")
    job, core = crash(path)
    equal(job.status, 139)
    expect_size(core, 8 * MIB)
    check_content(path, core)


def test_explicit_heap():
    path = build("crash.c", "-g", "-DLARGE=1")
    _, core = crash(path, env={"SHMEM_SYMMETRIC_SIZE": "2G"})
    expect_size(core, 8 * MIB)


def test_static_program():
    path = build("crash.c", "-g", "-DLARGE=1", "-static")
    _, core = crash(path)
    expect_size(core, 8 * MIB)
    check_content(path, core)


def test_much_static_data():
    """What was never touched would be made real by dumping it: there is a bound."""
    path = build("crash.c", "-g", "-DLARGE=1500")
    _, core = crash(path)
    expect_size(core, 80 * MIB)
    check_content(path, core)


def test_mistake():
    """Under SHMEM_DEBUG a fatal error leaves a core, too; and only then."""
    path = build("crash.c", "-g", "-DLARGE=1")
    job, core = crash(path, "mistake", env={"SHMEM_DEBUG": "1"})
    equal(job.status, 134, job.err)
    contains(job.err, "tern: PE 1 of 2: shmem_long_p: PE -1 is outside 0..1\n")
    contains(debugger(path, core, "bt"), "shmem_long_p", "main")


main(globals())
