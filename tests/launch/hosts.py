# SPDX-License-Identifier: BSD-3-Clause
"""Hosts on the command line of oshrun, and what it has other launchers do; these are stand-ins."""
import contextlib
import os
import pathlib
import signal
import socket
import tempfile
import time

from launch import OSHRUN, Job, check, contains, equal, expect, main, run, wait_until

VERSIONS = {
    "open-mpi": "mpirun (Open MPI) 4.1.4",
    "mpiexec of open-mpi": "mpiexec (OpenRTE) 4.1.4",
    "prrte": "prterun (PRRTE) 3.0.3",
    "hydra": "HYDRA build details:\n    Version:  4.0.2",
    "other": "something else 1.0",
    "slurm": "",
}

# Notes what it is called with, what the file of hosts says, and its environment.
SCRIPT = """#!/bin/sh
case $1 in
--version) cat '{at}/version'; exit ;;
--mpi=list) cat '{at}/mpi-list' 2>&1; exit ;;
esac
printf '%s\\0' "$@" >'{at}/argv'
for word; do
    case $word in */proc/self/fd/*) cat "/proc/self/fd/${{word##*/}}" >'{at}/hosts' ;; esac
done
env -0 >'{at}/env'
pwd >'{at}/directory'
echo $$ >'{at}/pid'
eval "$DO"
"""


class Launcher:
    """A stand-in for a launcher, in a folder that is all of PATH but for /usr/bin's sh and so on."""

    def __init__(self, folder, name, whose):
        self.at = pathlib.Path(folder) / f"of {name}"
        self.at.mkdir()
        self.path = pathlib.Path(folder) / name
        self.path.write_text(SCRIPT.format(at=self.at))
        self.path.chmod(0o755)
        (self.at / "version").write_text(VERSIONS[whose] + "\n")

    def words(self):
        return (self.at / "argv").read_bytes().decode().split("\0")[:-1]

    def hosts(self):
        return (self.at / "hosts").read_text().splitlines()

    def variables(self):
        entries = (self.at / "env").read_bytes().decode().split("\0")[:-1]
        return dict(entry.split("=", 1) for entry in entries)

    def called(self):
        return (self.at / "argv").exists()


@contextlib.contextmanager
def launchers(**whose):
    """Puts stand-ins NAME=KIND into PATH, and nothing else that could be a launcher."""
    before = dict(os.environ)
    with tempfile.TemporaryDirectory() as folder:
        tools = pathlib.Path(folder) / "tools"
        tools.mkdir()
        for tool in ("sh", "cat", "env", "sleep", "true"):
            (tools / tool).symlink_to(f"/usr/bin/{tool}")
        os.environ["PATH"] = f"{folder}:{tools}"
        os.environ.pop("SLURM_JOB_ID", None)
        os.environ.pop("DO", None)
        made = [Launcher(folder, name.replace("__", "."), kind) for name, kind in whose.items()]
        try:
            yield made[0] if len(made) == 1 else made
        finally:
            os.environ.clear()
            os.environ.update(before)


def hands_over(*args, status=0, **more):
    """A job that another launcher runs: oshrun says so in one line."""
    job = run(*args, **more)
    equal(job.status, status, f"status (output {job.out!r}, {job.err!r})")
    equal(job.err.count("\n"), 1, f"number of lines in {job.err!r}")
    contains(job.err, "tern: oshrun: hands over to ")
    return job


def after(words, option):
    return words[words.index(option) + 1]


def test_this_machine():
    """By its own names it is no other host, and needs no launcher."""
    own = socket.gethostname()
    with launchers(mpirun="open-mpi") as mpirun:
        for hosts in ("localhost", "127.0.0.1", "[::1]", "::1", "localhost:9", "[::1]:4", own,
                      own.upper(), own.split(".")[0], f"localhost,127.0.0.1,{own}"):
            expect(run("-H", hosts, "-n", 1, "sh", "-c", "echo $TERN_N_PES"), 0, "1\n")
        check(not mpirun.called())


