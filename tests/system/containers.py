# SPDX-License-Identifier: BSD-3-Clause
"""Places that have less than a machine of one's own: containers, and what they are made of."""
import errno
import os
import subprocess

from system import (Script, build, check, contains, equal, fine, main, need, program, public, run, script,
                    skip, unmerged, unshared, wait_until)

WORK, REFUSE, MISUSE = program("work"), program("refuse"), program("misuse")
FOUR = f"$OSHRUN -n 4 {WORK}"
UNPRIVILEGED = ("setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=-all "
                "--bounding-set=-all --no-new-privs")


def works(job):
    fine(job, "work: fine\n")


def root_or_skip():
    if os.getuid() != 0:
        skip("only root can become somebody else")


def test_small_dev_shm():
    """As in a container of Docker's; the job's memory is several times as much."""
    works(unshared("-m", "mount -t tmpfs -o size=64M none /dev/shm",
                   f"$OSHRUN -n 4 {WORK} 50"))


def test_no_dev_shm():
    works(unshared("-m", "mount -t tmpfs -o ro none /dev/shm", FOUR))


def without_proc(command):
    return unshared("-m", "umount -l /proc", command)


def test_no_proc():
    # The loader needs /proc for programs that say where libraries are from where they are.
    works(without_proc(f"$OSHRUN -n 4 {build('work.c')}"))


def test_no_proc_and_much_static_data():
    """Nobody says which pages were touched: they must stay sparse all the same."""
    fine(without_proc(f"$OSHRUN -n 3 {build('statics.c', '-O1')}"), "statics: fine\n")


def test_no_proc_and_an_end():
    job = without_proc(f"$OSHRUN -n 2 {build('misuse.c')} during cmp")
    equal((job.status, job.err.count("\n")), (1, 1), job.err)
    contains(job.err, "tern: PE 1 of 2: shmem_int_wait_until: cmp is 99")
    check(job.seconds < 1, job.seconds)


def test_no_proc_and_the_end_of_oshrun():
    """Killed, it takes its PEs along, even those that a shell has started."""
    unshared("-m", "umount -l /proc", "true")
    statics = build("limits.c")
    for command in (f"{statics} wait", f'sh -c "{statics} wait; true"'):
        job = Script('exec unshare ' + ('' if os.getuid() == 0 else '-r ') + '-m sh -c "$1"',
                     f"umount -l /proc; {os.environ['OSHRUN']} -n 2 {command} & sleep 0.5; "
                     "kill -9 $!; wait")
        job.process.wait(10)
        wait_until(lambda: not job.pids(), 1, "the end of all processes")
        job.finish()


def test_hidden_processes():
    root_or_skip()
    oshrun, work = public("work")
    works(unshared("-m", "mount -o remount,hidepid=2 /proc",
                   f"{UNPRIVILEGED} {oshrun} -n 4 {work}"))


def test_nobody():
    root_or_skip()
    need("setpriv")
    oshrun, work = public("work")
    works(script(f"{UNPRIVILEGED} {oshrun} -n 4 {work}", cwd="/"))


def test_user_namespace():
    works(unshared("-r", "", FOUR))


def test_read_only():
    works(unshared("-m", "mount -o bind,ro / /mnt && mount -t proc none /mnt/proc && "
                   "mount -o bind /dev /mnt/dev", f"chroot /mnt $OSHRUN -n 4 {WORK}"))


def test_no_network():
    works(unshared("-n", "", FOUR))


def test_process_namespace():
    works(unshared("-p -f --mount-proc", "", FOUR))


def namespace_words(proc=True):
    """A wrapper like those of sandboxes: numbers of processes mean nothing outside."""
    unshared("-p -f --mount-proc", "", "true")
    return ["unshare", "-p", "-f", *(["--mount-proc"] if proc else []),
            *(["-r"] if os.getuid() != 0 else [])]


