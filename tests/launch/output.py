# SPDX-License-Identifier: BSD-3-Clause
"""What PEs write arrives: whole lines, all of it."""
import fcntl
import os
import random
import re
import subprocess
import tempfile
import time

from launch import FAKE_PE, Job, check, contains, equal, expect, main, run, sh, unmerged


def python(n, script, *arguments, **more):
    return run("-n", n, "python3", "-S", "-c", script, *arguments, **more)


def test_lines_are_whole():
    """Lines of all lengths from several PEs, written in pieces at the worst places."""
    script = """if True:
        import os
        pe = int(os.environ['TERN_PE'])
        text = b''.join(b'%d:' % pe + b'abcdefghij' * (i * i % 977) + b'\\n' for i in range(400))
        for at in range(0, len(text), 3001):
            os.write(1 + pe % 2, text[at:at + 3001])
    """
    with tempfile.TemporaryFile() as f:
        expect_status = python(4, script, stdout=f, stderr=f).status
        equal(expect_status, 0)
        f.seek(0)
        lines = f.read().split(b"\n")
    want = sorted(b"%d:" % pe + b"abcdefghij" * (i * i % 977) for pe in range(4)
                  for i in range(400))
    equal(lines.pop(), b"")
    check(sorted(lines) == want, "lines were torn or lost")


def test_slow_halves_of_a_line():
    job = sh(3, "printf a$TERN_PE; sleep 0.3; printf b; sleep 0.1; echo c$TERN_PE")
    equal(sorted(job.out.splitlines()), [f"a{i}bc{i}" for i in range(3)])


def test_very_long_lines():
    script = """if True:
        import os
        c = b'xyz'[int(os.environ['TERN_PE']):][:1]
        for i in range(3):
            for piece in range(50):
                left = memoryview(c * 20000)
                while left:
                    left = left[os.write(1, left):]
            os.write(1, b'\\n')
    """
    job = python(3, script)
    equal(job.status, 0)
    equal(sorted(job.out.splitlines()), sorted(c * 1000000 for c in "xyz" * 3))


def test_silent_holder_of_a_long_line():
    """Others are not kept waiting for ever by a PE that stops within a very long line."""
    script = """if True:
        import os, time
        if os.environ['TERN_PE'] == '0':
            os.write(1, b'x' * 400000)
            time.sleep(60)
        else:
            time.sleep(0.3)
            os.write(1, b'other\\n')
            time.sleep(60)
    """
    job = Job("-n", 2, "python3", "-S", "-c", script)
    job.read_until("\nother\n")
    job.process.terminate()
    equal(job.finish().status, 143)


def test_bytes_are_bytes():
    data = random.Random(1).randbytes(3000000)
    with tempfile.NamedTemporaryFile() as f:
        f.write(data)
        f.flush()
        job = run("-n", 1, "cat", f.name)
        equal(job.status, 0)
        check(job.out_bytes == data, "bytes differ")


def test_last_line_without_newline():
    expect(run("-n", 1, "printf", "a\\nb"), 0, "a\nb")
    job = run("-n", 2, "printf", "b")
    equal(job.out, "b\nb")  # one line each, and nothing added at the end
    job = sh(1, "printf out; printf err >&2")
    equal((job.out, job.err), ("out", "err"))


def test_both_outputs_into_one_file():
    with tempfile.TemporaryFile() as f:
        equal(sh(1, "printf o; printf e >&2; sleep 0.05; echo p; echo f >&2",
                 stdout=f, stderr=f).status, 0)
        f.seek(0)
        equal(sorted(f.read().split()), [b"ef", b"op"])


def test_nothing_is_lost_when_a_pe_dies():
    job = sh(2, "if [ $TERN_PE = 1 ]; then seq 20000; printf 'last words'; kill -ABRT $$; fi;"
                "sleep 60")
    equal(job.status, 134)
    equal(job.out, "".join(f"{i}\n" for i in range(1, 20001)) + "last words")
    equal(job.err, "tern: oshrun: error: PE 1 of 2 was killed by signal 6 (SIGABRT: Aborted)\n")
    check(job.seconds < 2, job.seconds)


