# SPDX-License-Identifier: BSD-3-Clause
"""PEs under a process manager that speaks PMI, as it should or not.

    pmi.py TEST...      PE: the program of pe.c
"""
import os
import re
import select
import signal
import subprocess
import sys
import time

from manager import Manager, check, equal

PE = os.environ["PE"]
VERSIONS = (1, 2)


def lines(n):
    return [f"PE {pe} of {n} shares memory with {n}\n" for pe in range(n)]


def well(job, n):
    """All is as it should be with n PEs that said hello."""
    equal(job.err, [""] * n, "standard error")
    equal(job.status, [0] * n, "statuses")
    equal(job.out, lines(n), "output")
    equal(job.aborted, None, "abort")
    equal(job.said("cmd=finalize"), list(range(n)), "who finalizes")


def fails(job):
    """Each PE ends badly, by itself or with the job; what was said of it, one line a PE at most."""
    for pe in range(job.n):
        check(job.status[pe] in (1, -9), f"PE {pe} ends with status {job.status[pe]}")
        check(job.err[pe].count("\n") <= 1, f"PE {pe} says {job.err[pe]!r}")
        check(not job.err[pe] or job.err[pe].startswith(f"tern: PE {pe} of {job.n}: error: "),
              f"PE {pe} says {job.err[pe]!r}")
    check(any(job.err), "nobody said why")
    return "".join(job.err)


def test_hello():
    for version in VERSIONS:
        for n in (1, 2, 3, 8):
            well(Manager(n, PE, version=version).finish(), n)


def test_few_questions():
    """One PE reads all values, each PE writes one, and there is one fence."""
    job = Manager(8, PE).finish()
    equal(len(job.said("cmd=put ")), 8, "puts")
    equal(job.said("cmd=barrier_in"), list(range(8)), "barriers")
    equal(len(set(job.said("cmd=get "))), 1, "PEs that get")
    equal(len(job.said("cmd=get ")), 8, "gets")
    for _, text in job.log:
        check(len(text.partition("value=")[2]) <= 128, text)


def test_small_values():
    """A manager that holds but a few characters a key."""
    for version in VERSIONS[:1]:
        well(Manager(3, PE, version=version, most_value=20).finish(), 3)


def test_slow_manager():
    for version in VERSIONS:
        well(Manager(2, PE, version=version, delay=0.05, dribble=True).finish(), 2)


def test_late_pe():
    well(Manager(3, "sh", "-c", f"test $PMI_RANK != 1 || sleep 1; exec {PE}").finish(), 3)


def test_wrappers():
    for words in (["sh", "-c", f"{PE}; exit $?"], ["env", "A=b", PE], ["timeout", "20", PE],
                  ["nice", PE], ["setsid", "--wait", PE]):
        well(Manager(2, *words).finish(), 2)


def require(what, words):
    """The program that these words start a command with makes namespaces."""
    if subprocess.run([*words, "true"], stderr=subprocess.DEVNULL, check=False).returncode:
        print(f"skipped: no {what} namespaces can be made here")
        sys.exit(77)


def but_one_pe(words):
    """PE 1 starts with these words, the others without."""
    return "sh", "-c", f"test $PMI_RANK != 1 || exec {' '.join(words)} {PE}; exec {PE}"


def test_process_namespaces():
    """PEs that can't see each other's processes, as in containers, share static data all the same."""
    alone = ["unshare", "--pid", "--fork", "--mount-proc"]
    if os.geteuid():
        alone.append("--map-root-user")
    require("process", alone)
    for n in (3, 70):  # images that fit into one message, and more
        well(Manager(n, "sh", "-c", f"ulimit -Sn 40; exec {' '.join(alone)} {PE}").finish(), n)
    well(Manager(3, *but_one_pe(alone)).finish(), 3)


def test_user_namespaces():
    """PEs of one user, whose number is another one in each user namespace."""
    alone = ["unshare", "--user", "--map-user=4242"]
    require("user", alone)
    well(Manager(3, *alone, PE).finish(), 3)
    well(Manager(3, *but_one_pe(alone)).finish(), 3)
    well(Manager(3, *but_one_pe(["unshare", "--map-root-user", *alone])).finish(), 3)


def test_many():
    """With more descriptors than they may have at first."""
    well(Manager(70, "sh", "-c", f"ulimit -Sn 40; exec {PE}").finish(), 70)


def test_exec_before_init():
    """The process stays the PE whatever it executes."""
    for version in VERSIONS:
        well(Manager(2, PE, "again", version=version).finish(), 2)


