#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Hosts made of namespaces: each has a network of its own, addresses, and a name, and a bridge joins
# them. Nothing outside of the namespaces changes, and all goes with the process that holds them.
#
#   hosts.sh NAME COUNT start            makes COUNT hosts, known by NAME, and prints their addresses
#   hosts.sh NAME COUNT hold             the same in the foreground: they end with this process
#   hosts.sh NAME COUNT stop             kills whatever runs in them, and removes them
#   hosts.sh NAME COUNT run I COMMAND... runs a command in host I (1..COUNT)
#   hosts.sh NAME COUNT link I up|down   plugs the cable of host I in or out
#   hosts.sh NAME COUNT addresses        prints 10.77.0.1,10.77.0.2,...
#   hosts.sh NAME COUNT ssh              prints the path of a stand-in for ssh, for use in the hosts
#
# Host I is 10.77.0.I and fd77::I and is called tern-I; it knows the others by such names. Root is not
# needed where users may make namespaces. ${TMPDIR:-/tmp}/tern-hosts.NAME holds what belongs to NAME.
set -eu

if [ $# -lt 3 ]; then
    sed -n 's/^#   //p' "$0" >&2
    exit 2
fi
name=$1 count=$2 verb=$3
shift 3
self=$(realpath "$0")
dir=${TMPDIR:-/tmp}/tern-hosts.$name

fail()
{
    echo "hosts.sh: $*" >&2
    exit 1
}

each() # COMMAND...: with the number of each host behind it
{
    i=1
    while [ "$i" -le "$count" ]; do
        "$@" "$i"
        i=$((i + 1))
    done
}

make_host() # I
{
    unshare --net --uts sh -c "hostname tern-$1; : >'$dir/made.$1'; exec sleep infinity" &
    echo $! >"$dir/host.$1"
    until [ -e "$dir/made.$1" ]; do
        kill -0 $! || exit 1
        sleep 0.01
    done
    ip link add "port$1" master br0 type veth peer name eth0 netns $!
    ip link set "port$1" up
    nsenter --net --target $! sh -ec "
        ip link set lo up
        ip addr add 10.77.0.$1/24 dev eth0
        ip -6 addr add fd77::$1/64 dev eth0 nodad
        ip link set eth0 up"
    printf '10.77.0.%s tern-%s\nfd77::%s tern-%s\n' "$1" "$1" "$1" "$1" >>"$dir/names"
}

# What starts a command as ssh does: with a login's environment, in the home directory, by a shell.
make_ssh()
{
    cat <<END
#!/bin/sh
while :; do
    case \$1 in
    -[bcDEeFIiJLlmOopQRSWw]) shift 2 ;;
    -*) shift ;;
    *) break ;;
    esac
done
host=\${1##*@}
shift
i=\$(awk -v host="\$host" '\$1 == host || \$2 == host { sub("tern-", "", \$2); print \$2; exit }' \\
    '$dir/names')
[ -n "\$i" ] || {
    echo "ssh: Could not resolve hostname \$host: Name or service not known" >&2
    exit 255
}
cd "\$HOME" || cd /
exec nsenter --target "\$(cat "$dir/host.\$i")" --net --uts env -i HOME="\$HOME" USER="\${USER-}" \\
    LOGNAME="\${USER-}" SHELL=/bin/sh PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin \\
    SSH_CONNECTION="\$host" sh -c "\$*"
END
}

# Process 1 of the namespaces that hold all hosts.
world()
{
    trap 'exit 0' TERM INT HUP
    echo '127.0.0.1 localhost' >"$dir/names"
    ip link set lo up
    ip link add name br0 type bridge
    ip link set br0 up
    each make_host
    mount --bind "$dir/names" /etc/hosts
    : >"$dir/ready"
    sleep infinity &
    while :; do wait; done # takes leave of orphans as well
}

hold()
{
    for tool in ip unshare nsenter; do
        command -v $tool >/dev/null || fail "there is no $tool: install iproute2 and util-linux"
    done
    mkdir -m 700 "$dir" || fail "there are hosts called $name already"
    make_ssh >"$dir/ssh"
    chmod +x "$dir/ssh"
    echo $$ >"$dir/pid"
    as_root=
    [ "$(id -u)" = 0 ] || as_root='--user --map-root-user'
    exec unshare $as_root --mount --net --pid --fork --kill-child --mount-proc \
        "$self" "$name" "$count" world
}

start()
{
    log=$(mktemp)
    setsid "$self" "$name" "$count" hold </dev/null >"$log" 2>&1 &
    until [ -e "$dir/ready" ]; do
        kill -0 $! 2>/dev/null || {
            cat "$log" >&2
            rm -f "$log"
            stop
            fail "the hosts can't be made"
        }
        sleep 0.02
    done
    rm -f "$log"
    addresses
}

stop()
{
    pid=$(cat "$dir/pid" 2>/dev/null) || return 0
    if grep -q unshare "/proc/$pid/cmdline" 2>/dev/null; then
        kill -9 "$pid" || true
        while grep -q '^State:[[:space:]]*[A-WYa-z]' "/proc/$pid/status" 2>/dev/null; do
            sleep 0.02
        done
    fi
    rm -rf "$dir"
}

addresses()
{
    each printf '10.77.0.%s\n' | paste -s -d ,
}

enter() # COMMAND...: in the namespaces that hold all hosts, in the same directory
{
    pid=$(cat "$dir/pid") || fail "there are no hosts called $name"
    as_root=
    [ "$(id -u)" = 0 ] || as_root='--user --preserve-credentials'
    exec nsenter --target "$pid" $as_root --mount --net --pid="/proc/$pid/ns/pid_for_children" \
        sh -c 'cd "$1"; shift; exec "$@"' sh "$PWD" "$@"
}

case $verb in
start | hold | stop | world | addresses) $verb ;;
run)
    i=$1
    shift
    enter nsenter --target "$(cat "$dir/host.$i")" --net --uts "$@"
    ;;
link) enter nsenter --target "$(cat "$dir/host.$1")" --net ip link set eth0 "$2" ;;
ssh) echo "$dir/ssh" ;;
*) fail "what is \"$verb\"?" ;;
esac
