# SPDX-License-Identifier: BSD-3-Clause
"""Many jobs at a time on one machine: of one user, and of two."""
import contextlib
import os
import re
import signal
import time

from system import (LIBRARY, OSHRUN, Job, check, equal, for_all_users, main, program, public, scratch,
                    skip, wait_until)

WORK = program("work")
NODES = {"SHMEM_NODES": "2"}
# Ended by a signal. A test that is killed itself does not leave it to compute for ever.
LONG = ("-n", 2, "--timeout", 150, WORK, 0, 1000000000)
USERS = (64901, 64902)  # of no account

# How a job is called, what ends it, and the status and standard error that it then has.
FINE = (0, "")
KINDS = (
    (("-n", 3, WORK, 1, 10), {}, None, FINE),
    (("-n", 2, WORK, 0, 5), NODES, None, FINE),
    (("-n", 2, "--check", WORK, 0, 5), {}, None, (0, "check: no mistake was found on any of 2 PEs\n")),
    (LONG, {}, "oshrun killed", (-signal.SIGKILL, "")),
    (LONG, NODES, "oshrun terminated", (128 + signal.SIGTERM, "")),
    (LONG, NODES, "PE killed", (128 + signal.SIGKILL, r"tern: oshrun: error: PE \d of 2 was killed.*\n")),
)


def shared_memory():
    """Names that jobs of Tern, or libfabric for them, could leave behind."""
    return {name for name in os.listdir("/dev/shm") if re.match(r".*(tern|shmem)|fi_|ofi", name)}


def end(job, how):
    if how == "oshrun killed":
        job.process.kill()
    elif how == "oshrun terminated":
        job.process.terminate()
    else:
        wait_until(lambda: len(job.pids()) >= 2, 30, "the PEs of a job that is to lose one")
        os.kill(job.pids()[-1], signal.SIGKILL)


def test_sixty_at_once():
    """Each job is right, or ends as intended, and nothing is left of any."""
    before, folder = shared_memory(), scratch()
    jobs = [(kind, Job(*kind[0], env={**kind[1], "TMPDIR": folder}, cwd=folder)) for _ in range(10) for kind in KINDS]
    time.sleep(0.5)
    for (_, _, how, _), job in jobs:
        if how:
            end(job, how)
    for (words, env, how, (status, err)), job in jobs:
        job.finish(seconds=100)
        what = f"{words} {env} {how}"
        equal(job.status, status, f"status of {what}: {job.err}")
        check(re.fullmatch(err, job.err), f"standard error of {what}: {job.err!r}")
        equal(job.out, "" if how else "work: fine\n", f"output of {what}")
    wait_until(lambda: not any(job.pids() for _, job in jobs), 10, "the end of all processes")
    equal(os.listdir(folder), [], "files in the jobs' folder")
    equal(shared_memory() - before, set(), "shared memory that remains")


def as_user(uid):
    def become():
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
    return become


def tries(uid, pids):
    """What a user's process can do to those of another: the names of what was not refused."""
    def open_all(pid):
        for file in ("mem", "environ", "maps", "fd"):
            with contextlib.suppress(OSError):
                os.listdir(f"/proc/{pid}/{file}") if file == "fd" else open(f"/proc/{pid}/{file}", "rb").read(1)
                yield f"{file} of {pid}"
        with contextlib.suppress(OSError):
            os.kill(pid, 0)
            yield f"signal to {pid}"

    readable, writable = os.pipe()
    child = os.fork()
    if not child:
        as_user(uid)()
        os.write(writable, "\n".join(one for pid in pids for one in open_all(pid)).encode())
        os._exit(0)
    os.close(writable)
    os.waitpid(child, 0)
    with os.fdopen(readable) as f:
        return f.read()


def test_two_users():
    """The same program, on one node and on two, at the same time; neither reaches or ends the other's."""
    if os.getuid() != 0:
        skip("it takes root to be two users")
    oshrun, work = public("work")
    engine = os.path.join(os.path.dirname(os.path.realpath(LIBRARY)), "net/ofi/libtern-ofi.so")
    env = dict(NODES) if os.path.exists(engine) else {}
    if env:
        for_all_users(engine, "src/net/ofi/libtern-ofi.so")
    endless = [work if word == WORK else word for word in LONG]
    long = [Job(*endless, oshrun=oshrun, env=env, cwd="/", preexec_fn=as_user(uid))
            for uid in USERS]
    wait_until(lambda: all(len(job.pids()) >= 2 for job in long), 30, "the PEs of both users")
    short = [Job("-n", 2, work, 0, 20, oshrun=oshrun, env=e, cwd="/", preexec_fn=as_user(uid))
             for uid in USERS for e in (env, {})]
    for job in short:
        job.finish(seconds=60)
        equal((job.status, job.out, job.err), (0, "work: fine\n", ""), "status and output")
    for job, other in zip(long, reversed(USERS)):
        equal(tries(other, job.pids() + [job.process.pid]), "", f"what user {other} reaches")
    first, second = long
    first.process.kill()
    wait_until(lambda: not first.pids(), 10, "the end of the first user's job")
    check(len(second.pids()) >= 2 and second.process.poll() is None, "the other user's job has ended as well")
    second.process.terminate()
    second.finish(seconds=20)
    equal(second.status, 128 + signal.SIGTERM, "status of the other user's job")
    first.finish(seconds=20)
    wait_until(lambda: not second.pids(), 10, "the end of the second user's job")


main(globals())
