# SPDX-License-Identifier: BSD-3-Clause
"""oshrun --check: mistakes are found, with their kind, routine and line; correct programs get no messages."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

OSHRUN, MISTAKES = (os.environ[name] for name in ("OSHRUN", "MISTAKES"))
FOUND = 66
OTHERS = "other PEs made the same mistakes"
NOTHING = "check: no mistake was found on any of {} PEs\n"

# Leaks are reported, and not counted as mistakes.
LEAKS = ("lost_block", "lost_team", "lost_ctx")
WORDS = {
    "past": "access past the end", "before_first": "access past the end", "far": "access past the end",
    "behind": "access past the end", "short": "private buffer is too short", "negative": "access past the end",
    "freed_block": "access to freed memory", "moved": "access to freed memory",
    "on_stack": "address is not symmetric", "from": "address is not symmetric", "in_malloc": "address is not symmetric",
    "no_such": "there is no such PE", "ctx_without": "there is no such PE", "null": "null pointer",
    "not_aligned": "wrong alignment", "odd": "wrong alignment", "small": "wrong alignment",
    "onto": "arguments overlap", "in_place": "arguments overlap", "half": "arguments overlap",
    "signal_in": "arguments overlap", "freed": "freed what is not allocated",
    "lost_private": "context misused", "lost": "not freed at the end",
    "ended_ctx": "context misused", "ctx": "context misused", "invalid_ctx": "context misused",
    "foreign": "context misused", "shared": "context misused",
    "ended_team": "team misused", "team": "team misused", "not_in": "team misused",
    "outside": "team misused",
    "single": "the thread level forbids this call", "two": "the thread level forbids this call",
    "lock": "lock misused",
    "finalized": "call outside of init and finalize",
    "after": "call outside of init and finalize", "before": "call outside of init and finalize",
}


def words_of(case):
    return next(words for start, words in WORDS.items() if case.startswith(start))


def run(*words, n=2, settings=None, **options):
    return subprocess.run([OSHRUN, "-n", str(n), "--timeout", "50", *map(str, words)],
                          env={**os.environ, **(settings or {})},
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)


def messages(job):
    """(first line, the lines below it) of each message about a mistake."""
    found = re.findall(r"^check: (?:PE \d+ of \d+: )?(.*)\n((?:    .*\n)+)", job.stderr, re.M)
    return [(words, below) for words, below in found if " in all; " not in words and words != OTHERS]


# Mistakes that not both PEs make, or not always, or outside of init and finalize: each PE prints its own.
ALONE = ("ctx_without_pe", "lock_kept", "lock_of_another", "shared_at_once", "before_start", "after_end", "finalized_twice",
         "outside_set", "single_thread_ends", "single_thread_meets", *LEAKS)

# Mistakes that the library lets pass: the finding stands in place of the library's line, if it has one.
LENIENT = ("odd_alignment", "small_alignment", "outside_set", "finalized_twice", "single_thread_ends")


# What some messages say of the address besides.
EXPLAINED = {
    "before_first_block": "dest is in no block of the symmetric heap, but 4096 bytes before the start of a block of 80",
    "far_behind_blocks": "dest is in no block of the symmetric heap, but 8388528 bytes behind the end of a block of 80",
    "past_source_in_heap": "source is in no block of the symmetric heap, but 8 bytes before the start of a block",
    "behind_blocks": "dest is in no block of the symmetric heap, but right behind the end of a block of 80 bytes",
    "past_one": "dest is in no block of the symmetric heap, but right behind the end of a block of 80 bytes",
    "short_source": "source begins at byte 0 of a block of 80 bytes from malloc, and 88 bytes are accessed, 8 too many\n"
                    "    the block was allocated at mistakes.c:",
    "short_dest": "dest begins at byte 8 of a block of 80 bytes from malloc, and 80 bytes are accessed, 8 too many\n",
    "short_far_in": "source begins at byte 2999992 of a block of 3000000 bytes from malloc, and 16 bytes are accessed",
    "short_moved": "source begins at byte 0 of a block of 72 bytes from malloc, and 80 bytes",
    "short_strided": "source begins at byte 0 of a block of 72 bytes from malloc, and 80 bytes",
    "short_fetch": "fetch begins at byte 0 of a block of 4 bytes from malloc, and 8 bytes",
    "short_unless_asked": "source begins at byte 0 of a block of 20 bytes from malloc, and 24 bytes",
    "past_block": "dest begins at byte 0 of a block of 80 bytes, and 88 bytes are accessed",
}


def tellers(job):
    """(the PEs that print a mistake, the PEs that made the same one according to these)."""
    told = re.findall(r"^check: PE (\d+) of \d+: (?!\d+ mistakes? in all|other PEs)", job.stderr, re.M)
    return told, re.findall(r"^    \d+ times? on PE (\d+): ", job.stderr, re.M)


# What else a message has: names in place of numbers.
NAMED = {
    "past_static": r"shmem_long_put\(dest=edge, source=0x\w+, nelems=11, pe=\d\)",
    "past_in_the_middle": r"source=",
    "from_shmem_ptr": r"dest is 0x\w+, and it is memory of PE \d, from shmem_ptr; this PE's address of the same "
                      r"object is 0x\w+",
    "lock_not_held": r"shmem_clear_lock\(lock=lock\) at .*\n    this PE does not hold the lock: no PE of this "
                     r"machine holds it",
    "lock_of_another": r"this PE does not hold the lock: PE \d holds it since misused\.c:\d+\n"
                       r"    it was released before, at misused\.c:\d+",
    "lock_kept": r"the lock lock is still held, taken by shmem_set_lock at misused",
    "not_in_team": r"team=SHMEM_TEAM_INVALID",
    "past_collected": r"shmem_long_collect\(team=SHMEM_TEAM_WORLD, dest=edge, source=corner, nelems=",
    "short_in_library": r"source begins at byte 0 of (__)?tzname, a variable of 16 bytes in a shared library, "
                        r"and 24 bytes are accessed, 8 too many",
    "negative_count": r"is -1",
}


def unknown_names(below):
    """Words that stand for an argument in the lines below a call, and are no argument of that call."""
    call = below.partition("\n")[0]
    return [name for name in re.findall(r"^    (\w+) (?:begins at|is (?:0x|NULL))", below, re.M)
            if not re.search(rf"[(, ]{name}=", call)]


def mistake(case, source):
    """It is found, on both PEs; the same program without it is silent."""
    lines = pathlib.Path(source).read_text().splitlines()
    name = re.escape(pathlib.Path(source).name)
    number, text = next((i, text) for i, text in enumerate(lines, 1) if f"/* {case} */" in text)
    routine = re.search(r"\bshmem_\w+", text)[0]
    job = run("--check", MISTAKES, case)
    found = [below for words, below in messages(job) if words == words_of(case)]
    assert found, job.stderr
    for below in found:
        assert re.search(rf"\b{routine}(\(.*\))? at {name}:{number}$", below, re.M), job.stderr
        assert not unknown_names(below), job.stderr
        assert EXPLAINED.get(case, "") in below, job.stderr
        assert re.search(NAMED.get(case, ""), below), job.stderr
        assert ("is -1: a count of elements is not negative" in below) == case.startswith("negative"), job.stderr
    kinds = {words for words, _ in messages(job)}
    assert kinds == {words_of(case)}, job.stderr
    assert case not in LENIENT or "tern: " not in job.stderr, job.stderr
    repeated = [line for line in job.stderr.splitlines() if re.match(r"tern: PEs? [-\d, ]+ of \d+: shmem", line)]
    assert not repeated, repeated    # the tool has printed the mistake
    if case not in ALONE and job.returncode in (0, FOUND):    # nothing has ended the job
        told, same = tellers(job)
        assert sorted(told + same) == ["0", "1"], job.stderr
    assert (job.returncode == 0) == (case in LEAKS), (job.returncode, job.stderr)
    assert "no mistake was found" not in job.stderr, job.stderr
    job = run("--check", MISTAKES, case, "right")
    assert job.returncode == 0 and job.stderr == NOTHING.format(2), (job.returncode, job.stderr)


def program(path, leaves=""):
    """A program that was not written for this; "leaves": it leaves things to the library's end."""
    for nodes in (1, 2):
        job = run("--check", path, n=3, settings={"SHMEM_NODES": str(nodes)})
        blamed = [words for words, _ in messages(job)
                  if not (leaves and words == "not freed at the end")]
        assert job.returncode == 0 and not blamed, (nodes, job.returncode, job.stderr)
        assert (NOTHING.format(3) in job.stderr) != ("not freed" in job.stderr), (nodes, job.stderr)


