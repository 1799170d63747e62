# SPDX-License-Identifier: BSD-3-Clause
"""Standard input goes to PE 0."""
import os
import pty
import subprocess
import termios
import time

from launch import Job, OSHRUN, check, equal, expect, main, run, sh, wait_until


def test_pe_0_alone():
    job = sh(3, "sed s/^/$TERN_PE/", input=b"one\ntwo\n")
    expect(job, 0, "0one\n0two\n")


def test_large_input():
    data = os.urandom(1 << 20)
    job = run("-n", 2, "cat", input=data)
    check(job.out_bytes == data)


def test_a_file():
    with open("/proc/self/stat", "rb") as f:
        job = run("-n", 2, "cat", stdin=f)
    check(job.out_bytes.count(b"\n") == 1)


def test_no_input():
    job = run("-n", 2, "cat", stdin=None, preexec_fn=lambda: os.close(0))
    expect(job, 0, "")


class Terminal:
    """oshrun in the foreground of a terminal of its own."""

    def __init__(self, *args):
        self.master, slave = pty.openpty()
        mode = termios.tcgetattr(slave)
        mode[1] &= ~termios.OPOST
        mode[3] &= ~termios.ECHO
        termios.tcsetattr(slave, termios.TCSANOW, mode)

        def take_terminal():
            import fcntl
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)
        self.job = Job(*args, stdin=slave, stdout=slave, stderr=slave, preexec_fn=take_terminal)
        os.close(slave)
        os.set_blocking(self.master, False)
        self.seen = ""

    def type(self, text):
        os.write(self.master, text.encode())

    def expect(self, text):
        def seen():
            try:
                self.seen += os.read(self.master, 65536).decode()
            except (BlockingIOError, OSError):
                pass
            return text in self.seen
        wait_until(seen, 5, f"{text!r} in {self.seen!r}")


def test_terminal():
    t = Terminal("-n", 2, "sh", "-c", "if [ $TERN_PE = 0 ]; then printf 'name? '; read x;"
                 "echo hello $x; cat; echo end; fi")
    t.expect("name? ")
    t.type("tern\n")
    t.expect("hello tern\n")
    t.type("more\n\x04")
    t.expect("more\nend\n")
    equal(t.job.finish().status, 0)


def test_terminal_that_nobody_reads():
    t = Terminal("-n", 1, "sleep", "0.4")
    for _ in range(30):
        t.type("x" * 79 + "\n")
        time.sleep(0.005)
    equal(t.job.finish().status, 0)


def test_interrupt_key():
    t = Terminal("-n", 2, "sh", "-c", "echo ready; sleep 60")
    t.expect("ready\nready\n")
    t.job.wait_for_command("sleep", 2)
    t.type("\x03")
    equal(t.job.finish(seconds=3).status, 130)
    t.job.expect_gone(0.5)


def test_stop_key():
    t = Terminal("-n", 2, "sh", "-c", "echo ready; sleep 60")
    t.expect("ready\nready\n")
    # A shell whose child is stopped before its exec waits for that, and is not shown as stopped.
    t.job.wait_for_command("sleep", 2)
    t.type("\x1a")

    def state(pid):
        with open(f"/proc/{pid}/stat") as f:
            return f.read().rsplit(")", 1)[1].split()[0]
    everyone = [t.job.process.pid] + t.job.pids()
    check(len(everyone) >= 3)
    wait_until(lambda: all(state(pid) == "T" for pid in everyone), 5, "all to stop")
    os.kill(t.job.process.pid, 18)
    wait_until(lambda: all(state(pid) != "T" for pid in everyone), 5, "all to go on")
    t.type("\x03")
    equal(t.job.finish(seconds=3).status, 130)


def test_pe_that_reads_the_terminal_itself():
    t = Terminal("-n", 1, "sh", "-c", "read x < /dev/tty")
    t.expect("PE 0 was stopped by SIGTTIN")
    t.type("\x03")
    equal(t.job.finish(seconds=3).status, 130)


def test_background_job_leaves_the_terminal_alone():
    """Started in the background of a terminal, oshrun must not be stopped for looking at it."""
    master, slave = pty.openpty()
    script = """if True:
        import fcntl, os, sys, termios
        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
        job = os.fork()
        if job == 0:
            os.setpgid(0, 0)
            os.execv(sys.argv[1], sys.argv[1:])
        while True:
            pid, status = os.waitpid(job, os.WUNTRACED)
            os._exit(99 if os.WIFSTOPPED(status) else os.waitstatus_to_exitcode(status))
    """
    oshrun = os.environ["OSHRUN"]
    p = subprocess.Popen(["python3", "-c", script, oshrun, "-n", "1", "sleep", "0.5"], stdin=slave,
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(0.2)
    os.write(master, b"for somebody else\n")
    out, err = p.communicate(timeout=10)
    equal((p.returncode, out, err), (0, b"", b""))


main(globals())
