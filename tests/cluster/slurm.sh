#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A Slurm on this machine, without systemd: its own munged, slurmctld and slurmd, whose files, keys
# and ports belong to a folder. It has one node, or one for each of the hosts that hosts.sh makes.
#
#   slurm.sh DIR start               starts it; then: SLURM_CONF=DIR/slurm.conf srun --mpi=pmi2 ...
#   slurm.sh DIR start NAME COUNT    in those hosts, where srun has to be run then, too
#   slurm.sh DIR stop                ends it and what it runs, and removes the folder
#   slurm.sh DIR stop NAME COUNT     the hosts are stopped with it
set -eu

if [ $# -ne 2 ] && [ $# -ne 4 ]; then
    sed -n 's/^#   //p' "$0" >&2
    exit 2
fi
dir=$(realpath -m "$1")
verb=$2 hosts=${3-} count=${4-1}
hosts_sh=$(dirname "$(realpath "$0")")/hosts.sh
PATH=$PATH:/usr/sbin:/sbin
export SLURM_CONF="$dir/slurm.conf"

on_host() # I COMMAND...
{
    i=$1
    shift
    if [ -n "$hosts" ]; then
        "$hosts_sh" "$hosts" "$count" run "$i" "$@"
    else
        "$@"
    fi
}

fail()
{
    echo "slurm.sh: $*" >&2
    for log in "$dir"/*.log; do
        [ ! -s "$log" ] || tail -n 20 "$log" >&2
    done
    stop
    exit 1
}

free_ports()
{
    python3 -c 'import socket
taken = [socket.create_server(("127.0.0.1", 0)) for i in range(2)]
print(*(s.getsockname()[1] for s in taken))'
}

nodes()
{
    if [ -z "$hosts" ]; then
        echo "NodeName=$(hostname -s) NodeAddr=127.0.0.1 CPUs=$(nproc)"
        return
    fi
    for i in $(seq "$count"); do
        echo "NodeName=tern-$i NodeAddr=10.77.0.$i CPUs=$(nproc)"
    done
}

write_configuration() # PORT PORT
{
    control="$(hostname -s)(127.0.0.1)"
    [ -z "$hosts" ] || control='tern-1(10.77.0.1)'
    mkdir -p "$dir/state"
    cat >"$SLURM_CONF" <<END
ClusterName=tern
SlurmctldHost=$control
SlurmctldPort=$1
SlurmdPort=$2
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$dir/munge.socket
CredType=cred/munge
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SwitchType=switch/none
ReturnToService=2
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd.%n.pid
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool.%n
SlurmdLogFile=$dir/slurmd.%n.log
TmpFS=$dir/tmp.%n
KillWait=2
$(nodes)
PartitionName=all Nodes=ALL Default=YES OverSubscribe=FORCE:32 MaxTime=INFINITE State=UP
END
    : >"$dir/cgroup.conf"
}

start()
{
    for tool in munged slurmctld slurmd srun; do
        command -v $tool >/dev/null ||
            fail "there is no $tool: install slurmctld, slurmd, slurm-client and munge"
    done
    mkdir -m 755 "$dir" || fail "$dir exists already"
    (umask 077 && head -c 128 /dev/urandom >"$dir/munge.key")
    # shellcheck disable=SC2046
    write_configuration $(free_ports)
    on_host 1 munged --force --key-file="$dir/munge.key" --socket="$dir/munge.socket" \
        --pid-file="$dir/munged.pid" --log-file="$dir/munged.log" --seed-file="$dir/munge.seed" \
        >"$dir/start.log" 2>&1 || fail "munged does not start"
    on_host 1 slurmctld -L "$dir/slurmctld.log" >>"$dir/start.log" 2>&1 ||
        fail "slurmctld does not start"
    for i in $(seq "$count"); do
        mkdir -p "$dir/tmp.$(on_host "$i" hostname -s)"
        on_host "$i" slurmd >>"$dir/start.log" 2>&1 || fail "slurmd does not start"
    done
    for _ in $(seq 100); do
        [ "$(on_host 1 sinfo --noheader --format='%T %D' 2>/dev/null)" != "idle $count" ] || return 0
        sleep 0.1
    done
    fail "not all nodes are idle after 10 s: $(on_host 1 sinfo 2>&1)"
}

alive() # PID
{
    grep -q '^State:[[:space:]]*[A-WYa-z]' "/proc/$1/status" 2>/dev/null
}

end() # PID...
{
    kill "$@" 2>/dev/null || true
    for pid; do
        for _ in $(seq 50); do
            alive "$pid" || continue 2
            sleep 0.1
        done
        kill -9 "$pid" || true
    done
}

stop()
{
    [ -d "$dir" ] || return 0
    if [ -n "$hosts" ]; then
        "$hosts_sh" "$hosts" "$count" stop # and with them all that runs there
    else
        scancel --signal=KILL --full --user="$(id -un)" 2>/dev/null || true
        # shellcheck disable=SC2046
        end $(cat "$dir"/slurmctld.pid "$dir"/slurmd.*.pid "$dir"/munged.pid 2>/dev/null)
    fi
    rm -rf "$dir"
}

case $verb in
start | stop) $verb ;;
*) fail "what is \"$verb\"?" ;;
esac
