# SPDX-License-Identifier: BSD-3-Clause
"""tern-info as a user meets it: output that fits a screen, errors, exit statuses."""
import pathlib
import subprocess
import sys
import tempfile

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


def doctor():
    """What is there, what would be used, and why: with stand-ins for launchers."""
    with tempfile.TemporaryDirectory() as folder:
        for name, answer in ("mpirun", "HYDRA build details:"), ("srun", ""), ("mpiexec", "?"):
            script = pathlib.Path(folder, name)
            script.write_text(f"#!/bin/sh\necho '{answer}'\n")
            script.chmod(0o755)
        text = run("--doctor", PATH=folder).stdout
        for title in "This machine", "This node", "Launchers", "Network between nodes":
            assert any(line.startswith(title) for line in text.splitlines()), text
        for subject in "cores", "memory", "locked", "container", "host", "boot", "namespace":
            line_of(text, subject)
        assert "no launcher: a program would be a job of one PE" in text
        assert f"{folder}/srun (Slurm): not in a Slurm allocation (SLURM_JOB_ID)" in text
        assert f"{folder}/mpirun (Hydra): oshrun -H would use it" in text
        assert "/mpiexec" not in text
        text = run("--doctor", PATH=folder, SLURM_JOB_ID="7", PMI_FD="5", SHMEM_NODES="2").stdout
        assert f"{folder}/srun (Slurm): oshrun -H would use it" in text
        assert f"{folder}/mpirun (Hydra)\n" in text
        assert "PMI_FD is set" in text and "into 2 nodes (SHMEM_NODES)" in text
    text = run("--doctor", PATH="/nowhere").stdout
    assert "install mpich or openmpi-bin" in text
    run("--doctor", SHMEM_NODES="many", status=1)


def network():
    """Each provider, and why it is not the one; or why there is no network."""
    text = run("--doctor", SHMEM_NETWORK="nosuch").stdout
    assert "  none: SHMEM_NETWORK is nosuch, but the network engines are: ofi (" in text, text
    lines = run("--doctor").stdout.partition("\nNetwork between nodes\n")[2].splitlines()
    if lines[0].startswith("  none: "):
        assert "libtern-ofi.so" in lines[0], lines
        return
    assert lines[0].startswith("  libfabric "), lines
    assert all(": " in line for line in lines[1:]), lines
    assert len([line for line in lines if "would be used" in line]) <= 1, lines
    text = run("--doctor", SHMEM_PROVIDER="nosuch").stdout
    assert "would be used" not in text, text


def self_test():
    """On this machine; tests/cluster has it between hosts."""
    text = run("--test", "localhost:3", PATH="/usr/bin:/bin").stdout
    lines = text.splitlines()
    assert [line.split(" is on ")[0] for line in lines[:3]] == ["PE 0", "PE 1", "PE 2"], text
    pairs = [line.split()[1:4] for line in lines[3:9]]
    assert sorted(pairs) == sorted([str(a), "->", str(b)] for a in range(3) for b in range(3)
                                   if a != b), text
    assert all(line.startswith("PASS") for line in lines[3:10]), text
    assert lines[10:] == ["All is well."], text
    r = run("--test", "far;away", status=2)
    assert "is not a host's name" in r.stderr, r
    r = run("--test", status=2)
    assert '"--test"' in r.stderr, r


everything()
values()
doctor()
network()
self_test()
explanations()
mistakes()
words()
