# SPDX-License-Identifier: BSD-3-Clause
"""Five programs with two mistakes each: the tools explain all of them, and are silent about the corrected ones."""
import os
import re
import subprocess
import sys

OSHRUN = os.environ["OSHRUN"]
NOTHING = "check: no mistake was found on any of 3 PEs\n"

# What --check=races says of the two mistakes of each program.
EXPECTED = {
    "stencil": (r"data race\n    shmem_double_put\(.*\) at stencil\.c:5[13]\n",
                r"access past the end\n    shmem_double_put\(.*nelems=34, pe=0\) at stencil\.c:\d+\n"
                r"    dest begins at byte 544 of a block of 800 bytes, and 272 bytes are accessed"),
    "work_queue": (r"buffer used too early\n    shmem_long_put_nbi\(.*\) at work_queue\.c:\d+\n.*\n"
                   r"    that shmem_long_get_nbi at work_queue\.c:\d+ still uses",
                   r"lock lock; PE 2 holds it since work_queue|the lock lock is still held, taken by shmem_set_lock"),
    "search": (r"access past the end\n    shmem_long_p\(.*\) at search\.c:\d+\n    dest is in no block of the symmetric "
               r"heap, but .* behind the end of a block of 16 bytes",
               r"collective calls do not match\n    shmem_\w+\(.*\) at search\.c:\d+\n    PE \d: shmem_\w+\("),
    "hash_table": (r"data race\n    shmem_long_g\(.*\) at hash_table\.c:\d+\n.*\n    PE \d writes the same by "
                   r"shmem_long_p at hash_table\.c:\d+\n(.*\n){,2}.*nor shmem_fence before it set a flag",
                   r"team misused\n    shmem_long_sum_reduce\(.*\) at hash_table\.c:\d+\n    the team was destroyed "
                   r"before, by shmem_team_destroy"),
    "pipeline": (r"buffer used too early\n    shmem_long_put\(dest=packed, source=fresh, nelems=64, pe=\d\) at "
                 r"pipeline\.c:\d+\n.*\n    PE \d itself reads the same by shmem_long_put_signal_nbi",
                 r"collective calls do not match\n    shmem_(int|long)_sum_reduce\(.*\) at pipeline\.c:\d+\n"
                 r"    PE \d: shmem_(int|long)_sum_reduce\("),
}


def run(*words, seconds=30):
    return subprocess.run([OSHRUN, "-n", "3", "--timeout", str(seconds), *words], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def explained(program):
    name = os.path.basename(program).removeprefix("trial_")
    job = run("--check=races", "--hang-timeout", "2", program, seconds=15)    # one hangs
    assert job.returncode != 0, job.stderr
    for words in EXPECTED[name]:
        assert re.search(words, job.stderr), (words, job.stderr)
    for tool in ["--check"], ["--check=races"], ["--chaos", "1"], ["--chaos", "2"]:
        job = run(*tool, program, "right")
        assert job.returncode == 0 and "wrong" not in job.stdout, (tool, job.stdout, job.stderr)
        assert "--chaos" in tool or job.stderr.startswith(NOTHING), (tool, job.stderr)


explained(sys.argv[1])