def test_program_of_a_pe():
    """What a PE starts has its environment and the socket, but is a job of its own."""
    for version in VERSIONS:
        for words in (["child"], ["hello", "child"]):
            job = Manager(2, PE, *words, version=version).finish()
            equal(job.err, ["", ""], "standard error")
            equal(job.status, [0, 0], "statuses")
            equal(len(job.said("cmd=init ")), 2, "connections to the manager")
            for pe in (0, 1):
                equal(sorted(job.out[pe].splitlines(True)),
                      sorted([lines(1)[0], lines(2)[pe]]), "output")


def test_two_programs_of_a_wrapper():
    """The second one comes too late for the job, and says so."""
    job = Manager(2, "sh", "-c", f"{PE}; {PE}").finish()
    for pe in (0, 1):
        check(job.out[pe] in (lines(2)[pe], lines(2)[pe] + lines(1)[0]), job.out[pe])
        check("has the wrapper run another OpenSHMEM or MPI program before?" in job.err[pe],
              job.err[pe])


def test_two_copies_of_a_pe():
    """Of two programs that are started as one PE, one is."""
    job = Manager(2, "sh", "-c", f"{PE} & {PE}; wait").finish()
    for pe in (0, 1):
        equal(sorted(job.out[pe].splitlines(True)), sorted([lines(1)[0], lines(2)[pe]]), "output")


def test_answers_without_sense():
    """Whatever is answered to whichever command."""
    bad = ["", "cmd=", "cmd=surprise rc=0;", "rc=0", b"\0\0\0\0\0\0\n\0\0\0", b"x" * 5000 + b"\n",
           "cmd=put_result rc=-1 msg=no_space", b"\x1b[31m\xff\n\n"]
    commands = {1: ["init", "get_maxes", "get_my_kvsname", "put", "barrier_in", "get"],
                2: ["init", "fullinit", "kvs-put", "kvs-fence", "kvs-get"]}
    for version in VERSIONS:
        for command in commands[version]:
            for answer in bad if command in ("init", "put", "kvs-put") else bad[:3]:
                job = Manager(
                    1 if command in ("init", "get_maxes", "fullinit") else 2, PE, version=version,
                    change=lambda pe, text, right: answer
                    if re.match(rf"cmd={command}\b", text) else right)
                text = fails(job.finish())
                check("makes no sense" in text, f"{answer!r} to {command}: {text!r}")
                check(text.replace("\n", "").isprintable(), f"unprintable: {text!r}")


def test_wrong_lengths():
    """Version 2 says how long an answer is."""
    for answer in (b"    -1cmd=fullinit-response;rc=0;", b"999999cmd=x;", b"abcdefcmd=x;",
                   b"     0"):
        job = Manager(1, PE, version=2, change=lambda pe, text, right: answer
                      if text.startswith("cmd=fullinit") else right).finish()
        check("makes no sense" in fails(job), job.err)


def test_hang_up():
    """The manager goes at some point of the start."""
    for version, commands in ((1, ["init", "get_maxes", "put", "barrier_in", "get "]),
                              (2, ["init", "fullinit", "kvs-put", "kvs-fence", "kvs-get"])):
        for command in commands:
            job = Manager(2, PE, version=version,
                          change=lambda pe, text, right: None
                          if text.startswith(f"cmd={command}") else right).finish()
            text = fails(job)
            check("the launcher (PMI-" in text and "has hung up" in text, text)


def test_nonsense_in_the_environment():
    for words in ({"PMI_RANK": "x"}, {"PMI_RANK": "-1"}, {"PMI_RANK": "2"}, {"PMI_SIZE": "0"},
                  {"PMI_SIZE": ""}, {"PMI_SIZE": None}, {"PMI_FD": "six"}, {"PMI_SIZE": "9" * 30}):
        job = Manager(2, PE, env=words).finish()
        for pe in (0, 1):
            if job.status[pe] != 0 or len(words) == 1 and "PMI_RANK" not in words:
                check("make no sense: they are the launcher's to set" in job.err[pe], job.err[pe])
                equal(job.status[pe], 1, "status")


def test_far_too_many():
    """A number that makes sense, but not as that of a job's PEs: one line each, and no memory."""
    for version in VERSIONS:
        for n in (2**31 - 1, 2**23 + 1):
            job = Manager(2, PE, version=version, env={"PMI_SIZE": n}).finish()
            check(any(job.err) and 0 not in job.status, job.status)
            for pe in (0, 1):
                equal(job.err[pe], job.err[pe] and
                      f"tern: PE {pe} of {n}: error: the launcher (PMI) says that the job has {n} "
                      f"PEs, and Tern can serve {2**23}\n", "message")


def test_closed_descriptor():
    """Each PE is alone then, and says so."""
    job = Manager(2, "sh", "-c", f'eval "exec $PMI_FD>&-"; exec {PE}').finish()
    for pe in (0, 1):
        check("does a wrapper close descriptors?" in job.err[pe], job.err[pe])
        equal(job.out[pe], lines(1)[0], "output")


