# SPDX-License-Identifier: BSD-3-Clause
"""How a job ends, by what becomes of its PEs."""
import os
import signal
import subprocess

from launch import (FAKE_PE, Job, OSHRUN, check, contains, equal, expect, fake, main, run, sh,
                    wait_until)

USED = ("claim", "init")


def test_all_well():
    expect(fake(3, *USED, "finalize"), 0, "")


def test_programs_without_openshmem():
    expect(run("-n", 4, "true"), 0, "")
    expect(fake(2, "claim"), 0, "")


def test_exit_status():
    for status in (1, 77, 255):
        expect(fake(3, f"1:exit={status}", "sleep=60"), status, "",
               f"PE 1 of 3 exited with status {status}\n")


def test_exit_before_finalize():
    job = fake(3, *USED, "0:wait=shmem_barrier_all", "meet=3", "1:exit=3", "sleep=60")
    expect(job, 3, "", "PE 1 of 3 exited with status 3 before shmem_finalize; PE 0 was waiting in "
                       "shmem_barrier_all; PE 2 was computing\n")
    check(job.seconds < 1)


def test_exit_after_finalize():
    expect(fake(2, *USED, "finalize", "meet=2", "1:exit=5", "sleep=60"), 5, "",
           "PE 1 of 2 exited with status 5; PE 0 was past shmem_finalize\n")


def test_crash():
    job = fake(4, *USED, "0:wait=shmem_barrier_all", "2:wait=shmem_barrier_all",
               "3:wait=shmem_barrier_all", "meet=4", "1:raise=11", "sleep=60")
    expect(job, 139, "", "PE 1 of 4 was killed by signal 11 (SIGSEGV: Segmentation fault); PEs 0, "
                         "2-3 were waiting in shmem_barrier_all\n")
    check(job.seconds < 1)


def test_killed_by_hand():
    job = Job("-n", 3, FAKE_PE, *USED, "print=ready", "sleep=60")
    job.read_until("ready\nready\nready\n")
    os.kill(job.pids()[0], signal.SIGKILL)
    job.expect_gone()
    expect(job.finish(), 137, None, "(SIGKILL: Killed); PEs ")


def test_first_of_several():
    expect(fake(3, "2:exit=4", "sleep=0.3", "exit=5"), 4, "", "PE 2 of 3 exited with status 4")


def test_pe_that_has_explained_itself():
    expect(fake(2, *USED, "told", "1:exit=1", "sleep=60"), 1, "")


def test_exit_0_without_finalize():
    expect(fake(3, *USED, "exit=0"), 0, "")
    expect(fake(3, *USED, "_exit=0"), 0, "")


def test_departed():
    """Those who wait learn that a PE is gone, whether it used OpenSHMEM or not."""
    expect(fake(2, *USED, "meet=2", "0:exit=0", "sleep=0.3", "departed"), 0, "1 0\n")
    expect(fake(3, *USED, "meet=3", "2:finalize", "0:finalize", "1:sleep=0.1", "0:sleep=0.4",
                "0:departed", "2:exit=0"), 0, "2 1\n")
    expect(run("-n", 1, FAKE_PE, "claim", "init", "sleep=0.3", "departed", ":", "-n", 1, "true"),
           0, "1 1\n")
    job = sh(2, f"if [ $TERN_PE = 1 ]; then {FAKE_PE} claim; sleep 0.3;"
                f"else {FAKE_PE} claim init sleep=0.6 departed; fi")
    expect(job, 0, "1 1\n")


def test_global_exit():
    for status in (0, 7):
        job = fake(3, *USED, "0:wait=shmem_barrier_all", "meet=3", f"1:global_exit={status}",
                   f"1:exit={status}", "sleep=60")
        expect(job, status, "", f"PE 1 of 3 has called shmem_global_exit({status})")
        check(job.seconds < 1, job.seconds)


def test_global_exit_lets_the_caller_finish():
    job = fake(2, *USED, "1:global_exit=3", "1:sleep=0.2", "1:print=last", "1:exit=3", "sleep=60")
    expect(job, 3, "last\n", "PE 1 of 2 has called shmem_global_exit(3)")


def test_global_exit_of_a_caller_that_hangs():
    job = fake(2, *USED, "1:global_exit=0", "sleep=60")
    expect(job, 0, "", "PE 1 of 2 has called shmem_global_exit(0)")
    check(job.seconds < 1, job.seconds)


def test_global_exit_behind_a_wrapper():
    job = sh(2, f"{FAKE_PE} claim init 1:global_exit=9 1:exit=9 sleep=60; :")
    expect(job, 9, "", "PE 1 of 2 has called shmem_global_exit(9)")
    check(job.seconds < 1, job.seconds)


def test_timeout():
    job = run("-n", 3, "--timeout", "0.4", FAKE_PE, *USED, "0:wait=shmem_barrier_all", "sleep=60")
    expect(job, 124, "", "did not end within 0.4 s (--timeout); PE 0 was waiting in "
                         'shmem_barrier_all; PEs 1-2 were computing; see tern-messages(7), "A hang"\n')
    check(0.4 <= job.seconds < 1, job.seconds)
    expect(run("--timeout", "5", "-n", 1, "true"), 0, "")