def test_number_of_pes():
    count = ["sh", "-c", "echo $TERN_N_PES"]
    expect(run("-H", "localhost:3", *count), 0, "3\n" * 3)
    expect(run("-N", 2, *count), 0, "2\n" * 2)
    expect(run("-H", "localhost,localhost", "-n2", *count), 0, "2\n" * 2)
    with launchers(mpirun="open-mpi") as mpirun:
        for options, n in ((["-H", "a,b,c"], "3"), (["-H", "a:2,b"], "3"), (["-H", "a,b,a"], "3"),
                           (["-H", "a,b", "-N", 4], "8"), (["-H", "a:9,b", "-n", 2], "2"),
                           (["--launcher", "mpirun", "-N", 3], "3")):
            hands_over(*options, "true")
            equal(after(mpirun.words(), "-n"), n, f"number of PEs with {options}")
        for options, take in ((["-H", "a:2,b"], "3 that the hosts take by their slots"),
                              (["-H", "a,b", "-N2"], "4 that the hosts take by -N")):
            expect(run(*options, "-n", 5, "true"), 2, "", f"5 PEs exceed the {take}")


def test_placement():
    """PEs are consecutive on each host, in the order of the hosts, with any launcher."""
    for options, want in ((["-H", "a,b,c", "-n7"], {"a": 3, "b": 2, "c": 2}),
                          (["-H", "a,b,c", "-n2"], {"a": 1, "b": 1}),
                          (["-H", "a:2,b:1,c", "-n4"], {"a": 2, "b": 1, "c": 1}),
                          (["-H", "a:2,b:2", "-n3"], {"a": 2, "b": 1}),
                          (["-H", "a:5,b:2", "-N2"], {"a": 2, "b": 2}),
                          (["-H", "b,a", "-H", "b"], {"b": 2, "a": 1})):
        with launchers(mpirun="open-mpi") as mpirun:
            hands_over(*options, "true")
            equal(mpirun.hosts(), [host for host, n in want.items() for _ in range(n)])
            equal(after(mpirun.words(), "--map-by"), "seq")
        with launchers(mpiexec__hydra="hydra") as hydra:
            hands_over(*options, "true")
            equal(after(hydra.words(), "-hosts"), ",".join(f"{h}:{n}" for h, n in want.items()))
        with launchers(srun="slurm") as srun:
            hands_over(*options, "true", env={"SLURM_JOB_ID": "7"})
            equal(srun.hosts(), [host for host, n in want.items() for _ in range(n)])
            check("--distribution=arbitrary" in srun.words())
            check(f"--ntasks={sum(want.values())}" in srun.words())


def test_files():
    with launchers(mpirun="open-mpi") as mpirun, tempfile.TemporaryDirectory() as d:
        name = f"{d}/two words"

        def write(text):
            with open(name, "w") as f:
                f.write(text)

        write("# ours\n\n  first slots=2 # fast\nsecond:3\n\tthird\r\njoe@[fd77::4]\n"
              "five max_slots=8 slots=1\nfirst\nlast slots=1")
        run("--hostfile", name, "-H", "extra", "true")
        check(not mpirun.called(), "[fd77::4] has no name, so nobody can be asked")
        write("# ours\n\n  first slots=2 # fast\nsecond:3\n\tthird\r\n"
              "five max_slots=8 slots=1\nfirst\nlast slots=1")
        hands_over("--hostfile", name, "-H", "extra", "true")
        equal(mpirun.hosts(), [*["first"] * 3, *["second"] * 3, "third", "five", "last", "extra"])
        for text, wrong in (("a\nb slots=0\n", ':2: "slots=0" should be slots=N'),
                            ("a cpus=2\n", ':1: "cpus=2" should be slots=N'),
                            ("\n\na:x\n", ':3: "a:x" should end with a number'),
                            ("a;b\n", ':1: "a;b" is not a host'),
                            ("# nobody\n", "names no host")):
            write(text)
            expect(run("--hostfile", name, "-n", 1, "true"), 2, "", wrong)
    expect(run("--hostfile", "/no/such/file", "-n", 1, "true"), 2, "", "can't be read: No such")
    expect(run("--hostfile", "/", "-n", 1, "true"), 2, "", "can't be read: Is a directory")