def test_message_comes_after_what_the_pe_wrote():
    job = sh(1, "echo reason >&2; exit 9")
    equal(job.err, "reason\ntern: oshrun: error: PE 0 of 1 exited with status 9\n")
    job = sh(1, "printf reason >&2; exit 9")
    equal(job.err, "reason\ntern: oshrun: error: PE 0 of 1 exited with status 9\n")


def test_tags():
    job = sh(2, "echo a; echo; printf b; sleep 0.05; echo c; echo d >&2", "-l")
    want = sorted(f"[{i}] {s}" for i in (0, 1) for s in ("a", "", "bc"))
    equal(sorted(job.out.splitlines()), want)
    equal(sorted(job.err.splitlines()), ["[0] d", "[1] d"])


def at_once(n, script, *options):
    """Python in PEs that come this far together."""
    return run("-n", n, *options, "sh", "-c", f'{FAKE_PE} meet={n}; exec python3 -S -c "$0"',
               "import os, random, time\nme = os.environ['TERN_PE']\n" + script)


def test_same_message_of_several_pes():
    """PE 0 writes all of them, into the others' standard error, so that they come together."""
    script = """if True:
        import sys
        folder = sys.argv[1]
        with open(f'{folder}/{me}.made', 'w') as f:
            f.write(str(os.getpid()))
        os.rename(f'{folder}/{me}.made', f'{folder}/{me}')
        while len([name for name in os.listdir(folder) if name.isdigit()]) < 5:
            time.sleep(0.01)
        if me == '0':
            errors = [os.open(f"/proc/{open(f'{folder}/{pe}').read()}/fd/2", os.O_WRONLY)
                      for pe in range(5)]
            for pe in (3, 0, 4, 1, 2):
                os.write(errors[pe], f'tern: PE {pe} of 5: TEXT\\n'.replace('%', str(pe)).encode())
            open(f'{folder}/done', 'w')
        while not os.path.exists(f'{folder}/done'):
            time.sleep(0.01)
    """
    for wrote, merged in (("shmem_int_put: PE 9 is outside 0..7", None), ("warning: x", None),
                          ("dest 0x7fa0bc00%000 of 0x10", "dest 0x... of 0x10")):
        with tempfile.TemporaryDirectory() as folder:
            job = python(5, "import os, time\nme = os.environ['TERN_PE']\n"
                         + script.replace("TEXT", wrote), folder)
        equal((job.status, job.err), (0, f"tern: PEs 0-4 of 5: {merged or wrote}\n"))


def test_message_is_not_held_back_for_long():
    job = Job("-n", 1, "sh", "-c", "echo 'tern: PE 0 of 1: warning' >&2; exec sleep 60")
    equal(job.process.stderr.readline(), b"tern: PE 0 of 1: warning\n")
    job.process.terminate()
    job.finish()
    check(job.seconds < 5, job.seconds)


def test_messages_stay_in_order():
    """Those of a PE, between its other lines; nothing is lost, and nothing else is touched."""
    script = """if True:
        random.seed(int(me) + SEED)
        for i in range(40):
            what = random.randrange(8)
            text = 'plain %s %d' % (me, i) if what == 0 else 'tern: PE 9 of 4: %s %d' % (me, i)
            if what > 1:
                text = 'tern: PE %s of 4: %s' % (me, 'abc'[i // 2 % 3])
            for piece in (text[:7], text[7:] + '\\n'):
                os.write(2, piece.encode())
                os.write(1, text.encode() + b'\\n')
            time.sleep(random.choice((0, 0, 0.01)))
    """
    n_merged = 0
    for seed in range(0, 40, 10):
        job = at_once(4, script.replace("SEED", str(seed)))
        equal(job.status, 0)
        lines = list(unmerged(job.err))
        for pe in range(4):
            own = re.compile(f"plain {pe} |tern: PE {pe} |tern: PE 9 of 4: {pe} ")
            wrote = [line for line in job.out.splitlines() if own.match(line)][::2]
            equal(len(wrote), 40)
            equal([line for line in lines if own.match(line)], wrote, f"what PE {pe} wrote")
        equal(len(lines), 160)
        n_merged += 160 - job.err.count("\n")
    check(n_merged > 0, "nothing was merged")


