# SPDX-License-Identifier: BSD-3-Clause
"""What the system tests share: the launcher's test tools, and building programs."""
import os
import shutil
import subprocess
import sys
import time
import uuid

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.dirname(HERE)
sys.path.insert(0, os.path.join(TESTS, "launch"))
os.environ.setdefault("FAKE_PE", "")
os.environ.pop("LD_LIBRARY_PATH", None)  # programs find the library by themselves

from launch import (Job, OSHRUN, TAG, check, contains, equal, expect, for_all_users, main,  # noqa: F401
                    run, scratch, short, unmerged, wait_until)

OSHCC, OSHCXX, LIBRARY = os.environ["OSHCC"], os.environ["OSHCXX"], os.environ["LIBRARY"]
PROGRAMS = os.environ["PROGRAMS"]


def program(name):
    """One that meson has built."""
    return os.path.join(PROGRAMS, name)


def skip(reason):
    print("skipped:", reason)
    sys.exit(77)


def need(tool):
    path = shutil.which(tool)
    if not path:
        skip(f"there is no {tool}")
    return path


def public(name):
    """oshrun and a program where all users reach them, with the library as they look for it."""
    for_all_users(LIBRARY, "src/libtern.so.0")
    return (for_all_users(OSHRUN, "src/launch/oshrun"),
            for_all_users(program(name), f"tests/system/{name}"))


def build(source, *flags, libraries=(), compiler=None, name="program"):
    """Compiles a source of this folder with oshcc or oshc++; the path of the program."""
    plus = source.endswith(".cc")
    env = dict(os.environ)
    if compiler:
        env["TERN_CXX" if plus else "TERN_CC"] = need(compiler)
    out = os.path.join(scratch(), name)
    words = [OSHCXX if plus else OSHCC, "-D_GNU_SOURCE", "-I", TESTS, *flags,
             os.path.join(HERE, source), *libraries, "-o", out]
    job = subprocess.run(words, env=env, capture_output=True, text=True, check=False)
    check(job.returncode == 0, f"{' '.join(words)}\n{job.stderr}")
    return out


class Script(Job):
    """A shell script that starts a job, where a launcher of its own is not enough."""

    def __init__(self, script, *args, env=None, **more):
        self.tag = uuid.uuid4().hex
        self.process = subprocess.Popen(
            ["sh", "-c", script, "sh", *map(str, args)], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={**os.environ, **(env or {}), TAG: self.tag}, **more)
        self.started = time.monotonic()


def script(text, *args, seconds=20, **more):
    """Runs a shell script to its end, after which nothing may be left; $OSHRUN is in its
    environment."""
    job = Script(text, *args, **more).finish(seconds=seconds)
    check(not job.pids(), f"processes remain: {job.pids()}")
    return job


def unshared(flags, setup, command):
    """Runs a command in namespaces of its own, after some setting up as their root."""
    words = ["unshare", *flags.split()]
    need("unshare")
    if os.getuid() != 0:
        words.append("-r")
    if subprocess.run([*words, "true"], capture_output=True, check=False).returncode != 0:
        skip(f"{' '.join(words)} is not permitted")
    ready = f"{setup} || exit 77" if setup else ""
    job = script(f"exec {' '.join(words)} sh -c '{ready}\n{command}'")
    if job.status == 77:
        skip(f"{setup}: {job.err}")
    return job


def fine(job, out=None):
    """The job ended well and said nothing of note."""
    equal((job.status, job.err), (0, ""), "status and standard error")
    if out is not None:
        equal(job.out, out, "standard output")
