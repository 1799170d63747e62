# SPDX-License-Identifier: BSD-3-Clause
"""The command line of oshrun."""
import os
import pathlib
import re
import subprocess
import tempfile

from launch import FAKE_PE, OSHRUN, check, contains, equal, expect, main, run, sh


def test_help_fits_a_screen():
    job = run("--help")
    expect(job, 0)
    lines = job.out.splitlines()
    check(len(lines) <= 24 and max(map(len, lines)) <= 80, f"{len(lines)} lines")
    contains(job.out, "usage: oshrun", "-n", "--timeout", "--bind")


def test_manual_page_has_all_options():
    page = pathlib.Path(__file__).parents[2] / "man" / "oshrun.1"
    written = page.read_text().replace("Fl -", "--").replace("Fl ", "-")
    for option in re.findall(r"(?:^ +|, )(--?\w[\w-]*)", run("--help").out, re.M):
        check(re.search(rf"{option}\b", written), f"{option} is not in the manual page")


def entries_of_help():
    """The table of other launchers' flags: a list of pairs, flags with values and text."""
    text = run("--help", "--all").out
    check(max(map(len, text.splitlines())) <= 79, "too wide")
    text = re.sub(r"\n {20,}", " " * 20, text)
    return re.findall(r"^  (-.*?) {2,}(\S.*)$", text, re.M)


def entries_of_the_manual():
    page = (pathlib.Path(__file__).parents[2] / "man" / "oshrun.1").read_text()
    section = page.split(".Ss Flags of other launchers\n")[1].split("\n.Ss")[0]
    for entry in section.split("\n.It ")[1:]:
        head, text = entry.split("\n.El")[0].split("\n", 1)
        head = re.sub(r" Ns (=|\|) Ns ", r"\1", head)
        head = head.replace("Fl -", "--").replace("Fl ", "-").replace(" , ", ", ")
        head = head.replace("Cm ", "").replace("Ar ", "").replace("|", " | ")
        yield head, text.replace("\\-", "-")


def test_flags_of_other_launchers_in_the_manual():
    entries = entries_of_help()
    check(len(entries) > 30, entries)
    equal(list(entries_of_the_manual()), entries, "the table of man/oshrun.1")


def test_flags_of_other_launchers():
    """What has a form of oshrun's own is done."""
    count = "echo $TERN_N_PES"
    for words in (["--ntasks=2"], ["-ntasks", "2"], ["-ppn", "2"], ["--ppn=2"], ["-perhost", "2"],
                  ["--npernode", "2"], ["--ntasks-per-node=2"], ["--map-by", "ppr:2:node"],
                  ["--map-by", "PPR:2:node:OVERSUBSCRIBE"], ["-np=2"], ["--n", "2"],
                  ["-w", "localhost:2"], ["--nodelist=localhost:2"], ["-hosts", "localhost:2"]):
        expect(run(*words, "sh", "-c", count), 0, "2\n2\n")
    expect(run("--pernode", "sh", "-c", count), 0, "1\n")
    with tempfile.NamedTemporaryFile("w") as hosts:
        print("localhost slots=2", file=hosts, flush=True)
        for flag in ("-f", "--machinefile", "-machinefile"):
            expect(run(flag, hosts.name, "sh", "-c", count), 0, "2\n2\n")
    for words in (["-env", "A", "1=2"], ["-genv", "A=1=2"], ["--genv", "A", "1=2"]):
        expect(sh(1, "echo $A", *words, env={"A": "old"}), 0, "1=2\n")
    for flag in ("--wd", "-D", "--chdir"):
        expect(run("-n", 1, flag, "/", "pwd"), 0, "/\n")
    for words in (["--label"], ["-prepend-rank"], ["--output", "tag"], ["-tag-output"]):
        expect(run("-n", 1, *words, "echo", "x"), 0, "[0] x\n")
    contains(run("-n", 1, "--report-bindings", "--bind-to", "core", "true").err, ", processor ")
    for words in (["--bind-to", "core:overload-allowed"], ["-bind-to=core"], ["--cpu-bind=cores"]):
        contains(run("-v", "-n", 1, *words, "true").err, ", processor ")
    for words in (["--bind-to", "none"], ["--cpu-bind=none"], ["-map-by", "socket"]):
        check("processor" not in run("-v", "-n", 1, *words, "true").err, words)


