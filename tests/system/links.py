# SPDX-License-Identifier: BSD-3-Clause
"""Static data is symmetric in programs of every form that compilers and linkers make."""
import os
import platform
import re
import subprocess

from system import build, check, fine, main, need, run, skip


def try_form(*flags, source="statics.c", compiler=None):
    path = build(source, *flags, compiler=compiler)
    job = run("-n", 3, path)
    fine(job, "statics: fine\n")
    check(job.seconds < 5, job.seconds)
    fine(run("-n", 1, path), "statics: fine\n")
    alone = subprocess.run([path], capture_output=True, text=True, timeout=20, check=False)
    check((alone.returncode, alone.stdout) == (0, "statics: fine\n"), alone)


def linker(name):
    need("ld." + name)
    return "-fuse-ld=" + name


def on_x86():
    if platform.machine() != "x86_64":
        skip("these code models are x86-64's")


def test_pie():
    try_form("-O2", "-fPIE", "-pie")


def test_no_pie():
    try_form("-O2", "-fno-pie", "-no-pie")


def test_static():
    try_form("-O2", "-static")


def test_static_no_pie():
    try_form("-static", "-fno-pie", "-no-pie")


def test_static_pie():
    try_form("-static-pie", "-fPIE")


def test_static_library():
    try_form("--tern-static")


def test_static_library_no_pie():
    try_form("--tern-static", "-fno-pie", "-no-pie")


def test_static_and_an_older_libc():
    """Before glibc 2.34, a static program's variables stay its own."""
    path = build("older_libc.c", "-static")
    fine(run("-n", 2, path), "older_libc: fine\n" * 2)
    job = run("-n", 2, path, "put")
    check(job.status == 1, job.out)
    for line in job.err.splitlines():
        check(re.fullmatch("tern: PEs? [01](-1)? of 2: shmem_long_p: dest 0x[0-9a-f]+ is static data, which is not symmetric "
                           "here: a static program can share it with glibc 2.34 or later only", line), job.err)


def test_unoptimized():
    try_form("-O0", "-g")


def got_constant(*programs, **settings):
    """What programs print that get a constant from the next PE, which runs the next of them."""
    words = [word for program in programs for word in (":", "-n", 1, program)]
    return run(*words[1:], env=settings)


def constant_refused(message, *programs, **settings):
    job = got_constant(*programs, **settings)
    check(job.status == 1, job.out + job.err)
    for line in job.err.splitlines():
        check(re.fullmatch(f"tern: PE ([01]) of 2: shmem_int_g: source 0x[0-9a-f]+ is a constant, and {message}", line),
              job.err)


def test_constants():
    """Of programs that are the same, or may not be; a strip changes nothing."""
    one, other = build("constant.c", name="one"), build("constant.c", "-DVALUE=43", name="other")
    nameless = build("constant.c", "-Wl,--build-id=none", name="nameless")
    stripped = one + "-stripped"
    subprocess.run([need("strip"), "-o", stripped, one], check=True)
    for settings in ({}, {"SHMEM_STATIC_DATA": "off"}):
        job = got_constant(one, stripped, **settings)
        check((job.status, job.out, job.err) == (0, "42\n42\n", ""), job.err)
    constant_refused("PE [01] runs another program: constants can be got from PEs that run the same one", one, other)
    constant_refused("whether PE [01] runs the same program is not known: link it with -Wl,--build-id", nameless,
                     nameless)
    fine(run("-n", 1, nameless), "42\n")


def test_common():
    try_form("-fcommon")
    try_form("-fcommon", "-no-pie", "-fno-pie")


def test_bound_at_start():
    try_form("-Wl,-z,relro,-z,now")


def test_bound_lazily():
    try_form("-fplt", "-Wl,-z,lazy", "-fno-pie", "-no-pie")


def test_without_relro():
    try_form("-Wl,-z,norelro", "-DWITHOUT_RELRO")


def test_segments_share_pages():
    try_form("-Wl,-z,noseparate-code")


def test_sections():
    try_form("-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections", "-static", "-s")


def test_link_time_optimization():
    try_form("-O2", "-flto=1", "--tern-static")


def test_gold():
    try_form(linker("gold"))
    try_form(linker("gold"), "-static")


def test_lld():
    try_form(linker("lld"))
    try_form(linker("lld"), "-no-pie", "-fno-pie")
    try_form(linker("lld"), "-static")


def test_clang():
    try_form("-O2", compiler="clang")
    try_form("-O0", "-static", compiler="clang")
    try_form("-O2", linker("lld"), compiler="clang")


def test_medium_code_model():
    """Large objects have segments of their own."""
    on_x86()
    for more in ([], ["-fno-pie", "-no-pie"], [linker("gold")], [linker("lld")]):
        try_form("-mcmodel=medium", *more)


def test_large_code_model():
    on_x86()
    try_form("-mcmodel=large", "-fno-pie", "-no-pie")


def test_address_sanitizer():
    try_form("-g", "-fsanitize=address,undefined")


def test_thread_sanitizer():
    try_form("-g", "-fsanitize=thread")


def test_cpp():
    need("c++")
    for flags in (["-O2"], ["-fno-pie", "-no-pie"], ["-static"], ["--tern-static", "-O0"]):
        try_form(*flags, source="statics.cc")


def test_cpp_clang():
    try_form("-O2", source="statics.cc", compiler="clang++")
    try_form(linker("lld"), "-static", source="statics.cc", compiler="clang++")


def try_both_compilers(*flags, more=()):
    """C and C++ programs with gcc and g++, and with clang and clang++ on libstdc++; their accesses
    are compiled in line, or call the library."""
    for compiler, plus, here in (("gcc", "g++", ()), ("clang", "clang++", more)):
        try_form(*flags, *here, compiler=compiler)
        try_form(*flags, *here, source="statics.cc", compiler=plus)
        for inline in ([], ["-DSHMEM_INLINE"]):
            path = build("work.c", *flags, *here, *inline, compiler=compiler)
            fine(run("-n", 3, path), "work: fine\n")


def test_optimized_for_this_machine():
    try_both_compilers("-O3", "-march=native")
    try_both_compilers("-O3", "-march=native", "-static")


def test_link_time_optimization_by_both_compilers():
    lld = [linker("lld")]
    try_both_compilers("-O2", "-flto", more=lld)
    try_both_compilers("-O2", "-flto", "--tern-static", more=lld)
    try_both_compilers("-O2", "-flto", "-static", more=lld)


def hardening():
    """What Debian's packages are built with."""
    env = {**os.environ, "DEB_BUILD_MAINT_OPTIONS": "hardening=+all"}
    words = []
    for name in ("CPPFLAGS", "CFLAGS", "LDFLAGS"):
        words += subprocess.run([need("dpkg-buildflags"), "--get", name], env=env, check=True,
                                capture_output=True, text=True).stdout.split()
    return words


def test_hardened():
    flags = hardening()
    check(any(flag.startswith("-D_FORTIFY_SOURCE=") for flag in flags) and "-Wl,-z,now" in flags, flags)
    try_both_compilers(*flags)
    try_both_compilers(*flags, "-O3", "-D_GLIBCXX_ASSERTIONS")


main(globals())
