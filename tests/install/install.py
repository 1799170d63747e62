# SPDX-License-Identifier: BSD-3-Clause
"""Install into a directory with a blank in its name, build a user's program against that, run it.

    install.py CASE BUILD_ROOT PREFIX LIBDIR
"""
import os
import pathlib
import platform
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

HELLO = pathlib.Path(__file__).resolve().parent / "hello.c"
HELLO_FORTRAN = HELLO.with_suffix(".f90")
ISHMEM = HELLO.with_name("ishmem.cpp")
SKIPPED = 77


def run(*command, **options):
    """The output of a command that has to succeed."""
    print("$", shlex.join(map(str, command)), flush=True)
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          **options)
    print(done.stdout, end="", flush=True)
    if done.returncode:
        sys.exit(f"FAILED: status {done.returncode}")
    return done.stdout


def expect(truth, what):
    if not truth:
        sys.exit(f"FAILED: {what}")


class Installation:
    def __init__(self, build, prefix, libdir, directory):
        self.dest, self.inside, self.libdir = directory / "a place", prefix, libdir
        run("meson", "install", "-C", build, "--no-rebuild", "--quiet", "--destdir", self.dest)
        self.move_to("a place")
        self.work = directory / "work"
        self.work.mkdir()
        os.chdir(self.work)

    def move_to(self, name):
        self.dest = self.dest.rename(self.dest.with_name(name))
        self.prefix = pathlib.Path(f"{self.dest}{self.inside}")
        self.bin = self.prefix / "bin"
        self.lib = self.prefix / self.libdir

    def works(self, program):
        """Whether each of three PEs says what it should, started from elsewhere."""
        output = run(self.bin / "oshrun", "-n", "3", program, cwd="/")
        expect(sorted(output.splitlines()) ==
               [f"PE {i} of 3 heard from {(i + 2) % 3}" for i in range(3)], f"output of {program}")

    def libraries(self, program):
        return subprocess.run(["ldd", program], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True).stdout

    def without_shared_library(self):
        for name in ["tern", "tern-fortran", "ishmem"]:
            for path in self.lib.glob(f"lib{name}.so*"):
                path.unlink()


def files(at):
    for name in ["bin/oshrun", "bin/oshcc", "bin/oshc++", "bin/oshfort", "bin/oshCC", "bin/oshcxx", "bin/tern-info",
                 "bin/shmemcc", "bin/shmemCC", "bin/shmemrun",
                 "include/shmem.h", "include/shmemx.h", "include/pshmem.h", "include/mpp/shmem.h",
                 "include/shmem-classic.h", "include/pshmemx.h", "include/shmem-inline.h", "include/shmem-near.h",
                 "include/shmem-overloads.h",
                 "include/mpp/shmemx.h", "include/ishmem.h", "include/ishmemx.h", "include/ishmemx-sycl.h",
                 "include/tern-sycl/sycl/sycl.hpp",
                 "include/shmem.fh", "include/shmemx.fh", "include/mpp/shmem.fh",
                 "include/mpp/shmemx.fh", "include/shmem.f90", "share/man/man1/oshfort.1",
                 "share/man/man1/oshrun.1", "share/man/man1/oshcc.1",
                 "share/man/man1/oshc++.1", "share/man/man1/tern-info.1",
                 "bin/tern-profile", "share/man/man1/tern-profile.1",
                 "share/man/man7/tern-settings.7", "share/modulefiles/tern"]:
        expect((at.prefix / name).exists(), f"{name} is missing")
    for name in ["libtern.so", "libtern.so.0", "libsma.so", "libsma.a", "liboshmem.so", "liboshmem.a",
                 "tern/self-test", "tern/libtern-chaos.so",
                 "tern/libtern-check.so", "tern/libtern-profile.so", "libtern.a", "libtern-instrument.a",
                 "pkgconfig/tern.pc",
                 "pkgconfig/openshmem.pc", "cmake/OpenSHMEM/OpenSHMEMConfig.cmake",
                 "cmake/OpenSHMEM/OpenSHMEMConfigVersion.cmake", "libishmem.so", "libishmem.a",
                 "libtern-fortran.so", "libtern-fortran.so.0", "libtern-fortran.a",
                 "pkgconfig/tern-fortran.pc", "pkgconfig/ishmem.pc", "cmake/ISHMEM/ISHMEMConfig.cmake",
                 "cmake/ISHMEM/ISHMEMConfigVersion.cmake"]:
        expect((at.lib / name).exists(), f"{name} is missing")
    for path in at.prefix.rglob("*"):
        text = path.read_bytes() if path.is_file() and path.suffix != ".a" else b""
        expect(str(at.prefix).encode() not in text, f"{path} names the place of installation")


