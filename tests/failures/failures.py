# SPDX-License-Identifier: BSD-3-Clause
"""Makes each call that can fail, fail once.

    failures.py [--all] [--every N] [--jobs N] [--only TEXT] ROUTE...

A first run of subject.c counts the calls of oshrun and of Tern's libraries in each PE. Then the
program runs once for each call, which fails. A call is known by its function, its place in the code,
the program's phase and, among the calls from there in that phase, its number. Each run has to end within ten seconds, and leave no
process and no file. It ends either as if nothing had failed, or with a status other than 0 and one
line, which says what has failed and what to do.

ROUTE is `node` or `network` (two nodes), a tool (`check`, `races`, `chaos`, `profile`), `hosts` (oshrun -H,
which calls Hydra), or another launcher (`hydra`, `mpirun`), which has `-network` as well. Lines of other
programs than Tern's do not count.

By default a place fails once in each phase, in oshrun or in one PE; with --all each call in oshrun and in each
PE does. With --every N each Nth of these calls does. Places in loops that poll have no fixed number of calls:
there the first ten of a phase fail.
"""
import argparse
import collections
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import uuid

OSHRUN, SUBJECT, INJECT = (os.environ[name] for name in ("OSHRUN", "SUBJECT", "INJECT"))
PES = 3
SECONDS = 10
MOST_OF_A_PLACE = 10

# What starts the program, the environment, and what else than Tern's messages may be on standard
# error, as a regular expression for each line.
Route = collections.namedtuple("Route", "command environment others", defaults=({}, "(?!)"))

HYDRA = ["mpiexec.hydra", "-n", str(PES)]
MPIRUN = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", str(PES)]
BACKTRACE = r"tern: PE \d+ of \d+: backtrace of this mistake|    #\d+ "
GLOBAL_EXIT = r"tern: oshrun: PE \d+ of \d+ has called shmem_global_exit"  # by the tool
NOT_TERNS = "(?!tern: |subject: )"
TWO_NODES = {"SHMEM_NODES": "2"}


def oshrun(*options):
    return [OSHRUN, *options, "-n", str(PES)]


ROUTES = {
    "node": Route(oshrun()),
    "network": Route(oshrun(), TWO_NODES),
    "check": Route(oshrun("--check"), {}, f"check: no mistake was found |{BACKTRACE}|{GLOBAL_EXIT}"),
    "races": Route(oshrun("--check=races"), {}, "check: (no mistake was found|the program's own loads) |"
                   f"{BACKTRACE}|{GLOBAL_EXIT}"),
    "chaos": Route(oshrun("--chaos", "7"), {}, GLOBAL_EXIT),
    "profile": Route(oshrun("--profile"), {}, NOT_TERNS),
    "hosts": Route(oshrun("-H", "localhost", "--launcher", "hydra"), {},
                   NOT_TERNS + "|tern: oshrun: hands over"),
    "hydra": Route(HYDRA, {}, NOT_TERNS),
    "hydra-network": Route(HYDRA, TWO_NODES, NOT_TERNS),
    "mpirun": Route(MPIRUN, {}, NOT_TERNS),
    "mpirun-network": Route(MPIRUN, TWO_NODES, NOT_TERNS),
}
RIGHT = "".join(f"PE {pe} is right\n" for pe in range(PES))

LACKING = ", without a (context|team)"

# What a line has to name: the system's error, and for those that a limit causes, the limit.
ERRORS = re.compile(
    r"no memory|Cannot allocate memory|Too many open files|Input/output error|Invalid argument|"
    r"Resource temporarily unavailable|Function not implemented|No space left|Operation not permitted|Permission denied|"
    r"Address already in use|No buffer space|Protocol not available|Interrupted")
LIMITED = re.compile(r"no memory|Cannot allocate|Too many open files|unavailable")
LIMITS = re.compile(r"ulimit|pids\.max|max_map_count|no limit of this process")

# A tool does without a part of itself.
WARNING = re.compile(r" warning: |^check: (no races|hangs) are (not )?looked for")

