# SPDX-License-Identifier: BSD-3-Clause
"""Debian's OpenSHMEM, Open MPI's: where it is, and how its programs are started."""
import subprocess

COMPILER, LAUNCHER = "/usr/bin/oshcc", "/usr/bin/oshrun"
# As measurements need. Without the last, which concerns MPI's windows alone, jobs of 4.1.4 crash in
# shmem_finalize: memory is freed through a hook that belongs to a component that is closed.
OPTIONS = ["--allow-run-as-root", "--oversubscribe", "--mca", "osc", "^rdma"]


def is_installed():
    """Asks the compiler: another package's library may have these names."""
    try:
        shown = subprocess.run([COMPILER, "--showme:version"], capture_output=True, text=True,
                               check=False)
    except OSError:
        return False
    return "Open SHMEM 4" in shown.stdout + shown.stderr
