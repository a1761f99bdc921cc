# spack repo add packaging/spack, then in the repository: spack dev-build wale@main
from spack.package import *


class Wale(CMakePackage, CudaPackage):
    """Computation whose parts depend on each other, on CPU and GPU: sequences, images, linear equations, neurons, flows."""

    license("Apache-2.0")
    version("main")

    variant("mpi", default=False, description="Flows by several processes")
    variant("metis", default=True, description="Meshes cut by METIS, else by bisection")

    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("python@3.9:", type="build")
    depends_on("highway@1.0.3:")
    depends_on("zlib-api")
    depends_on("libpng@1.6:")
    depends_on("jpeg")
    depends_on("libtiff@4.5:")
    depends_on("tomlplusplus")
    depends_on("cli11")
    depends_on("nlohmann-json")
    depends_on("fmt")
    depends_on("metis", when="+metis")
    depends_on("mpi", when="+mpi")
    conflicts("%gcc@:11")
    conflicts("%clang@:13")

    generator("ninja")

    def cmake_args(self):
        args = [
            self.define("WALE_TESTS", False),
            self.define("WALE_CUDA", "ON" if self.spec.satisfies("+cuda") else "OFF"),
            self.define("CMAKE_DISABLE_FIND_PACKAGE_MPI", self.spec.satisfies("~mpi")),
        ]
        if self.spec.satisfies("+cuda"):
            args.append(self.define("WALE_CUDA_ARCHITECTURES", self.spec.variants["cuda_arch"].value))
        return args
