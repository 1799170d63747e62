# SPDX-License-Identifier: BSD-3-Clause
"""oshrun --profile: what it says of a program whose traffic is known."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

OSHRUN, TRAFFIC, LATE, CHILD = (os.environ[name] for name in ("OSHRUN", "TRAFFIC", "LATE", "CHILD"))
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
    assert (puts, gets, atomics, blocks) == (N + N - 1, N, N + 1, N + N + 3 * (N - 1))
    assert data["sizes"][0][2] == N - 1 and data["sizes"][0][9] == 1    # 5, and 800 bytes


def exchanges():
    """An alltoall has a block for each PE of the team or active set."""
    _, data, _ = profile(TRAFFIC)
    members = N - 1
    each = {"shmem_int_alltoall": (N, 4 * 8 * N), "shmem_long_alltoalls": (members, 8 * 3 * members),
            "shmem_alltoall32": (members, 4 * 100 * members),
            "shmem_alltoalls64": (members, 8 * 20 * members), "shmem_long_sum_reduce": (N, 8)}
    places = {p["routine"]: (p["calls"], p["bytes"]) for p in data["places"]}
    sizes = [0] * len(data["sizes"][3])
    for routine, (calls, octets) in each.items():
        assert places[routine] == (calls, calls * octets), (routine, places[routine])
        sizes[octets.bit_length() - 1] += calls
    assert data["sizes"][3] == sizes, (data["sizes"][3], sizes)


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
    """Memory stays as it is, totals stay right, and of single calls the longest are kept."""
    calls = 300000
    job, data, trace = profile(TRAFFIC, str(calls))
    place = next(p for p in data["places"] if p["routine"] == "shmem_char_p")
    assert place["calls"] == N * calls and place["bytes"] == N * calls, place
    grown = [int(kib) for kib in re.findall(r"grown by (\d+) KiB", job.stdout)]
    assert len(grown) == N and max(grown) < 256, grown
    times = [event["dur"] for event in trace if event["name"] == "shmem_char_p"]
    assert 0 < len(times) < N * calls / 10, len(times)
    assert abs(max(times) - place["longest"] / 1000) < 0.001, (max(times), place)
    for pe in data["pes"]:
        # An interval is doubled when the last one of 512 is full, and half of them are used then.
        assert 256 <= len(pe["buckets"]) <= 512, len(pe["buckets"])
        assert 0 <= len(pe["buckets"]) * pe["bucket"] - pe["span"] < pe["bucket"], pe["span"]
        for i in range(3):
            assert sum(b[i] for b in pe["buckets"]) == pe["spent"][i]


def waited_in(case):
    """Of tests/tools/late.c, who waited for whom, in tenths of a second."""
    job, data, _ = profile(LATE, case)
    assert job.returncode == 0, job.stderr
    return [[ns / LATE_NS for ns in row] for row in data["matrices"][2]], data, job


def expect_waits(waited, *pairs):
    """
    These pairs have waited as long as a PE was late, and these waiters for no others nearly so long.
    """
    for pe in {waiter for waiter, _ in pairs}:
        for late in range(N):
            long = waited[pe][late] > 0.8
            assert long == ((pe, late) in pairs) and (long or waited[pe][late] < 0.4), waited


def wait_for_all():
    """The PE that came last has been waited for, not those before it."""
    for case in ("all", "all_vector"):
        waited, _, _ = waited_in(case)
        expect_waits(waited, (0, N - 1))


def wait_for_any():
    for case in ("any", "some"):
        waited, _, _ = waited_in(case)
        expect_waits(waited, (0, N - 1))


def resources():
    """Allocation, and the end of a team or a block, are meetings."""
    waited, _, _ = waited_in("resources")
    expect_waits(waited, (1, 0), (2, 0), (0, 1), (2, 1), (0, 2), (1, 2))


def no_meeting():
    """What returns at once is none, however many times a PE does it: the barrier is the same one."""
    waited, _, _ = waited_in("nothing")
    expect_waits(waited, (0, 1), (2, 1))


def initialized_again():
    """One record of both parts, without the time between them."""
    waited, data, job = waited_in("again")
    expect_waits(waited, (0, 1), (2, 1))
    puts = [p["calls"] for p in data["places"] if p["routine"] == "shmem_long_p"]
    assert puts == [N, N], puts
    assert [sum(row) for row in data["matrices"][1]] == [2] * N, data["matrices"]
    for pe in data["pes"]:
        assert pe["span"] - pe["time"] > 0.9 * 3 * LATE_NS, pe
        assert pe["time"] < 2.5 * LATE_NS, pe
        assert sum(b[3] for b in pe["buckets"]) == pe["span"] - pe["time"], pe
        assert sum(pe["spent"]) <= pe["time"], pe["spent"]
    assert "Profile of late again, 3 PEs, " in job.stderr, job.stderr


def other_threads():
    """Their calls are counted, and said not to be in the times; waiting for them is computing."""
    _, data, job = waited_in("beside")
    assert data["beside"]["calls"] == 5 * N and data["beside"]["ns"] > 0, data["beside"]
    assert [sum(row) for row in data["matrices"][1]] == [5] * N, data["matrices"]
    for pe in data["pes"]:
        assert pe["spent"][0] == 0 and pe["spent"][3] > 0.9 * LATE_NS, pe["spent"]
    assert "Others made 15 of the calls" in job.stderr, job.stderr
    assert data["imbalance"] and "the busiest PE computed" in job.stderr, job.stderr


def tracks(trace):
    """Of each PE the events of its threads, by their names; no two of one thread at a time."""
    processes = {e["pid"]: e["args"]["name"] for e in trace if e["name"] == "process_name"}
    assert processes == {pe: f"PE {pe}" for pe in range(N)}, processes
    names = {(e["pid"], e["tid"]): e["args"]["name"] for e in trace if e["name"] == "thread_name"}
    found = [{} for _ in range(N)]
    for event in trace:
        if event["ph"] == "X":
            found[event["pid"]].setdefault(names[event["pid"], event["tid"]], []).append(event)
    assert len(names) == sum(map(len, found)), names
    for threads in found:
        for name, events in threads.items():
            events.sort(key=lambda event: event["ts"])
            for one, following in zip(events, events[1:]):
                assert name == "further threads" or one["ts"] + one["dur"] < following["ts"] + 0.002
    return found


def threads():
    """In the trace each has a track of its own."""
    job, data, trace = profile(LATE, "crew")
    assert job.returncode == 0, job.stderr
    for pe, of_pe in zip(data["pes"], tracks(trace)):
        main = of_pe.pop("thread 1, of shmem_init")
        assert [e["name"] for e in main] == ["shmem_barrier_all", *3 * ["shmem_long_atomic_set"],
                                             "shmem_finalize"], main
        assert sorted(of_pe) == ["thread 2", "thread 3", "thread 4"], of_pe.keys()
        calls = sorted([e["name"] for e in events] for events in of_pe.values())
        assert calls == sorted(i * ["shmem_long_p"] + ["shmem_long_wait_until"] for i in (1, 2, 3))
        assert sum(pe["spent"][:3]) < 1e3 * sum(e["dur"] for e in main) + 100, pe["spent"]
        assert pe["spent"][3] > 0.9 * LATE_NS, pe["spent"]
    job, data, trace = profile(LATE, "crowd")
    assert job.returncode == 0, job.stderr
    for of_pe in tracks(trace):
        assert len(of_pe) == 1 + 1023 + 1, len(of_pe)
        assert len(of_pe["thread 1024"]) == 1 and len(of_pe["further threads"]) == 7
    assert data["beside"]["calls"] == 1030 * N, data["beside"]


def initialized_by_another():
    """The track of shmem_init, and the times, are those of the thread that called it last."""
    job, data, trace = profile(LATE, "handed")
    assert job.returncode == 0, job.stderr
    for of_pe in tracks(trace):
        calls = {name: [e["name"] for e in events] for name, events in of_pe.items()}
        assert calls == {
            "thread 1": ["shmem_barrier_all", "shmem_finalize"],
            "thread 2, of shmem_init": ["shmem_long_p", "shmem_finalize"],
            "thread 3": ["shmem_char_p"],
        }, calls
    assert data["beside"]["calls"] == N, data["beside"]


def named():
    """The report says what was run, and when; it makes little of little computing."""
    before = int(time.time()) // 60 * 60
    job, data, _ = profile(LATE, "nothing", "a b", "x=1", "</script>")
    assert data["program"] == "late nothing 'a b' x=1 '</script>'", data["program"]
    date = time.mktime(time.strptime(data["date"], "%Y-%m-%d %H:%M"))
    assert before <= date <= time.time(), data["date"]
    assert f"Profile of {data['program']}, {N} PEs, {data['date']}\n" in job.stderr, job.stderr
    assert data["beside"]["calls"] == 0 and "Others made" not in job.stderr, job.stderr
    _, data, _ = profile(LATE, "nothing", "x" * 1000)
    assert data["program"].endswith("xxx..."), data["program"]


PROFILED = os.environ["PROFILED"]
MARKS = {found[1]: f"profiled.c:{number}"
         for number, text in enumerate(pathlib.Path(__file__).with_name("profiled.c").read_text()
                                       .splitlines(), 1)
         if (found := re.search(r"/\* here: (\w+)", text))}


def profiled(case, *options, n=N, status=0):
    """Of tests/tools/profiled.c."""
    with tempfile.TemporaryDirectory() as folder:
        job = subprocess.run([OSHRUN, "-n", str(n), "--timeout", "50", *options, "--profile", PROFILED, case],
                             cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert job.returncode == status, (job.returncode, job.stderr)
        files = pathlib.Path(folder, "tern-profile")
        page = (files / "report.html").read_text()
        trace = json.loads((files / "trace.json").read_text())["traceEvents"]
        return job, json.loads(re.search(r"const data = (\{.*?\});\n", page, re.S)[1]), trace


def computing():
    """Samples have the function, the line, the PE, other threads, and callers of libraries."""
    job, data, _ = profiled("computing")
    spots = {spot["function"]: spot for spot in data["spots"]}
    compute, fill = spots["compute"], spots["fill_again"]
    expected = 0.4e9 + N * 0.2e9    # PE 1's, and a thread of each PE
    assert 0.7 * expected < compute["ns"] < 1.3 * expected, (compute, expected)
    assert compute["pe"] == 1 and compute["where"] == MARKS["compute"], compute
    assert 0.6 * N * 0.2e9 < fill["ns"] < 1.3 * N * 0.2e9, fill
    assert fill["library"] > 0.5 * fill["ns"] and fill["where"] == MARKS["fill"], fill
    others = data["sampled"] - compute["ns"] - fill["ns"]
    assert others < 0.2 * data["sampled"], data["spots"]
    assert f"compute, most at {MARKS['compute']}" in job.stderr, job.stderr


def no_samples():
    """A program that handles SIGPROF keeps its handler."""
    _, data, _ = profiled("handled")
    assert data["spots"] == [] and data["sampled"] == 0, data["spots"]


def chain():
    """All waiting leads back to PE 0, though PE 2 waits for PE 1; arrows show which put ended a wait."""
    job, data, trace = profiled("chain")
    root = data["root"]
    assert root["pe"] == 0 and root["ns"] > 0.8 * root["all"], root
    assert root["ns"] > 0.8 * (N - 1) * 20 * 2e7, root
    assert data["matrices"][2][2][1] > 0.8 * 20 * 2e7, data["matrices"][2]
    assert any("PE 0 is at the root of" in text for text in data["advice"]), data["advice"]
    assert "PE 0 is at the root of" in job.stderr, job.stderr
    begins = {e["id"]: e for e in trace if e["ph"] == "s"}
    ends = {e["id"]: e for e in trace if e["ph"] == "f"}
    assert begins.keys() == ends.keys() and len(begins) >= 0.8 * 20 * (N - 1), len(begins)
    puts = [e for e in trace if e["ph"] == "X" and e["name"] == "shmem_long_p"]
    waits = [e for e in trace if e["ph"] == "X" and e["name"] == "shmem_long_wait_until"]
    for number, begin in begins.items():
        end = ends[number]
        assert end["pid"] == begin["pid"] + 1 and begin["ts"] <= end["ts"] + 1, (begin, end)
        inside = [e for e in puts if e["pid"] == begin["pid"] and e["tid"] == begin["tid"]
                  and e["ts"] - 0.002 <= begin["ts"] <= e["ts"] + e["dur"] + 0.002]
        assert len(inside) == 1 and inside[0]["args"]["where"] == MARKS["put"], (begin, inside)
        inside = [e for e in waits if e["pid"] == end["pid"]
                  and e["ts"] - 0.002 <= end["ts"] <= e["ts"] + e["dur"] + 0.002]
        assert len(inside) == 1, (end, inside)


def phases():
    """Named phases have their time and calls; what is switched off is not recorded."""
    _, data, trace = profiled("phases")
    found = {phase["name"]: phase for phase in data["phases"]}
    assert list(found) == ["sleep", "exchange", "phase 7"], found
    assert found["sleep"]["times"] == 3 * N and found["sleep"]["calls"] == 0, found
    assert 0.9 * 3 * N * 5e7 < found["sleep"]["ns"], found
    assert found["exchange"]["calls"] == 2 * 3 * N, found
    assert found["phase 7"]["calls"] == N and found["phase 7"]["times"] == N, found
    spans = [e["name"] for e in trace if e.get("cat") == "phase" and e["pid"] == 0]
    assert spans == 3 * ["sleep", "exchange"] + ["phase 7"], spans
    puts = sum(p["calls"] for p in data["places"] if p["routine"] == "shmem_long_p")
    assert puts == 3 * N, puts    # not the one that was switched off
    for pe in data["pes"]:
        assert pe["span"] - pe["time"] > 0.9e8, pe


def burst():
    """Calls that come too fast are counted; estimates add up, and are near the truth."""
    job, data, _ = profiled("burst")
    calls = {p["routine"]: p for p in data["places"]}
    all_calls = calls["shmem_long_p"]["calls"] + calls["shmem_long_g"]["calls"]
    assert all_calls == N * 1250000, all_calls
    assert abs(calls["shmem_long_p"]["calls"] / (N * 1000000) - 1) < 0.1, calls
    assert data["estimated"] > N * 1000000, data["estimated"]
    for pe, row in enumerate(data["matrices"][1]):
        assert row[(pe + 1) % N] == 1250000 and sum(row) == 1250000, row
    for pe in data["pes"]:
        assert sum(pe["spent"]) <= 1.001 * pe["time"], pe["spent"]
        for i in range(3):
            assert sum(b[i] for b in pe["buckets"]) == pe["spent"][i], i
    assert "came so fast that they were only counted" in job.stderr, job.stderr


def killed():
    """A PE that was killed, and PEs that were ended with it, have a profile."""
    job, data, _ = profiled("killed", status=128 + 9)
    assert len(data["pes"]) == N, job.stderr
    assert data["pes"][1]["last"] == "computing", data["pes"][1]["last"]
    assert any("shmem_barrier_all" in pe["last"] for pe in data["pes"]), job.stderr
    assert "When the job was ended" in job.stderr, job.stderr


def hung():
    """The profile of a job that hangs shows who was in which call, and who was in none."""
    job, data, trace = profiled("hung", "--timeout", "4", status=124)
    for pe in (0, 2):
        call = re.fullmatch(rf"in shmem_barrier_all at {MARKS['hung']} for ([\d.]+) s", data["pes"][pe]["last"])
        assert call and 2 < float(call[1]) < 5, data["pes"][pe]["last"]
        assert data["pes"][pe]["spent"][2] > 2e9, data["pes"][pe]["spent"]
        assert sum(b[2] for b in data["pes"][pe]["buckets"]) == data["pes"][pe]["spent"][2]
    assert data["pes"][1]["last"] == "computing", data["pes"][1]["last"]
    assert re.search("PE 1 was in no call", data["advice"][0]), data["advice"]
    assert data["spots"][0]["function"] == "compute" and data["spots"][0]["pe"] == 1, data["spots"]
    last = max((e for e in trace if e["ph"] == "X" and e["pid"] == 0), key=lambda e: e["ts"])
    assert last["name"] == "shmem_barrier_all" and last["dur"] > 2e6, last


def crowded():
    """More PEs than cores are named as the cause."""
    cores = os.cpu_count()
    job, data, _ = profiled("crowded", n=3 * cores)
    ready = [text for text in data["advice"] if "had no core for" in text]
    assert len(ready) == 1, (data["advice"], job.stderr)
    assert re.match(rf"{3 * cores} PEs share {cores} cores?: |PEs had no core", ready[0]), ready


def many_places():
    """Calls from places without room are counted and shown."""
    _, data, job = waited_in("places")
    listed = sum(p["calls"] for p in data["places"] if p["routine"] == "shmem_char_p")
    assert data["other"] > 0 and f"... and {data['other']} calls from places beyond the first " \
        f"{data['sites']} of each PE" in job.stderr
    assert listed < N * 1040 and data["sizes"][0][0] == N * 1040, (listed, data["sizes"][0])


def stopped_child():
    """A child of fork that exits leaves no profile in the place of its parent's."""
    job, data, _ = profile(CHILD)
    assert job.returncode == 0, job.stdout
    assert sum(data["sizes"][2]) == N * 50 * 20, data["sizes"][2]