def test_needless_flags_of_other_launchers():
    for words in (["--oversubscribe"], ["-oversubscribe"], ["--allow-run-as-root"], ["-O"],
                  ["--mca", "btl", "tcp,self"], ["-mca", "pml", "^ucx"], ["--map-by", "core"],
                  ["--map-by", ":OVERSUBSCRIBE"], ["--map-by", "slot:pe=1,span"],
                  ["-map-by", "node"], ["--map-by", "socket"], ["--rank-by", "slot"],
                  ["--mpi=pmi2"], ["-genvall"], ["-genvlist", "A,B"], ["--export=ALL"], ["-u"],
                  ["-K"], ["--kill-on-bad-exit=1"], ["--stdin", "0"], ["--prefix", "/opt/x"],
                  ["--use-hwthread-cpus"]):
        expect(run("-n", 1, *words, "echo", "x"), 0, "x\n")


def test_refused_flags_of_other_launchers():
    """One line names the flag with its value, and what to use instead."""
    for words, instead in ((["--bind-to", "socket"], "use --bind core, or --bind none"),
                           (["--bind-to", "core:2"], "use --bind core"),
                           (["--map-by", "slot:PE=4"], "use -N PES"),
                           (["--map-by", "ppr:2:socket"], "use -N PES"),
                           (["--map-by", "ppr:x:node"], "use -N PES"),
                           (["--rank-by", "seq"], "use -N PES"),
                           (["--output-filename", "f"], "out.$TERN_PE"),
                           (["--output", "file=f"], "out.$TERN_PE"),
                           (["-nodes", "2"], "use -H HOSTS"),
                           (["--export=NONE"], "use -x NAME=VALUE"), (["-genvnone"], "use env -i"),
                           (["--kill-on-bad-exit=0"], "ends the job"),
                           (["--stdin", "all"], "use a file"), (["-c", "2"], "use --bind core"),
                           (["--partition=x"], "use salloc")):
        job = run("-n", 1, *words, "echo", "x")
        flag = re.sub(r"^(--[\w-]+)=", r"\1 ", " ".join(words))
        expect(job, 2, "", f"error: {flag} can't be honoured: ")
        contains(job.err, instead)
    expect(run("-n", 1, "--map-by", "ppr:0:node", "true"), 2, "", "a number of PEs, 1 at least")
    expect(run("--bind", "core", "--map-by", "socket", "true"), 2, "", "use --bind core alone")
    expect(run("-H", "far", "--map-by", "node", "true"), 2, "", "numbered consecutively; use -N")
    for words in (["--mca"], ["--mca", "a"], ["-genv", "A"], ["-ppn"]):
        expect(run("-n", 1, *words), 2, "", f"{words[0]} lacks its value")
    expect(run("-ppn", "x", "true"), 2, "", '-ppn takes a number of PEs, 1 at least, not "x"')


def test_shmemrun():
    """The launcher by its older name takes that launcher's variables, too."""
    shmemrun = f"{os.path.dirname(OSHRUN)}/shmemrun"
    env = {"SHMEMRUN_TIMEOUT": "0.3", "SHMEMRUN_VERBOSE": "1"}
    job = run("-n", 1, "sleep", 5, oshrun=shmemrun, env=env)
    equal(job.status, 124)
    contains(job.err, "PE 0: process ", "did not end within 0.3 s")
    for more in ({"SHMEMRUN_TIMEOUT": "0", "SHMEMRUN_VERBOSE": "0"},
                 {"SHMEMRUN_TIMEOUT": "", "SHMEMRUN_VERBOSE": ""}):
        expect(run("-n", 1, "sleep", 0.5, oshrun=shmemrun, env=more), 0, "")
    expect(run("-n", 1, "--timeout", 9, "sleep", 0.5, oshrun=shmemrun,
               env={"SHMEMRUN_TIMEOUT": "0.3"}), 0, "")
    expect(run("-n", 1, "true", oshrun=shmemrun, env={"SHMEMRUN_TIMEOUT": "soon"}), 2, "",
           'SHMEMRUN_TIMEOUT takes a number of seconds above 0, not "soon"')
    expect(run("-n", 1, "sleep", 0.5, env=env), 0, "")  # oshrun itself does not