def test_beside_mpi():
    """Both speak to the manager, whoever begins and ends; Slurm takes one introduction only."""
    for slurm in (False, True):
        for first in ("mpi", "shmem"):
            for first_to_end in ("mpi", "shmem"):
                job = Manager(3, os.environ["TWO"], first, first_to_end, once=slurm,
                              version=2 if slurm else 1).finish()
                equal(job.err, [""] * 3, f"{first}, {first_to_end}: standard error")
                equal(job.status, [0] * 3, "statuses")
                equal(job.out, [f"PE {pe} of 3\n" for pe in range(3)], "output")
                equal(job.said("cmd=finalize"), [0, 1, 2], "who finalizes")


def test_launchers_without_pmi():
    """The first copy tells the user why all are alone; a job of oshrun's is none of theirs."""
    slurm = {"SLURM_STEP_NUM_TASKS": "2", "SLURM_STEP_ID": "0"}
    ompi = {"OMPI_COMM_WORLD_SIZE": "2"}
    hydra = {"PMI_SIZE": "2"}
    for words, number, remedy in ((slurm, "SLURM_PROCID", "srun --mpi=pmi2"), (hydra, "PMI_RANK", "PMI_FD"),
                                  (ompi, "OMPI_COMM_WORLD_RANK", "PMIx disabled")):
        for oshrun in ([], [os.environ["OSHRUN"], "-n", "1"]):
            job = Manager(2, *oshrun, PE, env=lambda pe: {
                "PMI_FD": None, "PMI_RANK": None, "PMI_SIZE": None, number: pe, **words}).finish()
            equal(job.out, [lines(1)[0]] * 2, "output")
            equal([remedy in err for err in job.err], [not oshrun, False], "who warns")
            equal(job.err[1], "", "standard error of the second copy")


def test_versions_differ():
    for version in (r"\1,9.9.9", "77,9.9.9,something,new"):  # of the same protocol, and of another
        job = Manager(3, PE, change=lambda pe, text, right: re.sub(
            r"value=(\d+),[^,]*", "value=" + version, right) if text.endswith("-1") else right)
        text = fails(job.finish())
        check(re.search(r"PE \d has Tern \S+ but PE \d has Tern \S+: install the same version on all"
                        r" hosts", text), text)
        check("PE 1 has Tern 9.9.9" in text, text)


def test_heaps_differ():
    job = Manager(3, PE, env=lambda pe: {"SHMEM_SYMMETRIC_SIZE": f"{pe // 2 + 1}M"}).finish()
    text = fails(job)
    equal(text.count("\n"), 1, f"lines of {text!r}")
    check("SHMEM_SYMMETRIC_SIZE" in text and "1048576" in text and "2097152" in text, text)


def test_exit_status():
    job = Manager(3, PE, "exit", "7").finish()
    equal(job.aborted, 7, "abort")
    equal(job.status[1] in (7, -9), True, "status")


def test_exit_status_2():
    """Version 2 knows no statuses for the job: all PEs end with it."""
    job = Manager(3, PE, "exit", "7", version=2).finish()
    equal(job.aborted, None, "abort")
    equal(job.status, [7, 7, 7], "statuses")
    equal(job.said("cmd=finalize"), [0, 1, 2], "who finalizes")


def test_exit_beside_a_stopped_pe():
    """The manager ends the PEs that do not end by themselves."""
    job = Manager(3, "sh", "-c", "test $PMI_RANK != 2 || { sleep 1.5; kill -STOP $$; } & "
                  f"test $PMI_RANK != 1 || exec {PE} later 7; exec {PE} wait", version=2).finish()
    equal(job.aborted, "exit status 7", "abort")


def test_status_after_finalize():
    """It is the PE's own business: the job goes on."""
    job = Manager(2, PE, "status", "5").finish()
    equal(job.status, [5, 5], "statuses")
    equal(job.aborted, None, "abort")
    equal(job.said("cmd=finalize"), [0, 1], "who finalizes")


def test_global_exit():
    for status in (0, 9):
        job = Manager(3, PE, "global_exit", status).finish()
        equal(job.aborted, status, "abort")
        equal(job.out[1], "PE 1 ends the job", "output")


def test_missing_image():
    """Static data of one PE that can't be reached is that PE's matter, and no other's."""
    off = Manager(3, PE, "statics", env=lambda pe: {"SHMEM_STATIC_DATA": "off"} if pe == 2 else {})
    closed = Manager(3, PE, "statics", 1)
    for job, why in ((off, "is not shared: see SHMEM_STATIC_DATA there"),
                     (closed, "can't be mapped: .+")):
        job.finish()
        check(job.out[0].endswith("PE 1 has 7\n"), job.out)
        check(re.fullmatch("tern: PE 0 of 3: shmem_long_p: dest 0x[0-9a-f]+: the static data of PE 2 "
                           f"{why}\n", job.err[0]), job.err)


