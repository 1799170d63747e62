# SPDX-License-Identifier: BSD-3-Clause
"""Check headers and library against the tables of the standard beside this script.

    check.py CHECK [--cc CC] [--include DIR]... [--library LIBTERN.SO] [--shared-spec DIR]

headers      each header compiles alone, without a warning, as every kind of C and C++
names        shmem.h and pshmem.h make no other names visible than the standard's and shmemi_...
prototypes   every routine has its exact type, in C and C++, and the library has it
profiling    the same for the pshmem_ twins, by pshmem.h alone
generics     every type-generic call ends in a routine for its type, in C11 and C++
constants    constants.c, as C99, C11 and C++11
handles      handles.cpp: no symbol and no code at run time comes from the predefined handles
extensions   prototypes and profiling for the routines of other interfaces, by their headers
in-line      compilers take the routines that SHMEM_INLINE offers
exports      the library exports the routines and their twins, the former weak, three constant
             objects, and nothing else
shared-spec  the files that gen_check.py in DIR makes compile, link and run

Ends with status 77, "skipped", where the compiler is not installed or DIR does not exist.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SKIPPED = 77
STRICT = ["-pedantic-errors", "-Wall", "-Wextra", "-Werror"]
C_STANDARDS = ["c99", "gnu99", "c11", "gnu11", "c17"]
CXX_STANDARDS = ["c++11", "gnu++11", "c++14", "c++17", "c++20"]
TYPENAMES = {
    "float": "float", "double": "double", "long double": "longdouble", "char": "char",
    "signed char": "schar", "short": "short", "int": "int", "long": "long",
    "long long": "longlong", "unsigned char": "uchar", "unsigned short": "ushort",
    "unsigned int": "uint", "unsigned long": "ulong", "unsigned long long": "ulonglong",
    "int8_t": "int8", "int16_t": "int16", "int32_t": "int32", "int64_t": "int64",
    "uint8_t": "uint8", "uint16_t": "uint16", "uint32_t": "uint32", "uint64_t": "uint64",
    "size_t": "size", "ptrdiff_t": "ptrdiff",
    "double _Complex": "complexd", "float _Complex": "complexf",
}


def rows(name):
    with open(os.path.join(HERE, name)) as file:
        return [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]


def lists():
    """What stands in for {T} and {N} in the routines of extensions.tsv, by name of the list."""
    types = list(TYPENAMES)
    integers = ["int", "long", "long long", "unsigned int", "unsigned long", "unsigned long long",
                "int32_t", "int64_t", "uint32_t", "uint64_t", "size_t", "ptrdiff_t"]
    return {
        "rma": [t for t in types if "Complex" not in t],
        "complex": [t for t in types if "Complex" in t],
        "amo": integers,
        "real": ["float", "double"],
        "fixed": ["int16_t", "int32_t", "int64_t"],
        "fixed_amo": ["int32_t", "int64_t"],
        "fixed_bits": ["int32_t", "int64_t", "uint32_t", "uint64_t"],
        "bits": ["8", "16", "32", "64", "128"],
        "mem": ["mem"],
        "plain": [""],
    }


def extensions():
    """The rows of extensions.tsv, one for each routine, in the form of symbols.tsv."""
    known = lists()
    for pattern, names, result, params in rows("extensions.tsv"):
        for item in [item for name in names.split() for item in known[name]] or [None]:
            if item is None:
                yield [pattern, "extension", result, params]
            elif item in TYPENAMES:
                name = pattern.replace("{T}", TYPENAMES[item]).replace("{N}", "")
                yield [name, "extension", result.replace("{T}", item), params.replace("{T}", item)]
            else:
                name = pattern.replace("{T}_", "").replace("{N}", item)
                yield [name, "extension", result.replace("{T}", "void"),
                       params.replace("{T}", "void")]


class Compiler:
    def __init__(self, options):
        self.cc = options.cc.split()
        self.flags = [f"-I{directory}" for directory in options.include]
        self.library = options.library
        if not shutil.which(self.cc[0]):
            print(f"{self.cc[0]} is not installed")
            sys.exit(SKIPPED)

    def run(self, *arguments):
        """Its standard output; ends the check with its messages where it fails."""
        result = subprocess.run([*self.cc, *self.flags, *arguments], stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True)
        if result.returncode != 0:
            sys.exit(f"{' '.join(result.args)}\n{result.stdout[:4000]}")
        return result.stdout

    def compile(self, path, standard, *flags):
        language = "c++" if "++" in standard else "c"
        self.run("-x", language, f"-std={standard}", *flags, "-fsyntax-only", path)

    def execute(self, path, standard, *flags, link=True):
        """Compiles, links (with the library) and runs a program."""
        program = path + ".exe"
        language = "c++" if "++" in standard else "c"
        library = [self.library, f"-Wl,-rpath,{os.path.dirname(self.library)}"] if link else []
        self.run("-x", language, f"-std={standard}", *flags, "-o", program, path, "-x", "none",
                 *library)
        result = subprocess.run([program], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                text=True)
        if result.returncode != 0:
            sys.exit(f"{program}: status {result.returncode}\n{result.stdout[:4000]}")
        return result.stdout


def write(directory, name, text):
    path = os.path.join(directory, name)
    with open(path, "w") as file:
        file.write(text)
    return path


QUIET = """#include <shmem.h>
int f(long *x);
int f(long *x)
{
    shmem_wait_until(x, SHMEM_CMP_EQ, 1);
    return shmem_sync(SHMEM_TEAM_WORLD);
}
"""


def headers(compiler, directory, options):
    names = ["shmem.h", "pshmem.h", "shmemx.h", "pshmemx.h", "shmem-classic.h", "mpp/shmem.h",
             "mpp/pshmem.h", "mpp/shmemx.h"]
    for name in names + ["ishmem.h", "ishmemx.h"]:
        path = write(directory, "header.c", f"#include <{name}>\n#include <{name}>\nint unused;\n")
        for standard in C_STANDARDS:
            compiler.compile(path, standard, *STRICT, "-Wstrict-prototypes", "-Wshadow", "-Wundef")
        for standard in CXX_STANDARDS if name in names else ["c++17", "gnu++17", "c++20"]:
            compiler.compile(path, standard, *STRICT, "-Wold-style-cast", "-Wshadow", "-Wundef")
    everything = "".join(f"#include <{name}>\n" for name in names) + "int unused;\n"
    compiler.compile(write(directory, "all.c", everything), "c11", *STRICT,
                     "-DSHMEM_WARN_DEPRECATED", "-Wredundant-decls")
    # Routines that are not deprecated stay silent when uses of deprecated ones are reported.
    compiler.compile(write(directory, "quiet.c", QUIET), "c11", *STRICT,
                     "-DSHMEM_WARN_DEPRECATED")


IN_LINE = """#include <shmem.h>
long f(long *x, int pe);
long f(long *x, int pe)
{
    shmem_long_p(x, 1, pe);
    return shmem_long_g(x, pe) + shmem_long_atomic_fetch_inc(x, pe);
}
"""


def in_line(compiler, directory, options):
    """The compiler takes what SHMEM_INLINE offers: the object wakes waiters itself."""
    path = write(directory, "in_line.c", IN_LINE)
    for standard in [*C_STANDARDS, *CXX_STANDARDS]:
        for level in ("-O0", "-O2"):
            compiler.compile(path, standard, *STRICT, "-Wshadow", "-Wundef", "-DSHMEM_INLINE", level)
            compiler.run("-x", "c++" if "++" in standard else "c", f"-std={standard}", level,
                         "-DSHMEM_INLINE", "-c", "-o", path + ".o", path)
            wanted = subprocess.run(["nm", "-u", path + ".o"], check=True, capture_output=True,
                                    text=True).stdout.split()
            check_equal(f"{standard} {level}: calls of shmemi_near_wake",
                        "shmemi_near_wake" in wanted, True)


def macros(compiler, path):
    return set(re.findall(r"(?m)^#define (\w+)", compiler.run("-std=c11", "-dM", "-E", path)))


def names(compiler, directory, options):
    symbols = {row[0] for row in rows("symbols.tsv")}
    generics = {row[0] for row in rows("generics.tsv") if row[0].startswith("shmem_")}
    with open(os.path.join(HERE, "constants.c")) as file:
        constants = set(re.findall(r"\b_?SHMEM_\w+", file.read()))
    sandia = {"SHMEM_DEF_H", "SHMEM_FUNCTION_ATTRIBUTES"}    # of shmem.h alone
    constants -= sandia
    types = {"shmem_ctx_t", "shmem_team_t", "shmem_team_config_t", "shmem_ctx_session_config_t"}
    system = write(directory, "system.c", "#include <stddef.h>\n#include <stdint.h>\n")
    for header, routines, generic in (("shmem.h", symbols, generics | sandia),
                                      ("pshmem.h", {"p" + name for name in symbols}, set())):
        path = write(directory, "names.c", f"#include <{header}>\n")
        visible = macros(compiler, path) - macros(compiler, system)
        own = re.compile(r"shmemi_\w+|SHMEMI_\w+|P?SHMEM(_TYPES)?_H")
        check_equal(f"macros of {header}", {m for m in visible if not own.fullmatch(m)},
                    constants | generic)

        text = re.sub(r"__attribute__\s*\(\(.*?\)\)", "",
                      compiler.run("-std=c11", "-P", "-E", path))
        ours = r"\b\w*(?:sh(?:mem|malloc|free|realloc)|start_pes|_my_pe|_num_pes)\w*"
        declared = set(re.findall(ours, text))
        check_equal(f"names of {header}", {n for n in declared if not n.startswith("shmemi_")},
                    routines | types)


def check_equal(what, found, expected):
    if found != expected:
        sys.exit(f"{what}: missing {sorted(expected - found)}, "
                 f"unexpected {sorted(found - expected)}")


def pointers(header, prefix, routines):
    """A program with a pointer of the exact type to every routine."""
    text = f"#include <{header}>\n#include <stdio.h>\n"
    count = 0
    for name, _, result, params in routines:
        text += f"{result} (*check_{name})({params}) = {prefix}{name};\n"
        count += 1
    return text + f'int main(void)\n{{\n    puts("{count} routines");\n    return 0;\n}}\n'


def check_pointers(compiler, directory, text, *more):
    path = write(directory, "prototypes.c", text)
    # C++ has no _Complex, so here the pedantry of the program itself has to go.
    for standard, flags in (("c99", STRICT), ("c11", STRICT), ("c++11", ["-Wall", "-Werror"])):
        print(compiler.execute(path, standard, *flags, *more, "-O0"), end="")


def prototypes(compiler, directory, options, header="shmem.h", prefix=""):
    check_pointers(compiler, directory, pointers(header, prefix, rows("symbols.tsv")))


def profiling(compiler, directory, options):
    prototypes(compiler, directory, options, "pshmem.h", "p")


def extensions_check(compiler, directory, options):
    routines = list(extensions())
    classic = [row for row in routines if not row[0].startswith("shmemx_")]
    for text, *more in ((pointers("shmemx.h", "", routines),),
                        (pointers("pshmemx.h", "p", routines),),
                        (pointers("mpp/shmem.h", "", classic),),
                        (pointers("shmem.h", "", classic), "-DSHMEM_CLASSIC")):
        check_pointers(compiler, directory, text, *more)


def split(params):
    """[(type, name)] of a list of parameters"""
    if params == "void":
        return []
    return [re.fullmatch(r"(.*?)(\w+)", param).groups() for param in params.split(", ")]


def generic_calls():
    """(result, variables, call, acceptable routines) of all ways to call a generic"""
    prototype = {row[0]: row[2:] for row in [*rows("symbols.tsv"), *extensions()]}
    same = {"int8_t": "signed char", "int16_t": "short", "int32_t": "int", "int64_t": "long",
            "uint8_t": "unsigned char", "uint16_t": "unsigned short", "uint32_t": "unsigned int",
            "uint64_t": "unsigned long", "size_t": "unsigned long", "ptrdiff_t": "long"}
    for generic, selector, types, patterns in rows("generics.tsv"):
        for pattern in patterns.split(" ; "):
            for ctype in types.split(", "):
                routine = pattern.replace("{TYPENAME}", TYPENAMES.get(ctype, ""))
                alike = [pattern.replace("{TYPENAME}", name) for other, name in TYPENAMES.items()
                         if same.get(other, other) == same.get(ctype, ctype)]
                alike = [name for name in alike if name in prototype] or [routine]
                if generic in prototype and same.get(ctype, ctype) == "long":
                    alike.append(generic)    # in C++ an overload: the function of C for long
                result, params = prototype[routine]
                variables = split(params)
                arguments = [name for _, name in variables]
                yield result, variables, f"{generic}({', '.join(arguments)})", alike
                for change in (not_const, literals, array, predefined):
                    changed = change(selector, variables, arguments)
                    if changed != (variables, arguments):
                        yield result, changed[0], f"{generic}({', '.join(changed[1])})", alike


def not_const(selector, variables, arguments):
    """The selecting argument points to elements that are not const."""
    return [(t.removeprefix("const ") if n == selector else t, n) for t, n in variables], arguments


def literals(selector, variables, arguments):
    """Values are literals of type int: only the pointer may select."""
    values = ("value", "cond", "cmp_value", "signal")
    return ([(t, n) for t, n in variables if n not in values],
            ["1" if n in values else n for n in arguments])


def array(selector, variables, arguments):
    """The selecting argument is an array, with side effects in its place."""
    return ([(t.rstrip(" *") + " ", n + "[4]") if n == selector else (t, n) for t, n in variables]
            + [("int ", "i")] * (selector in arguments),
            [f"&{n}[i++]" if n == selector else n for n in arguments])


def predefined(selector, variables, arguments):
    """Context and team are named by their macros."""
    handles = {"ctx": "SHMEM_CTX_DEFAULT", "team": "SHMEM_TEAM_WORLD"}
    return ([(t, n) for t, n in variables if n not in handles],
            [handles.get(n, n) for n in arguments])


def std_complex_calls():
    """The generics that take complex numbers, with those of C++."""
    for generic in ("sum_reduce", "prod_reduce", "sum_inscan", "sum_exscan"):
        for part, name in (("double", "complexd"), ("float", "complexf")):
            element = f"std::complex<{part}> *"
            variables = [("shmem_team_t ", "team"), (element, "dest"), (f"const {element}", "source"),
                         ("size_t ", "nelems")]
            yield ("int", variables, f"shmem_{generic}(team, dest, source, nelems)",
                   [f"shmem_{name}_{generic}"])


def generics(compiler, directory, options):
    for standard in ("c11", "c++11"):
        text = generics_program("++" in standard)
        path = write(directory, "generics.c", text)
        # C++ has no _Complex, so here the pedantry of the program itself has to go.
        strict = ["-Wall", "-Wextra", "-Werror"] if "++" in standard else STRICT
        print(compiler.execute(path, standard, *strict, "-O0", link=False), end="")
    # Old programs have volatile flags: as with a plain function, no more than a warning.
    compiler.compile(write(directory, "volatile.c", VOLATILE), "c11", "-w")
    unsupported(compiler, directory)


VOLATILE = """#include <shmem.h>
void f(volatile long *x, volatile int *y);
void f(volatile long *x, volatile int *y)
{
    shmem_wait(x, 0);
    shmem_wait_until(y, SHMEM_CMP_EQ, 1);
}
"""

UNSUPPORTED = """#include <shmem.h>
struct mine { typedef int value_type; } object;
template <typename T> int shmem_sum_reduce(T *) { return 0; }
int right = shmem_sum_reduce(&object);
bool word;
#ifdef WRONG
void f() { shmem_put(&word, &word, 1, 0); }
#endif
"""


def unsupported(compiler, directory):
    """In C++ types without a routine leave the names to the program, or give a plain error."""
    path = write(directory, "unsupported.cpp", UNSUPPORTED)
    compiler.compile(path, "c++11", *STRICT)
    result = subprocess.run([*compiler.cc, *compiler.flags, "-x", "c++", "-std=c++11", "-DWRONG",
                             "-fsyntax-only", path], capture_output=True, text=True)
    if result.returncode == 0 or result.stderr.count(" error: ") > 2 or not re.search(
            r"error: no matching function for call to .shmem_put", result.stderr):
        sys.exit(f"put of bool: {result.stderr}")


def generics_program(cxx):
    """Calls every generic for every type, and says where another routine was called."""
    calls = list(generic_calls()) + (list(std_complex_calls()) if cxx else [])
    text = """#ifdef __cplusplus