def test_bad_names():
    """Launchers hand names to shells: nothing that a shell or a launcher could misunderstand."""
    with launchers(mpirun="open-mpi") as mpirun:
        for name in ("", ",", "a,", "-oProxyCommand=x", "a b", "a;b", "$(id)", "`id`", "a'b", "a/b",
                     "a\tb", "[a", "a]", "[::1]x", "[fd77::2", "joe@", "@a", "j;oe@a", "-l@a",
                     "a:0", "a:-1", "a:1.5", "a:99999999999", "[fd77::2]:", "köln"):
            job = run("-H", name, "-n", 1, "true")
            expect(job, 2, "", "-H: ")
        name = f"{'h' * 400}/x"    # is told as it is
        expect(run("-H", name, "-n", 1, "true"), 2, "", f'-H: "{name}" is not a host')
        check(not mpirun.called())


def test_odd_names():
    hosts = "user@host-1.x_y:2,first.last-2_3+4@10.0.0.1,user@site@login.site,DOMAIN_u@H"
    with launchers(mpirun="open-mpi") as mpirun:
        hands_over("-H", hosts, "true")
        equal(after(mpirun.words(), "--map-by"), "slot")
        equal(mpirun.hosts(), ["user@host-1.x_y slots=2", "first.last-2_3+4@10.0.0.1 slots=1",
                               "user@site@login.site slots=1", "DOMAIN_u@H slots=1"])
        variables = mpirun.variables()
        equal(variables["OMPI_MCA_orte_keep_fqdn_hostnames"], "1")
        equal(variables["OMPI_MCA_regx"], "naive")
        hands_over("-H", "host-1.x.y", "true")
        check("OMPI_MCA_regx" not in mpirun.variables())
    with launchers(mpiexec="hydra") as hydra:
        hands_over("-H", hosts, "true")
        equal(after(hydra.words(), "-hosts"), "user@host-1.x_y:2,first.last-2_3+4@10.0.0.1:1,"
              "user@site@login.site:1,DOMAIN_u@H:1")


def test_ipv6():
    """Launchers take addresses of IPv4 only, so that one of IPv6 has to have a name."""
    with launchers(mpirun="open-mpi") as mpirun:
        for address in ("[fd77:ffff::9]:2", "joe@fd77:ffff::9", "fe80::1%lo"):
            expect(run("-H", address, "true"), 2, "", "take no IPv6 addresses, and")
        check(not mpirun.called())
        hands_over("--launcher", "mpirun", "-H", "joe@[::1]:2", "true")
        equal(mpirun.hosts(), ["joe@localhost slots=2"])


def test_no_launcher():
    with launchers():
        expect(run("-H", "far", "-n", 1, "true"), 127, "", "install the package mpich or openmpi")
        expect(run("-H", "far", "true", env={"SLURM_JOB_ID": "7"}), 127, "", "install the package")
    with launchers(mpirun="other"):
        expect(run("-H", "far", "-n", 1, "true"), 127, "", "install the package mpich or openmpi")


