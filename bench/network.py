#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compare operations between two nodes with libfabric by itself, and with Open MPI's oshmem.

    network.py [--runs N] [--hosts] BUILD

BUILD is a build directory; the programs are compiled below it from bench/network.c and
bench/raw_ofi.c. The PEs of this machine are made two nodes (SHMEM_NODES=2), so that all goes through
the network engine, as tcp on loopback. With --hosts there are two hosts instead, made of network
namespaces, and Hydra starts the PEs. oshmem takes part where its oshcc is installed, forced over
tcp. The programs take turns. A figure is the best batch of all turns; the column after it is the
median of the turns' medians. Ratios likewise: of the best batches, then the median of the turns'
ratios, which decides whether a bound is kept. With a computing target each operation counts by
itself, and the longest is bounded. Small operations have a table of their own, with the rates of
libfabric with one message an operation, and with frames that the sender fills and the receiver
carries out. The last table, without --hosts, is the processors' time of work
within nodes by more PEs than cores, without a network and with one. Returns 1 if a bound is missed.
"""
import argparse
import os
import subprocess
import sys

from figures import Figures, is_met, ratios, shown
from library import HERE, debians, of_build

# A row, the row of libfabric alone that bounds it, the bound of their ratio; greater is better?
ROWS = [
    ("put_8B", "put_8B", 1.3, False),
    ("get_8B", "get_8B", 1.2, False),
    ("put_1MiB", "put_1MiB", 0.95, True),
    ("get_1MiB", "get_1MiB", 0.95, True),
    ("put_nbi_8B", "put_nbi_8B", 0.8, True),
    ("fetch_add", "round_trip", 1.5, False),
    ("barrier", "round_trip", 1.5, False),
]
COMPUTING = ["put_8B", "get_8B", "fetch_add", "put_signal", "lock_on_0", "lock_on_1", "first_put"]
COMPUTING_BOUND_US = 10000
OURS = [row[0] for row in ROWS] + [row + "_computing" for row in COMPUTING]
CROWDED = ["sync", "compute_and_sync", "ring"]
CROWDED_PES = 8
CROWDED_BOUND = 1.05


def compare(ours, raw, other):
    """Print the rows that libfabric bounds; the number of those that miss."""
    missed = 0
    print(f"{'':12} {'Tern':>17} {'libfabric':>17} {'oshmem':>17} {'ratio':>11} {'bound':>6}")
    if not other:
        other = Figures("oshmem", [])
    for row, limit, bound, more in ROWS:
        line = f"{row:12}"
        for program, name in (ours, row), (raw, limit), (other, row):
            form = "8.0f" if more else "8.1f"
            line += f" {shown(program.best(name, more), form):>8}"
            line += f" {shown(program.median(name), form):>8}"
        pair = ratios(ours, raw, row, limit, more)
        met = is_met(pair, bound, more)
        missed += not met
        line += f" {shown(pair[0], '5.2f')} {shown(pair[1], '5.2f')} {bound:6}"
        line += "" if met else " missed"
        if other.rows.get(row) and not is_met(ratios(ours, other, row, row, more), 1, more):
            line += " behind oshmem"
        print(line)
    return missed


def check_computing(ours):
    """Print the rows with a computing target; the number of those that take too long."""
    missed = 0
    print(f"\n{'us, target computes':24} {'best':>8} {'median':>8} {'p99':>8} {'longest':>8}")
    for row in COMPUTING:
        name = row + "_computing"
        worst = ours.worst(name)
        met = worst is not None and worst <= COMPUTING_BOUND_US
        missed += not met
        print(f"{row:24} {shown(ours.best(name, False), '8.1f'):>8} "
              f"{shown(ours.median(name), '8.1f'):>8} {shown(ours.p99(name), '8.1f'):>8} "
              f"{shown(worst, '8.1f'):>8}{'' if met else ' missed'}")
    return missed


def check_crowded(closed, network):
    """Print what an open network costs work within nodes; the number of rows it costs too much."""
    missed = 0
    print(f"\n{'us of processors':24} {'one node':>17} {'two nodes':>17} {'ratio':>11} {'bound':>6}")
    for row in CROWDED:
        line = f"{row:24}"
        for program in closed, network:
            line += f" {shown(program.best(row, False), '8.1f'):>8}"
            line += f" {shown(program.median(row), '8.1f'):>8}"
        pair = ratios(network, closed, row, row, False)
        met = is_met(pair, CROWDED_BOUND, False)
        missed += not met
        print(f"{line} {shown(pair[0], '5.2f')} {shown(pair[1], '5.2f')} {CROWDED_BOUND:6}"
              f"{'' if met else ' missed'}")
    return missed


def compile_for(library, *programs):
    for program in programs:
        if not library.compile(program, "-O2", f"{program}.c"):
            raise SystemExit(library.broken[program])


def compile_raw(folder, *rows):
    """The command of what needs no OpenSHMEM: these rows by libfabric alone."""
    program = os.path.join(folder, "raw_ofi")
    subprocess.run(["cc", "-O2", "-o", program, os.path.join(HERE, "raw_ofi.c"), "-lfabric"], check=True)
    return [program, "tcp;ofi_rxm", *rows]


def oshmem(folder, rows, *options):
    """The command that runs bench/network.c with Open MPI's library, or None without it."""
    library = debians(os.path.join(folder, "Debian-oshmem"), ["--mca", "btl", "self,tcp", *options])
    if not library:
        return None
    compile_for(library, "network")
    return library.command(2, "network", *rows)


