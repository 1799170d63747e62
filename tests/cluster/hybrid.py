# SPDX-License-Identifier: BSD-3-Clause
"""Programs that use MPI and OpenSHMEM: each MPI's, by the launchers that know it.

    hybrid.py mpich|openmpi LAUNCHER hosts|split
"""
import os
import pathlib
import subprocess
import sys
import tempfile

from cluster import HERE, Place, need

SECONDS = 60


def build(mpi, folder):
    """With the MPI's compiler and the flags that oshcc shows."""
    compiler = f"mpicc.{mpi}"
    need(compiler)
    flags = subprocess.run([os.environ["OSHCC"], "--showme:compile"], check=True, text=True,
                           stdout=subprocess.PIPE).stdout.split()
    flags += subprocess.run([os.environ["OSHCC"], "--showme:link"], check=True, text=True,
                            stdout=subprocess.PIPE).stdout.split()
    program = pathlib.Path(folder) / f"hybrid-{mpi}"
    subprocess.run([compiler, "-O2", "-Wall", HERE / "hybrid.c", "-o", program, *flags], check=True)
    return program


def main():
    mpi, launcher, where = sys.argv[1:]
    failed = 0
    # Hosts that are namespaces see all of the file system.
    with tempfile.TemporaryDirectory(prefix="tern-hybrid.") as folder:
        program = build(mpi, folder)
        place = Place(launcher, 3 if where == "hosts" else 0)
        env = {} if where == "hosts" else {"SHMEM_NODES": "2"}
        n_pes = 6 if where == "hosts" else 4
        for first in ("mpi", "shmem"):
            for first_to_end in ("mpi", "shmem"):
                status, output = place.run(n_pes, [program, first, first_to_end], SECONDS, **env)
                ok = status == 0 and f"checks on {n_pes} PEs passed" in output
                print(f"{mpi}, {launcher}, {where}: {first} initialized first, {first_to_end} "
                      f"finalized first: {'passed' if ok else f'FAILED ({status})'}", flush=True)
                if not ok:
                    failed += 1
                    print(output, flush=True)
        place.stop()
    sys.exit(1 if failed else 0)


main()
