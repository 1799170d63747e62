# SPDX-License-Identifier: BSD-3-Clause
"""Who can reach what of a job: other users, and what is readable where.

    security.py TEST...     SECRETS, REFUSE: the programs of secrets.c and system/refuse.c
"""
import ctypes
import os
import pathlib
import sys

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS / "launch"), str(TESTS / "boot")]
os.environ.setdefault("FAKE_PE", "")

from launch import OSHRUN, Job, check, contains, equal, main, scratch, wait_until
from manager import Manager

SECRETS = os.environ["SECRETS"]
NOBODY = 65534
N = 4
NODES = {"SHMEM_NODES": "2", "SHMEM_DEBUG": "1", "SHMEM_INFO": "1"}


def skip(reason):
    print("skipped:", reason)
    sys.exit(77)


# ---- secrets ----

def folder():
    path = os.path.join(scratch(), "job")
    os.mkdir(path)
    return path


def read_secrets(path, n):
    """The tokens and keys that all PEs of a running job agree on."""
    wait_until(lambda: all(os.path.exists(f"{path}/{pe}") for pe in range(n)), 30, "all PEs")
    texts = {pathlib.Path(path, str(pe)).read_text(encoding="ascii") for pe in range(n)}
    equal(len(texts), 1, "number of different lists of secrets")
    secrets = {int(line, 16) for line in texts.pop().split()} - {0}
    check(len(secrets) > n, f"only {len(secrets)} secrets")
    check(min(secrets) > 1 << 32, f"a short secret: {min(secrets):#x}")
    return secrets


def forms(secret):
    """How a number may be written."""
    signed = secret - (1 << 64) if secret >> 63 else secret
    return [secret.to_bytes(8, "little"), secret.to_bytes(8, "big"), f"{secret:x}".encode(),
            f"{secret:X}".encode(), str(secret).encode(), str(signed).encode(),
            secret.to_bytes(8, "little").hex().encode()]


def shows(data, secret):
    return any(form in data for form in forms(secret))


def go(path):
    pathlib.Path(path, "go").touch()


def read_process(pid):
    return b"\n".join(pathlib.Path(f"/proc/{pid}/{file}").read_bytes()
                      for file in ("cmdline", "environ"))


def test_secrets_are_not_written():
    """Neither messages for debugging, nor command lines, nor environments have tokens and keys."""
    path = folder()
    job = Job("-v", "-n", N, SECRETS, path, env=NODES)
    secrets = read_secrets(path, N)
    pids = job.pids()
    equal(len(pids), N, "number of processes")
    known = b"\n".join(read_process(pid) for pid in [*pids, job.process.pid])
    job_key = next(word for word in known.split(b"\0") if b"TERN_BOOT=" in word).split(b":")[-1]
    check(shows(known, int(job_key, 16)), "the search does not find what is there")
    go(path)
    job.finish()
    equal(job.status, 0, f"status ({job.err})")
    contains(job.err, "network: ")  # the output has what SHMEM_DEBUG adds
    for secret in secrets:
        check(not shows(known, secret), f"{secret:x} is in a command line or an environment")
        check(not shows(job.out_bytes + job.err.encode(), secret), f"{secret:x} was printed")


def test_core_files():
    """Core files leave the memory out in which a PE keeps the cards."""
    path = folder()
    job = Job("-n", N, SECRETS, path, env=NODES)
    read_secrets(path, N)
    go(path)
    job.finish()
    lines = sorted(line for line in job.out.splitlines() if line.startswith("PE "))
    equal(lines, [f"PE {pe}: the cards are in no core file" for pe in range(N)], "output")


def test_external_launcher():
    """The same under a launcher of PMI, which is given no card that it need not pass on."""
    path = folder()
    manager = Manager(N, SECRETS, path, env={"SHMEM_NODES": "2"})
    go(path)
    manager.finish()
    equal(manager.status, [0] * N, f"statuses ({manager.err})")
    read_secrets(path, N)
    equal(manager.out, [f"PE {pe}: the cards are in no core file\n" for pe in range(N)], "output")
    keys = [text for _, text in manager.log if text.startswith("cmd=put ")]
    equal(len(keys), N, "number of values that the launcher was given")
    check(all("tern-hello" in text for text in keys), f"values: {keys}")


def test_tokens_are_new():
    """Each job has others."""
    seen = set()
    for i in range(2):
        path = os.path.join(scratch(), str(i))
        os.mkdir(path)
        job = Job("-n", N, SECRETS, path, env=NODES)
        secrets = read_secrets(path, N)
        go(path)
        job.finish()
        check(not seen & secrets, f"both jobs have {seen & secrets}")
        seen |= secrets


