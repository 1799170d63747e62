# SPDX-License-Identifier: BSD-3-Clause
"""oshrun --profile: what it says of a program whose traffic is known."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

OSHRUN, TRAFFIC = os.environ["OSHRUN"], os.environ["TRAFFIC"]
N = 3
LATE_NS = 1e8
SOURCE = pathlib.Path(__file__).with_name("traffic.c")


def profile(*words):
    """The job, and the page's data and the trace of its profile."""
    with tempfile.TemporaryDirectory() as folder:
        job = subprocess.run([OSHRUN, "-n", str(N), "--timeout", "50", "--profile", *words],
                             cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        files = pathlib.Path(folder, "tern-profile")
        names = sorted(path.name for path in files.iterdir())
        assert names == ["report.html", "summary.txt", "trace.json"], (names, job.stderr)
        page = (files / "report.html").read_text()
        trace = json.loads((files / "trace.json").read_text())
        assert (files / "summary.txt").read_text() in job.stderr, job.stderr
        data = json.loads(re.search(r"const data = (\{.*?\});\n", page, re.S)[1])
        return job, data, trace["traceEvents"]


def transfers():
    """Bytes and operations of each pair, in the numbers of all PEs; sizes."""
    job, data, _ = profile(TRAFFIC)
    assert job.returncode == 0, job.stderr
    octets, operations, _ = data["matrices"]
    expected = [[0] * N for _ in range(N)]
    count = [[0] * N for _ in range(N)]
    for pe in range(N):
        after = (pe + 1) % N
        expected[pe][after] += 8 * 100 * (pe + 1) + 10 + 8
        count[pe][after] += 3
    expected[N - 1][0] += 8    # the word that is waited for
    count[N - 1][0] += 1
    for pe in range(1, N):     # on the context
        expected[pe][1] += 5
        count[pe][1] += 1
    assert octets == expected, (octets, expected)
    assert operations == count, (operations, count)
    puts, gets, atomics, blocks = (sum(sizes) for sizes in data["sizes"])
    assert (puts, gets, atomics, blocks) == (N + N - 1, N, N + 1, N)
    assert data["sizes"][0][2] == N - 1 and data["sizes"][0][9] == 1    # 5, and 800 bytes


def waits():
    """Who waited for whom, and where."""
    job, data, trace = profile(TRAFFIC)
    waited = data["matrices"][2]
    for waiter, late in ((1, 0), (2, 0), (0, 1), (2, 1), (0, N - 1)):
        assert waited[waiter][late] > 0.8 * LATE_NS, (waiter, late, waited)
    assert all(waited[pe][pe] == 0 for pe in range(N)), waited
    lines = SOURCE.read_text().splitlines()
    line = next(i for i, text in enumerate(lines, 1) if "shmem_long_wait_until" in text)
    place = next(p for p in data["places"] if p["routine"] == "shmem_long_wait_until")
    assert place["where"] == f"traffic.c:{line}" and place["calls"] == 1, place
    assert f"shmem_long_wait_until at traffic.c:{line}" in job.stderr
    event = next(e for e in trace if e["name"] == "shmem_long_wait_until")
    assert event["pid"] == 0 and event["dur"] > 0.8 * LATE_NS / 1000, event
    for pe in data["pes"]:
        assert sum(pe["spent"]) <= 1.001 * pe["time"], pe["spent"]
        assert pe["spent"][2] > 0.8 * LATE_NS, pe["spent"]


def long_run():
    """Tables keep their size, and totals stay right."""
    calls = 300000
    job, data, trace = profile(TRAFFIC, str(calls))
    place = next(p for p in data["places"] if p["routine"] == "shmem_char_p")
    assert place["calls"] == N * calls and place["bytes"] == N * calls, place
    assert len(trace) <= N * 16384 + N
    assert all(len(pe["buckets"]) <= 512 for pe in data["pes"])
    for pe in data["pes"]:
        for i in range(3):
            assert sum(b[i] for b in pe["buckets"]) == pe["spent"][i]


def bad_folder():
    env = {**os.environ, "SHMEM_PROFILE": "/dev/null/x"}
    job = subprocess.run([OSHRUN, "-n", "1", "--profile", TRAFFIC], env=env, text=True,
                         stderr=subprocess.PIPE)
    assert job.returncode == 1 and '"/dev/null/x"' in job.stderr, job.stderr


def no_program():
    """What can't start has no report."""
    job = subprocess.run([OSHRUN, "-n", "1", "--profile", "./nothing"], text=True,
                         stderr=subprocess.PIPE)
    assert job.returncode == 127 and "tern-profile" not in job.stderr, job.stderr


globals()[sys.argv[1]]()
