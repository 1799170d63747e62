#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# make_deb.sh BUILD: builds Debian packages from the committed files, in BUILD/deb, without touching the
# source tree.
set -eu

source=$(cd "$(dirname "$0")/.." && pwd)
version=$(sed -n "s/^ *version: '\(.*\)',/\1/p" "$source/meson.build" | head -n 1)
mkdir -p "$1"
folder=$(cd "$1" && pwd)/deb
tree=$folder/tern-$version

rm -rf "$folder"
mkdir -p "$tree"
git -C "$source" archive HEAD | tar -x -C "$tree"
cp -r "$tree/packaging/debian" "$tree/debian"
{
    echo "tern ($version-1) unstable; urgency=medium"
    echo
    echo "  * Version $version; CHANGELOG.md has the changes."
    echo
    echo " -- The Tern maintainers <tern@example.org>  $(git -C "$source" log -1 --format=%aD)"
} >"$tree/debian/changelog"
log=$folder/build.log
(cd "$tree" && dpkg-buildpackage --build=binary --no-sign) >"$log" 2>&1 || {
    tail -n 60 "$log" >&2
    echo "make_deb.sh: dpkg-buildpackage failed; $log has all of its output" >&2
    exit 1
}
# The packages are not uploaded to Debian, so they close no report of Debian's. groff can't break the long
# names in tables of the manual pages.
lintian --allow-root --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs,groff-message \
    "$folder"/*.changes
ls "$folder"/*.deb
