# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of jobs on several hosts share: hosts made of namespaces, Slurm, the launchers."""
import atexit
import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import uuid

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "launch"))
import inherited  # noqa: E402
HOSTS_SH = HERE / "hosts.sh"
SLURM_SH = HERE / "slurm.sh"
SKIPPED = 77
TAG = "TERN_TEST_TAG"

inherited.take_signals_back()

# What would change what is tested, if a user had set it.
for variable in list(os.environ):
    if variable.startswith(("SHMEM_", "SLURM_", "PMI", "OMPI_", "HYDRA_", "TERN_")):
        del os.environ[variable]


def skip(reason):
    print("skipped:", reason)
    sys.exit(SKIPPED)


def need(*tools):
    for tool in tools:
        if not shutil.which(tool, path=f"{os.environ['PATH']}:/usr/sbin:/sbin"):
            skip(f"there is no {tool}; scripts/setup.sh cluster installs all that is needed")


def check(ok, message="check failed"):
    if not ok:
        raise AssertionError(message)


def wait_until(condition, seconds, what):
    until = time.monotonic() + seconds
    while not condition():
        check(time.monotonic() < until, f"waited {seconds} s for {what}")
        time.sleep(0.01)


class Hosts:
    """Hosts in namespaces; this process's end is theirs."""

    def __init__(self, count=3):
        need("ip", "unshare", "nsenter", "setpriv", "awk")
        self.count = count
        self.name = uuid.uuid4().hex[:8]
        self.folder = pathlib.Path(os.environ.get("TMPDIR", "/tmp")) / f"tern-hosts.{self.name}"
        self.log = tempfile.TemporaryFile()
        self.holder = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", HOSTS_SH, self.name, str(count), "hold"],
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
        atexit.register(self.stop)
        until = time.monotonic() + 20
        while not (self.folder / "ready").exists():
            if self.holder.poll() is not None or time.monotonic() > until:
                self.log.seek(0)
                reason = self.log.read().decode().strip()
                self.stop()
                skip(f"no hosts can be made of namespaces here: {reason}")
            time.sleep(0.01)
        self.addresses = [f"10.77.0.{i + 1}" for i in range(count)]
        self.names = [f"tern-{i + 1}" for i in range(count)]
        self.ssh = str(self.folder / "ssh")
        self.environment = {"HYDRA_LAUNCHER": "ssh", "HYDRA_LAUNCHER_EXEC": self.ssh,
                            "OMPI_MCA_plm_rsh_agent": self.ssh}

    def on(self, host, command):
        """The command as it runs on a host, 1..count."""
        return [str(HOSTS_SH), self.name, str(self.count), "run", str(host), *map(str, command)]

    def link(self, host, state):
        subprocess.run([HOSTS_SH, self.name, str(self.count), "link", str(host), state], check=True)

    def stop(self):
        atexit.unregister(self.stop)
        self.holder.kill()
        self.holder.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
        self.log.close()