def test_crash_behind_a_wrapper():
    job = sh(2, f"{FAKE_PE} claim init meet=2 1:raise=11 sleep=60; exit $?")
    equal(job.status, 139)
    contains(job.err, "PE 1 of 2 exited with status 139 before shmem_finalize")


def test_wrapper_that_goes_on_after_a_crash():
    job = sh(2, f"{FAKE_PE} claim init meet=2 1:raise=9 sleep=60; sleep 60")
    equal(job.status, 1)
    contains(job.err, "PE 1 of 2 ended before shmem_finalize without exit(), behind a wrapper")
    check(job.seconds < 1.2, job.seconds)


def test_wrapper_that_hides_a_crash():
    job = sh(2, f"{FAKE_PE} claim init meet=2 1:raise=9 sleep=60; exit 0")
    equal(job.status, 1)
    contains(job.err, "PE 1 of 2 ended before shmem_finalize")


def test_wrapper_that_goes_on_after_an_exit():
    job = sh(2, f"{FAKE_PE} claim init meet=2 1:exit=6 sleep=60; sleep 60")
    equal(job.status, 6)
    contains(job.err, "PE 1 of 2 exited with status 6")
    job = sh(2, f"{FAKE_PE} claim init finalize exit=6; sleep 0.5")
    expect(job, 0, "")
    job = sh(2, f"{FAKE_PE} claim init exit=0; sleep 0.5")
    expect(job, 0, "")


def test_wrapper_that_leaves_its_pe_alone():
    job = sh(2, f"{FAKE_PE} claim init sleep=0.3 print=here finalize & sleep 0.1")
    expect(job, 0, "here\nhere\n")
    job = sh(2, f"{FAKE_PE} claim init sleep=0.3 1:raise=9 sleep=60 & sleep 0.1")
    equal(job.status, 1)
    job = run("-n", 2, "setsid", FAKE_PE, "claim", "init", "sleep=0.6", "print=here", "finalize")
    expect(job, 0, "here\nhere\n")


def test_nothing_outlives_the_job():
    for script in ("sleep 60 & :", "sleep 60 >/dev/null 2>&1 & :",
                   "setsid sleep 60 & :", "setsid sleep 60 >/dev/null 2>&1 & sleep 0.05",
                   "(setsid sh -c 'sleep 60 & sleep 60' &) & :"):
        job = sh(2, script)  # looks for what is left
        expect(job, 0, "")
        check(job.seconds < 1.5, job.seconds)
    expect(sh(2, "setsid sleep 60 & exit $TERN_PE"), 1, "", "PE 1 of 2 exited")


def test_children_that_are_not_the_jobs():
    """A shell's background process becomes oshrun's child by exec, and is none of its business."""
    p = subprocess.run(["sh", "-c", f"sleep 5 >/dev/null 2>&1 & echo $!; exec {OSHRUN} -n 2 true"],
                       capture_output=True, text=True, timeout=5)
    equal((p.returncode, p.stderr), (0, ""))
    os.kill(int(p.stdout), signal.SIGKILL)  # there to be killed


def test_memory_object_goes_with_the_job():
    job = Job("-n", 2, FAKE_PE, "claim", "0:object", "sleep=60")
    inode, size = job.read_until("\n").split()
    check(int(size) >= 1 << 50)

    def mapped():
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/maps") as f:
                    if any("memfd:tern-job" in line and line.split()[4] == inode for line in f):
                        return True
            except OSError:
                pass
        return False
    check(mapped())
    os.kill(job.pids()[0], signal.SIGSEGV)
    job.expect_gone()
    job.finish()
    wait_until(lambda: not mapped(), 1, "the memory object to go")


def test_many_activities():
    """The line stays readable whatever a thousand PEs do."""
    steps = [f"{i}:wait=routine_{i}" for i in range(0, 40)]
    job = fake(60, *USED, *steps, "meet=60", "59:exit=2", "sleep=60")
    equal(job.status, 2)
    equal(job.err.count("\n"), 1)
    contains(job.err, "PE 0 was waiting in routine_0; PE 1 was waiting in routine_1; PE 2 was "
                      "waiting in routine_2; PE 3 was waiting in routine_3; ...")
    job = fake(60, *USED, *[f"{i}:wait=a" for i in range(0, 60, 2)], "meet=60", "59:exit=2",
               "sleep=60")
    contains(job.err, "PEs 0, 2, 4, 6, 8, 10, 12, ... were waiting in a; PEs 1, 3, 5, 7, 9, 11, 13,"
                      " ... were computing")


def test_a_pe_out_of_its_mind():
    """Garbage in a slot is no reason for oshrun to fail."""
    job = fake(2, *USED, "0:wait=\x1b[31m\n" + "x" * 200, "meet=2", "1:exit=1", "sleep=60")
    equal(job.err.count("\n"), 1)
    check("\x1b" not in job.err)


def test_dies_while_pes_start():
    job = fake(200, "3:exit=8", "sleep=60")
    expect(job, 8, "", "PE 3 of 200 exited with status 8\n")
    check(job.seconds < 2, job.seconds)


main(globals())
