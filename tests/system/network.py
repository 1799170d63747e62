# SPDX-License-Identifier: BSD-3-Clause
"""A network that can't be had: what a job of several nodes says, and that it ends at once."""
import os
import re
import resource
import shutil
import signal
import socket

from system import (LIBRARY, build, check, contains, equal, fine, for_all_users, main, program, public,
                    run, scratch, script, skip, unshared)

WORK, OVER = program("work"), program("over")

# What 40,000 atomic operations may add to a PE. A completion that is never used again would show:
# with 12 bytes for each it is more.
MORE_KIB = 500


def split(*args, **env):
    """On two nodes, whatever else is set."""
    return run("-n", 2, *args, env={"SHMEM_NODES": "2", **env})


def refused(*texts, **env):
    job = split(WORK, **env)
    equal((job.status, job.out), (1, ""), job.err)
    check(job.seconds < 5, f"{job.seconds} s")
    for text in texts:
        contains(job.err, text)
    return job.err.splitlines()


def test_engine_by_name():
    fine(split(WORK, SHMEM_NETWORK="ofi"), "work: fine\n")


def test_unknown_engine():
    refused("SHMEM_NETWORK is nosuch, but the network engines are: ofi (the networks of libfabric's "
            "providers)", SHMEM_NETWORK="nosuch")


def test_unknown_provider():
    lines = refused("reaches the other nodes as SHMEM_PROVIDER asks: nosuch",
                    "tcp;ofi_rxm over ", SHMEM_PROVIDER="nosuch")
    providers = [line.split(": error:   ")[1].split(" over ")[0] for line in lines[1:]]
    equal(len(providers), len(set(providers)), f"lines for a provider: {lines}")


def test_no_provider():
    refused("libfabric has found no provider at all", "FI_PROVIDER is set: nosuch",
            FI_PROVIDER="nosuch")


def test_unknown_interface():
    refused("127.0.0.1", ": SHMEM_INTERFACE is nosuch0", SHMEM_INTERFACE="nosuch0")


def test_no_port():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        refused("tcp;ofi_rxm over ", "127.0.0.1", "it can't be opened: ",
                SHMEM_INTERFACE="127.0.0.1", FI_TCP_PORT_LOW_RANGE=port, FI_TCP_PORT_HIGH_RANGE=port)


def test_different_providers():
    job = split("sh", "-c", f'test $TERN_PE = 0 || export SHMEM_PROVIDER=sockets; exec {WORK}')
    check(job.status == 1 and job.seconds < 5, (job.status, job.seconds, job.err))
    contains(job.err, "set SHMEM_PROVIDER to one that all hosts have")


def test_no_engine():
    """A library whose plug-in is not beside it, as where libfabric was not there to build with."""
    alone = scratch()
    shutil.copy(LIBRARY, os.path.join(alone, "libtern.so.0"))
    refused("libtern-ofi.so", LD_LIBRARY_PATH=alone)
    fine(run("-n", 2, WORK, env={"LD_LIBRARY_PATH": alone}), "work: fine\n")


def test_pe_that_ends_early():
    """It never publishes its address, for which the others wait before any barrier."""
    job = run("-n", 4, "sh", "-c", f"test $TERN_PE != 1 || exit 0; exec {WORK}",
              env={"SHMEM_NODES": "2"})
    equal((job.status, job.out), (1, ""), job.err)
    check(re.fullmatch(r"tern: PE \d of 4: error: shmem_init can't complete: PE 1 has ended\n",
                       job.err), job.err)


def test_signal_while_it_loads():
    """The death is by that signal, as at any other time, whatever the library does about it."""
    preloaded = "LD_PRELOAD=" + build("handlers.c", "-shared", "-fPIC", name="handlers.so")
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGABRT, signal.SIGSEGV):
        job = split("env", preloaded, f"HANDLERS_SIGNAL={int(number)}", WORK)
        equal((job.status, job.out), (128 + number, ""), job.err)
        check(re.fullmatch(rf"tern: oshrun: error: PE \d of 2 was killed by signal {int(number)} "
                           rf"\({number.name}: .*\n", job.err), job.err)


