# SPDX-License-Identifier: BSD-3-Clause
"""What a PE that crashes prints, and what it leaves as it was."""
import os
import re
import resource
import subprocess

from system import (HERE, build, check, contains, equal, main, need, run, scratch, skip)

SOURCE = "crashes.c"
LINES = {}
with open(os.path.join(HERE, SOURCE), encoding="ascii") as text:
    for number, line in enumerate(text, 1):
        if found := re.search(r"/\* here: (\w+)", line):
            LINES[found[1]] = f"{SOURCE}:{number}"
ON = {"SHMEM_BACKTRACE": "on"}


def crash(case, *words, n=2, env=ON, options=(), flags=("-g",), **more):
    need("addr2line")
    path = build(SOURCE, *flags, "-pthread")
    return run("-n", n, *options, path, case, *words, env=env, **more)


def expect_calls(job, what, *functions):
    """PE 1 has printed the reason, then exactly these functions, in this order."""
    contains(job.err, f"tern: PE 1 of 2: {what}; calls, innermost first:\n")
    printed = re.findall(r"^    #\d+ +(.*)$", job.err, re.M)
    own = [call for call in printed if SOURCE in call]
    equal(own, [f"{name} at {LINES[name]}" for name in functions], job.err)
    return printed


def test_signals():
    for case, name, number in (("segv", r"SIGSEGV at address 0x10", 11), ("fpe", "SIGFPE", 8),
                               ("ill", "SIG(ILL|TRAP)", None), ("aborts", "SIGABRT", 6),
                               ("raises", "SIGSEGV", 11)):
        job = crash(case, 1)
        reason = re.search(rf"PE 1 of 2: ({name});", job.err)
        check(reason, job.err)
        expect_calls(job, reason[1], case, "main")
        equal(job.status, 128 + number if number else job.status)
        contains(job.err, "error: PE 1 of 2 was killed by signal")


def test_bus_error():
    job = crash("bus", 1)
    address = re.search(r"SIGBUS at address 0x[0-9a-f]+", job.err)
    check(address, job.err)
    expect_calls(job, address[0], "bus", "main")
    equal(job.status, 135)


def test_fatal_mistake():
    job = crash("mistake", 1)
    contains(job.err, "tern: PE 1 of 2: shmem_long_p: PE -1 is outside 0..1\n")
    expect_calls(job, "backtrace of this mistake", "mistake", "main")
    equal(job.status, 1)
    job = crash("mistake", 1, env={"SHMEM_DEBUG": "1"})
    equal(job.err.count("calls, innermost first"), 1, job.err)    # not again for the abort
    equal(job.status, 134)


def test_off():
    """Without the setting, and where it is off, nothing is printed or changed."""
    for env in ({}, {"SHMEM_BACKTRACE": "off"}, {"SHMEM_BACKTRACE": "0", "SHMEM_DEBUG": "1"}):
        job = crash("segv", 1, env=env)
        equal(job.status, 139)
        check("innermost" not in job.err and "#0" not in job.err, job.err)


def test_default_of_debug_and_check():
    expect_calls(crash("segv", 1, env={"SHMEM_DEBUG": "1"}), "SIGSEGV at address 0x10", "segv", "main")
    expect_calls(crash("segv", 1, env={}, options=["--check"]), "SIGSEGV at address 0x10", "segv",
                 "main")
    job = crash("segv", 1, env={"SHMEM_BACKTRACE": "off"}, options=["--check"])
    check("innermost" not in job.err, job.err)


def test_unknown_word():
    job = crash("segv", env={"SHMEM_BACKTRACE": "loud"})
    contains(job.err, 'SHMEM_BACKTRACE is "loud": expected auto, execinfo, gdb, gstack, on or off')


def test_addresses():
    """execinfo starts no program; the addresses are those that addr2line takes."""
    path = build(SOURCE, "-g", "-pthread")
    job = run("-n", 2, path, "segv", 1, env={"SHMEM_BACKTRACE": "execinfo"})
    check(SOURCE not in job.err, job.err)
    frames = re.findall(r"^    #\d+ +program\+(0x[0-9a-f]+)$", job.err, re.M)
    check(len(frames) >= 2, job.err)
    lines = subprocess.run([need("addr2line"), "-s", "-e", path, frames[0]], capture_output=True,
                           text=True, check=True).stdout
    contains(lines, LINES["segv"])


def test_no_addr2line():
    """Frames then have addresses."""
    path = build(SOURCE, "-g", "-pthread")
    job = run("-n", 2, path, "segv", 1, env={**ON, "PATH": "/nonexistent"})
    check(re.search(r"#0 +program\+0x[0-9a-f]+\n", job.err), job.err)
    equal(job.status, 139)


def test_no_debug_information():
    job = crash("segv", 1, flags=())
    contains(job.err, "#0  segv in program\n", "#1  main in program\n")


def test_static_program():
    job = crash("segv", 1, flags=("-g", "-static"))
    expect_calls(job, "SIGSEGV at address 0x10", "segv", "main")


def test_position_independent():
    for flags in (("-g", "-fPIE", "-pie"), ("-g", "-no-pie")):
        expect_calls(crash("segv", 1, flags=flags), "SIGSEGV at address 0x10", "segv", "main")


