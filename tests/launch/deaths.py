# SPDX-License-Identifier: BSD-3-Clause
"""Deaths of real OpenSHMEM jobs: whatever the others do, all is gone within a second."""
import os
import shutil
import signal
import time

from launch import Job, check, contains, equal, expect, main, run

PROGRAM = os.environ["SHMEM_PE"]

# PE 1 is the one that ends. PE 0 computes and holds a lock, for which PE 2 waits; PE 3 sleeps in a
# barrier, PE 4 waits for a word.
OTHERS = ("init", "0:lock", "0:print=locked", "barrier", "2:lock", "3:barrier", "4:wait",
          "0:compute")


def die(*last, wrapper=(), n=5):
    """Lets PE 1 do its last steps while the others are busy; times the end."""
    job = Job("-n", n, *wrapper, PROGRAM, *OTHERS, "1:sleep=0.4", "1:print=now", *last)
    job.read_until("now\n")
    job.expect_gone()
    return job.finish()


def shell_words(*words):
    return " ".join(f"'{w}'" for w in words)


def die_in_shell(*last):
    steps = shell_words(PROGRAM, *OTHERS, "1:sleep=0.4", "1:print=now", *last)
    job = Job("-n", 5, "sh", "-c", f"{steps}; s=$?; true; exit $s")
    job.read_until("now\n")
    job.expect_gone()
    return job.finish()


def contains_activities(job):
    contains(job.err, " computing", "PE 2 was waiting in shmem_set_lock",
             "PE 3 was waiting in shmem_barrier_all", "PE 4 was waiting in shmem_int_wait_until")


def test_crash():
    job = die("1:raise=11")
    expect(job, 139, None, "PE 1 of 5 was killed by signal 11 (SIGSEGV")
    contains_activities(job)


def test_abort():
    expect(die("1:abort"), 134, None, "(SIGABRT")


def test_kill():
    expect(die("1:raise=9"), 137, None, "(SIGKILL: Killed)")


def test_exit_status():
    job = die("1:exit=3")
    expect(job, 3, None, "PE 1 of 5 exited with status 3 before shmem_finalize")
    contains_activities(job)


def test_exit_without_handlers():
    expect(die("1:_exit=3"), 3, None, "PE 1 of 5 exited with status 3 before shmem_finalize")


def test_misuse():
    job = die("1:put_to=99")
    equal(job.err.count("\n"), 1)
    contains(job.err, "tern: PE 1 of 5: shmem_int_p: ", "99")
    check(job.status == 1)


def test_global_exit():
    for status in (0, 4):
        job = die("1:partial=unfinished", f"1:global_exit={status}")
        expect(job, status, None, f"PE 1 of 5 has called shmem_global_exit({status})")
        contains(job.read + job.out, "unfinished")


def test_lock_holder_dies():
    job = Job("-n", 3, PROGRAM, "init", "1:lock", "barrier", "0,2:lock", "1:sleep=0.4",
              "1:print=now", "1:raise=9")
    job.read_until("now\n")
    job.expect_gone()
    expect(job.finish(), 137, None, "PEs 0, 2 were waiting in shmem_set_lock")


def test_all_at_once():
    job = run("-n", 4, PROGRAM, "init", "barrier", "raise=9")
    equal(job.status, 137)
    equal(job.err.count("\n"), 1)
    job = run("-n", 4, PROGRAM, "init", "barrier", "global_exit=6")
    expect(job, 6, None, "of 4 has called shmem_global_exit(6)")


def test_global_exit_of_all_lets_all_finish():
    job = run("-n", 8, PROGRAM, "init", "barrier", "partial=words", "global_exit=0")
    equal((job.status, job.out.count("words")), (0, 8))
    expect(job, 0, None, "of 8 has called shmem_global_exit(0)")


def test_exit_0_of_all():
    for step in ("exit=0", "_exit=0"):
        expect(run("-n", 4, PROGRAM, "init", "barrier", step), 0, "")


def test_exit_0_of_one_while_others_compute():
    job = Job("-n", 3, PROGRAM, "init", "barrier", "1:exit=0", "sleep=1.3", "print=alive",
              "_exit=0")
    expect(job.finish(), 0, "alive\nalive\n")


def blocked(n, *steps):
    """PE 1 has left; the others block and learn it."""
    job = Job("-n", n, PROGRAM, "init", "barrier", "1:exit=0", "sleep=0.3", "0:print=now", *steps)
    job.read_until("now\n")
    job.expect_gone()
    job.finish()
    check(job.status == 1, f"{job.status} {job.err}")
    contains(job.err, "PE 1 has ended without shmem_finalize")
    check("tern: oshrun" not in job.err, job.err)