Call = collections.namedtuple("Call", "who function site phase k")
Result = collections.namedtuple("Result", "call outcome fault text")


class Job:
    """A finished run of oshrun, and what it has left behind."""

    def __init__(self, route, folder, fail=None):
        self.tag = uuid.uuid4().hex
        self.temporary = os.path.join(folder, self.tag)
        os.mkdir(self.temporary)
        self.log = os.path.join(folder, self.tag + ".log")
        environment = {**os.environ, **ROUTES[route].environment, "LD_PRELOAD": INJECT, "FAILURES_LOG": self.log,
                       "FAILURES_TAG": self.tag, "TMPDIR": self.temporary}
        environment.pop("FAILURES_FAIL", None)
        if fail:
            environment["FAILURES_FAIL"] = fail
        with subprocess.Popen([*ROUTES[route].command, SUBJECT], stdin=subprocess.DEVNULL, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment,
                              cwd=self.temporary) as process:
            started = time.monotonic()
            try:
                self.out, self.err = process.communicate(timeout=SECONDS + 50)
            except subprocess.TimeoutExpired:
                process.kill()
                self.out, self.err = process.communicate()
            self.seconds = time.monotonic() - started
            self.status = process.returncode
        self.err = "".join(line for line in self.err.splitlines(True)
                           if not re.match(ROUTES[route].others, line))
        self.left = self.find_processes() + [
            name for name in os.listdir(self.temporary)
            if name != "tern-profile" or route != "profile"]  # its report
        try:
            with open(self.log, encoding="ascii") as f:
                self.calls = [line.split() for line in f]
        except FileNotFoundError:
            self.calls = []

    def find_processes(self):
        """Processes that are left: the kernel may take a moment to remove those that were killed."""
        until = time.monotonic() + 1
        while (found := self.list_processes()) and time.monotonic() < until:
            time.sleep(0.05)
        return found

    def list_processes(self):
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/environ", "rb") as f:
                    if f"FAILURES_TAG={self.tag}".encode() in f.read().split(b"\0"):
                        found.append(f"process {pid}")
            except OSError:
                pass
        return found


def is_late(call, job):
    """A PE that has met its peers for the last time ends, whatever the network says: peers may be gone.
    Those that wait for a message of it report its end; under other launchers, its node's silence."""
    return (call.function in ("completion", "fi_send") and call.phase in ("finalize", "exit") and
            re.search("ended, so this call can't complete|nothing was heard from its node", job.err))


# The PE that serves the rendezvous has lost the launcher, has printed that and ended. Hydra does not
# end the others in time, so they print that the server is gone: a known fault (docs/reliability.md).
ECHO = re.compile("cannot connect to the other PEs on this machine: Connection reset")


def own_lines(job):
    lines = job.err.splitlines()
    return [line for line in lines if not ECHO.search(line)] if "launcher (PMI-" in job.err else lines


def judge(job, call, seconds):
    """What came of a failure: (outcome, fault)."""
    if not any(call[0] == "failed" for call in job.calls):
        return ("not reached", None) if job.status == 0 else ("fault", f"status {job.status}, but "
                                                              "nothing was made to fail")
    lines = own_lines(job)
    right = re.sub(LACKING, "", "".join(sorted(job.out.splitlines(True)))) == RIGHT
    faults = []
    if job.seconds > seconds:
        faults.append(f"takes {job.seconds:.1f} s")
    if job.left:
        faults.append(f"leaves {', '.join(job.left)}")
    if job.status < 0 or job.status >= 128:
        faults.append(f"status {job.status}")
    if len(lines) > 1:
        faults.append(f"{len(lines)} lines")
    if job.status == 0:
        if not right:
            faults.append("status 0, but the output is wrong")
        if lines and not WARNING.search(lines[0]):
            faults.append("status 0, but a line that is no warning")
        if re.search(LACKING, job.out) and not lines:
            faults.append("something is lacking, but no line says why")
    elif not lines:
        faults.append("no line")
    elif not lines[0].startswith(("tern: ", "subject: ")):
        faults.append("a line that is not Tern's")
    elif not ERRORS.search(job.err) and not is_late(call, job):
        faults.append("the line does not name the system's error")
    if LIMITED.search(job.err) and not LIMITS.search(job.err):
        faults.append("the line names no limit")
    if faults:
        return "fault", "; ".join(faults)
    return ("ended" if job.status else "warned" if lines else "harmless"), None