def on_loopback(tern, raw, folder):
    """What takes turns: libfabric, Tern, oshmem or None."""
    other = oshmem(folder, [row[0] for row in ROWS])
    return (Figures("libfabric", raw), Figures("Tern", tern.command(2, "network", *OURS), SHMEM_NODES="2"),
            Figures("oshmem", other, UCX_TLS="tcp,self") if other else None)


def two_hosts():
    """Two hosts of namespaces with Hydra, and what leads libfabric's second process to the second one."""
    sys.path.insert(0, os.path.join(HERE, "../tests/cluster"))
    import cluster
    place = cluster.Place("hydra", 2)
    second = (place.hosts.folder / "host.2").read_text().strip()
    return place, {"RAW_OFI_NETWORK": f"/proc/{second}/ns/net"}


def on_hosts(tern, raw, folder):
    """The same from host to host."""
    place, second = two_hosts()
    hosts = place.hosts
    other = oshmem(folder, [row[0] for row in ROWS], "-x", "UCX_TLS", "-H",
                   ",".join(f"{name}:1" for name in hosts.names))
    return (Figures("libfabric", hosts.on(1, raw), **second),
            Figures("Tern", place.command(2, [tern.path("network"), *OURS]), **hosts.environment),
            Figures("oshmem", hosts.on(1, other), UCX_TLS="tcp,self", **hosts.environment) if other else None)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--hosts", action="store_true", help="between two hosts of namespaces")
    parser.add_argument("build")
    arguments = parser.parse_args()
    folder = os.path.join(arguments.build, "bench")
    tern = of_build(arguments.build, folder)
    compile_for(tern, "network", "crowded")
    raw = compile_raw(folder, *sorted({row[1] for row in ROWS}))
    on_nodes = []
    if arguments.hosts:
        raw, ours, other = on_hosts(tern, raw, folder)
    else:
        raw, ours, other = on_loopback(tern, raw, folder)
        on_nodes = [Figures(f"{nodes} nodes", tern.command(CROWDED_PES, "crowded"), SHMEM_NODES=nodes)
                    for nodes in ("1", "2")]
    for _ in range(arguments.runs):
        for program in filter(None, (raw, ours, other, *on_nodes)):
            program.take_turn()
    missed = compare(ours, raw, other) + check_computing(ours)
    if on_nodes:
        missed += check_crowded(*on_nodes)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