def test_exit_0_and_a_barrier():
    blocked(3, "barrier")
    blocked(3, "0:barrier", "2:compute")


def test_one_barrier_too_many():
    """The others have finalized and ended; the last barrier has nobody to wait for."""
    job = Job("-n", 3, PROGRAM, "init", "finalize", "0:init", "0:barrier")
    job.expect_gone()
    check(job.finish().status == 1, job.err)
    contains(job.err, "has called shmem_finalize and ended")


def test_exit_0_and_finalize():
    blocked(3, "finalize")


def test_exit_0_and_a_wait():
    blocked(2, "wait")


def test_exit_0_and_a_lock():
    job = Job("-n", 2, PROGRAM, "init", "1:lock", "barrier", "1:exit=0", "sleep=0.2", "print=now",
              "lock")
    job.read_until("now\n")
    job.expect_gone()
    check(job.finish().status == 1, job.err)


def test_program_that_never_initializes():
    for command in (("-n", 1, "true", ":", "-n", 2, PROGRAM, "init"), ("-n", 3, PROGRAM, "0:exit=0", "init")):
        job = run(*command)
        check(job.status == 1, job.err)
        check(job.seconds < 1.5, job.seconds)
        contains(job.err, "shmem_init: PE 0 has ended without shmem_init, so this call can't complete")


def test_exit_after_finalize():
    expect(run("-n", 2, PROGRAM, "init", "finalize", "1:exit=5", "sleep=60"), 5, "",
           "PE 1 of 2 exited with status 5")


def test_timeout():
    job = run("-n", 5, "--timeout", "0.6", PROGRAM, *OTHERS, "1:sleep=60")
    equal(job.status, 124)
    contains_activities(job)


def test_shell():
    for last, status in (("1:raise=11", 139), ("1:exit=3", 3), ("1:global_exit=0", 0)):
        equal(die_in_shell(last).status, status)


def test_shell_that_goes_on():
    """The PE dies of a signal; its shell would sleep."""
    steps = shell_words(PROGRAM, *OTHERS, "1:sleep=0.3", "1:print=now", "1:raise=9")
    job = Job("-n", 5, "sh", "-c", f"{steps}; sleep 60")
    job.read_until("now\n")
    job.expect_gone()
    job.finish()
    check(job.status == 1)
    contains(job.err, "PE 1 of 5 ended before shmem_finalize")


def kill_launcher(*words, **more):
    job = Job("-n", 3, *words, PROGRAM, "init", "0:compute", "1:barrier", "2:print=ready", "2:wait",
              **more)
    job.read_until("ready", 30)
    time.sleep(0.2)
    os.kill(job.process.pid, signal.SIGKILL)
    job.expect_gone()
    job.finish()


def test_launcher_killed():
    kill_launcher()


def test_launcher_killed_wrappers():
    kill_launcher("env", "X=y", "timeout", "50", "nice")
    kill_launcher("python3", "-S", "-c",
                  "import subprocess, sys; subprocess.run(sys.argv[1:])")


def test_launcher_killed_other_sessions():
    """The PE is in no group that oshrun knows, and its wrapper has closed the lifeline."""
    kill_launcher("setsid", "--wait")
    kill_launcher("python3", "-S", "-c",
                  "import subprocess, sys; subprocess.run(sys.argv[1:], start_new_session=True)")
    kill_launcher("setsid", "--wait", "bash", "-c",
                  'for ((i = 3; i < 300; i++)); do eval "exec $i>&-"; done; "$0" "$@"')


def test_launcher_killed_valgrind():
    if not shutil.which("valgrind"):
        raise SystemExit(77)
    kill_launcher("valgrind", "-q")


def test_launcher_killed_gdb():
    if not shutil.which("gdb"):
        raise SystemExit(77)
    kill_launcher("gdb", "-batch", "-nx", "-ex", "run", "--args", env={"DEBUGINFOD_URLS": ""})


def test_debugger_with_a_crash():
    if not shutil.which("gdb"):
        raise SystemExit(77)
    job = run("-n", 2, "gdb", "-batch", "-nx", "-ex", "run", "-ex", "bt", "--args", PROGRAM, "init",
              "1:raise=11", "sleep=60", env={"DEBUGINFOD_URLS": ""}, seconds=30)
    check(job.status != 0, job.status)
    contains(job.out, "SIGSEGV")


def test_many_pes():
    """64 PEs, one of which dies."""
    job = Job("-n", 64, PROGRAM, "init", "barrier", "7:sleep=0.3", "7:print=now", "7:raise=11",
              "barrier")
    job.read_until("now\n", 20)
    job.expect_gone()
    expect(job.finish(), 139, None, "PEs 0-6, 8-63 were waiting in shmem_barrier_all")


main(globals())
