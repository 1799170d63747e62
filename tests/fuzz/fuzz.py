#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Looks for inputs that end a target of this folder: libFuzzer of clang, with coverage.

    fuzz.py BUILD SECONDS [TARGET...]     each target for so many seconds

An input that is found is printed and kept in BUILD/fuzz. Mend what it shows, and add it to seeds.
"""
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SANITIZERS = "-fsanitize=fuzzer,address,undefined"


def find_targets(build):
    """The sources of each target, from Meson, without replay.c."""
    listed = json.loads(subprocess.run(["meson", "introspect", "--targets", str(build)], check=True,
                                       stdout=subprocess.PIPE).stdout)
    targets = {}
    for target in listed:
        if target["name"].startswith("fuzz_"):
            sources = [s for part in target["target_sources"] for s in part.get("sources", [])]
            targets[target["name"][5:]] = [s for s in sources if not s.endswith("replay.c")]
    return targets


def version_of(build):
    project = subprocess.run(["meson", "introspect", "--projectinfo", str(build)], check=True,
                             stdout=subprocess.PIPE).stdout
    return json.loads(project)["version"]


def compile_target(build, name, sources):
    program = build / "fuzz" / name
    subprocess.run(["clang", "-g", "-O1", "-std=gnu11", "-D_GNU_SOURCE", SANITIZERS,
                    "-fno-sanitize-recover=all", f"-I{ROOT / 'src'}", f"-I{ROOT / 'tests'}",
                    f"-I{build / 'src/tools'}",
                    f'-DTERN_VERSION="{version_of(build)}"', *sources, "-o", str(program),
                    "-lpthread", "-ldl", "-rdynamic"], check=True)
    return program


def fuzz(folder, name, program, seconds):
    corpus = folder / "corpus" / name
    corpus.mkdir(parents=True, exist_ok=True)
    log = folder / f"{name}.log"
    with open(log, "wb") as out:
        status = subprocess.run(
            [str(program), str(corpus), str(HERE / "seeds" / name), f"-max_total_time={seconds}",
             f"-artifact_prefix={folder}/{name}-", "-timeout=10", "-close_fd_mask=1",
             "-print_final_stats=1"], stdout=out, stderr=subprocess.STDOUT).returncode
    text = log.read_text(errors="replace")
    runs = [line.split()[-1] for line in text.splitlines() if "number_of_executed_units" in line]
    print(f"{name}: {runs[0] if runs else '?'} inputs in {seconds} s, status {status}", flush=True)
    if status:
        print(text[-3000:])
    return status == 0


def main():
    build, seconds, *names = sys.argv[1:]
    targets = find_targets(build)
    build = pathlib.Path(build).resolve()
    folder = build / "fuzz"
    folder.mkdir(exist_ok=True)
    results = [fuzz(folder, name, compile_target(build, name, targets[name]), int(seconds))
               for name in names or sorted(targets)]
    sys.exit(not all(results) or not results)


main()
