#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""tern-info as a user meets it: output that fits a screen, errors, exit statuses."""
import subprocess
import sys

TERN_INFO = sys.argv[1]
SETTINGS = ["SHMEM_VERSION", "SHMEM_INFO", "SHMEM_SYMMETRIC_SIZE", "SHMEM_DEBUG",
            "SHMEM_STATIC_DATA", "SHMEM_HEAP_PREFAULT", "SHMEM_HEAP_HUGE_PAGES",
            "SHMEM_WAIT_AWAKE_US"]


def run(*arguments, status=0, stdout=subprocess.PIPE, **environment):
    r = subprocess.run([TERN_INFO, *arguments], env=environment, text=True, stdout=stdout,
                       stderr=subprocess.PIPE, timeout=60)
    assert r.returncode == status, (arguments, environment, r)
    return r


def line_of(text, word):
    lines = [line for line in text.splitlines() if line.split()[:1] == [word]]
    assert len(lines) == 1, (word, text)
    return lines[0]


def everything():
    r = run()
    assert not r.stderr, r
    lines = r.stdout.splitlines()
    assert len(lines) <= 40 and max(map(len, lines)) <= 80, r.stdout
    assert "OpenSHMEM 1.6" in lines[0]
    for name in SETTINGS:
        assert "(default)" in line_of(r.stdout, name)
    for subject in ["cores", "memory", "membarrier", "/proc"]:
        line_of(r.stdout, subject)


def values():
    r = run(SMA_SYMMETRIC_SIZE="1.5g", SHMEM_STATIC_DATA="no", SHMEM_INFO="")
    assert line_of(r.stdout, "SHMEM_SYMMETRIC_SIZE").split()[1:] == [
        "1536M", "(from", "SMA_SYMMETRIC_SIZE)"]
    assert line_of(r.stdout, "SHMEM_STATIC_DATA").split()[1:] == ["off"]
    assert line_of(r.stdout, "SHMEM_INFO").split()[1:] == ["set"]


def explanations():
    r = run("--settings", SHMEM_HEAP_PREFAULT="on")
    assert max(map(len, r.stdout.splitlines())) <= 80, r.stdout
    for name in SETTINGS:
        line_of(r.stdout, name + ":")
    assert "SHMEM_HEAP_PREFAULT: on\n" in r.stdout
    # Pages of documentation do not depend on the environment.
    for form in ["markdown", "man"]:
        page = run("--settings=" + form).stdout
        assert page == run("--settings=" + form, SHMEM_SYMMETRIC_SIZE="junk").stdout
        assert all(name in page for name in SETTINGS)


def mistakes():
    r = run(SHMEM_SYMMETRIC_SIZE="64Q", status=1)
    assert 'tern-info: error: SHMEM_SYMMETRIC_SIZE is "64Q": expected a number' in r.stderr
    assert "membarrier" in r.stdout
    r = run(SHMEM_SYMETRIC_SIZE="64M")
    assert "perhaps SHMEM_SYMMETRIC_SIZE is meant" in r.stderr
    for arguments in [["--setings"], [""], ["-x"], ["--version", "--help"], ["--settings=html"]]:
        r = run(*arguments, status=2)
        assert not r.stdout and f'"{arguments[-1]}"' in r.stderr and "--help" in r.stderr, r
    with open("/dev/full", "w") as full:
        r = run(status=1, stdout=full)
    assert "No space left" in r.stderr, r


def words():
    for option in ["-h", "--help"]:
        lines = run(option).stdout.splitlines()
        assert lines[0].startswith("usage: tern-info")
        assert len(lines) <= 40 and max(map(len, lines)) <= 80
    for option in ["-V", "--version"]:
        assert run(option).stdout.startswith("tern-info (Tern) ")


everything()
values()
explanations()
mistakes()
words()
