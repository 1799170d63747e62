# SPDX-License-Identifier: BSD-3-Clause
"""Heap sizes as users write them, good and bad, and the variables that print something."""
import os
import subprocess
import sys

OSHRUN, PROGRAM = sys.argv[1:3]
KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30
failures = 0


def check(condition, name, what):
    global failures
    if not condition:
        failures += 1
        print(f"{name}: {what}", file=sys.stderr)


def run(settings, *sizes, n=2):
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("SHMEM_", "SMA_"))}
    environment.update(settings)
    command = [PROGRAM] if n == 0 else [OSHRUN, "-n", str(n), PROGRAM]
    job = subprocess.run([*command, *(s if s == "init" else str(int(s)) for s in sizes)], capture_output=True, text=True,
                         timeout=20, env=environment)
    job.case = f"{settings} on {n} PEs"
    return job


def holds(settings, fits, too_large, name):
    """The heap has room for `fits` bytes, and nothing like `too_large`."""
    for n in (0, 2):
        job = run(settings, fits, too_large, n=n)
        check(job.returncode == 0, name, f"{job.case}: {job.returncode}, {job.stderr}")
        check(f"{int(fits)} fits" in job.stdout, name, f"{job.case}: {job.stdout}")
        check(f"{int(too_large)} does not fit" in job.stdout, name, f"{job.case}: {job.stdout}")


def size(text, nbytes, name):
    """The whole size fits: a heap may be larger than asked for, but never smaller."""
    holds({"SHMEM_SYMMETRIC_SIZE": text}, nbytes, 4 * nbytes + 16 * MIB, name)


# Suffixes, in either case, are powers of 1024; fractions are rounded up.
size("67108864", 64 * MIB, "size-bytes")
size("65536k", 64 * MIB, "size-suffix")
size("65536K", 64 * MIB, "size-suffix")
size("64m", 64 * MIB, "size-suffix")
size("64M", 64 * MIB, "size-suffix")
size("1g", GIB, "size-suffix")
size("1G", GIB, "size-suffix")
size(".5g", GIB // 2, "size-fraction")
size("0.25G", GIB // 4, "size-fraction")
size("3.1M", 3250586, "size-rounds-up")
size(".5m", MIB // 2, "size-fraction")
size("0.0001t", -(-(1 << 40) // 10000), "size-fraction")
size("0.0001T", -(-(1 << 40) // 10000), "size-fraction")
# Only the first letter counts.
size("65536kk", 64 * MIB, "size-first-letter")
size("64MB", 64 * MIB, "size-first-letter")
size("64MiB", 64 * MIB, "size-first-letter")
size("64mega", 64 * MIB, "size-first-letter")

# A heap of nothing is a heap all the same.
check(run({"SHMEM_SYMMETRIC_SIZE": "0"}).returncode == 0, "size-0", "did not start")

# The old spelling counts, and yields to the new one.
holds({"SMA_SYMMETRIC_SIZE": "64M"}, 64 * MIB, 300 * MIB, "sma-size")
holds({"SMA_SYMMETRIC_SIZE": "1G", "SHMEM_SYMMETRIC_SIZE": "32M"}, 32 * MIB, 200 * MIB,
      "shmem-wins-over-sma")
holds({"SMA_SYMMETRIC_SIZE": "32M", "SHMEM_SYMMETRIC_SIZE": "300M"}, 300 * MIB, GIB + GIB // 2,
      "shmem-wins-over-sma")

# True Scale's names: the most that the heap may have, and the least.
holds({"SHMEM_SHMALLOC_MAX_SIZE": "64M"}, 64 * MIB, 300 * MIB, "shmalloc-max-size")
holds({"SHMEM_SHMALLOC_MAX_SIZE": "1G", "SHMEM_SYMMETRIC_SIZE": "32M"}, 32 * MIB, 200 * MIB,
      "symmetric-size-wins-over-shmalloc-max-size")
holds({"SHMEM_SHMALLOC_INIT_SIZE": "1400M"}, 1400 * MIB, 6 * GIB, "shmalloc-init-size")
holds({"SHMEM_SHMALLOC_INIT_SIZE": "16M"}, 32 * MIB, 6 * GIB, "shmalloc-init-size-is-the-least")
holds({"SHMEM_SHMALLOC_INIT_SIZE": "1G", "SHMEM_SHMALLOC_MAX_SIZE": "64M"}, 64 * MIB, 300 * MIB,
      "shmalloc-max-size-wins")

# The other variables of that library are accepted without a word.
job = run({"SHMEM_SHMALLOC_BASE_ADDR": "0", "SHMEM_SHMALLOC_CHECK": "1", "SHMEM_GET_REQ_LIMIT": "64",
           "SHMEM_GET_LONG_REQ_LIMIT": "16", "SHMEM_PUT_FRAG_LIMIT": "4096",
           "SHMEM_PUT_LONG_FRAG_LIMIT": "128", "SHMEM_GET_LONG_SIZE": "8192",
           "SHMEM_PUT_LONG_SIZE": "8192", "SHMEM_PUT_REPLY_COMBINING_COUNT": "8"}, "init")
check(job.returncode == 0 and job.stderr == "" and job.stdout == "", "protocol-limits-accepted",
      f"{job.stdout!r} {job.stderr!r}")
job = run({"SHMEM_IDENTIFY": ""}, "init", n=3)
check(sorted(line.split(":")[0] for line in job.stdout.splitlines()) ==
      ["PE 0 of 3", "PE 1 of 3", "PE 2 of 3"], "identify-each-pe", job.stdout)
check(all("/libtern.so" in line for line in job.stdout.splitlines()), "identify-library", job.stdout)

# Never a silent default: the init reports it or the program ends, and says why.
for text in ("", "-1", "-64M", "M", "abc", "12x", ".", "1.2.3M", "0x100000", " ", "--5", "1e6q",
             "99999999999999999999999", "9999999t"):
    for variable in ("SHMEM_SYMMETRIC_SIZE", "SMA_SYMMETRIC_SIZE"):
        job = run({variable: text})
        check(job.returncode != 0, "bad-size-refused", f"{job.case}: {job.stdout}")
        check("SYMMETRIC_SIZE" in job.stderr, "bad-size-explained", f"{job.case}: {job.stderr!r}")
        check(run({variable: text}, "init").returncode != 0, "init-ends-program", job.case)

# These react to being set to anything at all.
silent = run({"SHMEM_NO_SUCH_SETTING": "1"})
check(silent.returncode == 0 and silent.stderr == "", "silent-by-default", silent.stderr)
for prefix in ("SHMEM_", "SMA_"):
    for value in ("1", "0", "", "off"):
        job = run({prefix + "VERSION": value})
        check(job.returncode == 0 and "1.6" in job.stdout + job.stderr, "version-prints",
              f"{job.case}: {job.stdout!r} {job.stderr!r}")
        job = run({prefix + "INFO": value})
        check(job.returncode == 0 and "SHMEM_SYMMETRIC_SIZE" in job.stdout + job.stderr,
              "info-prints", f"{job.case}: {job.stdout!r} {job.stderr!r}")
        # A name that is no setting is worth a word only to who asks for words.
        job = run({prefix + "DEBUG": value, "SHMEM_NO_SUCH_SETTING": "1"})
        check(job.returncode == 0 and "SHMEM_NO_SUCH_SETTING" in job.stderr, "debug-prints",
              f"{job.case}: {job.stderr!r}")
sys.exit(failures > 0)