def documents(at):
    """Documents are complete, and manual pages name files that are installed, or that Tern makes."""
    folder = at.prefix / "share/doc/tern"
    for name in ["README.md", "LICENSE", "docs/running.md", "docs/reference/shmem_put.md", "examples/hello.c",
                 "examples/heat2d/heat2d.c"]:
        expect((folder / name).is_file(), f"{name} is missing")
    expect(not list(folder.rglob("meson.build")) and not list(folder.rglob("conf.py")), "files of the build are not installed")
    root = HELLO.parent.parent.parent
    run(sys.executable, root / "tests/style/docs.py", "links", folder)

    made = {"tern-profile", "report.html", "trace.json", "summary.txt", "pe-*.bin"}
    pages = [path for path in (at.prefix / "share/man").rglob("*.[17]") if not path.is_symlink()]
    expect(len({path.name for path in pages}) >= 5, "manual pages are installed")
    for page in pages:
        text = re.sub(r'^\.\\".*$', "", page.read_text(), flags=re.M)    # without its comments
        for header in re.findall(r"^\.In (\S+)", text, re.M):
            expect(list((at.prefix / "include").rglob(header)), f"{page.name} names {header}, which is not installed")
        named = re.findall(r"^\.(?:It )?Pa (\S+)", text, re.M)
        named += re.findall(r"\b\w+/[\w./-]*\.(?:md|html|table|def|h|c)\b", text)
        for name in set(named) - made:
            expect((at.prefix / name).exists() or list(at.prefix.rglob(pathlib.Path(name).name)) and "/" not in name,
                   f"{page.name} names {name}, which is not installed")


