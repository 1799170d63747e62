#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A Slurm of one node on this machine, without systemd: its own munged, slurmctld and slurmd, whose
# files, keys and ports belong to a folder.
#
#   slurm.sh DIR start     starts them; then: SLURM_CONF=DIR/slurm.conf srun -n 4 --mpi=pmi2 ./program
#   slurm.sh DIR stop      ends them and whatever they run, and removes the folder
set -eu

if [ $# -ne 2 ]; then
    sed -n 's/^#   //p' "$0" >&2
    exit 2
fi
dir=$(realpath -m "$1")
PATH=$PATH:/usr/sbin:/sbin
export SLURM_CONF="$dir/slurm.conf"

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

write_configuration() # PORT PORT
{
    mkdir -p "$dir/state" "$dir/spool"
    cat >"$SLURM_CONF" <<END
ClusterName=tern
SlurmctldHost=$(hostname -s)(127.0.0.1)
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
SlurmdPidFile=$dir/slurmd.pid
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool
KillWait=2
NodeName=$(hostname -s) NodeAddr=127.0.0.1 CPUs=$(nproc)
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
    munged --force --key-file="$dir/munge.key" --socket="$dir/munge.socket" \
        --pid-file="$dir/munged.pid" --log-file="$dir/munged.log" --seed-file="$dir/munge.seed" \
        >"$dir/start.log" 2>&1 || fail "munged does not start"
    slurmctld -L "$dir/slurmctld.log" >>"$dir/start.log" 2>&1 || fail "slurmctld does not start"
    slurmd -L "$dir/slurmd.log" >>"$dir/start.log" 2>&1 || fail "slurmd does not start"
    for _ in $(seq 100); do
        [ "$(sinfo --noheader --format=%T 2>/dev/null)" != idle ] || return 0
        sleep 0.1
    done
    fail "the node is not idle after 10 s: $(sinfo 2>&1)"
}

alive() # PID
{
    grep -q '^State:[[:space:]]*[^ZX]' "/proc/$1/status" 2>/dev/null
}

end() # PIDFILE
{
    pid=$(cat "$1" 2>/dev/null) || return 0
    alive "$pid" && kill "$pid" || return 0
    for _ in $(seq 50); do
        alive "$pid" || return 0
        sleep 0.1
    done
    kill -9 "$pid" || true
}

stop()
{
    [ -d "$dir" ] || return 0
    scancel --signal=KILL --full --user="$(id -un)" 2>/dev/null || true
    for daemon in slurmctld slurmd munged; do
        end "$dir/$daemon.pid"
    done
    rm -rf "$dir"
}

case $2 in
start | stop) $2 ;;
*) fail "what is \"$2\"?" ;;
esac
