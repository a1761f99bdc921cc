"""What the loader protects in the binaries of the package (cmake/hardening.cmake)."""

import pathlib
import subprocess

import wale
from plan import must


def readelf(option, file):
    return subprocess.run(["readelf", option, "--wide", str(file)], capture_output=True, text=True, check=True).stdout


def hardened(plan):
    """Read-only relocations, bound at start; no executable stack; stack frames checked in what reads files."""
    package = pathlib.Path(wale.__file__).parent
    binaries = [*package.glob("*.so*"), pathlib.Path(plan.command())]
    for file in binaries:
        headers = readelf("--program-headers", file)
        must("GNU_RELRO" in headers, file.name, "has no read-only relocations")
        stack = next((line for line in headers.splitlines() if "GNU_STACK" in line), "")
        must(stack and "RWE" not in stack, file.name, "has an executable stack")
        must("NOW" in readelf("--dynamic", file), file.name, "binds functions lazily")
        if "libwale_cuda" not in file.name:
            must("__stack_chk_fail" in readelf("--dyn-syms", file), file.name, "does not check its stack frames")
    return f"{len(binaries)} binaries"


ROWS = (hardened,)