def test_threads():
    """In a thread as well; two that crash together print one backtrace."""
    for case in "thread", "threads":
        job = crash(case, 1)
        contains(job.err, f"#0  segv at {LINES['segv']}\n", "#1  run at ")
        equal(job.err.count("#0 "), 1, job.err)
        equal(job.status, 139)


def test_overflow_of_the_stack():
    """The handler has a stack of its own; equal frames are one line."""
    job = crash("overflow", 1, flags=("-g", "-O0"))
    check(re.search(rf"#\d+ +overflow at {LINES['overflow']} \(\d+ frames\)\n", job.err), job.err)
    check(job.err.count("overflow at") <= 3, job.err)
    equal(job.status, 139)


def test_damaged_stack():
    job = crash("damage", 1, flags=("-g", "-O0"))
    contains(job.err, f"#0  damage at {LINES['damage']}\n")
    equal(job.status, 139)


def test_call_of_null():
    job = crash("call", 1)
    contains(job.err, "#0  address 0x0, where no file is mapped\n", f"#1  call at {LINES['call']}\n")


def test_damaged_heap():
    """Nothing allocates memory meanwhile. glibc may find the damage before the crash does."""
    job = crash("malloc", 1)
    check(re.search(r"calls, innermost first:\n    #0 ", job.err), job.err)
    check(job.status in (134, 139), job.status)


def test_own_handlers():
    """Those of the program stay, whether they were there before shmem_init or came later."""
    for case in "handled", "handled_late":
        job = crash(case, 1)
        equal((job.status, job.out), (7, "the program's handler\n"), job.err)
        check("innermost" not in job.err, job.err)


def test_all_crash_alike():
    """One backtrace, and one line for the others that crash before the job is ended."""
    job = crash("segv", n=8)
    equal(job.err.count("#0 "), 1, job.err)
    equal(job.err.count("calls, innermost first"), 1, job.err)
    printer = re.search(r"PE (\d) of 8: SIGSEGV at address 0x10; calls, innermost first", job.err)
    named = re.findall(r"^tern: PEs? ([^:]*) of 8: SIGSEGV at address 0x10; calls as on PE "
                       + printer[1], job.err, re.M)
    others = set()
    for first, last in re.findall(r"(\d)(?:-(\d))?", ", ".join(named)):
        others |= set(range(int(first), int(last or first) + 1))
    check(others and int(printer[1]) not in others, job.err)
    check(len(named) <= 2, job.err)
    job = crash("mistake", n=8)
    equal(job.err.count("#0 "), 1, job.err)


def test_all_crash_differently():
    """Each kind is printed once, though the first PE that ends has the others killed."""
    job = crash("unlike", n=8)
    equal(job.err.count("calls, innermost first"), 4, job.err)
    for name in "segv", "fpe", "ill", "aborts":
        equal(job.err.count(f"{name} at {LINES[name]}"), 1, job.err)


def test_debugger():
    need("gdb")
    job = crash("thread", 1, env={"SHMEM_BACKTRACE": "gdb"}, seconds=60)
    if "ptrace" in job.err or "#0" not in job.err:
        skip("a process may not be traced here")
    contains(job.err, "Thread 2", f"/{LINES['segv']}", "in_thread ()")
    equal(job.status, 139)


def core_of(case, **more):
    """The job, and the core files that it left, where the system lets it."""
    with open("/proc/sys/kernel/core_pattern", encoding="ascii") as f:
        pattern = f.read().strip()
    if pattern.startswith("|") or "/" in pattern:
        skip(f"core files do not go to the current directory: {pattern}")
    infinite = resource.RLIM_INFINITY
    if resource.getrlimit(resource.RLIMIT_CORE)[1] != infinite and os.getuid() != 0:
        skip("core files are limited here")
    place = os.path.join(scratch(), "cores")
    os.makedirs(place, exist_ok=True)

    def allow_cores():
        resource.setrlimit(resource.RLIMIT_CORE, (infinite, infinite))
    job = crash(case, 1, cwd=place, preexec_fn=allow_cores, **more)
    return job, [os.path.join(place, name) for name in os.listdir(place)]


def test_core_file():
    """It is where oshrun says, and has the crash as its innermost frame: not the handler."""
    job, cores = core_of("segv")
    equal(len(cores), 1, job.err)
    contains(job.err, f"tern: oshrun: the core file of PE 1 is {cores[0]}: gdb ")
    seen = subprocess.run([need("gdb"), "-batch", "-nx", "-ex", "bt", os.path.join(scratch(), "program"),
                           cores[0]], capture_output=True, text=True, timeout=30, check=False,
                          env={**os.environ, "DEBUGINFOD_URLS": ""}).stdout
    check(re.search(r"^#0 .*\bsegv \(\)", seen, re.M), seen)


def test_no_core_file():
    """The reason is printed for those who ask for details, and for no one else."""
    def forbid_cores():
        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    with open("/proc/sys/kernel/core_pattern", encoding="ascii") as f:
        if f.read().startswith("|"):
            skip("a program takes core files here, whatever their limit")
    job = crash("segv", 1, preexec_fn=forbid_cores)
    contains(job.err, "there is no core file, since its size is limited to 0: ulimit -c unlimited")
    job = crash("segv", 1, env={}, preexec_fn=forbid_cores)
    check("core file" not in job.err, job.err)


main(globals())
