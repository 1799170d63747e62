# SPDX-License-Identifier: BSD-3-Clause
"""Tern for Spack: put this folder into a repository as packages/tern, or see docs/packages.md."""

from spack.package import *


class Tern(MesonPackage):
    """An OpenSHMEM 1.6 library for one machine, and for several over libfabric."""

    homepage = "https://github.com/tern-shmem/tern"
    git = "https://github.com/tern-shmem/tern.git"
    maintainers("tern-shmem")
    license("BSD-3-Clause")

    version("main", branch="main")

    variant("libfabric", default=True, description="Jobs on several nodes, over libfabric")
    variant("fortran", default=True, description="The module of the Fortran interface")
    variant("docs", default=False, description="Manual pages of the routines, and HTML")

    depends_on("c", type="build")
    depends_on("fortran", type="build", when="+fortran")
    depends_on("meson@1.0:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("python@3.9:", type="build")
    depends_on("py-sphinx@5:", type="build", when="+docs")
    depends_on("py-myst-parser@0.18:", type="build", when="+docs")
    depends_on("libfabric@1.11:", when="+libfabric")
    depends_on("binutils", type="run")

    requires("platform=linux", msg="Tern runs on Linux only")
    requires("target=x86_64:", "target=aarch64:", policy="one_of", msg="Tern runs on x86-64 and arm64")

    def meson_args(self):
        def feature(name):
            return "enabled" if self.spec.satisfies("+" + name) else "disabled"

        return ["-Dtests=false"] + [
            f"-D{name}={feature(name)}" for name in ("libfabric", "fortran", "docs")
        ]

    def test_ring(self):
        """Compile an example and run it."""
        oshcc = Executable(self.prefix.bin.oshcc)
        oshrun = Executable(self.prefix.bin.oshrun)
        oshcc("-O2", "-o", "ring", self.prefix.share.doc.tern.examples.join("ring.c"))
        out = oshrun("-n", "3", "./ring", output=str.split)
        check_outputs("Around 3 PEs: the sum of their numbers is 3", out)
