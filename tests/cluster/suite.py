# SPDX-License-Identifier: BSD-3-Clause
"""Runs test programs by a launcher, on three hosts or on this machine split into nodes.

    suite.py LAUNCHER hosts|split RESULTS PROGRAM...

LAUNCHER is hydra, mpirun, pmi2 or pmix (both by srun). A line for each program goes to the folder
RESULTS, from which table.py makes a table.
"""
import pathlib
import re
import sys
import time

from cluster import Place

SECONDS = 60  # for a program that takes milliseconds alone: others have the cores, too


# It has no harness, and nothing to say if all is well.
SILENT = "profiling_alone"


def judge(status, output, n_pes, program):
    """PEs that have not found each other are jobs of one PE, which pass, too."""
    if status:
        return "too long" if status == -1 else f"status {status}"
    if program == SILENT:
        return "passed"
    sizes = set(re.findall(r"checks on (\d+) PEs passed", output))
    return "passed" if sizes == {str(n_pes)} else "not one job"


def main():
    launcher, where, results, *programs = sys.argv[1:]
    place = Place(launcher, 3 if where == "hosts" else 0)
    n_pes = 6 if where == "hosts" else 5
    env = {"CHECK_TIMEOUT": str(SECONDS - 10)}
    if where == "split":
        env["SHMEM_NODES"] = "2"
    failed = 0
    pathlib.Path(results).mkdir(parents=True, exist_ok=True)
    lines = []
    for program in programs:
        started = time.monotonic()
        status, output = place.run(n_pes, [program], SECONDS, **env)
        took = time.monotonic() - started
        verdict = judge(status, output, n_pes, pathlib.Path(program).name)
        print(f"{pathlib.Path(program).name} @ {n_pes}: {verdict} ({took:.2f} s)", flush=True)
        if verdict != "passed":
            failed += 1
            print(output, flush=True)
        lines.append(f"{pathlib.Path(program).name}\t{launcher} {where}\t{verdict}\t{took:.2f}\n")
    first = pathlib.Path(programs[0]).name
    (pathlib.Path(results) / f"{launcher} {where} {first}.tsv").write_text("".join(lines))
    place.stop()
    print(f"{len(programs) - failed} of {len(programs)} passed")
    sys.exit(1 if failed else 0)


main()