VERBOSE = "FAILURES_VERBOSE" in os.environ


def calls_of(job, every):
    """The calls to make fail, of those that a run has counted."""
    counted = collections.Counter()
    places = set()
    chosen = []
    for _, who, function, site, phase in job.calls:
        counted[who, function, site, phase] += 1
        k = counted[who, function, site, phase]
        place = (who == "oshrun", function, site, phase)
        if (k <= MOST_OF_A_PLACE) if every else (place not in places):
            chosen.append(Call(who, function, site, phase, k))
        places.add(place)
    return chosen


def attempt(route, folder, call, seconds):
    job = Job(route, folder, f"{call.who} {call.function} {call.site} {call.phase} {call.k}")
    outcome, fault = judge(job, call, seconds)
    return Result(call, outcome, fault, f"status {job.status}, {job.seconds:.1f} s\n{job.err}")


def source_line(site):
    """FUNCTION at FILE:LINE of a place, if binutils are there."""
    file, offset = site.split("+")
    for folder in [os.path.dirname(OSHRUN)] + os.environ["LD_LIBRARY_PATH"].split(":"):
        if os.path.exists(os.path.join(folder, file)):
            try: # the call is before its return address
                return subprocess.run(
                    ["addr2line", "-sfpie", os.path.join(folder, file), hex(int(offset, 16) - 1)],
                    stdout=subprocess.PIPE, text=True, check=True).stdout.split("\n")[0]
            except (OSError, subprocess.CalledProcessError):
                break
    return site


def print_table(results):
    """How many calls failed, by function and phase, and what came of them."""
    outcomes = ("ended", "warned", "harmless", "not reached", "fault")
    rows = collections.defaultdict(collections.Counter)
    for result in results:
        where = "oshrun" if result.call.who == "oshrun" else result.call.phase
        rows[where, result.call.function][result.outcome] += 1
    print(f"{'phase':11} {'function':30}" + "".join(f"{o:>12}" for o in outcomes))
    for (where, function), counts in sorted(rows.items()):
        print(f"{where:11} {function:30}" + "".join(f"{counts[o] or '':>12}" for o in outcomes))
    total = collections.Counter(result.outcome for result in results)
    print(f"{'all':11} {'':30}" + "".join(f"{total[o]:>12}" for o in outcomes))


def run(route, options):
    if not shutil.which(ROUTES[route].command[0]) or (route == "hosts" and not shutil.which(HYDRA[0])):
        print(f"skipped: there is no launcher for the route {route}")
        sys.exit(77)
    with tempfile.TemporaryDirectory(prefix="failures-") as folder:
        first = Job(route, folder)
        if first.status or first.err or first.left:
            sys.exit(f"without a failure: status {first.status}, {first.err!r}, leaves {first.left}")
        seconds = SECONDS * max(first.seconds, 1)
        calls = [call for call in calls_of(first, options.all)
                 if options.only in " ".join(map(str, call))][::options.every]
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            results = list(pool.map(lambda call: attempt(route, folder, call, seconds), calls))
    print(f"{len(results)} calls of a job on the route {route}, each made to fail once\n")
    print_table(results)
    faults = [result for result in results if result.fault]
    for result in results if VERBOSE else faults:
        call = result.call
        print(f"\n{call.who} {call.function} {call.site} {call.k} ({call.phase}), "
              f"{source_line(call.site)}: {result.fault}\n{result.text}")
    return len(faults)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="")
    parser.add_argument("routes", nargs="*", choices=ROUTES)
    options = parser.parse_args()
    faults = sum(run(route, options) for route in options.routes or ROUTES)
    sys.exit(f"{faults} faults" if faults else 0)


main()