def test_version():
    job = run("--version")
    expect(job, 0)
    check(job.out.startswith("oshrun (Tern) "))


def test_help_to_a_full_disk():
    job = run("--help", stdout=open("/dev/full", "w"))
    check(job.status != 0 and "No space left" in job.err)


def test_unknown_option():
    for option in ("--foo", "-q", "--timeouts=3", "-l3"):
        expect(run("-n", 1, option, "true"), 2, "", f'unknown option "{option}"')


def test_bad_number_of_pes():
    for n in ("0", "00", "abc", "-1", "1.5", "2x", "", " 2"):
        expect(run("-n", n, "true"), 2, "", f'1 at least, not "{n}"')
    expect(run("-n"), 2, "", "lacks its value")
    expect(run("-n", 2), 2, "", "no program")
    expect(run(), 2, "", "no program")


def test_spellings_of_n():
    for words in (["-n", "2"], ["-n2"], ["-np", "2"], ["--np=2"], ["--np", "2"]):
        expect(run(*words, "echo", "x"), 0, "x\nx\n")


def test_default_is_the_usable_cores():
    job = run("sh", "-c", "echo $TERN_N_PES")
    cores = len(os.sched_getaffinity(0))
    check(1 <= int(job.out.split()[0]) <= cores)
    # One core is left to oshrun: one PE.
    one = min(os.sched_getaffinity(0))
    job = run("sh", "-c", "echo $TERN_N_PES", preexec_fn=lambda: os.sched_setaffinity(0, {one}))
    expect(job, 0, "1\n")


def test_cores_of_the_job():
    job = run("-n", 1, "--bind", "core", FAKE_PE, "cores")
    all_of_them = len(os.sched_getaffinity(0))
    check(1 <= int(job.out) <= all_of_them, job.out)


def test_program_arguments_are_untouched():
    words = ["-n", "3", "--help", "--", "-v", "", "a b", "*", "$HOME", "x=y", "::"]
    job = run("-n", 1, "printf", "<%s>", *words)
    expect(job, 0, "".join(f"<{w}>" for w in words))


def test_several_programs():
    job = run("-n", 1, "sh", "-c", "echo a $TERN_PE $TERN_N_PES", ":",
              "-n", 2, "-x", "WHO=b", "sh", "-c", "echo $WHO $TERN_PE $TERN_N_PES")
    equal(job.status, 0)
    equal(sorted(job.out.splitlines()), ["a 0 3", "b 1 3", "b 2 3"])
    expect(run("-n", 1, "true", ":", "false"), 2, "", 'needs its own -n, and "false" has none')
    expect(run("-n", 1, "true", ":"), 2, "", "no program")
    expect(run("-n", 1, "true", ":", "-n", 1, "nosuch-program"), 127, "", "nosuch-program")


def test_double_dash():
    expect(run("-n", 1, "--", "echo", "a", ":", "-n"), 0, "a : -n\n")


def test_variables_for_scripts():
    job = sh(3, "echo $TERN_PE/$TERN_N_PES $TERN_LOCAL_PE/$TERN_LOCAL_N_PES")
    equal(sorted(job.out.splitlines()), ["0/3 0/3", "1/3 1/3", "2/3 2/3"])


def test_environment():
    job = sh(1, "echo $A,$B,$C,$TERN_PE", "-x", "A=1=2", "--env=B=two words", "-x", "C",
             "-x", "TERN_PE=9", env={"A": "old", "C": "kept"})
    expect(job, 0, "1=2,two words,kept,0\n")
    expect(sh(1, "true", "-x", "NO_SUCH_VARIABLE"), 0, "", "no such variable")
    expect(sh(1, "true", "-x", "=3"), 2, "", "takes NAME=VALUE")