def build(folder, scratch, compilers):
    """The examples in each language, one after the other: what runs each."""
    sources = {0: ("hello.c", "ring.c", "primes.c", "sort.c", "producer.c",
                   "heat2d/heat2d.c heat2d/plate.c heat2d/png.c"), 1: ("halo.cpp",), 2: ("cg.f90",)}
    wanted = [(compiler, files.split()) for i, compiler in enumerate(compilers)
              for files in sources[i]]
    for compiler, files in wanted:
        subprocess.run([compiler, "-g", "-O1", "-o", "example",
                        *(f"{folder}/{name}" for name in files), "-lm"], cwd=scratch, check=True)
        yield ["./example", *([f"{folder}/heat2d/plate.txt", "out", "300"] if "heat2d" in files[0] else [])]


def examples(folder, *compilers):
    """They are right, too, in each language; some leave their blocks to the end."""
    with tempfile.TemporaryDirectory() as scratch:
        for command in build(folder, scratch, compilers):
            for option, n in ("--check", 3), ("--check=races", 2), ("--check=races", 3), ("--check=races", 5):
                job = run(option, *command, n=n, cwd=scratch)
                blamed = [words for words, _ in messages(job) if words != "not freed at the end"]
                assert job.returncode == 0 and not blamed, (option, command, n, job.stderr)
                assert (NOTHING.format(n) in job.stderr) != ("not freed" in job.stderr), (option, command, n, job.stderr)


