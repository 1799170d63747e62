# SPDX-License-Identifier: BSD-3-Clause
"""Programs that can, and that can't, be started."""
import os
import tempfile

from launch import equal, expect, main, run


class Directory(tempfile.TemporaryDirectory):
    def file(self, name, text, mode=0o755):
        path = f"{self.name}/{name}"
        with open(path, "wb") as f:
            f.write(text if isinstance(text, bytes) else text.encode())
        os.chmod(path, mode)
        return path


def test_not_found():
    expect(run("-n", 3, "no-such-program"), 127, "", '"no-such-program" in PATH')
    expect(run("-n", 3, "./no-such-program"), 127, "", "No such file or directory")
    expect(run("-n", 1, "/etc/passwd/x"), 127, "", "Not a directory")
    expect(run("-n", 1, ""), 127, "", "no program")
    d = Directory()  # one that only root can enter
    os.mkdir(f"{d.name}/closed", 0)
    path = f"{d.name}/closed:{os.environ['PATH']}"
    expect(run("no-such-program", env={"PATH": path}), 127, "", '"no-such-program" in PATH')


def test_hint_at_the_current_directory():
    d = Directory()
    d.file("hello", "#!/bin/sh\n")
    expect(run("hello", cwd=d.name), 127, "", "./hello")


def test_not_executable():
    d = Directory()
    path = d.file("data", "text", 0o644)
    expect(run("-n", 2, path), 126, "", "Permission denied")
    expect(run("-n", 2, d.name), 126, "", "Is a directory")


def test_script_without_interpreter_line():
    d = Directory()
    path = d.file("script", "echo script $0 $1\n")
    expect(run("-n", 2, path, "one"), 0, f"script {path} one\n" * 2)


def test_missing_interpreter():
    d = Directory()
    path = d.file("script", "#!/no/such/interpreter\n")
    expect(run("-n", 2, path), 126, "", "the interpreter")


def test_binary_of_another_machine():
    d = Directory()
    path = d.file("alien", b"\x7fELF" + b"\1" * 60)
    expect(run("-n", 2, path), 126, "", "Exec format error")


def test_first_executable_in_path():
    d, e = Directory(), Directory()
    d.file("tool", "#!/bin/sh\necho wrong\n", 0o644)
    e.file("tool", "#!/bin/sh\necho right\n")
    path = f"{d.name}:{e.name}:{os.environ['PATH']}"
    expect(run("-n", 1, "tool", env={"PATH": path}), 0, "right\n")
    job = run("-n", 1, "tool", env={"PATH": f"{d.name}:/nowhere"})
    expect(job, 126, "", "Permission denied")


def test_another_library():
    """Its PEs would be jobs of one PE each: it says which library that is, and starts nothing."""
    program = os.environ["OTHER_PROGRAM"]
    line = (f'the program "{program}" was linked with liboshmem.so.40 of Open MPI, not with Tern: '
            "each of its PEs would be a job of its own; recompile it with oshcc; "
            'see tern-messages(7), "One PE each"\n')
    expect(run("-n", 2, program), 126, "", line)
    expect(run("-n", 1, "true", ":", "-n", 1, program), 126, "", line)
    expect(run("-n", 1, program), 0, "started\n")
    expect(run("-n", 2, os.environ["PROGRAM_OF_BOTH"]), 0, "started\n" * 2)
    d = Directory()
    os.symlink(program, f"{d.name}/link")
    expect(run("-n", 2, "link", env={"PATH": f"{d.name}:{os.environ['PATH']}"}), 126, "", '"link"')


def test_damaged_files():
    """More damage is in tests/unit/linked_libraries.c; the kernel can't execute any of these."""
    d = Directory()
    with open(os.environ["OTHER_PROGRAM"], "rb") as f:
        data = bytearray(f.read())
    data[18:20] = b"\xfe\xff"  # a machine that is none
    path = d.file("whole", bytes(data))
    expect(run("-n", 2, path), 126, "", "recompile it with oshcc")
    for n in (4, 5, 20, 63, 64, 100, 500, 1000, len(data) // 4, len(data) // 2):
        path = d.file(f"cut-{n}", bytes(data[:n]))
        equal(run("-n", 2, path).status, 126)


main(globals())