def static_program():
    """oshrun says which programs can't load a tool, wherever they are looked for."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "there")
        subprocess.run([*os.environ.get("CC", "cc").split(), "-static", "-xc", "-", "-o", path], check=True,
                       input="int main(void) { return 0; }", text=True)
        for options in (["-C", folder, "./there"], [path], ["-C", folder, OSHRUN, "-V"]):
            job = subprocess.run([OSHRUN, "-n", "1", "--chaos", "1", *options], text=True,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            assert job.returncode == 0, job.stderr
            assert ("is static" in job.stderr) == ("-V" not in options), (options, job.stderr)


def damaged():
    """A file that is cut off or overwritten is left out, with a line; the rest is reported."""
    tools = pathlib.Path(OSHRUN).parent.parent / "tools"
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([OSHRUN, "-n", str(N), "-x", f"LD_PRELOAD={tools / 'libtern-profile.so'}",
                        "-x", f"SHMEM_PROFILE={folder}", TRAFFIC], check=True)
        parts = [pathlib.Path(folder, f"pe-{pe}.bin") for pe in range(N)]
        whole = parts[0].read_bytes()
        parts[0].write_bytes(whole[:-1])
        parts[1].write_bytes(bytes(8) + parts[1].read_bytes()[8:])
        report = subprocess.run([tools / "tern-profile", folder], stderr=subprocess.PIPE, text=True)
        assert report.returncode == 0, report.stderr
        for part in parts[:2]:
            assert f"{part} is damaged, and is left out: it" in report.stderr, report.stderr
        assert "2 of these are missing" in report.stderr, report.stderr
        assert parts[0].exists() and not parts[2].exists()
        report = subprocess.run([tools / "tern-profile", folder], stderr=subprocess.PIPE, text=True)
        assert report.returncode == 1 and "no PE has left a profile" in report.stderr, report.stderr


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