def test_inside_a_pe():
    """A job within a PE has its own variables."""
    job = run("-n", 1, OSHRUN, "-n", 2, "sh", "-c", "echo $TERN_PE $TERN_N_PES")
    equal(sorted(job.out.splitlines()), ["0 2", "1 2"])


def test_working_directory():
    with tempfile.TemporaryDirectory() as d:
        with open(f"{d}/here", "w") as f:
            f.write("#!/bin/sh\npwd -P\n")
        os.chmod(f"{d}/here", 0o755)
        want = os.path.realpath(d) + "\n"
        expect(run("-n", 1, "-C", d, "pwd"), 0, want)
        expect(run("-n", 1, f"--wdir={d}", "./here"), 0, want)
        expect(run("-n", 1, "-C", f"{d}/nowhere", "pwd"), 126, "", "No such file or directory")


def test_bad_values():
    expect(run("--timeout", "0", "true"), 2, "", "above 0")
    expect(run("--timeout", "soon", "true"), 2, "", '"soon"')
    expect(run("--bind", "socket", "true"), 2, "", '"core" or "none"')


def test_binding():
    ours = os.sched_getaffinity(0)
    script = "import os; print(sorted(os.sched_getaffinity(0)))"
    job = run("-n", 3, "--bind", "core", "-l", "python3", "-c", script)
    equal(job.status, 0)
    sets = [set(eval(line.split(" ", 1)[1])) for line in sorted(job.out.splitlines())]
    check(all(s <= ours for s in sets), sets)
    if len(ours) > 1 and sets[0] != ours:
        check(sets[0] != sets[1], sets)
    job = run("-n", 1, "--bind", "none", "python3", "-c", script)
    equal(set(eval(job.out)), ours)
    one = max(ours)
    job = run("-n", 2, "--bind=core", "python3", "-c", script,
              preexec_fn=lambda: os.sched_setaffinity(0, {one}))
    equal(job.out, f"[{one}]\n" * 2)


def test_verbose():
    job = run("-v", "-n", 1, "--bind", "core", "sh", "-c", "exit 3")
    equal(job.status, 3)
    contains(job.err, "PE 0: process ", "processor", "/sh", "exited with status 3")


def test_process_state_is_passed_on():
    """Signals, limits and descriptors are as oshrun found them."""
    def set_up():
        import resource
        import signal
        resource.setrlimit(resource.RLIMIT_NOFILE, (512, resource.getrlimit(
            resource.RLIMIT_NOFILE)[1]))
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    script = "ulimit -n; grep -E '^Sig(Blk|Ign)' /proc/self/status; ls /proc/self/fd | wc -l"
    plain = subprocess.run(["sh", "-c", script], preexec_fn=set_up, stdin=subprocess.DEVNULL,
                           capture_output=True, text=True).stdout.split()
    job = sh(1, script, preexec_fn=set_up)
    equal(job.err, "")
    got = job.out.split()
    equal(got[:-1], plain[:-1])
    # The job's object and its lifeline come in addition.
    equal(int(got[-1]), int(plain[-1]) + 2, "open descriptors")


def test_descriptors():
    """All that oshrun inherited, whatever its number, the job's own two, and none of its others."""
    script = "echo $(ls /proc/self/fd)"
    for inherited in ((), (7,), (7, 255, 256), (7, 300)):
        def set_up():
            for number in inherited:
                os.dup2(0, number)
        plain = subprocess.run(["sh", "-c", script], preexec_fn=set_up, close_fds=False, text=True,
                               stdin=subprocess.DEVNULL, capture_output=True).stdout.split()
        check({str(number) for number in inherited} <= set(plain))
        for n in (1, 40):
            lines = sh(n, script, preexec_fn=set_up, close_fds=False).out.splitlines()
            equal(len(lines), n)
            for line in lines:
                check(set(plain) < set(line.split()), f"{line} of {plain}, {n} PEs")
                equal(len(line.split()), len(plain) + 2, f"descriptors of one of {n} PEs")


main(globals())
