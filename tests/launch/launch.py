# SPDX-License-Identifier: BSD-3-Clause
"""What the launcher's tests share: starting jobs, and looking for what is left of them."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import uuid

import inherited

OSHRUN = os.environ["OSHRUN"]
FAKE_PE = os.environ["FAKE_PE"]
TAG = "TERN_TEST_TAG"

inherited.take_signals_back()


class Job:
    """A running oshrun. Its processes carry a tag in their environment by which they are found."""

    def __init__(self, *args, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                 stderr=subprocess.PIPE, env=None, oshrun=OSHRUN, **more):
        self.tag = uuid.uuid4().hex
        self.started = time.monotonic()
        self.process = subprocess.Popen(
            [oshrun, *map(str, args)], stdin=stdin, stdout=stdout, stderr=stderr,
            env={**os.environ, **(env or {}), TAG: self.tag}, **more)

    def pids(self):
        """The job's living processes but oshrun."""
        found = []
        for name in os.listdir("/proc"):
            if not name.isdigit() or int(name) in (self.process.pid, os.getpid()):
                continue
            try:
                with open(f"/proc/{name}/environ", "rb") as f:
                    if f"{TAG}={self.tag}".encode() in f.read().split(b"\0"):
                        found.append(int(name))
            except OSError:
                pass
        return found

    def wait_for(self, n, seconds=10):
        """Waits until n processes live."""
        wait_until(lambda: len(self.pids()) == n, seconds, f"{n} processes")

    def wait_for_command(self, name, n, seconds=10):
        """Waits until n processes run a command. A shell may lose a signal that comes before."""
        def command(pid):
            try:
                with open(f"/proc/{pid}/comm") as f:
                    return f.read().strip()
            except OSError:
                return ""
        wait_until(lambda: [command(pid) for pid in self.pids()].count(name) == n, seconds,
                   f"{n} times {name}")

    def read_until(self, text, seconds=10):
        """Reads standard output up to a text, and keeps what it has read."""
        seen = b""
        os.set_blocking(self.process.stdout.fileno(), False)
        until = time.monotonic() + seconds
        while text.encode() not in seen:
            seen += self.process.stdout.read() or b""
            check(time.monotonic() < until, f"{text!r} did not come, only {seen!r}")
            time.sleep(0.002)
        os.set_blocking(self.process.stdout.fileno(), True)
        self.read = seen.decode()
        return self.read

    def finish(self, input=None, seconds=20):
        """Waits for the end and takes the output."""
        out, err = self.process.communicate(input, timeout=seconds)
        self.seconds = time.monotonic() - self.started
        self.status = self.process.returncode
        self.out_bytes = out or b""
        self.out = self.out_bytes.decode(errors="replace")
        self.err = (err or b"").decode(errors="replace")
        return self

    def expect_gone(self, seconds=1.0):
        """Nothing of the job may live this much later."""
        wait_until(lambda: not self.pids(), seconds, "the end of all processes")


def run(*args, input=None, seconds=20, **more):
    """Runs oshrun to its end, after which nothing may be left."""
    if input is not None:
        more["stdin"] = subprocess.PIPE
    job = Job(*args, **more)
    job.finish(input, seconds)
    check(not job.pids(), f"processes remain: {job.pids()}")
    return job


def fake(n, *steps, **more):
    """Runs n fake PEs."""
    return run("-n", n, FAKE_PE, *steps, **more)


def sh(n, script, *options, **more):
    return run("-n", n, *options, "sh", "-c", script, **more)


def scratch():
    """The directory that goes with the test, for all users to read."""
    if not hasattr(scratch, "holder"):
        scratch.holder = tempfile.TemporaryDirectory(prefix="tern-test-")
        os.chmod(scratch.holder.name, 0o755)
    return scratch.holder.name


def for_all_users(file, place):
    """A copy at a place below scratch(): a clone may be in a folder that only its owner can enter."""
    folder = scratch()
    for part in os.path.dirname(place).split("/"):
        folder = os.path.join(folder, part)
        os.makedirs(folder, exist_ok=True)
        os.chmod(folder, 0o755)
    path = os.path.join(folder, os.path.basename(place))
    shutil.copy(file, path)
    os.chmod(path, 0o755)
    return path


def wait_until(condition, seconds, what):
    until = time.monotonic() + seconds
    while not condition():
        check(time.monotonic() < until, f"waited {seconds} s for {what}")
        time.sleep(0.005)


def check(ok, message="check failed"):
    if not ok:
        raise AssertionError(message)


def short(value):
    text = repr(value)
    return text if len(text) < 2000 else text[:2000] + "..."


def equal(got, want, what="value"):
    check(got == want, f"{what} is {short(got)} instead of {short(want)}")


def contains(text, *parts):
    for part in parts:
        check(part in text, f"{part!r} is not in {short(text)}")


def unmerged(text):
    """Lines as their PEs wrote them: a merged message is one of each PE."""
    for line in text.splitlines():
        merged = re.fullmatch(r"tern: PEs ([-\d, ]+)( of .*)", line)
        for part in merged[1].split(", ") if merged else ():
            first, _, last = part.partition("-")
            for pe in range(int(first), int(last or first) + 1):
                yield f"tern: PE {pe}{merged[2]}"
        if not merged:
            yield line


def expect(job, status, out=None, err=None):
    """Compares status, output, and the one line on standard error (None: there is none)."""
    equal(job.status, status, f"status (output {short(job.out)}, {short(job.err)})")
    if out is not None:
        equal(job.out, out, "standard output")
    if err is None:
        equal(job.err, "", "standard error")
    else:
        equal(job.err.count("\n"), 1, f"number of lines in {short(job.err)}")
        contains(job.err, "tern: oshrun: ", err)


def main(names):
    """Runs the test that the command line names, or all of a module."""
    tests = {n[5:]: f for n, f in names.items() if n.startswith("test_")}
    for name in sys.argv[1:] or tests:
        try:
            tests[name]()
        except subprocess.TimeoutExpired as e:
            sys.exit(f"{name}: {e}")
        except AssertionError as e:
            sys.exit(f"{name}: {e}")
