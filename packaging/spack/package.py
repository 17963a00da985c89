# Copyright The hexcc authors
# SPDX-License-Identifier: Apache-2.0
#
# A recipe for Spack: in a repository of your own (spack repo create), as packages/hexcc/package.py. packaging/spack/try installs it.

from spack.package import *

try:
    from spack_repo.builtin.build_systems.makefile import MakefilePackage
except ImportError:
    pass  # Spack before 1.0 has it in spack.package


class Hexcc(MakefilePackage):
    """A stencil compiler: C to CUDA, OpenCL, PTX and OpenMP, tiled in time by hybrid hexagonal/classical tiling, proved and verified."""

    homepage = "https://github.com/hexcc/hexcc"
    git = "https://github.com/hexcc/hexcc.git"

    license("Apache-2.0")

    version("main", branch="main")

    depends_on("go@1.26:", type="build")
    depends_on("gmake", type="build")

    def build(self, spec, prefix):
        make("build")

    def install(self, spec, prefix):
        make("install", f"PREFIX={prefix}")

    @run_after("install")
    def check_install(self):
        Executable(self.prefix.bin.hexcc)("version")

    def test_demo(self):
        """translate, verify and draw the example that is built in"""
        hexcc = Executable(self.prefix.bin.hexcc)
        out = hexcc("demo", "-o", "demo", output=str.split, error=str.split)
        assert "verified" in out, out
