# SPDX-License-Identifier: BSD-3-Clause
"""The tools with programs that load the library late, and for themselves alone: as Python does."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

OSHRUN, LIBRARY, LOADS, MODULE, LOOKALIKE = (
    os.environ[name] for name in ("OSHRUN", "LIBRARY", "LOADS", "MODULE", "LOOKALIKE"))
HERE = pathlib.Path(__file__).parent
PYTHON = (sys.executable, HERE / "from_python.py", LIBRARY)
TOOLS = (["--check"], ["--chaos", 1], ["--profile"], ["--check", "--chaos", 1, "--profile"])
NOTHING = "check: no mistake was found on any of 2 PEs\n"


def run(*words, **options):
    return subprocess.run([OSHRUN, "-n", "2", "--timeout", "50", *map(str, words)],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)


def stays_right(*words):
    """Under each tool, and all of them."""
    for options in TOOLS:
        with tempfile.TemporaryDirectory() as folder:
            job = run(*options, *words, cwd=folder)
        assert job.returncode == 0, (options, job.returncode, job.stderr)
        assert (NOTHING in job.stderr) == ("--check" in options), (options, job.stderr)
        assert ("Profile of" in job.stderr) == ("--profile" in options), (options, job.stderr)


def finds(line, *words):
    """The same mistake with its place, on both PEs; with other tools as well."""
    for options in (["--check"], ["--check", "--chaos", 1]):
        job = run(*options, *words)
        assert job.returncode == 66, (job.returncode, job.stderr)
        assert job.stderr.count(": access past the end\n    shmem_long_put(") == 1, job.stderr
        assert re.search(rf"    shmem_long_put\(.*, nelems=12, pe=\d\) at {line}\n"
                         r"    dest begins at byte 0 of a block of 80 bytes, and 96 bytes are accessed\n",
                         job.stderr), job.stderr


def line_of(source, mark):
    lines = (HERE / source).read_text().splitlines()
    return f"{source}:{next(i for i, text in enumerate(lines, 1) if mark in text)}".replace(".", r"\.")


def python_check():
    """With the lines of the program, though all calls come from one place in libffi."""
    job = run("--check", *PYTHON, "past")
    assert job.returncode == 66 and "libffi" not in job.stderr, (job.returncode, job.stderr)
    for routine in "put", "get":
        line = line_of("from_python.py", f"# past by {routine}")
        assert len(re.findall(rf": access past the end\n    shmem_long_{routine}\(.*\) at {line}\n",
                              job.stderr)) == 1, job.stderr
        assert re.search(rf"    1 time on PE \d: access past the end: shmem_long_{routine} at {line}\n",
                         job.stderr), job.stderr
    block = line_of("from_python.py", "block = tern.shmem_malloc")
    assert job.stderr.count("allocated by shmem_malloc(size=80) at " + block.replace("\\", "")) == 2, job.stderr


def python_package():
    """A mistake is the line's that calls the package, not the package's."""
    with tempfile.TemporaryDirectory() as scratch:
        installed = pathlib.Path(scratch, "site-packages")
        installed.mkdir()
        (installed / "carrier.py").write_text("def carry(routine, *words):\n    routine(*words)\n")
        job = run("--check", *PYTHON, "package", env={**os.environ, "PYTHONPATH": str(installed)})
    line = line_of("from_python.py", "# past by carrier")
    assert re.search(rf"    shmem_long_put\(.*\) at {line}\n", job.stderr), job.stderr


def python_chaos():
    """A missing fence shows."""
    for seed in 1, 2:
        job = run("--chaos", seed, *PYTHON, "order")
        assert job.returncode == 1, (seed, job.returncode, job.stderr)
        job = run("--chaos", seed, *PYTHON, "order", "right")
        assert job.returncode == 0, (seed, job.returncode, job.stderr)


def python_profile():
    """Each routine with as many calls as the program makes."""
    with tempfile.TemporaryDirectory() as folder:
        job = run("--profile", *PYTHON, "order", "right", cwd=folder)
    assert job.returncode == 0, job.stderr
    for routine, n in (("long_p", 400), ("fence", 400), ("long_atomic_set", 400),
                       ("long_wait_until", 400), ("barrier_all", 400), ("calloc", 2), ("finalize", 2)):
        assert re.search(rf"^ +\d+\.\d+ +{n} .* shmem_{routine} at ", job.stderr, re.M), (routine, job.stderr)


def python_right():
    stays_right(*PYTHON, "past", "right")


def module():
    finds(line_of("module.c", "/* past */"), LOADS, "module", MODULE)
    stays_right(LOADS, "module", MODULE, "right")


def handle():
    finds(line_of("loads.c", "past */"), LOADS, "handle", LIBRARY)
    stays_right(LOADS, "handle", LIBRARY, "right")


def names():
    """Who looks up another routine than a tool stands in front of gets it."""
    for options in [], *TOOLS[:2]:
        job = run(*options, LOADS, "names", LOOKALIKE, LIBRARY)
        assert job.returncode == 0, (options, job.returncode, job.stderr)


globals()[sys.argv[1]]()