def test_dead_interface():
    """The loopback interface of a network namespace is down until somebody brings it up."""
    for nodes, peer in ((2, 2), (4, 1)):
        job = unshared("-n", "", f"SHMEM_NODES={nodes} exec $OSHRUN -n 4 {WORK}")
        equal((job.status, job.out, job.err.count("\n")), (1, "", 1), job.err)
        check(job.seconds < 10, f"{job.seconds} s")
        check(re.match(rf"tern: PE 0 of 4: error: shmem_init: PE {peer} can't be reached: "
                       r"no connection to 127\.0\.0\.1 over lo: Network is unreachable: .*"
                       "SHMEM_INTERFACE", job.err), job.err)


def test_engine_in_another_language():
    """The engine is not in the first folder; that does not depend on how the loader says so."""
    fine(split(OVER, "fine", LD_PRELOAD=build("german.c", "-shared", "-fPIC", name="german.so")), "")


def test_environment():
    """libfabric's settings are the engine's business: neither the program nor its children get them."""
    fine(split(OVER, "environment"), "")
    fine(split(OVER, "environment", FI_UNIVERSE_SIZE="300"), 2 * "FI_UNIVERSE_SIZE=300\n")


def test_memory():
    job = split(OVER, "memory")
    fine(job)
    for kib in map(int, job.out.split()):
        check(0 <= kib < MORE_KIB, f"{kib} KiB more")


def scarce(*words, **limits):
    """One PE says which limit has ended the job."""
    preload = build("scarce.c", "-shared", "-fPIC", name="scarce.so")
    return split("env", f"LD_PRELOAD={preload}",
                 *(f"{name}={most}" for name, most in limits.items()), *words)


def test_no_thread():
    job = scarce(OVER, THREADS=0)
    equal((job.status, job.out, job.err.count("\n")), (1, "", 1), job.err)
    check(re.match(r"tern: PE \d of 2: error: no thread for the network: Resource temporarily "
                   "unavailable: (RLIMIT_NPROC is|no limit of this process)", job.err), job.err)
    job = scarce(OVER, THREADS=1)
    equal((job.status, job.out), (0, ""), job.err)
    contains(job.err, "warning: no thread for the failure detector: Resource temporarily unavailable: ")


def test_user_processes():
    """The same, and the limit is a user's own."""
    if os.getuid() != 0:
        skip("only root can become somebody else")
    oshrun, over = public("over")
    for_all_users(os.path.join(os.path.dirname(LIBRARY), "net/ofi/libtern-ofi.so"),
                  "src/net/ofi/libtern-ofi.so")
    job = script(f"SHMEM_NODES=2 exec setpriv --reuid 64124 --clear-groups {oshrun} -n 2 {over}",
                 cwd="/", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NPROC, (3, 3)))
    equal((job.status, job.out, job.err.count("\n")), (1, "", 1), job.err)
    contains(job.err, ": error: no thread for the network: ", "RLIMIT_NPROC is 3 (ulimit -u)")


def test_no_memory():
    """Want of memory ends the job: it is not waited for, as for operations that are under way."""
    for blocks in (0, 1, 2):
        job = scarce(OVER, "burst", BLOCKS=blocks)
        equal((job.status, job.out), (1, ""), job.err)
        check(job.seconds < 10, f"{job.seconds} s")
        contains(job.err, ": no memory for operations over the network, ")
    fine(scarce(OVER, "burst", BLOCKS=1000), "")


def test_lengths_that_differ():
    """A peer's data do not go beyond the memory that was meant for them."""
    job = split(build("lengths.c"))
    equal((job.status, job.out), (1, ""), job.err)
    equal(job.err, "tern: PE 1 of 2: shmem_long_broadcast: members on another node have sent 8000 bytes, "
          "but this PE expects 8 at most: all members must make the same collective calls, with the same "
          "lengths\n", "message")
    job = split(build("lengths.c"), "scan")
    equal((job.status, job.out), (1, ""), job.err)
    line = ("tern: PE {} of 2: shmem_long_sum_inscan: members on another node have sent {} bytes, but this PE "
            "expects {}: all members must make the same collective calls, with the same lengths")
    either = {line.format(0, 8000, 8), line.format(1, 8, 8000)}  # or both, if they notice it together
    check(job.err and either.issuperset(job.err.splitlines()), job.err)


def test_static_program():
    job = split(build("work.c", "-static"))
    equal((job.status, job.out), (1, ""), job.err)
    check(job.err.endswith(
        "error: the job spans several nodes, but this program is linked statically and can't load "
        'the network engine: link it dynamically, or run it on one node; see tern-messages(7), "Networks"\n'), job.err)


main(globals())