def test_which_launcher():
    def chosen(made, **env):
        job = hands_over("-H", "far", "-n", 1, "true", env=env)
        used = [launcher.path.name for launcher in made if launcher.called()]
        equal(len(used), 1)
        contains(job.err, f"/{used[0]}): 1 PE on 1 host")
        return used[0], job.err

    everybody = {"srun": "slurm", "prterun": "prrte", "mpirun": "open-mpi", "mpiexec": "hydra",
                 "mpiexec__hydra": "hydra"}
    with launchers(**everybody) as made:
        equal(chosen(made, SLURM_JOB_ID="7")[0], "srun")
    with launchers(**everybody) as made:
        name, text = chosen(made)
        equal(name, "prterun")
        contains(text, "hands over to Open MPI (")
    del everybody["prterun"]
    with launchers(**everybody) as made:
        equal(chosen(made)[0], "mpirun")
    everybody["mpirun"] = "hydra"
    with launchers(**everybody) as made:
        name, text = chosen(made, SLURM_JOB_ID="")
        check(name in ("srun", "mpirun"))
    with launchers(srun="slurm", mpirun="hydra") as made:
        name, text = chosen(made)
        equal(name, "mpirun")
        contains(text, "hands over to Hydra (")
    with launchers(mpirun="other", mpiexec="mpiexec of open-mpi") as made:
        equal(chosen(made)[0], "mpiexec")


def test_wished_launcher():
    with launchers(srun="slurm", mpirun="open-mpi", mpiexec="hydra", other="other") as made:
        srun, mpirun, mpiexec, other = made
        hands_over("--launcher", "hydra", "-H", "far", "true", env={"SLURM_JOB_ID": "7"})
        check(mpiexec.called())
        hands_over("--launcher=srun", "-H", "far", "true")
        check(srun.called())
        hands_over("--launcher", mpirun.path, "-H", "far", "true")
        check(mpirun.called())
        for wish in ("prterun", "nobody", "/no/such", "", other.path, "other", other.at):
            expect(run("--launcher", wish, "-H", "far", "true"), 127, "", f"--launcher {wish}: "
                   "there is no such launcher here; it can be srun (in a Slurm allocation), "
                   "prterun, mpirun, mpiexec, mpiexec.hydra, hydra, or the path of one")
        # Wished for, it starts PEs on this machine, too.
        hands_over("--launcher", "hydra", "-n", 3, "true")
        equal(after(mpiexec.words(), "-hosts"), "localhost:3")


def test_slurm_protocol():
    for listed, want in (("MPI plugin types are...\n\tpmix\n\tnone\n\tpmi2\n", "--mpi=pmi2"),
                         ("srun: MPI types are...\nsrun: pmix_v4\nsrun: none\n", "--mpi=pmix"),
                         ("none\n", None)):
        with launchers(srun="slurm") as srun:
            (srun.at / "mpi-list").write_text(listed)
            hands_over("--launcher", "srun", "-H", "far", "true")
            equal([w for w in srun.words() if w.startswith("--mpi")], [want] if want else [])
            hands_over("--launcher", "srun", "-H", "far", "true", env={"SLURM_MPI_TYPE": "site"})
            equal([w for w in srun.words() if w.startswith("--mpi")], [])


def test_slurm_without_hosts():
    """Slurm knows them."""
    with launchers(srun="slurm") as srun:
        job = hands_over("--launcher", "srun", "-N", 2, "true", "x")
        equal(job.err, f"tern: oshrun: hands over to Slurm ({srun.path})\n")
        check("--ntasks-per-node=2" in srun.words())
        check(not any(w.startswith(("--ntasks=", "--nodelist", "--dist")) for w in srun.words()))
        hands_over("--launcher", "srun", "-n", 6, "true", "x")
        check("--ntasks=6" in srun.words())


def test_paths_with_blanks():
    words = ["a b", "", "*", "$HOME", "it's \"q\"", "\n", "-n", "--", "x=y", "::", "ü"]
    with tempfile.TemporaryDirectory(prefix="two words ") as d:
        program = pathlib.Path(d) / "my program"
        program.symlink_to("/usr/bin/true")
        for names in ({"mpirun": "open-mpi"}, {"mpiexec": "hydra"}, {"srun": "slurm"}):
            with launchers(**names) as launcher:
                hands_over("--launcher", launcher.path, "-H", "far", program, *words)
                equal(launcher.words()[-len(words) - 1:], [str(program), *words])
                hands_over("--launcher", launcher.path, "-C", d, "-H", "far", "./my program")
                equal(launcher.words()[-1], "./my program")
                equal((launcher.at / "directory").read_text(), os.path.realpath(d) + "\n")
                # What is not here may be there.
                hands_over("--launcher", launcher.path, "-H", "far", "not-here", "x")
                equal(launcher.words()[-2:], ["not-here", "x"])
                expect(run("--launcher", launcher.path, "-C", f"{d}/no", "-H", "far", "true"), 2,
                       "", "PEs can't run in the directory")


