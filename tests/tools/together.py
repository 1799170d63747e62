# SPDX-License-Identifier: BSD-3-Clause
"""oshrun --check: collective calls that do not match, and hangs."""
import concurrent.futures
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

OSHRUN, MISMATCH, BLOCKED = (os.environ[name] for name in ("OSHRUN", "MISMATCH", "BLOCKED"))
FOUND = 66
NOTHING = "check: no mistake was found on any of {} PEs\n"
SHAPES = ((2, 1), (3, 1), (8, 1), (3, 2))    # PEs, nodes

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "launch"))
import inherited  # noqa: E402
inherited.take_signals_back()

# Mistakes that all PEs make: what is said of them.
ALONE = {
    "not_prepared": r"pSync\[\d+\] has to be SHMEM_SYNC_VALUE, and is 1",
    "too_short": r"pSync needs SHMEM_BARRIER_SYNC_SIZE elements, that is 512 bytes; .* 504",
    "little_work": r"pWrk needs nreduce / 2 \+ 1 elements, .* 408 bytes; .* 400",
    "used_again": r"pSync was used by shmem_fcollect64 at mismatch\.c:{BEFORE}, in which other PEs",
}

# Arguments that differ, as said by the PE that has the usual one and by the other.
ARGUMENTS = {
    "other_root": ("PE_root", "0", "1"), "other_count": ("nelems", "1", "2"),
    "other_stride": ("dst", "1", "2"), "other_dest": ("dest", r"0x\w+", r"0x\w+"),
    "other_split": ("size", r"\d", r"\d"), "other_size": ("size", "8", "16"),
    "other_block": ("ptr", r"0x\w+", r"0x\w+"),
}
ALLOCATIONS = ("other_size", "no_size", "other_allocation", "other_block")


def environment(nodes):
    return {**os.environ, "SHMEM_NODES": str(nodes)}