class Slurm:
    """A Slurm of one node on this machine, or of the hosts given, which end with it."""

    def __init__(self, hosts=None):
        need("munged", "slurmctld", "slurmd", "srun")
        self.folder = tempfile.mkdtemp(prefix="tern-slurm.")
        os.rmdir(self.folder)
        self.where = [hosts.name, str(hosts.count)] if hosts else []
        atexit.register(self.stop)
        made = subprocess.run([SLURM_SH, self.folder, "start", *self.where], text=True,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
        if made.returncode:
            self.stop()
            skip(f"no Slurm can be started here: {made.stdout}{made.stderr}")
        self.environment = {"SLURM_CONF": f"{self.folder}/slurm.conf"}

    def stop(self):
        atexit.unregister(self.stop)
        subprocess.run([SLURM_SH, self.folder, "stop", *self.where], stdin=subprocess.DEVNULL,
                       timeout=60)


def end_on_signal(number, frame):
    sys.exit(128 + number)  # atexit's handlers run


signal.signal(signal.SIGTERM, end_on_signal)


# mpirun may be anybody's.
PROGRAM_OF = {"hydra": "mpiexec.hydra", "mpirun": "mpirun.openmpi"}


class Place:
    """Where jobs run and what starts them: a launcher's name, on this machine or on hosts."""

    LAUNCHERS = ("hydra", "mpirun", "pmi2", "pmix")

    def __init__(self, launcher, n_hosts=0):
        self.launcher = self.by = launcher
        self.hosts = self.slurm = None
        if launcher in ("pmi2", "pmix"):
            need("munged", "slurmctld", "slurmd", "srun")
        else:
            need(PROGRAM_OF[launcher])
        if n_hosts:
            self.hosts = Hosts(n_hosts)
        if launcher in ("pmi2", "pmix"):
            self.slurm = Slurm(self.hosts)

    def command(self, n_pes, program):
        """The launcher's command line, which runs on the first host."""
        n_hosts = self.hosts.count if self.hosts else 1
        per_host = -(-n_pes // n_hosts)
        if self.launcher == "hydra":
            words = [PROGRAM_OF["hydra"], "-n", n_pes]
            if self.hosts:
                words[1:1] = ["-hosts", ",".join(self.hosts.addresses), "-ppn", per_host]
        elif self.launcher == "mpirun":
            words = [PROGRAM_OF["mpirun"], "--oversubscribe", "--bind-to", "none", "-n", n_pes,
                     "-x", TAG]
            if os.geteuid() == 0:
                words.insert(1, "--allow-run-as-root")
            if self.hosts:
                words += ["-H", ",".join(f"{h}:{per_host}" for h in self.hosts.names)]
        else:
            words = ["srun", f"--mpi={self.launcher}", "-n", n_pes, "--overcommit",
                     "--kill-on-bad-exit=1", "--input=none"]
            if self.hosts:
                words += ["-N", n_hosts, "--distribution=block"]
        words = [str(word) for word in [*words, *program]]
        return self.hosts.on(1, words) if self.hosts else words

    def environment(self, more):
        """Settings of the job are passed on by name where that is what it takes."""
        env = {**os.environ, **more}
        for helper in (self.hosts, self.slurm):
            if helper:
                env.update(helper.environment)
        return env

    def run(self, n_pes, program, seconds=60, **env):
        """Runs a job to its end: (status, output); a status of -1 means that it took too long."""
        words = self.command(n_pes, program)
        if self.launcher == "mpirun":
            at = words.index("-x")
            words[at:at] = [word for name in env for word in ("-x", name)]
        job = Job(words, self.environment(env))
        return job.finish(seconds)

    def stop(self):
        if self.slurm:
            self.slurm.stop()
        if self.hosts:
            self.hosts.stop()


class Job:
    """A process and all that it starts, near and far, which carry a tag in their environment."""

    def __init__(self, words, env=None):
        self.tag = uuid.uuid4().hex
        self.output = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            [str(word) for word in words], stdin=subprocess.DEVNULL, stdout=self.output,
            stderr=subprocess.STDOUT, start_new_session=True,
            env={**(env or os.environ), TAG: self.tag})

    def pids(self):
        """Its living processes but the first, however they were started."""
        found = []
        for name in os.listdir("/proc"):
            if not name.isdigit() or int(name) == self.process.pid:
                continue
            with contextlib.suppress(OSError):
                with open(f"/proc/{name}/environ", "rb") as f:
                    if f"{TAG}={self.tag}".encode() in f.read().split(b"\0"):
                        found.append(int(name))
        return found

    def read(self):
        return os.pread(self.output.fileno(), 1 << 24, 0).decode(errors="replace")

    def finish(self, seconds=60):
        try:
            status = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            status = -1
        self.kill()
        return status, self.read()

    def kill(self):
        """What is left of it must not disturb others."""
        if self.process.poll() is None:
            self.process.kill()
        for pid in self.pids():
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        self.process.wait()


def main(names):
    """Runs the test that the command line names, with the words behind it."""
    try:
        names["test_" + sys.argv[1]](*sys.argv[2:])
    except AssertionError as e:
        print(f"{sys.argv[1]}: {e}")
        sys.exit(1)