def test_environment():
    """All launchers pass it on: Open MPI when told each name."""
    env = {"SHMEM_SYMMETRIC_SIZE": "1m", "ODD": "a\nb;c=\"d\" $HOME", "OMPI_MCA_x": "1",
           "PMIX_RANK": "1", "EMPTY": ""}
    for names in ({"mpirun": "open-mpi"}, {"mpiexec": "hydra"}, {"srun": "slurm"}):
        with launchers(**names) as launcher:
            hands_over("--launcher", launcher.path, "-H", "far", "-x", "SET=a=b c", "-x", "ODD",
                       "--env=EMPTY=now not", "true", env=env)
            seen = launcher.variables()
            for name, value in {**env, "SET": "a=b c", "EMPTY": "now not"}.items():
                equal(seen[name], value, name)
            words = launcher.words()
            passed = [words[i + 1] for i, word in enumerate(words) if word == "-x"]
            if "mpirun" in names:
                for name in ("SHMEM_SYMMETRIC_SIZE", "ODD", "SET", "EMPTY", "PATH"):
                    equal(passed.count(name), 1, f"times that {name} is passed on")
                check(not any(name.startswith(("OMPI_", "PMIX_")) for name in passed), passed)
            elif "mpiexec" in names:
                check("-genvall" in words)
            else:
                check("--export=ALL" in words)


def test_large_environment():
    env = {f"VARIABLE_{i}": "x" * 1000 for i in range(100)}
    for names in ({"mpirun": "open-mpi"}, {"mpiexec": "hydra"}, {"srun": "slurm"}):
        with launchers(**names) as launcher:
            hands_over("--launcher", launcher.path, "-H", "far", "-x", "ONE=" + "y" * 100000, "true",
                       env=env)
            seen = launcher.variables()
            equal(sum(len(seen[name]) for name in env) + len(seen["ONE"]), 200000)


def test_options_of_each_launcher():
    with launchers(mpirun="open-mpi") as mpirun:
        hands_over("-H", "far", "true")
        equal(after(mpirun.words(), "--bind-to"), "none")
        check("--tag-output" not in mpirun.words())
        hands_over("-H", "far", "--bind", "core", "-l", "true")
        equal(after(mpirun.words(), "--bind-to"), "core")
        check("--tag-output" in mpirun.words())
        if os.geteuid() == 0:
            equal(mpirun.variables()["OMPI_ALLOW_RUN_AS_ROOT"], "1")
    with launchers(mpiexec="hydra") as hydra:
        hands_over("-H", "far", "--bind", "core", "-l", "true")
        equal(after(hydra.words(), "-bind-to"), "core")
        equal(after(hydra.words(), "-prepend-pattern"), "[%r] ")
    with launchers(srun="slurm") as srun:
        hands_over("--launcher", "srun", "-H", "far", "--bind", "core", "-l", "true")
        check({"--cpu-bind=cores", "--label", "--input=0", "--overcommit",
               "--kill-on-bad-exit=1"} <= set(srun.words()))
    with launchers(mpirun="open-mpi") as mpirun:
        job = run("-v", "-H", "a:2,b", "true", "it's", "a b")
        equal(job.status, 0)
        contains(job.err, "tern: oshrun: a: 2\n", "tern: oshrun: b: 1\n", f"{mpirun.path} --host",
                 " -n 3 ", " 'it'\\''s' 'a b'\n")


