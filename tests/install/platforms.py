# SPDX-License-Identifier: BSD-3-Clause
"""Meson refuses machines, systems and C libraries that Tern does not run on, each by its name.

    platforms.py SOURCE_DIR

A machine file says what machine it is, and a folder of headers in front of the compiler's, which C
library.
"""
import pathlib
import shlex
import subprocess
import sys
import tempfile

MACHINE = """[binaries]
c = {compiler}
[host_machine]
system = '{system}'
cpu_family = '{family}'
cpu = '{family}'
endian = 'little'
"""

LINUX, X86_64 = "linux", "x86_64"
COMPILER = ["cc"]


def setup(source, system, family, compiler):
    """The output and the exit status of `meson setup`."""
    with tempfile.TemporaryDirectory() as directory:
        machine = pathlib.Path(directory, "machine.ini")
        machine.write_text(MACHINE.format(system=system, family=family, compiler=compiler))
        words = ["meson", "setup", f"{directory}/build", source, "--cross-file", str(machine)]
        print("$", shlex.join(words))
        job = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                             timeout=60, check=False)
        print(job.stdout)
        return job.stdout, job.returncode


def refused(source, message, system=LINUX, family=X86_64, compiler=COMPILER):
    output, status = setup(source, system, family, compiler)
    line = [line for line in output.splitlines() if "ERROR: " in line][0]
    if status == 0 or line.split(" encountered: ")[1] != message:
        sys.exit(f"FAILED: expected: {message}")


def with_libc(directory, *definitions):
    """A compiler for a C library whose <features.h> has these definitions."""
    folder = pathlib.Path(directory, "-".join(definitions).replace(" ", "-") or "nothing")
    folder.mkdir()
    folder.joinpath("features.h").write_text("".join(f"#define {d}\n" for d in definitions))
    return [*COMPILER, f"-I{folder}"]


def main():
    source = sys.argv[1]
    refused(source, "Tern runs on Linux only, and this build is for freebsd", system="freebsd")
    for family in ["x86", "arm"]:
        refused(source, f"Tern runs on x86-64 and arm64 only, and this build is for {family}",
                family=family)
    refused(source, "Tern needs 64-bit addresses, and this compiler builds for 32-bit ones",
            compiler=[*COMPILER, "-U__LP64__"])
    with tempfile.TemporaryDirectory() as directory:
        refused(source, "Tern needs the GNU C library (glibc), and this compiler builds for another one, "
                        "such as musl, which has no on_exit(): oshrun could not tell a PE that ends as it "
                        "should from one that failed", compiler=with_libc(directory))
        refused(source, "Tern needs glibc 2.28 or later, and this compiler builds for glibc 2.17",
                compiler=with_libc(directory, "__GLIBC__ 2", "__GLIBC_MINOR__ 17"))


main()