def run(*words, n, nodes=1):
    return subprocess.run([OSHRUN, "-n", str(n), "--timeout", "50", *words], env=environment(nodes),
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def at_once(*jobs):
    """Jobs that wait for most of their time; jobs: arguments of run()."""
    with concurrent.futures.ThreadPoolExecutor(len(jobs)) as pool:
        return [*pool.map(lambda job: run(*job[0], **job[1]), jobs)]


def marks(program, case):
    """The lines of a case, and the routines called there, by the words in their comments."""
    lines = pathlib.Path(__file__).with_name(program).read_text().splitlines()
    begin = lines.index(f"static void {case}(void)")
    found = {}
    for i in range(begin, lines.index("}", begin)):
        comment = re.search(r"/\* ([A-Z ]+) \*/", lines[i])
        for word in comment[1].split() if comment else ():
            found[word] = (re.findall(r"\bshmem_\w+(?=\()", lines[i])[-1], i + 1)
    return found


def right(program, case, n, nodes):
    job = run("--check", program, case, "right", n=n, nodes=nodes)
    assert job.returncode == 0 and job.stderr == NOTHING.format(n), (n, nodes, job.stderr)


def messages(job):
    return re.findall(r"^check: PE (\d+) of \d+: (.*)\n((?:    .*\n)+)", job.stderr, re.M)


def others(job):
    """The PEs that made a mistake which another one prints."""
    spans = [span.split("-") for pes in re.findall(r"^    \d+ times? on PEs? ([\d, -]+): ", job.stderr, re.M)
             for span in pes.split(", ")]
    return {pe for span in spans for pe in range(int(span[0]), int(span[-1]) + 1)}


def is_at(text, mark):
    routine, line = mark
    return re.search(rf"\b{routine}\(.*\) at mismatch\.c:{line}$", text, re.M)


def mismatch(case):
    """The last PE is wrong, and the one before it is compared with it."""
    where = marks("mismatch.c", case)
    words = "allocation differs between PEs" if case in ALLOCATIONS else "collective calls do not match"
    for n, nodes in SHAPES:
        job = run("--check=stop", MISMATCH, case, n=n, nodes=nodes)
        assert job.returncode == FOUND, (n, nodes, job.returncode, job.stderr)
        pe, said, text = messages(job)[0]
        mine, theirs, *rest = text.splitlines()
        other = re.match(r"    PE (\d+): ", theirs)[1]
        assert said == words and {pe, other} == {str(n - 2), str(n - 1)}, (n, nodes, job.stderr)
        odd = int(pe) == n - 1
        assert is_at(mine, where["ODD" if odd else "OTHERS"]), (n, nodes, job.stderr)
        assert is_at(theirs, where["OTHERS" if odd else "ODD"]), (n, nodes, job.stderr)
        if case in ARGUMENTS:
            name, usual, wrong = ARGUMENTS[case]
            here, there = (wrong, usual) if odd else (usual, wrong)
            expected = f" {name} has to be the same on all PEs: here it is {here}, on PE {other} it is {there}$"
        else:
            expected = " both are collective call [1-9] on .*; members must make the same call"
        assert re.search(expected, rest[0]), (n, nodes, job.stderr)
        right(MISMATCH, case, n, nodes)


def empty():
    """The last PE has allocated 0 bytes, which no other PE takes part in; the message mentions it."""
    _, line = marks("mismatch.c", "no_size")["ODD"]
    for n, nodes in SHAPES:
        job = run("--check=stop", MISMATCH, "no_size", n=n, nodes=nodes)
        assert job.returncode == FOUND, (n, nodes, job.returncode, job.stderr)
        _, said, text = messages(job)[0]
        assert said == "allocation differs between PEs", job.stderr
        assert re.search(rf"shmem_malloc\(size=8\) at mismatch\.c:{line}$", text, re.M), job.stderr
        assert f"PE {n - 1} called shmem_malloc for 0 bytes just before, at mismatch.c:{line}" in text, \
            job.stderr
        right(MISMATCH, "no_size", n, nodes)


def goes_on():
    """The job continues after the finding, and the library reports no call that the program did not make."""
    for n, nodes in SHAPES:
        job = run("--check", MISMATCH, "finalizes_early", n=n, nodes=nodes)
        assert job.returncode != 0, (n, nodes, job.stderr)
        assert [said for _, said, _ in messages(job)].count("collective calls do not match") == 1, (n, nodes, job.stderr)
        assert NOTHING.format(n) not in job.stderr, (n, nodes, job.stderr)
        routines = set(re.findall(r"^tern: .*?\b(shmem_\w+)", job.stderr, re.M))
        assert routines <= {"shmem_finalize", "shmem_barrier_all"}, (n, nodes, job.stderr)


def ends_stuck():
    """A reduction on one node and shmem_finalize on another: neither returns, and the job ends."""
    for n in (2, 3):
        job = run("--check", MISMATCH, "reduces_late", n=n, nodes=n)
        assert job.returncode == FOUND, (n, job.returncode, job.stderr)
        said = [said for _, said, _ in messages(job)]
        assert said.count("collective calls do not match") == 1, (n, job.stderr)
        assert said.count("deadlock") == 1 and "the job ends" in job.stderr, (n, job.stderr)
        right(MISMATCH, "reduces_late", n, n)


def ends_early():
    """One PE ends without shmem_finalize, where the others meet."""
    where = marks("mismatch.c", "ends_early")
    for n in (2, 3, 8):
        job = run("--check=stop", MISMATCH, "ends_early", n=n)
        assert job.returncode == FOUND, (n, job.returncode, job.stderr)
        pe, said, text = messages(job)[0]
        assert said == "collective calls do not match", job.stderr
        if int(pe) == n - 1:
            assert "the process ends without shmem_finalize" in text, job.stderr
        else:
            assert f"PE {n - 1} has ended without shmem_finalize" in text, job.stderr
        assert is_at(text, where["OTHERS"]), job.stderr
        right(MISMATCH, "ends_early", n, 1)


def alone(case):
    """A mistake that each PE makes by itself: one prints it, and the others are counted."""
    where = marks("mismatch.c", case)
    lines = {word: line for word, (_, line) in where.items()}
    for n, nodes in SHAPES:
        job = run("--check", MISMATCH, case, n=n, nodes=nodes)
        assert job.returncode == FOUND, (n, nodes, job.returncode, job.stderr)
        found = [(pe, text) for pe, said, text in messages(job) if said == "work array misused"]
        assert len(found) == 1 and int(found[0][0]) not in others(job), (n, nodes, job.stderr)
        assert {int(found[0][0]), *others(job)} == set(range(n)), (n, nodes, job.stderr)
        for _, text in found:
            assert is_at(text, where["ALL"]), (n, nodes, job.stderr)
            assert re.search(ALONE[case].replace("{BEFORE}", str(lines.get("BEFORE"))), text), job.stderr
        right(MISMATCH, case, n, nodes)


# ---- waits ----

def expected_lines(case, n):
    """What the table says: PEs, the mark of where they are, and what they wait for."""
    last, others = n - 1, "PE 0" if n == 2 else f"PEs 0-{n - 2}"
    late = f"PE {last} has not arrived"
    flag = r"until 8 bytes into flags == 1; it is 0"
    if case in ("flag", "helped"):
        return ((f"PE {last}", "FLAG", flag), (others, "BARRIER", late))
    if case == "rows":
        above = () if n == 2 else (("PE 2" if n == 3 else f"PEs 2-{last}", "BARRIER", "PEs 0-1 have not arrived"),)
        row = r"; the team of \d+ PEs, made by shmem_team_split_2d at blocked\.c:\d+"
        return (("PE 0", "ROW", "PE 1 has not arrived" + row), ("PE 1", "FLAG", flag), *above)
    if case == "many_flags":
        return ((f"PE {last}", "FLAG", r"until all of 4 variables from flags on are >= 5; of these 3 are, "
                                       r"and \[3\] is 0"),
                (others, "BARRIER", late))
    if case == "kept_lock":
        holder = marks("blocked.c", case)["HOLDER"][1]
        waiters = "PE 1" if n == 2 else f"PEs 1-{last}"
        verb = "has" if n == 2 else "have"
        return (("PE 0", "BARRIER", f"{waiters} {verb} not arrived"),
                (waiters, "LOCK", rf"lock lock; PE 0 holds it since blocked\.c:{holder}"))
    if case == "two_teams":
        verb = "has" if n == 2 else "have"
        team = rf"; the team of {n} PEs, made by shmem_team_split_strided at blocked\.c:\d+"
        return ((others, "BARRIER", late + team), (f"PE {last}", "FLAG", f"{others} {verb} not arrived{team}"))
    waiters = "PE 1" if n == 2 else f"PEs 1-{last}"
    return ((waiters, "BARRIER", "PE 0 has not arrived"),)


def has_lines(case, n, text):
    """Whether the table is the one that the case ends in."""
    where = marks("blocked.c", case)
    return all(re.search(rf"^    {pes} +\d+\.\d s  {where[word][0]} at blocked\.c:{where[word][1]}: {rest}$",
                         text, re.M) for pes, word, rest in expected_lines(case, n))


def is_table(case, n, text):
    assert has_lines(case, n, text), text


def hang(case):
    words = ("--check=stop", "--hang-timeout", "2", BLOCKED, case)
    jobs = at_once(*((words, {"n": n, "nodes": nodes}) for n, nodes in SHAPES))
    for (n, nodes), job in zip(SHAPES, jobs):
        assert job.returncode == FOUND, (n, nodes, job.returncode, job.stderr)
        assert job.stderr.startswith("check: a PE has waited for 2."), job.stderr
        is_table(case, n, job.stderr)
        assert "check: PE 0 of {}: deadlock\n".format(n) in job.stderr, job.stderr
        right(BLOCKED, case, n, nodes)


def helped():
    """All PEs wait, but a thread can proceed."""
    job = run("--check=stop", "--hang-timeout", "1", BLOCKED, "helped", n=3)
    assert job.returncode == 0 and job.stderr.endswith(NOTHING.format(3)), (job.returncode, job.stderr)
    is_table("helped", 3, job.stderr)
    right(BLOCKED, "helped", 3, 1)


def busy():
    """Somebody goes on: the table is printed, and the job ends as it would."""
    job, unasked = at_once(*((("--hang-timeout", seconds, BLOCKED, "busy"), {"n": 3})
                             for seconds in ("1", "0")))
    assert job.returncode == 0 and job.stderr.endswith(NOTHING.format(3)), (job.returncode, job.stderr)
    assert job.stderr.count("a PE has waited for 1.") == 1, job.stderr
    is_table("busy", 3, job.stderr)
    assert re.search(r"^    PE 0 +in no blocking call$", job.stderr, re.M), job.stderr
    assert unasked.returncode == 0 and unasked.stderr == NOTHING.format(3), unasked.stderr


def ask(job, n):
    """The table's lines: each PE is in one of them."""
    job.send_signal(signal.SIGQUIT)
    line = job.stderr.readline()
    assert line == "check: what the PEs wait for\n", line
    lines, shown = [], 0
    while shown < n:
        lines.append(job.stderr.readline())
        pes = re.match(r"    PEs? ([\d, -]*\d) ", lines[-1])
        assert pes, lines
        for span in pes[1].split(", "):
            first, *end = map(int, span.split("-"))
            shown += (end or [first])[0] - first + 1
    return "".join(lines)


def on_demand():
    """SIGQUIT asks for the table, as often as one likes, and the job goes on."""
    with subprocess.Popen([OSHRUN, "-n", "3", "--timeout", "50", "--check", BLOCKED, "flag"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as job:
        for _ in range(3):
            assert job.stdout.readline() == "begun\n"
        while not has_lines("flag", 3, ask(job, 3)):    # some have not come to their waits yet
            time.sleep(0.1)
        is_table("flag", 3, ask(job, 3))
        assert job.poll() is None
        job.send_signal(signal.SIGINT)
        job.wait()


def bad_timeout():
    for seconds in ("", "x", "-1", "1.5"):
        job = run("--hang-timeout", seconds, BLOCKED, n=1)
        assert job.returncode == 2 and "whole number of seconds" in job.stderr, job.stderr
    for seconds in ("x", "-1", "1.5"):
        script = f'SHMEM_CHECK_HANG={seconds} exec "$0" flag right'
        job = run("--check", "sh", "-c", script, BLOCKED, n=1)
        assert job.returncode not in (0, FOUND) and f'"{seconds}"' in job.stderr, (job.returncode, job.stderr)


globals()[sys.argv[1]](*sys.argv[2:])