def stops():
    """At the first mistake, with the status of mistakes; the next one is not reached."""
    for option, setting in (("=stop", {}), ("", {"SHMEM_CHECK": "stop"}), ("=stop", {"SHMEM_CHECK": "go"})):
        job = run("--check" + option, MISTAKES, "past_block", n=1, settings=setting)
        assert job.returncode == FOUND and "access past the end" in job.stderr, (job.returncode, job.stderr)
        assert "in all" not in job.stderr, job.stderr
    job = run("--check=stop", MISTAKES, "past_block", "right")
    assert job.returncode == 0 and job.stderr == NOTHING.format(2), job.stderr


def bad_mode():
    """No mode is taken for another one."""
    script = 'SHMEM_CHECK=halt exec "$0" past_block'
    job = run("--check", "sh", "-c", script, MISTAKES, n=1)
    assert job.returncode == 1 and 'is "halt"' in job.stderr, (job.returncode, job.stderr)
    for mode in ("", "halt", "stop,,races", "stop races"):
        job = run("--check=" + mode, MISTAKES, "past_block", n=1)
        assert job.returncode == 2 and f'not "{mode}"' in job.stderr, (mode, job.returncode, job.stderr)


def with_others():
    """It sees the program's calls, whatever other tools make of them."""
    for other in (["--chaos", 1], ["--profile"]):
        with tempfile.TemporaryDirectory() as scratch:
            job = run("--check", *other, MISTAKES, "past_block", cwd=scratch)
            assert job.returncode == FOUND, (job.returncode, job.stderr)
            assert {words for words, _ in messages(job)} >= {"access past the end"}, job.stderr
            job = run("--check", *other, MISTAKES, "past_block", "right", cwd=scratch)
            assert job.returncode == 0 and NOTHING.format(2) in job.stderr, job.stderr


def children(program):
    """Those of fork are no PEs: their end is not that of one."""
    job = run("--check=stop", program, n=3)
    assert job.returncode == 0 and job.stderr == NOTHING.format(3), (job.returncode, job.stderr)


def unfinished(program):
    """A forgotten shmem_finalize is one line a job, and changes no status; others' ends are silent."""
    said = "check: PE 0 of 4: the program has ended without shmem_finalize: all PEs have to call it\n"
    for form, nodes in ("return", "1"), ("exit", "1"), ("return", "2"):
        job = run("--check", program, form, n=4, settings={"SHMEM_NODES": nodes})
        assert job.returncode == 0 and job.stderr.startswith(said), (form, job.returncode, job.stderr)
        assert job.stderr.count("\n") == 1, (form, job.stderr)
    for form in "before_init", "after_init", "start_pes", "global_exit":
        job = run("--check", program, form, n=4)
        assert job.returncode == 0 and said not in job.stderr, (form, job.returncode, job.stderr)
    for form, status in ("fails", 3), ("one", 1):
        job = run("--check", program, form, n=4)
        without = run(program, form, n=4)
        assert without.returncode == status and "check:" not in without.stderr, (form, without.stderr)
        assert job.stderr.count("the program has ended") == (form == "one"), (form, job.stderr)
        assert job.returncode == status or form == "one", (form, job.returncode, job.stderr)


