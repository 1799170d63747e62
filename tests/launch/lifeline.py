# SPDX-License-Identifier: BSD-3-Clause
"""oshrun is killed with -9: its PEs go, wrappers and their children included."""
import os
import shutil
import signal
import time

from launch import FAKE_PE, Job, check, main


def die(n_processes, *words, seconds=1.0):
    """Starts words on two PEs, and kills oshrun once n_processes of each live."""
    job = Job("-n", 2, *words)
    job.wait_for(2 * n_processes)
    time.sleep(0.05)
    os.kill(job.process.pid, signal.SIGKILL)
    job.expect_gone(seconds)
    job.finish()


def test_plain():
    die(1, "sleep", "60")
    die(1, FAKE_PE, "claim", "init", "sleep=60")


def test_busy():
    die(1, "sh", "-c", "while :; do :; done")


def test_shell():
    die(2, "sh", "-c", "sleep 60; :")
    die(3, "sh", "-c", "sh -c 'sleep 60; :'; :")


def test_background_processes():
    die(3, "sh", "-c", "sleep 60 & sleep 60; :")
    die(2, "sh", "-c", "sleep 60 >/dev/null 2>&1 & sleep 0.1; exec sleep 60; :")


def test_timeout_and_nice():
    die(2, "timeout", "50", "nice", "sleep", "60")


def test_wrapper_that_closes_descriptors():
    """subprocess closes all but three; its own keep the lifeline."""
    script = "import subprocess; subprocess.run(['sleep', '60'])"
    die(2, "python3", "-S", "-c", script)


def test_ignored_signals():
    die(2, "sh", "-c", "trap '' TERM INT HUP; sleep 60; :")


def test_stopped():
    job = Job("-n", 2, "sleep", "60")
    job.wait_for_command("sleep", 2)
    for pid in job.pids():
        os.kill(pid, signal.SIGSTOP)
    os.kill(job.process.pid, signal.SIGKILL)
    job.expect_gone()
    job.finish()


def test_valgrind():
    if not shutil.which("valgrind"):
        raise SystemExit(77)
    die(1, "valgrind", "-q", "sleep", "60")


def test_gdb():
    if not shutil.which("gdb"):
        raise SystemExit(77)
    job = Job("-n", 1, "gdb", "-batch", "-nx", "-ex", "run", "--args", FAKE_PE, "claim", "init",
              "print=ready", "sleep=60", env={"DEBUGINFOD_URLS": ""})
    job.read_until("ready")
    os.kill(job.process.pid, signal.SIGKILL)
    job.expect_gone()
    job.finish()


def test_while_pes_start():
    for delay in (0.01, 0.03, 0.06):
        job = Job("-n", 300, "sleep", "60")
        time.sleep(delay)
        os.kill(job.process.pid, signal.SIGKILL)
        job.expect_gone()
        job.finish()


def test_stopped_launcher():
    """oshrun is stopped when it is killed."""
    job = Job("-n", 2, "sleep", "60")
    job.wait_for(2)
    os.kill(job.process.pid, signal.SIGSTOP)
    time.sleep(0.05)
    check(len(job.pids()) == 2)
    os.kill(job.process.pid, signal.SIGKILL)
    job.expect_gone()
    job.finish()


main(globals())