def dependencies(at):
    """The library and the programs need the C library and nothing else."""
    for path in [at.lib / "libtern.so", at.bin / "oshrun", at.bin / "tern-info"]:
        dynamic = run("readelf", "--dynamic", path)
        needed = set(re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic))
        expect(needed <= {"libc.so.6", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"},
               f"{path.name} needs {needed}")
        expect("PATH)" not in dynamic, f"{path.name} has a search path")
    expect("[libtern.so.0]" in run("readelf", "--dynamic", at.lib / "libtern.so"), "soname")


def oshcc(at):
    run(at.bin / "oshcc", "-O2", "-Wall", "-Werror", "-o", "hello", HELLO)
    at.works(at.work / "hello")
    expect(str(at.lib) in at.libraries("hello"), "the library of this installation is used")

    run(at.bin / "oshcc", "-c", HELLO)
    run(at.bin / "oshcc", "-o", "in_two_steps", "hello.o")
    at.works(at.work / "in_two_steps")

    os.symlink(at.bin / "oshcc", "compiler")
    run("./compiler", "-o", "by_a_link", HELLO)
    at.works(at.work / "by_a_link")


def oshcxx(at):
    shutil.copy(HELLO, "hello.cpp")
    for name in ["oshc++", "oshCC", "oshcxx"]:
        run(at.bin / name, "-O2", "-Wall", "-Werror", "-pedantic", "-o", name, "hello.cpp")
        at.works(at.work / name)


def ishmem(at):
    """Intel SHMEM's interface by the wrapper, by hand and from a static library."""
    cxx = shlex.split(os.environ.get("CXX", "c++"))
    run(at.bin / "oshc++", "-std=c++17", "-o", "by_wrapper", ISHMEM)
    run(*cxx, "-std=c++17", f"-I{at.prefix}/include", "-o", "by_hand", ISHMEM, f"-L{at.lib}",
        f"-Wl,-rpath,{at.lib}", "-lishmem", "-ltern")
    # Here the program itself does not need libtern.so: libishmem.so has to find it.
    run(*cxx, "-std=c++17", f"-I{at.prefix}/include", "-o", "alone", ISHMEM, f"-L{at.lib}",
        f"-Wl,-rpath,{at.lib}", "-Wl,--as-needed", "-lishmem", "-ltern")
    run(at.bin / "oshc++", "-std=c++17", "--tern-static", "-o", "tern_static", ISHMEM)
    for name in ["by_wrapper", "by_hand", "alone", "tern_static"]:
        at.works(at.work / name)
    run(at.bin / "oshcc", "-o", "hello", HELLO)
    expect("libishmem" in at.libraries("by_wrapper"), "libishmem.so is used")
    expect("libishmem" not in at.libraries("hello"), "and by those programs only that use it")
    expect("libishmem" not in at.libraries("tern_static"), "tern_static needs libishmem.so")


def sycl(at):
    """The example of docs/sycl.md, with the flags of the wrapper and with those that the page names."""
    cxx = shlex.split(os.environ.get("CXX", "c++"))
    page = (at.prefix / "share/doc/tern/docs/sycl.md").read_text()
    pathlib.Path("sum.cpp").write_text(re.search(r"^```cpp\n(.*?)^```", page, re.M | re.S)[1])
    strict = ["-std=c++17", "-Wall", "-Wextra", "-pedantic", "-Werror"]
    run(at.bin / "oshc++", "--tern-sycl", *strict, "-o", "by_wrapper", "sum.cpp")
    run(*cxx, *strict, "-I", f"{at.prefix}/include/tern-sycl", "-pthread", "-o", "by_hand", "sum.cpp")
    for name in ["by_wrapper", "by_hand"]:
        expect(run(at.work / name) == f"{1023 * 512}\n", f"output of {name}")
    without = subprocess.run([at.bin / "oshc++", "-fsyntax-only", "-std=c++17", "sum.cpp"],
                             stderr=subprocess.PIPE, text=True)
    expect("sycl/sycl.hpp" in without.stderr, "without the option there is no SYCL")
    other = subprocess.run([at.bin / "oshcc", "--tern-sycl", "-c", HELLO], stderr=subprocess.PIPE, text=True)
    expect("--tern-sycl is an option of oshc++" in other.stderr, "oshcc refuses --tern-sycl")


def oshfort(at):
    """The wrapper, pkg-config, static programs, and a module that is made from its source."""
    fc = shlex.split(os.environ.get("FC", "gfortran"))
    if not (at.lib / "tern/fortran/shmem.mod").exists():
        sys.exit(SKIPPED)
    run(at.bin / "oshfort", "-O2", "-Wall", "-Werror", "-o", "hello", HELLO_FORTRAN)
    run(*fc, "-c", HELLO_FORTRAN, *shlex.split(run(at.bin / "oshfort", "--showme:compile")))
    run(*fc, "-o", "by_parts", "hello.o", *shlex.split(run(at.bin / "oshfort", "--showme:link")))
    # Here the program itself does not need libtern.so: libtern-fortran.so has to find it.
    run(*fc, "-o", "alone", "hello.o", f"-L{at.lib}", f"-Wl,-rpath,{at.lib}", "-Wl,--as-needed",
        "-ltern-fortran", "-ltern")
    programs = ["hello", "by_parts", "alone"]
    if shutil.which("pkg-config"):
        os.environ["PKG_CONFIG_PATH"] = str(at.lib / "pkgconfig")
        given = run("pkg-config", "--cflags", "--libs", "tern-fortran")
        run(*fc, "-o", "by_package", HELLO_FORTRAN, *shlex.split(given))
        programs.append("by_package")
        expect("-fno-plt" not in given, "options of C compilers are not for others")
    for name in programs:
        at.works(at.work / name)
        expect(str(at.lib) in at.libraries(name), "the library of this installation is used")

    (at.lib / "tern/fortran/shmem.mod").unlink()
    run(at.bin / "oshfort", "-fsyntax-only", at.prefix / "include/shmem.f90")
    run(at.bin / "oshfort", "--tern-static", "-o", "tern_static", HELLO_FORTRAN)
    run(at.bin / "oshfort", "-static", "-o", "static", HELLO_FORTRAN)
    static = ["tern_static", "static"]
    if shutil.which("pkg-config"):
        given = run("pkg-config", "--static", "--cflags", "--libs", "tern-fortran")
        run(*fc, "-static", "-o", "static_by_package", "hello.o", *shlex.split(given))
        static.append("static_by_package")
    at.without_shared_library()
    for name in static:
        at.works(at.work / name)


def classic(at):
    """Commands, header and libraries by the names that older programs and makefiles know."""
    pathlib.Path("classic.c").write_text(
        "#include <shmem.h>\n"
        "int main(void)\n{\n"
        "    static long x, y;\n    void *handle;\n\n"
        "    start_pes(0);\n    shmem_long_put_nb(&x, &y, 1, 0, &handle);\n"
        "    shmem_wait_nb(handle);\n    return 0;\n}\n")
    run(at.bin / "shmemcc", "-Wall", "-Werror", "-o", "classic", "classic.c")
    run(at.bin / "shmemrun", "-np", "2", "./classic")
    for name in ["sma", "oshmem"]:
        run("cc", f"-I{at.prefix / 'include'}", "-o", name, HELLO, f"-L{at.lib}", f"-l{name}",
            f"-Wl,-rpath,{at.lib}")
        at.works(at.work / name)


def flags(at):
    """What the wrappers show is what a shell or a makefile can use."""
    for show in ["--showme", "-show"]:
        command = run(at.bin / "oshcc", show, "-o", "it's shown", HELLO)
        run("sh", "-c", command)
        at.works(at.work / "it's shown")
        os.unlink("it's shown")
    cc = shlex.split(os.environ.get("CC", "cc"))
    run(*cc, "-c", HELLO, *shlex.split(run(at.bin / "oshcc", "--showme:compile")))
    run(*cc, "-o", "by_parts", "hello.o", *shlex.split(run(at.bin / "oshcc", "--showme:link")))
    at.works(at.work / "by_parts")
    expect("-ltern" not in run(at.bin / "oshcc", "-show", "-c", HELLO), "-c links nothing")
    expect("gcc" in run(at.bin / "oshcc", "-v", env={**os.environ, "TERN_CC": "gcc"}), "-v alone")
    expect(run(at.bin / "oshcc", "-show", "x.c", env={**os.environ, "TERN_CC": "some cc"})
           .startswith("some cc "), "a compiler of two words")
    expect("Tern" in run(at.bin / "oshcc", "--version"), "--version")
    failed = subprocess.run([at.bin / "oshcc", "no-such-file.c"], stderr=subprocess.DEVNULL)
    expect(failed.returncode != 0, "the compiler's status is passed on")


def helps(at):
    """What --help says of the flags, and of packages that have them, is so."""
    os.environ["PKG_CONFIG_PATH"] = str(at.lib / "pkgconfig")
    for name in ["oshcc", "oshc++", "oshfort"]:
        told = run(at.bin / name, "--help")
        shown = {flag for part in ["compile", "link"]
                 for flag in shlex.split(run(at.bin / name, f"--showme:{part}")) if "/" not in flag}
        expect(("-no-pie" in told) == ("-no-pie" in shown), f"{name} --help is silent of -no-pie, or not")
        if not shutil.which("pkg-config"):
            continue
        expect("tern" not in re.findall(r"`pkg-config --cflags --libs (\S+)`", told), "one name of the package")
        given = {flag for package in re.findall(r"`pkg-config --cflags --libs (\S+)`", told)
                 for flag in shlex.split(run("pkg-config", "--cflags", "--libs", package))
                 if "/" not in flag}
        expect(given and given <= shown, f"packages have {given}, {name} has {shown}")
        rest = {flag for flag in shown - given if "-state" not in flag}
        expect(rest <= {"-no-pie", "-pthread", "-Wl,--build-id"}, f"only {name} has {rest}")


def static(at):
    shutil.copy(HELLO, "hello.cpp")
    run(at.bin / "oshcc", "--tern-static", "-o", "tern_static", HELLO)
    run(at.bin / "oshc++", "--tern-static", "-o", "cxx", "hello.cpp")
    for words in [["oshcc", "-static", "-o", "static", HELLO],
                  ["oshcc", "-static-pie", "-fPIE", "-o", "static_pie", HELLO],
                  ["oshc++", "-static", "-o", "static_cxx", "hello.cpp"]]:
        expect(run(at.bin / words[0], *words[1:]) == "", "the linker has nothing to warn of")
    at.without_shared_library()
    for name in ["tern_static", "cxx", "static", "static_pie", "static_cxx"]:
        at.works(at.work / name)
        expect("libtern" not in at.libraries(name), f"{name} needs libtern.so")


def position(at):
    """Programs are placed near the library, or where the user says, with each compiler's word for it."""
    for cc in filter(shutil.which, ["gcc", "clang"]):
        env = {**os.environ, "TERN_CC": cc}

        def build(*words):
            run(at.bin / "oshcc", "-Wall", "-Werror", *words, env=env)

        def kind(program):
            return re.search(r"Type:\s*(\S+)", run("readelf", "--file-header", program))[1]

        build("-o", f"{cc}-near", HELLO)
        at.works(at.work / f"{cc}-near")
        if platform.machine() == "x86_64":
            expect(kind(f"{cc}-near") == "EXEC", f"{cc}'s program lies at a place of its own")
            place = re.search(r"libtern.*\((0x\w+)\)", at.libraries(f"{cc}-near"))[1]
            expect(int(place, 16) < 1 << 31, f"libtern.so is at {place}, far from {cc}'s program")
        build("-fPIE", "-pie", "-o", f"{cc}-pie", HELLO)
        at.works(at.work / f"{cc}-pie")
        expect(kind(f"{cc}-pie") == "DYN", f"{cc} -pie is a position independent program")
        build("-no-pie", "-o", f"{cc}-no-pie", HELLO)
        at.works(at.work / f"{cc}-no-pie")
        expect(kind(f"{cc}-no-pie") == "EXEC", f"{cc} -no-pie is a program with a place of its own")
        build("-fPIC", "-shared", "-o", f"{cc}.so", HELLO)
        expect(kind(f"{cc}.so") == "DYN", f"{cc} -shared is a library")


def refuses(command, line):
    """A command fails at once with one line."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    expect(done.returncode and done.stdout == line + "\n", f"{command}: {done.returncode}, {done.stdout}")


def tools(at):
    """oshrun loads its tools from where that is possible, and refuses to start elsewhere."""
    def check_all(line):
        for option in ["--check", "--chaos=1", "--profile"]:
            refuses([at.bin / "oshrun", "-n", "1", option, "./hello"], line)

    def cannot_load():
        check_all(f'tern: oshrun: error: tools can\'t be loaded from the directory "{at.lib}/tern", since LD_PRELOAD is '
                  "split at blanks and colons: move Tern to a directory without them")

    run(at.bin / "oshcc", "-o", "hello", HELLO)
    cannot_load()
    at.move_to("plain")
    run(at.bin / "oshcc", "-o", "hello", HELLO)
    for option in ["--check", "--chaos=1", "--profile"]:
        output = run(at.bin / "oshrun", "-n", "1", option, "sh", "-c", "echo $LD_PRELOAD; ./hello")
        expect(f"{at.lib}/tern/libtern-" in output and "ld.so" not in output, f"{option} loads a tool")
    at.move_to("a:colon")
    cannot_load()
    refuses([at.bin / "oshcc", "-o", "hello", HELLO],
            f"oshcc: the loader would split '{at.lib}' at its colon; install Tern elsewhere, or use "
            "--tern-static")
    run(at.bin / "oshcc", "--tern-static", "-o", "tern_static", HELLO)
    at.works(at.work / "tern_static")
    at.move_to("plain")
    for path in at.lib.glob("tern/libtern-*"):
        path.unlink()
    done = subprocess.run([at.bin / "oshrun", "-n", "1", "--check", "./hello"], stderr=subprocess.PIPE,
                          text=True)
    expect(done.returncode == 1 and done.stderr.startswith("tern: oshrun: error: a tool is missing: "), done.stderr)


def pkg_config(at):
    if not shutil.which("pkg-config"):
        sys.exit(SKIPPED)
    os.environ["PKG_CONFIG_PATH"] = str(at.lib / "pkgconfig")
    cc = shlex.split(os.environ.get("CC", "cc"))
    for package in ["tern", "openshmem"]:
        given = shlex.split(run("pkg-config", "--cflags", "--libs", package))
        run(*cc, "-o", package, HELLO, *given)
        at.works(at.work / package)
        given = shlex.split(run("pkg-config", "--static", "--cflags", "--libs", package))
        run(*cc, "-static", "-o", f"{package}_static", HELLO, *given)
        at.works(at.work / f"{package}_static")
    run("pkg-config", "--atleast-version=1.6", "openshmem")
    cxx = shlex.split(os.environ.get("CXX", "c++"))
    given = shlex.split(run("pkg-config", "--cflags", "--libs", "ishmem >= 1.5"))
    run(*cxx, "-std=c++17", "-o", "ishmem", ISHMEM, *given)
    at.works(at.work / "ishmem")


def modules(at):
    """`module load tern` makes oshcc and oshrun available, with Environment Modules or Lmod."""
    commands = [path for path in ("/usr/bin/modulecmd", "/usr/lib/modulecmd.tcl", "/usr/share/lmod/lmod/libexec/lmod")
                if os.path.exists(path)]
    if not commands:
        print("neither Environment Modules nor Lmod")
        sys.exit(SKIPPED)
    links = at.work / "modulefiles/tern"  # a site may link to the files
    links.mkdir(parents=True)
    for file in (at.prefix / "share/modulefiles/tern").iterdir():
        (links / file.name).symlink_to(file)
    environment = {**os.environ, "MODULEPATH": str(links.parent)}
    for name in ["TERN_ROOT", "LOADEDMODULES", "_LMFILES_"]:
        environment.pop(name, None)
    output = run("sh", "-ec", f'eval "$({shlex.quote(commands[0])} sh load tern)"\n'
                 f'oshcc -o hello {shlex.quote(str(HELLO))}\n'
                 'oshrun -n 2 ./hello\npkg-config --modversion openshmem\necho "$TERN_ROOT"', env=environment)
    expect(sorted(output.splitlines()) == sorted([*(f"PE {i} of 2 heard from {1 - i}" for i in range(2)),
                                                  "1.6", str(at.prefix)]), "output after module load")


def readme(at):
    """What the README says of pkg-config, where it says that Tern is."""
    if not shutil.which("pkg-config"):
        sys.exit(SKIPPED)
    root = HELLO.parent.parent.parent
    text = (root / "README.md").read_text()
    commands = re.search(r"^export PKG_CONFIG_PATH=.*?(?=^```)", text, re.M | re.S)[0]
    pathlib.Path("tern").symlink_to(at.prefix)
    shutil.copy(HELLO, "hello.c")
    os.environ.pop("PKG_CONFIG_PATH", None)
    run("sh", "-ec", commands, env={**os.environ, "HOME": str(at.work)})
    at.works(at.work / "hello")
    for page in ["README.md", "man/oshcc.1", "docs/interfaces.md"]:
        named = re.findall(r"pkg-config (?:--[\w=]+ )*([a-z]\S*?)[`)]", (root / page).read_text())
        expect(named and set(named) <= {"openshmem", "ishmem", "tern-fortran"}, f"{page} names {named}")


def cmake(at):
    if not shutil.which("cmake"):
        sys.exit(SKIPPED)
    run("cmake", "-S", HELLO.parent, "-B", "build", f"-DCMAKE_PREFIX_PATH={at.prefix}")
    run("cmake", "--build", "build")
    run("ctest", "--output-on-failure", cwd="build")
    run("cmake", "-S", HELLO.parent / "ishmem_c", "-B", "build_c", f"-DCMAKE_PREFIX_PATH={at.prefix}")
    run("cmake", "--build", "build_c")
    for name in ["hello_c", "hello_cxx", "hello_static", "hello_variables", "hello_ishmem"]:
        at.works(at.work / "build" / name)
    at.works(at.work / "build_c/hello_ishmem_c")
    expect("libtern" not in at.libraries("build/hello_static"), "hello_static needs libtern.so")


CASES = [files, documents, dependencies, oshcc, oshcxx, oshfort, classic, ishmem, sycl, flags, helps, static, position, tools,
         pkg_config, modules, readme, cmake]


def main():
    case, build, prefix, libdir = sys.argv[1:]
    os.environ.pop("LD_LIBRARY_PATH", None)  # Meson's, which the installation must not need
    with tempfile.TemporaryDirectory() as directory:
        {c.__name__: c for c in CASES}[case](
            Installation(build, prefix, libdir, pathlib.Path(directory)))


main()