#include <complex>
#include <type_traits>
#define SAME(call, type) static_assert(std::is_same<decltype(call), type>::value, "is " #type)
#else
#define SAME(call, type)                                                                           \\
    _Static_assert(__builtin_types_compatible_p(__typeof__(call), type), "is " #type)
#endif
#include <shmemx.h>
#include <stdio.h>
#include <string.h>

static const char *called;

/* Every routine: says that it was called. */
#ifdef __cplusplus
extern "C" {
#endif
"""
    for name, _, result, params in [*rows("symbols.tsv"), *extensions()]:
        back = "" if result == "void" else " return 0;"
        if name in ("shmem_global_exit", "globalexit", "shmem_pcontrol", "shmemx_register_gettid"):
            continue
        used = "".join(f" (void){n};" for _, n in split(params))
        text += f'{result} ({name})({params}) {{{used} called = "{name}";{back} }}\n'
    text += "#ifdef __cplusplus\n}\n#endif\n"
    for number, (result, variables, call, _) in enumerate(calls):
        text += f"static void call_{number}(void)\n{{\n"
        text += "".join(f"    {ctype}{name} = {{0}};\n" for ctype, name in variables)
        text += f"    SAME({call}, {result});\n    {call};\n"
        text += "".join(f"    (void){name.split('[')[0]};\n" for _, name in variables) + "}\n"
    text += ("static const struct {\n    void (*call)(void);\n    const char *text, *routines;\n"
             "} calls[] = {\n")
    text += "".join(f'    {{call_{number}, "{call}", " {" ".join(alike)} "}},\n'
                    for number, (_, _, call, alike) in enumerate(calls))
    text += """};

int main(void)
{
    char name[80];
    int wrong = 0;
    size_t i;

    for (i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        called = "nothing";
        calls[i].call();
        snprintf(name, sizeof name, " %s ", called);
        if (!strstr(calls[i].routines, name)) {
            printf("%s called %s, not one of%s\\n", calls[i].text, called, calls[i].routines);
            wrong++;
        }
    }
    printf("%d of %zu generic calls wrong\\n", wrong, i);
    return wrong != 0;
}
"""
    return text


def constants(compiler, directory, options):
    source = os.path.join(HERE, "constants.c")
    for standard in ("c99", "c11", "c++11"):
        path = shutil.copy(source, directory)
        print(compiler.execute(path, standard, *STRICT, link=False), end="")


def handles(compiler, directory, options):
    source = shutil.copy(os.path.join(HERE, "handles.cpp"), directory)
    for standard in ("c++11", "c++20"):
        for level in ("-O0", "-O2"):
            strict = [*STRICT, "-Wold-style-cast", "-Wshadow", level]
            print(compiler.execute(source, standard, *strict, "-DDECLARE"), end="")
            compiler.run("-x", "c++", f"-std={standard}", *strict, "-c", "-o", source + ".o", source)
            listing = subprocess.run(["nm", source + ".o"], check=True, capture_output=True,
                                     text=True).stdout
            wrong = re.findall(r"U \w*SHMEMX?_\w+|\w*GLOBAL__sub_I\w*", listing)
            check_equal(f"{standard} {level}: symbols of handles", set(wrong), set())


def exports(compiler, directory, options):
    output = subprocess.run(["nm", "-D", "--defined-only", options.library], check=True,
                            capture_output=True, text=True).stdout
    kinds = {}
    for line in output.splitlines():
        _, kind, name = line.split()
        kinds.setdefault(kind, set()).add(name.partition("@")[0])
    symbols = {row[0] for row in [*rows("symbols.tsv"), *extensions()]}
    kinds.pop("A", None)    # the version's own name
    check_equal("kinds of exported symbols", set(kinds), {"T", "W", "R"})
    check_equal("objects", kinds["R"], {"SHMEM_TEAM_WORLD", "SHMEM_TEAM_SHARED", "SHMEMX_TEAM_NODE"})
    in_line = {f"shmemi_near_{verb}" for verb in ("open", "close", "wake")}
    check_equal("strong symbols", kinds["T"], {"p" + name for name in symbols} | in_line)
    check_equal("weak symbols", kinds["W"], symbols)


def shared_spec(compiler, directory, options):
    generator = os.path.join(options.shared_spec, "gen_check.py")
    if not os.path.exists(generator):
        print(f"{generator} does not exist")
        sys.exit(SKIPPED)
    subprocess.run([sys.executable, generator, "--out", directory], check=True,
                   stdout=subprocess.DEVNULL)
    strict = ["-DCHECK_MAIN", "-DCHECK_STATIC_HANDLES", "-DCHECK_CXX_OVERLOADS", "-Wall",
              "-Wno-unused", "-Werror", "-O0"]
    files = sorted(name for name in os.listdir(directory) if name.startswith("check_"))
    assert len(files) == 6, files
    for name in files:
        standard = "c++11" if name.endswith(".cpp") else "c11"
        print(compiler.execute(os.path.join(directory, name), standard, *strict), end="")


CHECKS = {check.__name__.replace("_check", "").replace("_", "-"): check for check in (
    headers, in_line, names, prototypes, profiling, generics, constants, handles, extensions_check,
    exports, shared_spec)}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("check", choices=CHECKS)
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--include", action="append", default=[])
    parser.add_argument("--library", default="")
    parser.add_argument("--shared-spec", default="")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        CHECKS[options.check](Compiler(options), directory, options)


if __name__ == "__main__":
    main()
