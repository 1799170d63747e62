#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# make_rpm.sh BUILD: builds RPM packages from the committed files, in BUILD/rpm.
set -eu

source=$(cd "$(dirname "$0")/.." && pwd)
version=$(sed -n "s/^ *version: '\(.*\)',/\1/p" "$source/meson.build" | head -n 1)
mkdir -p "$1"
folder=$(cd "$1" && pwd)/rpm

rm -rf "$folder"
mkdir -p "$folder/SOURCES"
git -C "$source" archive --prefix="tern-$version/" -o "$folder/SOURCES/tern-$version.tar.gz" HEAD
# Without rpm's database (on Debian, say) what is installed can't be looked up.
lenient=
rpm --query rpm >/dev/null 2>&1 || lenient=--nodeps
log=$folder/build.log
rpmbuild -bb $lenient --define "_topdir $folder" --define "tern_version $version" \
    "$source/packaging/rpm/tern.spec" >"$log" 2>&1 || {
    tail -n 60 "$log" >&2
    echo "make_rpm.sh: rpmbuild failed; $log has all of its output" >&2
    exit 1
}
find "$folder/RPMS" -name '*.rpm'