def test_no_random_numbers():
    """Without the kernel's random numbers there is no job: nothing else takes their place."""
    path = folder()
    words = [os.environ["REFUSE"], "ENOSYS", "getrandom"]
    jobs = [Job(*words[1:], OSHRUN, "-n", 2, SECRETS, path, oshrun=words[0]).finish(),
            Job("-n", 2, *words, SECRETS, path, env={"SHMEM_NODES": "2"}).finish()]
    if any(job.status == 77 for job in jobs):
        skip("seccomp filters are not permitted")
    for job in jobs:
        check(job.status != 0, "status 0")
        contains(job.err, "the system gives no random number (getrandom)")
    manager = Manager(2, *words, SECRETS, path).finish()
    check(all(manager.status), f"statuses {manager.status}")
    contains("".join(manager.err), "the system gives no random number (getrandom)")


# ---- another user ----

LIBC = ctypes.CDLL(None, use_errno=True)
PTRACE_SEIZE, PIDFD_OPEN, PIDFD_GETFD = 0x4206, 434, 438


class Iovec(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("bytes", ctypes.c_size_t)]


def opens(path, flags=os.O_RDONLY):
    os.close(os.open(path, flags))


def reads_memory(pid, address):
    buffer = ctypes.create_string_buffer(8)
    ours, theirs = Iovec(ctypes.addressof(buffer), 8), Iovec(address, 8)
    if LIBC.process_vm_readv(pid, ctypes.byref(ours), 1, ctypes.byref(theirs), 1, 0) != 8:
        raise OSError(ctypes.get_errno(), "process_vm_readv")


def calls(number, *args):
    if LIBC.syscall(ctypes.c_long(number), *map(ctypes.c_long, args)) < 0:
        raise OSError(ctypes.get_errno(), f"system call {number}")


def takes_descriptor(pid, fd):
    pidfd = LIBC.syscall(ctypes.c_long(PIDFD_OPEN), ctypes.c_long(pid), ctypes.c_long(0))
    calls(PIDFD_GETFD, pidfd, fd, 0)


def traces(pid):
    LIBC.ptrace.argtypes = [ctypes.c_long] * 4
    if LIBC.ptrace(PTRACE_SEIZE, pid, 0, 0) < 0:
        raise OSError(ctypes.get_errno(), "ptrace")


def attempts(pid, fd, address):
    """What a process may try to get at a PE or at oshrun."""
    return {
        "environ": lambda: opens(f"/proc/{pid}/environ"),
        "maps": lambda: opens(f"/proc/{pid}/maps"),
        "mem": lambda: opens(f"/proc/{pid}/mem", os.O_RDWR),
        "list of descriptors": lambda: os.listdir(f"/proc/{pid}/fd"),
        "shared memory": lambda: opens(f"/proc/{pid}/fd/{fd}", os.O_RDWR),
        "pidfd_getfd": lambda: takes_descriptor(pid, fd),
        "process_vm_readv": lambda: reads_memory(pid, address),
        "signal": lambda: os.kill(pid, 0),
        "ptrace": lambda: traces(pid),
    }


def successes(trials):
    done = set()
    for name, attempt in trials.items():
        try:
            attempt()
            done.add(name)
        except OSError:
            pass
    return done


def in_child(uid, trials):
    """Those that succeed in a process of that user."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            if uid:
                os.setgroups([])
                os.setresgid(uid, uid, uid)
                os.setresuid(uid, uid, uid)
            os.write(writing, "\n".join(successes(trials)).encode() or b"none")
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as f:
        text = f.read()
    os.waitpid(pid, 0)
    check(text, "the child ended early")
    return set(text.split("\n")) - {"none"}


def shared_memory(pid):
    """The descriptor of the job's memory object, and an address of it or of other memory."""
    for fd in os.listdir(f"/proc/{pid}/fd"):
        if os.readlink(f"/proc/{pid}/fd/{fd}").startswith("/memfd:tern-job"):
            for line in pathlib.Path(f"/proc/{pid}/maps").read_text(encoding="ascii").splitlines():
                if "/memfd:tern-job" in line and " rw-s 00000000 " in line:
                    return int(fd), int(line.split("-")[0], 16)
    raise AssertionError(f"process {pid} has no shared memory")


def test_another_user():
    """Another user reaches neither oshrun nor a PE; this user reaches both, or the test is void."""
    if os.getuid() != 0:
        skip("only root can become another user")
    path = folder()
    job = Job("-n", 2, SECRETS, path, env=NODES)
    read_secrets(path, 2)
    for pid in [*job.pids(), job.process.pid]:
        trials = attempts(pid, *shared_memory(pid))
        equal(in_child(NOBODY, trials), set(), f"what another user can do to process {pid}")
        own = in_child(0, trials)
        check({"environ", "maps", "list of descriptors", "shared memory", "signal"} <= own,
              f"this user can do only {own} to process {pid}")
    check(not [name for name in os.listdir("/dev/shm") if "tern" in name], "names in /dev/shm")
    go(path)
    job.finish()
    equal(job.status, 0, f"status ({job.err})")


if __name__ == "__main__":
    main(globals())
