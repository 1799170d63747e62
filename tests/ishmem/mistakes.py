# SPDX-License-Identifier: BSD-3-Clause
"""Make mistakes with Intel SHMEM's interface and look at the line that is printed.

    mistakes.py OSHRUN PROGRAM
"""
import re
import subprocess
import sys

NO_TEAM = "team is not a team: it was destroyed, or never created"
UNDONE = "ishmem_finalize: called without an ishmem_init before it: call it once for each"
MISTAKES = {
    "runtime": r"ishmemx_init_attr: attr->runtime is none of .*",
    "no-attributes": "ishmemx_init_attr: attr is NULL",
    "stale-team": f"shmem_team_sync: {NO_TEAM}",
    "random-team": f"shmem_team_n_pes: {NO_TEAM}",
    "member": r"shmem_int_sum_reduce: team is SHMEM_TEAM_INVALID: is this PE a member\?",
    "comparison": "shmem_int_wait_until: cmp .*",
    "finalize-shmem": UNDONE,
    "finalize": UNDONE,
    "": None,
}


def wrong(oshrun, program):
    for mistake, expected in MISTAKES.items():
        run = subprocess.run([oshrun, "-n", "2", "--timeout", "20", program, mistake], text=True,
                             stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        if expected is None:
            right = run.returncode == 0 and not run.stderr
        else:
            # The last has no PEs any more; oshrun merges the same line of both PEs.
            who = "" if mistake == "finalize" else r"PEs? [01-]+ of 2: "
            line = re.compile(rf"^tern: {who}{expected}$", flags=re.M)
            right = run.returncode != 0 and line.search(run.stderr)
        if not right:
            yield f"{mistake or 'none'}: status {run.returncode}, {expected=}, got {run.stderr}"


def main():
    messages = list(wrong(*sys.argv[1:]))
    print(*messages, sep="\n")
    sys.exit(1 if messages else 0)


main()
