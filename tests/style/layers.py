# SPDX-License-Identifier: BSD-3-Clause
"""Hold the sources to the order of their layers.

    layers.py SOURCE_DIR LIBTERN_A

Includes in src/ point downward only, and so do the symbols that the library's objects need. The
folders inside of a folder include each other in one direction, without circles; so do the files of
most layers, where a source and its header count as one file. No object calls a public routine: a profiling library must see the program's calls and no others. The
interfaces beside the standard (extensions) may compose the twins, which no such library wraps.
"""
import collections
import pathlib
import re
import subprocess
import sys

# A layer and those that it may look into, besides itself.
BELOW = {
    "base": (),
    "boot": ("base",),
    "mem": ("boot", "base"),
    "net": ("boot", "base"),
    "core": ("mem", "net", "boot", "base"),
    "coll": ("core", "mem", "net", "boot", "base"),
    "api": ("coll", "core", "mem", "net", "boot", "base"),
    "extensions": ("api", "coll", "core", "mem", "net", "boot", "base"),
}
# Programs beside the library share its lowest layer; the launcher and PEs agree on the job area.
# tern-info asks the network's engine and the launchers. The Fortran interface is a program on top of
# the C one, and has the algorithm of its locks, a template that needs nothing of the library. Tools
# go in front of other libraries as well, and share no object with this one. The small SYCL knows
# nothing of Tern.
CLIENTS = {
    "launch": ("base", "boot/job_area.h"),
    "info": ("net", "mem", "boot", "base", "launch/tools/installed.h", "launch/starters/starter.h"),
    "cc": (),
    "instrument": (),
    "client": ("base/compiler.h",),
    "fortran": ("client", "base/compiler.h", "core/lock_queue.inc"),
    "tools": ("instrument/hooks.h", "base/addr2line.h", "base/boot_id.h", "base/hash.h", "base/parse_uint.h",
              "base/pe_list.h", "base/text_buffer.h", "base/tool_hooks.h", "base/tool_protocol.h"),
    "ishmem": ("client", "base/atomics.h", "base/compiler.h"),
    "sycl": (),
}
# Layers whose files include each other without circles.
ORDERED = ("base", "mem", "net", "core", "coll", "api", "extensions", "sycl")


def includes(path):
    """Yield the line and the name of each #include "..."."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if match := re.match(r'\s*#\s*include\s+"([^"]+)"', line):
            yield number, match[1]


def wrong_includes(source):
    """Yield a message for each #include "..." that points up, sideways or nowhere."""
    for path in sorted(source.glob("*/**/*.[chi]*")):
        layer = path.relative_to(source).parts[0]
        allowed = BELOW.get(layer, CLIENTS.get(layer))
        if allowed is None:
            yield f"{path}: {layer} is not a layer"
            continue
        for number, name in includes(path):
            target = name.split("/")[0]
            if not (source / name).exists():
                if (path.parent / name).exists():
                    yield f"{path}:{number}: write {layer}/{name}: names start at src/"
                continue  # made by the build
            if target != layer and target not in allowed and name not in allowed:
                yield f"{path}:{number}: {layer} must not look into {target}"


def includes_between(source, folder):
    """{(part, part that it includes): ["file:line includes file"]} of the parts of a folder: those
    are its folders, and "." for the files that lie directly in it, or each of these files without
    its suffix."""
    def part_of(path):
        if path.parent != folder:
            return path.relative_to(folder).parts[0]
        return path.stem if folder.name in ORDERED and folder.parent == source else "."

    arrows = collections.defaultdict(list)
    for path in sorted(folder.glob("**/*.[chi]*")):
        for number, name in includes(path):
            target = source / name
            if folder in target.parents and part_of(path) != part_of(target):
                arrows[part_of(path), part_of(target)].append(
                    f"{path.relative_to(source)}:{number} includes {name}")
    return arrows


def find_circle(arrows):
    """The parts of a circle, the first one again at its end; None if there is none."""
    done = set()

    def walk(path):
        for begin, end in sorted(arrows):
            if begin != path[-1] or end in done:
                continue
            if end in path:
                return [*path[path.index(end):], end]
            if circle := walk([*path, end]):
                return circle
        done.add(path[-1])
        return None

    for begin, _ in sorted(arrows):
        if begin not in done and (circle := walk([begin])):
            return circle
    return None


def circles(source):
    """Yield messages for each folder whose parts include each other in a circle."""
    for folder in sorted(path for path in source.rglob("*") if path.is_dir()):
        arrows = includes_between(source, folder)
        if circle := find_circle(arrows):
            yield f"{folder}: {' -> '.join(circle)} is a circle"
            for arrow in zip(circle, circle[1:]):
                yield from (f"  {line}" for line in arrows[arrow])


def source_of(member):
    """The object's name without what says that its source was made by the build."""
    return member.removeprefix("meson-generated_.._")


def objects(library):
    """Yield each object's name, the global symbols that it defines, and those it refers to."""
    defined = collections.defaultdict(set)
    referred = collections.defaultdict(set)
    listing = subprocess.run(["nm", "--print-file-name", library], check=True,
                             stdout=subprocess.PIPE, text=True).stdout
    for line in listing.splitlines():
        file, _, rest = line.rpartition(":")
        kind, name = rest.split()[-2:]
        member = source_of(re.split(r"[:\[(/]", file.rstrip("])"))[-1])
        if kind in "Uw":
            referred[member].add(name)
        elif kind.isupper():
            defined[member].add(name)
    # A call of something that the same object defines shows up as a relocation only.
    listing = subprocess.run(["readelf", "--relocs", "--wide", library], check=True,
                             stdout=subprocess.PIPE, text=True).stdout
    member = section = ""
    for line in listing.splitlines():
        if line.startswith("File: "):
            member = source_of(re.split(r"[(/]", line.rstrip(")"))[-1])
        elif line.startswith("Relocation section"):
            section = line.split("'")[1]
        elif section.startswith(".rela.text") and (fields := line.split())[4:]:
            referred[member].add(fields[4])
    for member in sorted(defined):
        yield member, defined[member], referred[member]


def wrong_calls(library):
    """Yield a message for each symbol that an object takes from a layer above or beside."""
    everything = list(objects(library))
    home = {name: member.split("_")[0] for member, defined, _ in everything for name in defined}
    if len(everything) < len(BELOW):
        yield f"{library}: only {len(everything)} objects"
    for member, _, referred in everything:
        layer = member.split("_")[0]
        if layer not in BELOW:
            yield f"{member}: {layer} is not a layer"
            continue
        for name in sorted(referred):
            target = home.get(name, layer)
            if target != layer and target not in BELOW[layer]:
                yield f"{member}: {layer} must not call {name} of {target}"
            if (target in ("api", "extensions") and not name.startswith("tern_") and name in home and
                    not (layer == "extensions" and name.startswith("pshmem"))):
                yield f"{member}: calls {name}, which is public"


def main():
    source, library = sys.argv[1:]
    source = pathlib.Path(source)
    wrong = [*wrong_includes(source), *circles(source), *wrong_calls(library)]
    print(*wrong, sep="\n")
    sys.exit(1 if wrong else 0)


main()