def test_several_programs():
    for names in ({"mpirun": "open-mpi"}, {"mpiexec": "hydra"}):
        with launchers(**names) as launcher:
            hands_over("-H", "a,b", "-n", 1, "-x", "A=1 2", "-C", "/", "true", "x", ":",
                       "-n", 2, "not-here", "y")
            words = launcher.words()
            colon = words.index(":")
            true = words[colon - 2]
            check(true.endswith("/true"), words)
            equal(words[colon - 6:colon], ["1", "env", "--chdir=/", "A=1 2", true, "x"])
            equal(words[-3:], ["2", "not-here", "y"])


def test_what_launchers_cannot_do():
    with launchers(srun="slurm", mpirun="open-mpi", mpiexec="hydra") as made:
        several = ["-n", 1, "true", ":", "-n", 1, "true"]
        expect(run("--launcher", "srun", "-H", "a,b", *several), 2, "", "a single program")
        expect(run("--launcher", "srun", "-H", "joe@a", "true"), 2, "", 'leave "user@" out')
        for name in ("mpirun", "hydra"):
            expect(run("--launcher", name, "-H", "a", "-n1", "--", "echo", ":"), 2, "",
                   "can't pass on an argument that is a colon")
        check(not any(launcher.called() for launcher in made))
        hands_over("--launcher", "srun", "-H", "a", "-n1", "--", "echo", ":")


def test_status():
    with launchers(mpirun="open-mpi"):
        for do, status in (("exit 0", 0), ("exit 3", 3), ("exit 255", 255), ("kill -9 $$", 137)):
            hands_over("-H", "far", "true", status=status, env={"DO": do})
        job = hands_over("-H", "far", "true", input=b"typed\n", env={"DO": "cat; echo bye >&1"})
        equal(job.out, "typed\nbye\n")


def test_timeout():
    do = "trap 'kill $!; echo ended; exit 1' TERM; sleep 60 & wait; exit 0"
    with launchers(mpirun="open-mpi"):
        job = run("-H", "far", "--timeout", "0.3", "true", env={"DO": do}, seconds=5)
        equal((job.status, job.out), (124, "ended\n"))
        equal(job.err.count("\n"), 2)
        contains(job.err, "did not end within 0.3 s (--timeout)")


def ready(mpirun, do):
    job = Job("-H", "far", "true", env={"DO": do})
    job.read_until("ready\n")
    return job


def test_signals():
    """Of those that a user sends to oshrun the launcher gets each, once."""
    do = ("trap 'echo one' USR1; trap 'echo int; exit 5' INT; trap 'echo term; exit 6' TERM;"
          "echo ready; while :; do sleep 0.02; done")
    with launchers(mpirun="open-mpi") as mpirun:
        for number, out, status in ((signal.SIGINT, "int\n", 5), (signal.SIGTERM, "term\n", 6)):
            job = ready(mpirun, do)
            job.process.send_signal(signal.SIGUSR1)
            job.read_until("one\n")
            job.process.send_signal(number)
            job.finish(seconds=5)
            equal((job.out, job.status), (out, status))
            job.expect_gone(1)


def test_launcher_ends_with_oshrun():
    do = "trap 'echo $$ >\"$0.ended\"; exit 0' TERM; echo ready; while :; do sleep 0.02; done"
    with launchers(mpirun="open-mpi") as mpirun:
        job = ready(mpirun, do)
        time.sleep(0.05)
        job.process.send_signal(signal.SIGKILL)
        ended = pathlib.Path(f"{mpirun.path}.ended")
        wait_until(ended.exists, 5, "the launcher to be told")
        job.expect_gone(1)


def test_nested():
    """An oshrun in a PE starts a job of its own."""
    with launchers(mpirun="open-mpi") as mpirun:
        job = run("-n", 1, OSHRUN, "-H", "far", "true")
        equal(job.status, 0)
        check(not any(name.startswith("TERN_") and name != "TERN_TEST_TAG"
                      for name in mpirun.variables()), mpirun.variables())


main(globals())
