#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# check_user.sh BUILD SUITE...: runs these suites of a build as a user without privileges, for root:
# limits, namespaces and other users' files are another matter there. Logs are in BUILD/as-user. Of
# the user, nobody, no files remain.
set -eu

user=65534
build=$1 logs=$1/as-user top=$PWD
shift

as_user() # COMMAND...
{
    setpriv --reuid=$user --regid=$user --clear-groups \
        env -i HOME="$home" TMPDIR="$home/tmp" LANG=C.UTF-8 \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"
}

if [ "$(id -u)" != 0 ]; then
    echo "check_user.sh: this is for root: others run \`make check\`" >&2
    exit 1
fi

# Where only root can enter a folder above, all see the tree in its place in an empty file system,
# which is mounted for this script alone. The open descriptor leads to what it hides.
if ! home=/ as_user test -r "$top/Makefile"; then
    [ -z "${CHECK_USER_MOUNTS-}" ] || exit 1
    CHECK_USER_MOUNTS=1 exec unshare --mount sh -euc '
        exec 3<"$PWD"
        mount -t tmpfs -o mode=1777 none "/$(echo "$PWD" | cut -d/ -f2)"
        mkdir -p "$PWD"
        mount --no-canonicalize --bind /proc/self/fd/3 "$PWD"
        cd "$PWD"
        exec "$@" 3<&-' sh scripts/check_user.sh "$build" "$@"
fi

# Meson writes its logs to the folder of the build, and finds the rest there.
rm -rf "$logs"
mkdir -p "$logs/meson-logs"
for part in "$build"/*; do
    case ${part##*/} in
    as-user | meson-logs) ;;
    *) ln -s "../${part##*/}" "$logs/" ;;
    esac
done
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
mkdir "$home/tmp"
chown -R $user:$user "$home" "$logs/meson-logs"

for suite do
    set -- "$@" --suite "$suite"
    shift
done
as_user meson test -C "$top/$logs" --num-processes "$(($(nproc) * 2))" --no-rebuild --print-errorlogs \
    --no-suite more "$@"