def test_process_namespace_for_each_pe():
    words = namespace_words()
    works(run("-n", 4, *words, WORK))
    works(run("-n", 4, *words, "sh", "-c", f"/bin/true; {WORK}; true"))
    job = run("-n", 2, *words, MISUSE, "during", "p beyond")
    equal((job.status, job.err), (1, "tern: PE 1 of 2: shmem_int_p: PE 2 is outside 0..1\n"))
    check(job.seconds < 1, job.seconds)


def free_numbers():
    """The first of a few process numbers that nobody has."""
    first = 300
    while any(os.path.exists(f"/proc/{first + i}") for i in range(10)):
        first += 10
    return first


def test_process_namespaces_and_exit_0():
    """A PE that has left is told from one whose number nobody else can see."""
    for proc in (True, False):
        job = run("-n", 3, *namespace_words(proc), "sh", "-c",
                  f"echo $(({free_numbers()} + 3 * TERN_PE)) > /proc/sys/kernel/ns_last_pid || "
                  f"exit 77; {program('life')} left; true")
        if job.status == 77:
            skip(job.err)
        fine(job)
        equal(sorted(job.out.split()), ["0", "2"])


def refuse(error, calls, *words, **more):
    job = script(f"exec {REFUSE} {error} {calls} \"$@\"", *words, **more)
    if job.status == 77:
        skip("seccomp filters are not permitted")
    return job


def test_membarrier_refused():
    for error in ("EPERM", "ENOSYS"):
        job = refuse(error, "membarrier", os.environ["OSHRUN"], "-n", 4, WORK)
        works(job)
        check(job.seconds < 5, job.seconds)
        job = refuse(error, "membarrier", os.environ["OSHRUN"], "-n", 2, WORK,
                     env={"SHMEM_DEBUG": "1"})
        equal((job.status, job.out), (0, "work: fine\n"))
        for pe in (0, 1):
            contains("\n".join(unmerged(job.err)),
                     f"tern: PE {pe} of 2: debug: membarrier is refused here: ")


def test_memfd_create_refused():
    for error in ("EPERM", "ENOSYS"):
        job = refuse(error, "memfd_create", os.environ["OSHRUN"], "-n", 2, WORK)
        equal((job.status, job.out), (1, ""))
        equal(job.err.count("\n"), 1, job.err)
        contains(job.err, "tern: oshrun: error: ", os.strerror(getattr(errno, error)))
        if error == "ENOSYS":
            contains(job.err, "the system call memfd_create, in Linux since 3.17, is missing",
                     f"Linux {os.uname().release}, and Tern needs 4.18 or later")
        works(refuse(error, "memfd_create", WORK))


def test_older_profile():
    """What profiles of some years ago do not know."""
    calls = ("clone3,close_range,openat2,pidfd_open,membarrier,process_vm_readv,get_robust_list,"
             "prctl,sched_setaffinity")
    static = build("forks.c", "-static")
    for error in ("EPERM", "ENOSYS"):
        works(refuse(error, calls, os.environ["OSHRUN"], "-n", 4, WORK))
        for forks in (program("forks"), static):
            fine(refuse(error, calls, os.environ["OSHRUN"], "-n", 2, forks, "fork", "during", 5),
                 "")


def test_older_kernel():
    """The system calls of Linux 4.18. With 40 PEs oshrun would like close_range."""
    older = [os.environ["OLDER_KERNEL"], os.environ["OSHRUN"]]
    if subprocess.run([older[0], "true"], check=False).returncode == 77:
        skip("seccomp filters are not permitted")
    works(script('exec "$@"', *older, "-n", 40, WORK))
    works(script('SHMEM_HEAP_PREFAULT=on SHMEM_SYMMETRIC_SIZE=8M exec "$@"', *older, "-n", 3, WORK))
    fine(script('exec "$@"', *older, "-n", 2, program("forks"), "fork", "during", 5), "")
    crash = build("crash.c", "-DLARGE=1")
    job = script('ulimit -c 0; exec "$@"', *older, "-n", 2, "sh", "-c", f"{crash}; sleep 60")
    equal((job.status, job.out), (1, ""))
    contains(job.err, "PE 1 of 2 ended before shmem_finalize without exit(), behind a wrapper")
    check(job.seconds < 5, job.seconds)


main(globals())
