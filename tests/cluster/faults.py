# SPDX-License-Identifier: BSD-3-Clause
"""What happens to a job when a part of it is lost: the rest ends soon, says why, and leaves nothing.

    faults.py FAULT LAUNCHER hosts|split MODE...

FAULT is kill, link, pause, stop, launcher, interrupt, terminate, end or start. MODE is what the PEs are doing, see
victim.c; of start it is how the network is dead. LAUNCHER may be hydra, mpirun, pmi2 or pmix; oshrun with
`split`; and with `hosts` oshrun:hydra, oshrun:mpirun and oshrun:srun, jobs that oshrun hands over.
"""
import contextlib
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

from cluster import Job, Place, check, wait_until

VICTIM = os.environ["VICTIM"]
OSHRUN = os.environ["OSHRUN"]
N_PES = 6
SECONDS = 10  # within which the rest of a job has to end

# Which PE a process is, as each launcher tells it.
RANK = ("TERN_PE", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID")

# In the folder for temporary files those of others come and go meanwhile: names that could be
# Tern's, or libfabric's for it, count there. In /dev/shm all do. Launchers leave some behind when they
# are killed.
OURS = re.compile(r"(.*tern(?!-(hosts|slurm|faults|hybrid)\.)|.*shmem|fi_|ofi)")
LAUNCHERS = re.compile(r"ompi\.|openmpi|pmix|spmix|prte|vader_segment|mpich_shar")


class Oshrun:
    """Stands in for a Place: PEs of this machine on two nodes."""

    launcher = by = "oshrun"
    hosts = None

    def command(self, n_pes, program):
        return [OSHRUN, "-n", str(n_pes), *program]

    def environment(self, more):
        return {**os.environ, **more}

    def stop(self):
        pass


class OshrunOver(Place):
    """PEs on hosts, by a launcher to which oshrun hands the job over."""

    def __init__(self, launcher, n_hosts):
        super().__init__("pmi2" if launcher == "srun" else launcher, n_hosts)
        self.by = launcher
        self.launcher = "oshrun"

    def command(self, n_pes, program):
        per_host = n_pes // self.hosts.count
        words = [OSHRUN, "--launcher", self.by, "-H",
                 ",".join(f"{name}:{per_host}" for name in self.hosts.names), *program]
        if self.by == "srun":
            words = ["salloc", "--quiet", "-N", str(self.hosts.count), "-n", str(n_pes), "--overcommit", *words]
        return self.hosts.on(1, words)


def make_place(launcher, where):
    if launcher == "oshrun":
        return Oshrun()
    n_hosts = 3 if where == "hosts" else 0
    if launcher.startswith("oshrun:"):
        return OshrunOver(launcher[7:], n_hosts)
    return Place(launcher, n_hosts)


def processes_of(job):
    """The job's PEs: their numbers and processes."""
    found = {}
    for pid in job.pids():
        with contextlib.suppress(OSError):
            with open(f"/proc/{pid}/comm") as f:
                if f.read().strip() != os.path.basename(VICTIM)[:15]:
                    continue
            with open(f"/proc/{pid}/environ", "rb") as f:
                variables = dict(entry.split(b"=", 1) for entry in f.read().split(b"\0")
                                 if b"=" in entry)
            rank = next(variables[name.encode()] for name in RANK if name.encode() in variables)
            found[int(rank)] = pid
    return found


def is_own(entry):
    """Whether a file is this user's, who runs no other jobs meanwhile."""
    with contextlib.suppress(FileNotFoundError):
        return entry.stat(follow_symlinks=False).st_uid == os.getuid()
    return False


def remains(hosts):
    """What jobs could leave behind: files, and names of sockets on each host."""
    found = {name for name in os.listdir(tempfile.gettempdir())
             if OURS.match(name) and not LAUNCHERS.match(name)}
    with os.scandir("/dev/shm") as entries:
        found |= {entry.name for entry in entries if not LAUNCHERS.match(entry.name) and is_own(entry)}
    for host in range(1, (hosts.count if hosts else 0) + 1):
        listing = subprocess.run(hosts.on(host, ["cat", "/proc/net/unix"]), text=True,
                                 stdout=subprocess.PIPE).stdout
        found |= {f"{host}:{word}" for word in listing.split() if word.startswith("@")}
    return found


class Victims:
    """A job that runs, and whose PEs write what they have to say to a file."""

    def __init__(self, place, mode, split):
        self.place = place
        self.before = remains(place.hosts)
        self.log = tempfile.NamedTemporaryFile(prefix="tern-faults.", mode="r")
        env = {"SHMEM_NODES": "2"} if split else {}
        words = place.command(N_PES, ["sh", "-c", f"exec '{VICTIM}' {mode} 2>>'{self.log.name}'"])
        if "-x" in words:
            at = words.index("-x")
            words[at:at] = [word for name in env for word in ("-x", name)]
        self.job = Job(words, place.environment(env))
        wait_until(lambda: self.said().count("ready\n") == N_PES or self.job.process.poll()
                   is not None, 30, f"{N_PES} PEs that are ready; they say {self.said()!r}, "
                   f"and the launcher {self.job.read()!r}")
        check(self.job.process.poll() is None, self.job.read() + self.said())
        time.sleep(0.3)
        self.pids = processes_of(self.job)
        check(sorted(self.pids) == list(range(N_PES)), f"PEs {self.pids}")
        self.started = time.monotonic()

    def said(self):
        return os.pread(self.log.fileno(), 1 << 20, 0).decode(errors="replace")

    def what_happened(self):
        """What the PEs, and the launcher, have said of the end."""
        return self.said().replace("ready\n", "") + self.job.read()

    def expect_end(self, line, but=()):
        """All PEs are gone in time, but those named, and one of them, or the launcher, has said why."""
        def running():
            return set(processes_of(self.job)) - set(but)
        try:
            wait_until(lambda: not running(), SECONDS, "")
        except AssertionError:
            left = sorted(running())
            self.job.kill()
            check(False, f"PEs {left} ran on for more than {SECONDS} s; they had said "
                  f"{self.said()!r}, and the launcher {self.job.read()!r}")
        took = time.monotonic() - self.started
        # The launcher may look at what has ended, and say it, when no PE is left.
        with contextlib.suppress(AssertionError):
            wait_until(lambda: re.search(line, self.what_happened()), SECONDS - took, "")
        said = self.what_happened()
        print(f"  ended after {took:.1f} s: {said.strip()}", flush=True)
        check(re.search(line, said), f"nobody has said {line!r}, but {said!r}")
        losses = [one for one in said.splitlines() if one.startswith("tern: PE") and "was lost" in one]
        check(len(losses) <= 1, f"more than one line of the loss: {said!r}")

    def expect_nothing_left(self, launcher_ends=True, status=None):
        """The launcher's status is not 0, or as given."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.job.process.wait(SECONDS if launcher_ends else 0)
        check(not launcher_ends or self.job.process.poll() is not None, "the launcher runs on")
        if launcher_ends:
            got = self.job.process.returncode
            print(f"  the launcher's status: {got}", flush=True)
            check(got != 0 if status is None else got in status, f"the launcher ends with status {got}")
        self.job.kill()
        self.log.close()
        wait_until(lambda: not remains(self.place.hosts) - self.before, 5,
                   f"{remains(self.place.hosts) - self.before} to vanish")


def test_kill(place, mode, split):
    """A PE on the last host is killed."""
    victims = Victims(place, mode, split)
    os.kill(victims.pids[N_PES - 1], signal.SIGKILL)
    # Launchers that end the job themselves may be faster than the PEs.
    victims.expect_end(rf"PE {N_PES - 1} (was lost|of {N_PES} was killed)|rank {N_PES - 1} with PID|"
                       rf"task {N_PES - 1}: Killed|BAD TERMINATION")
    victims.expect_nothing_left()


def test_link(place, mode, split):
    """The last host's cable is pulled out."""
    victims = Victims(place, mode, split)
    place.hosts.link(place.hosts.count, "down")
    per_host = N_PES // place.hosts.count
    lost = "|".join(str(pe) for pe in range(N_PES - per_host, N_PES))
    victims.expect_end(rf"PE ({lost}) was lost")
    victims.expect_nothing_left(launcher_ends=False)
    place.hosts.link(place.hosts.count, "up")


def status_of(pid):
    with open(f"/proc/{pid}/status") as f:
        return dict(line.rstrip("\n").split(":\t", 1) for line in f if ":\t" in line)


def named(victims, name):
    """The job's processes whose names begin so, the first of them first."""
    found = []
    for pid in [victims.job.process.pid, *sorted(victims.job.pids())]:
        with contextlib.suppress(OSError):
            if status_of(pid)["Name"].startswith(name[:15]):
                found.append(pid)
    return found


def launcher_of(victims):
    """
    The processes to kill. Of Slurm it is the daemon that has started the last PE: that srun itself
    is gone, by a signal that it can't pass on, Slurm notices when its InactiveLimit has passed.
    """
    if victims.place.launcher in ("pmi2", "pmix"):
        pid = victims.pids[N_PES - 1]
        while not status_of(pid)["Name"].startswith("slurmstepd"):
            pid = int(status_of(pid)["PPid"])
        return [pid]
    return named(victims, {"hydra": "mpiexec.hydra", "mpirun": "mpirun",
                           "oshrun": "oshrun"}[victims.place.launcher])


def test_launcher(place, mode, split):
    """The launcher is killed."""
    victims = Victims(place, mode, split)
    pids = launcher_of(victims)
    check(pids, "the launcher was not found")
    for pid in pids:
        os.kill(pid, signal.SIGKILL)
    victims.expect_end("")
    victims.expect_nothing_left(launcher_ends=False)


# An interface beside the one that the launcher uses, whose packets end in its other half: hosts ask
# for each other's hardware addresses in vain, or believe that they know them.
DEAD_INTERFACE = """
ip link add dead0 type veth peer name dead1
ip addr add 10.78.0.{host}/24 dev dead0
ip link set dead0 up
ip link set dead1 up
"""
KNOWN_NEIGHBOUR = "ip neigh replace 10.78.0.{peer} lladdr 02:00:00:00:00:0{peer} nud permanent dev dead0\n"


def kill_network(hosts, silent):
    for host in range(1, hosts.count + 1):
        commands = DEAD_INTERFACE.format(host=host)
        for peer in range(1, hosts.count + 1):
            if silent and peer != host:
                commands += KNOWN_NEIGHBOUR.format(peer=peer)
        subprocess.run(hosts.on(host, ["sh", "-ec", commands]), check=True)


def last_host(victims):
    """The PEs of the last host, and all processes that run there."""
    hosts = victims.place.hosts
    here = subprocess.run(hosts.on(hosts.count, ["readlink", "/proc/self/ns/net"]), text=True, check=True,
                          stdout=subprocess.PIPE).stdout.strip()
    found = []
    for name in os.listdir("/proc"):
        with contextlib.suppress(OSError):
            if name.isdigit() and os.readlink(f"/proc/{name}/ns/net") == here:
                found.append(int(name))
    pes = [pe for pe, pid in victims.pids.items() if pid in found]
    check(len(pes) == N_PES // hosts.count, f"PEs {pes} on the last host")
    return pes, found


def send(pids, number):
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)


def test_pause(place, mode, split):
    """The last host stops for three seconds. The job then continues, and gives the right results."""
    victims = Victims(place, mode, split)
    pids = last_host(victims)[1]
    send(pids, signal.SIGSTOP)
    time.sleep(3)
    send(pids, signal.SIGCONT)
    status, output = victims.job.finish(40)
    took, said = time.monotonic() - victims.started, victims.said().replace("ready\n", "") + output
    print(f"  ended after {took:.1f} s with status {status}: {said.strip()}", flush=True)
    check(status == 0 and "tern:" not in said, f"status {status}: {said!r}")
    victims.expect_nothing_left(status={0})


def test_stop(place, mode, split):
    """The last host stops: the others end. When it runs again, its PEs end, too."""
    victims = Victims(place, mode, split)
    pes, pids = last_host(victims)
    send(pids, signal.SIGSTOP)
    lost = "|".join(map(str, pes))
    try:
        victims.expect_end(rf"PE ({lost}) was lost", but=pes)
    finally:
        send(pids, signal.SIGCONT)
    wait_until(lambda: not processes_of(victims.job), SECONDS, f"the end of PEs {pes}, which run again")
    victims.expect_nothing_left(launcher_ends=False)


def front_of(victims):
    """What a user's Ctrl-C reaches."""
    front = {"hydra": "mpiexec.hydra", "mpirun": "mpirun", "oshrun": "oshrun"}
    return named(victims, front.get(victims.place.launcher, "srun"))[0]


def test_interrupt(place, mode, split):
    """SIGINT to the launcher; srun wants two within a second."""
    victims = Victims(place, mode, split)
    front = front_of(victims)
    os.kill(front, signal.SIGINT)
    if place.launcher in ("pmi2", "pmix"):
        time.sleep(0.3)
        send([front], signal.SIGINT)
    victims.expect_end("")
    victims.expect_nothing_left()


def test_terminate(place, mode, split):
    """SIGTERM to the launcher."""
    victims = Victims(place, mode, split)
    os.kill(front_of(victims), signal.SIGTERM)
    victims.expect_end("")
    victims.expect_nothing_left()


# How the last PE ends the job: the launcher's status, and what is said.
ENDS = {"exit": (3, f"PE {N_PES - 1} of {N_PES}: error: exited with status 3 before shmem_finalize|"
                    f"PE {N_PES - 1} of {N_PES} exited with status 3"),
        "global_exit": (7, ""),
        "return": (5, "")}


# srun's status is the largest of all tasks, also of those that it kills or terminates.
KILLED = {"pmi2": {137, 143}, "srun": {137, 143}}


def test_end(place, mode, split):
    """The last PE ends the job: the status comes through."""
    victims = Victims(place, mode, split)
    os.kill(victims.pids[N_PES - 1], signal.SIGUSR1)
    status, line = ENDS[mode]
    victims.expect_end(line)
    check("was lost" not in victims.what_happened(), f"an end that is no loss: {victims.what_happened()!r}")
    victims.expect_nothing_left(status={status} | KILLED.get(place.by, set()))


def test_start(place, mode, split):
    """The network is dead when PEs start: all end, and one of them says why."""
    kill_network(place.hosts, mode == "silent")
    started = time.monotonic()
    status, out = place.run(N_PES, [VICTIM, "wait"], 30, SHMEM_INTERFACE="dead0")
    took = time.monotonic() - started
    lines = [line for line in out.splitlines() if line.startswith("tern: ")]
    print(f"  ended after {took:.1f} s: {lines}", flush=True)
    check(status > 0 and took < SECONDS, f"status {status} after {took:.1f} s: {out}")
    why = "no answer for" if mode == "silent" else "No route to host"
    check(len(lines) == 1 and re.search(r"shmem_init: PE \d can't be reached: no connection to "
                                        rf"10\.78\.0\.\d over dead0: {why}.*SHMEM_INTERFACE",
                                        lines[0]), out)


def main():
    what, launcher, where, *modes = sys.argv[1:]
    test = globals()[f"test_{what}"]
    failed = 0
    for mode in modes:
        # Each on hosts of its own: what a launcher has not noticed is no burden to the next.
        place = make_place(launcher, where)
        print(f"{what}, {launcher}, {where}, {mode}", flush=True)
        try:
            test(place, mode, where == "split")
        except AssertionError as e:
            failed += 1
            print(f"  FAILED: {e}", flush=True)
        place.stop()
    sys.exit(1 if failed else 0)


main()