def in_child():
    """A forked child's mistakes are not its parent's, and a PE prints a mistake that a child has printed."""
    job = run("--check", MISTAKES, "past_in_child", n=3)
    for pe in (0, 2):
        assert job.stderr.count(f"check: PE {pe} of 3: access past the end\n") == 1, job.stderr
    assert OTHERS not in job.stderr and job.returncode == FOUND, (job.returncode, job.stderr)
    job = run("--check", MISTAKES, "past_in_child", "right", n=3)
    assert job.returncode == 0 and job.stderr == NOTHING.format(3), (job.returncode, job.stderr)


def counts():
    """A mistake is printed once for its location, and counted."""
    job = run("--check", MISTAKES, "past_often", n=1)
    assert job.stderr.count("access past the end\n") == 1, job.stderr
    assert "1000 mistakes in all" in job.stderr and "1000 times access past" in job.stderr, job.stderr
    assert job.returncode == FOUND, job.returncode


def full_pipe():
    """A message waits for room in a pipe that does not block."""
    there, here = os.pipe()
    os.set_blocking(here, False)
    try:
        while True:
            os.write(here, b"\n" * 4096)
    except BlockingIOError:
        pass
    tool = pathlib.Path(OSHRUN).parent.parent / "tools" / "libtern-check.so"
    with subprocess.Popen([MISTAKES, "past_block"], stderr=here,
                          env={**os.environ, "LD_PRELOAD": str(tool)}) as job:
        os.close(here)
        time.sleep(1)    # it has come to its message by then
        with os.fdopen(there) as output:
            said = output.read()
    assert "check: PE 0 of 1: access past the end\n" in said and "1 mistake in all" in said, said
    assert job.returncode == FOUND, job.returncode


def others():
    """One PE prints a mistake that several make at one location, and how often the others make it."""
    job = run("--check", MISTAKES, "past_often", n=4)
    assert job.stderr.count("access past the end\n") == 1, job.stderr
    assert job.stderr.count("1000 mistakes in all") == 1 and job.stderr.count(OTHERS) == 1, job.stderr
    assert re.search(r"    3000 times on PEs [0-3][0-3, -]*: access past the end: shmem_long_put at "
                     r"mistakes\.c:\d+$", job.stderr, re.M), job.stderr
    assert job.returncode == FOUND, job.returncode
    job = run("--check", MISTAKES, "past_either", n=4)
    assert len(messages(job)) == 2, job.stderr    # different ones
    assert "    dest begins" in job.stderr and "    source begins" in job.stderr, job.stderr
    assert len(re.findall(r"    1 time on PE \d: access", job.stderr)) == 2, job.stderr
    job = run("--check=stop", MISTAKES, "past_often", n=4)
    assert job.stderr.count("access past the end\n") == 1, job.stderr
    assert job.returncode == FOUND, job.returncode


def fortran(compiler, source):
    """The place of a call is in the program, though the library's Fortran interface makes it."""
    with tempfile.TemporaryDirectory() as scratch:
        subprocess.run([compiler, "-g", "-o", "program", source], cwd=scratch, check=True)
        job = run("--check", "./program", n=1, cwd=scratch)
    number = next(i for i, text in enumerate(pathlib.Path(source).read_text().splitlines(), 1)
                  if "! past the end" in text)
    assert messages(job)[0][0] == "access past the end", job.stderr
    call = r"    shmem_integer_put\(dest=dest\(2\), source=0x\w+, nelems=10, pe=0\) at "
    assert re.search(call + rf"{pathlib.Path(source).name}:{number}\n", job.stderr), job.stderr
    assert "of dest, an object of 40 bytes" in job.stderr, job.stderr


def small_heap():
    """The tool's own allocation is not the program's mistake."""
    job = run("--check", MISTAKES, "past_static", "right", settings={"SHMEM_SYMMETRIC_SIZE": "64K"})
    assert job.returncode == 0 and "no room for" not in job.stderr, job.stderr
    assert "collective calls are not compared: the check needs 0.4 MB" in job.stderr, job.stderr


globals()[sys.argv[1]](*sys.argv[2:])