def test_two_threads_end():
    """Each asks for the end of the job at the same time: the manager is asked once."""
    for version in VERSIONS:
        job = Manager(3, PE, "two_ends", version=version).finish()
        equal(len(job.said("cmd=abort")) + len(job.said("cmd=finalize")), 1 if version == 1 else 3,
              f"ends that were told, of {job.log}")
        check(all(status in (1, -9) for status in job.status), job.status)


def test_misuse():
    job = Manager(3, PE, "misuse").finish()
    equal(job.aborted, 1, "abort")
    check("tern: PE 1 of 3: shmem_long_p: PE 4 is outside 0..2\n" == job.err[1], job.err[1])


def test_exit_0_without_finalize():
    """The manager is told that all is well with it; the others notice by themselves."""
    job = Manager(3, PE, "exit", "0").finish()
    equal(job.status[1], 0, "status")
    check("PE 1" in job.err[0] + job.err[2], job.err)


def test_pe_killed():
    """Nobody but its neighbour notices."""
    job = Manager(3, PE, "wait")
    lines = [pe.stdout for pe in job.pes]
    until = time.monotonic() + 20
    while len(select.select(lines, [], [], 0)[0]) < 3 and time.monotonic() < until:
        job.serve(0.05)  # until each has written that it waits
    job.pes[1].kill()
    started = time.monotonic()
    job.finish(10)
    check(time.monotonic() - started < 5, "it took too long")
    text = job.err[0] + job.err[2]
    equal(text.count("PE 1 was lost"), 1, f"in {text!r}: lines")


def test_manager_killed():
    """No PE outlives it for long, even if a wrapper does."""
    for words in ([PE, "wait"], ["sh", "-c", f"{PE} wait; true"]):
        read, write = os.pipe()
        manager = os.fork()
        if manager == 0:
            os.close(read)
            os.dup2(write, 1)
            job = Manager(3, *words)
            os.write(write, b"%s\n" % " ".join(str(pe.pid) for pe in job.pes).encode())
            os.close(write)
            os.dup2(os.open("/dev/null", os.O_WRONLY), 1)
            job.finish(60)
            os._exit(0)
        os.close(write)
        pids = [int(word) for word in os.read(read, 1000).split()]
        os.close(read)
        time.sleep(1)
        check(all(os.path.exists(f"/proc/{pid}") for pid in pids), "the PEs did not start")
        os.kill(manager, signal.SIGKILL)
        os.waitpid(manager, 0)
        until = time.monotonic() + 10
        while any(alive(pid) for pid in pids):
            check(time.monotonic() < until, "PEs outlive the manager")
            time.sleep(0.02)


def alive(pid):
    try:
        with open(f"/proc/{pid}/stat") as f:
            return f.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def test_nothing_is_left():
    """After a job whose PEs were killed none of its names is taken."""
    job = Manager(3, PE, "wait")
    numbers = []
    while len(numbers) < 3:
        job.serve(0.02)
        numbers = names_of(job)
    for pe in job.pes:
        pe.kill()
    job.finish()
    equal(names_of(job), [], "names")


def names_of(job):
    """The places of its PEs are names made of their sockets' numbers."""
    wanted = [f"-{inode:016x}" for inode in job.inodes]
    with open("/proc/net/unix") as f:
        return [line.split()[-1] for line in f
                if "@tern-pe-" in line and line.rstrip()[-17:] in wanted]


def test_oshrun_in_a_pe():
    """oshrun starts a job of its own, and what it starts is not the manager's."""
    oshrun = os.environ["OSHRUN"]
    job = Manager(2, oshrun, "-n", 3, PE).finish()
    equal(job.log, [], "commands")
    for pe in (0, 1):
        equal(sorted(job.out[pe].splitlines(True)), lines(3), "output")


def test_manager_in_a_pe_of_oshrun():
    """The nearest launcher counts."""
    job = subprocess.run([os.environ["OSHRUN"], "-n", "1", sys.executable, "-B", __file__, "hello"],
                         capture_output=True, text=True, timeout=60, check=False)
    equal(job.returncode, 0, job.stdout + job.stderr)


def main():
    tests = {n[5:]: f for n, f in globals().items() if n.startswith("test_")}
    for name in sys.argv[1:] or tests:
        try:
            tests[name]()
        except AssertionError as e:
            sys.exit(f"{name}: {e}")


main()
