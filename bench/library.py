# SPDX-License-Identifier: BSD-3-Clause
"""The OpenSHMEM libraries that are measured: how programs are compiled for each, and started."""
import os
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))

DEBIANS_COMPILER, DEBIANS_LAUNCHER = "/usr/bin/oshcc", "/usr/bin/oshrun"
# As measurements need. Without the last, which concerns MPI's windows alone, jobs of Open MPI 4.1.4
# crash in shmem_finalize: memory is freed through a hook that belongs to a component that is closed.
DEBIANS_OPTIONS = ["--allow-run-as-root", "--oversubscribe", "--mca", "osc", "^rdma"]


class Library:
    """Its programs are kept in a directory."""

    def __init__(self, name, oshcc, oshrun, directory, options=(), env=None, most_pes=1000):
        self.name, self.oshcc, self.oshrun, self.directory = name, oshcc, oshrun, directory
        self.options, self.most_pes = list(options), most_pes
        self.env = dict(os.environ, **(env or {}))
        self.broken = {}  # program: why it could not be compiled

    def compile_sycl(self, program, *words):
        """The same for a C++ program with kernels, which only Tern can compile, and an object in C."""
        oshcxx = os.path.join(os.path.dirname(self.oshcc), "oshc++")
        done = subprocess.run([self.oshcc, "-O2", "-c", "-o", self.path("bench.o"), "bench.c"], cwd=HERE, check=False)
        done = done.returncode or subprocess.run(
            [oshcxx, "-std=c++17", "--tern-sycl", "-o", self.path(program), *words, self.path("bench.o")],
            cwd=HERE, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False).returncode
        if done:
            self.broken[program] = "it is Tern's only, and needs a compiler of C++17"

    def path(self, program):
        return os.path.join(self.directory, program)

    def compile(self, program, *words):
        """words: options, and sources as named in this folder. Whether it worked."""
        os.makedirs(self.directory, exist_ok=True)
        done = subprocess.run([self.oshcc, "-o", self.path(program), *words], cwd=HERE, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if done.returncode:
            self.broken[program] = done.stdout.strip() or f"{self.oshcc}: status {done.returncode}"
        return not done.returncode

    def command(self, pes, program, *arguments, options=()):
        return [self.oshrun, *self.options, *options, "-n", str(pes), self.path(program), *arguments]


def of_build(build, directory):
    """Tern, from a build directory."""
    build = os.path.abspath(build)
    return Library("Tern", os.path.join(build, "src/cc/oshcc"), os.path.join(build, "src/launch/oshrun"),
                   os.path.abspath(directory))


def of_prefix(prefix, directory):
    """Another one, installed there."""
    prefix = os.path.abspath(prefix)
    return Library(os.path.basename(prefix), os.path.join(prefix, "bin/oshcc"),
                   os.path.join(prefix, "bin/oshrun"), os.path.abspath(directory), most_pes=64)


def has_debians():
    """Asks the compiler: another package's library may have these names."""
    try:
        shown = subprocess.run([DEBIANS_COMPILER, "--showme:version"], capture_output=True, text=True,
                               check=False)
    except OSError:
        return False
    return "Open SHMEM 4" in shown.stdout + shown.stderr


def debians(directory, options=(), env=None):
    """Open MPI's, as Debian has it; None if it is not installed."""
    if not has_debians():
        return None
    return Library("Debian oshmem", DEBIANS_COMPILER, DEBIANS_LAUNCHER, os.path.abspath(directory),
                   [*DEBIANS_OPTIONS, *options], env, most_pes=64)