def test_messages_with_tags():
    """Each line is one PE's."""
    job = at_once(3, "os.write(2, b'tern: PE %s of 3: x\\n' % me.encode())", "-l")
    equal(sorted(job.err.splitlines()), [f"[{i}] tern: PE {i} of 3: x" for i in range(3)])


def test_message_before_the_end():
    job = sh(1, "echo 'tern: PE 0 of 1: warning: x' >&2; echo y >&2;"
                "echo 'tern: PE 0 of 1: z' >&2; exit 3")
    equal(job.err, "tern: PE 0 of 1: warning: x\ny\ntern: PE 0 of 1: z\n"
                   "tern: oshrun: error: PE 0 of 1 exited with status 3\n")


def test_flood():
    job = sh(4, "head -c 8000000 /dev/zero | tr '\\0' x | fold -w 79; echo", seconds=30)
    equal(job.status, 0)
    lines = job.out.splitlines()
    check(all(set(line) <= {"x"} and len(line) <= 79 for line in lines))
    equal(sum(map(len, lines)), 4 * 8000000)


def test_slow_reader():
    """PEs feel back-pressure, and oshrun its signals, while nobody reads."""
    job = Job("-n", 2, "yes")
    time.sleep(0.3)
    check(len(job.pids()) == 2)
    with open(f"/proc/{job.process.pid}/status") as f:
        rss = int(f.read().split("VmRSS:")[1].split()[0])
    check(rss < 20000, f"oshrun holds {rss} kB")
    os.kill(job.pids()[0], 9)
    job.expect_gone()
    out = job.finish()
    equal(out.status, 137)
    check(set(out.out.splitlines()) == {"y"})


def test_nonblocking_output():
    """Somebody else's O_NONBLOCK on the same pipe loses nothing."""
    r, w = os.pipe()
    fcntl.fcntl(w, fcntl.F_SETFL, os.O_NONBLOCK)
    job = Job("-n", 1, "seq", "60000", stdout=w)
    os.close(w)
    time.sleep(0.2)
    with os.fdopen(r, "rb") as f:
        equal(f.read(), b"".join(b"%d\n" % i for i in range(1, 60001)))
    equal(job.finish().status, 0)


def test_full_disk():
    with open("/dev/full", "w") as full:
        job = run("-n", 2, "yes", stdout=full)
        expect(job, 1, None, "standard output can't be written: No space left on device")
        job = run("-n", 1, "echo", "x", stdout=full)
        expect(job, 1, None, "No space left on device")
        expect(run("-n", 1, "true", stdout=full), 0)
        equal(sh(1, "echo x >&2", stderr=full).status, 1)


def test_closed_output():
    job = Job("-n", 2, "yes")
    job.process.stdout.read(10)
    job.process.stdout.close()
    job.process.stdout = None
    expect(job.finish(), 1, None, "Broken pipe")
    job.expect_gone(0.1)
    for closed in ((1,), (0, 1), (0, 1, 2)):
        job = run("-n", 1, "echo", "x", stdout=None, stderr=subprocess.DEVNULL, stdin=None,
                  preexec_fn=lambda: [os.close(fd) for fd in closed])
        equal(job.status, 1)


def test_process_that_outlives_its_pe():
    """A background process keeps the pipe: neither its words nor time are lost."""
    job = sh(2, "(sleep 0.1; echo late; sleep 60) & echo early")
    expect(job, 0)
    equal(sorted(job.out.split()), ["early", "early", "late", "late"])
    check(job.seconds < 1.5, job.seconds)
    contains(sh(1, "sleep 60 & exit 4").err, "status 4")


main(globals())
