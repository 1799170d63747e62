# SPDX-License-Identifier: BSD-3-Clause
"""Programs that can, and that can't, be started."""
import os
import tempfile

from launch import expect, main, run


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


main(globals())
