# SPDX-License-Identifier: BSD-3-Clause
"""Programs under AddressSanitizer, by gcc and clang: it sees the library's own copies; tools start with it."""
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile

OSHRUN = os.environ["OSHRUN"]
CASES = {"put_16": "READ of size 16", "put_100000": "READ of size 100008", "get": "WRITE of size 16",
         "put_nbi": "READ of size 16", "strided": "READ of size 8", "signal": "READ of size 16",
         "fetch": "WRITE of size 8"}
TOOLS = ([], ["--check"], ["--check=races"], ["--profile"], ["--chaos", "1"])
SKIPPED = 77


def compile_by(compiler, oshcc, source, program):
    """Whether the compiler has the sanitizer's runtime."""
    return subprocess.run([oshcc, "-g", "-fsanitize=address", "-o", program, source],
                          env={**os.environ, "TERN_CC": compiler}, stderr=subprocess.DEVNULL).returncode == 0


def run(scratch, tools, nodes, *words):
    env = {**os.environ, "SHMEM_NODES": nodes, "SHMEM_PROFILE": tempfile.mkdtemp(dir=scratch)}
    env["ASAN_OPTIONS"] = "detect_leaks=0"    # libfabric leaves some to the end
    env.pop("MALLOC_PERTURB_", None)
    return subprocess.run([OSHRUN, "-n", "2", "--timeout", "50", *tools, *words], env=env, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def check(scratch, program, tools, nodes, case):
    job = run(scratch, tools, nodes, program, case)
    assert "ERROR: AddressSanitizer: heap-buffer-overflow" in job.stderr, (tools, nodes, case, job.stderr)
    # Chaos reads the source itself, maybe in pieces and later.
    assert CASES[case] in job.stderr or "--chaos" in tools, (tools, nodes, case, job.stderr)
    assert re.search(r"#\d+ 0x\w+ in main .*sanitized\.c:\d+", job.stderr) or "--chaos" in tools, job.stderr
    assert job.returncode != 0, (tools, nodes, case)
    job = run(scratch, tools, nodes, program, case, "right")
    assert job.returncode == 0 and job.stdout.count("right\n") == 2, (tools, nodes, case, job.stderr)
    assert "Sanitizer" not in job.stderr, (tools, nodes, case, job.stderr)


def main(oshcc, source):
    found = False
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(2) as pool:
        for compiler in filter(shutil.which, ("gcc", "clang")):
            program = f"{scratch}/{compiler}"
            if not compile_by(compiler, oshcc, source, program):
                continue
            found = True
            cases = [([], nodes, case) for case in CASES for nodes in ("1", "2")]
            cases += [(tools, "1", case) for tools in TOOLS[1:] for case in ("put_16", "get")]
            for done in [pool.submit(check, scratch, program, *case) for case in cases]:
                done.result()
    return 0 if found else SKIPPED


sys.exit(main(*sys.argv[1:]))
