#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test_deb.sh FOLDER: installs the packages of a folder, runs their tests, and removes them, over a copy of
# the root file system that exists in a mount namespace only, so that the machine stays as it is. Needs
# root, overlayfs and the programs that the packages depend on.
set -eu

if [ "${2-}" != inside ]; then
    packages=$(cd "$1" && pwd)
    scratch=$(mktemp -d)
    trap 'rmdir "$scratch"' EXIT
    TERN_SCRATCH=$scratch unshare --mount "$0" "$packages" inside
    exit
fi

root=$TERN_SCRATCH/root
mount --make-rprivate /
mount -t tmpfs tmpfs "$TERN_SCRATCH"
mkdir "$TERN_SCRATCH/changes" "$TERN_SCRATCH/work" "$root" "$TERN_SCRATCH/packages"
find "$1" -name '*.deb' ! -name '*-dbgsym*' -exec cp {} "$TERN_SCRATCH/packages" \;
mount -t overlay overlay -o "lowerdir=/,upperdir=$TERN_SCRATCH/changes,workdir=$TERN_SCRATCH/work" "$root"
for mounted in proc dev sys tmp; do
    mount --rbind "/$mounted" "$root/$mounted"
done
mkdir -p "$root/mnt/packages"
mount --bind "$TERN_SCRATCH/packages" "$root/mnt/packages"

inside() # COMMAND...
{
    chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive "$@"
}
fail()
{
    echo "test_deb.sh: $1" >&2
    exit 1
}
# Files of the packages, and where commands lead to.
state()
{
    inside sh -c 'ls -l /usr/bin/osh* /usr/bin/shmem* /usr/include/*/shmem /etc/alternatives/osh* 2>/dev/null |
        grep -o "/.*"; find / -xdev -name "*tern*" -path "/usr/*" ! -path "/usr/src/*" | sort; dpkg-divert --list "tern*" "libtern*"'
}

before=$(state)
inside sh -c 'dpkg --install /mnt/packages/*.deb' >"$TERN_SCRATCH/log" || { cat "$TERN_SCRATCH/log"; fail 'dpkg --install'; }
folder=$(mktemp -d "$root/mnt/XXXXXX")
cp "$(dirname "$0")"/debian/tests/hello* "$folder"
for test in "$folder"/hello*; do
    inside env AUTOPKGTEST_TMP="/mnt/${folder##*/}" sh "/mnt/${folder##*/}/${test##*/}" || fail "the test ${test##*/}"
    echo "test_deb.sh: ${test##*/} passed"
done
case $(inside readlink -f /usr/bin/oshcc /usr/bin/oshrun) in
"/usr/bin/oshcc.tern
/usr/bin/oshrun.tern") ;;
*) fail 'oshcc and oshrun are not those of Tern' ;;
esac
if [ -n "$(inside sh -c 'ls /usr/bin/oshcc.openmpi 2>/dev/null')" ]; then
    inside update-alternatives --quiet --set oshcc /usr/bin/oshcc.openmpi
    inside oshcc --showme | grep -q openmpi || fail "oshcc is not Open MPI's after update-alternatives --set"
    inside update-alternatives --quiet --auto oshcc
    echo 'test_deb.sh: oshcc can be that of Open MPI'
fi
inside man -w shmem_put pshmem_long_p oshcc tern-settings tern-messages >/dev/null || fail 'a manual page is missing'
inside sh -c 'dpkg --remove libtern0 libtern-dev libtern-fortran0 libtern-fortran-dev libishmem0 tern-tools tern-doc' >/dev/null
inside sh -c 'dpkg --purge libtern0 libtern-dev libtern-fortran0 libtern-fortran-dev libishmem0 tern-tools tern-doc' >/dev/null
after=$(state)
[ "$before" = "$after" ] || { echo "$before"; echo ---; echo "$after"; fail 'removal left something behind'; }
echo 'test_deb.sh: installed, used and removed'
