"""What the loader protects in the binaries of the package (cmake/hardening.cmake)."""

import importlib.metadata
import json
import pathlib
import re
import subprocess

import wale
from plan import must


def readelf(option, file):
    return subprocess.run(["readelf", option, "--wide", str(file)], capture_output=True, text=True, check=True).stdout


def bills():
    """The bills of materials of the installed package."""
    found = [file for file in importlib.metadata.files("wale") or () if "sboms" in file.parts]
    must(found, "the package has no bill of materials")
    return [json.loads(file.read_text()) for file in found]


def hardened(plan):
    """Read-only relocations, bound at start; no executable stack; stack frames and copies checked in what reads files; a
    bill of materials."""
    package = pathlib.Path(wale.__file__).parent
    binaries = [*package.glob("*.so*"), pathlib.Path(plan.command())]
    for file in binaries:
        headers = readelf("--program-headers", file)
        must("GNU_RELRO" in headers, file.name, "has no read-only relocations")
        stack = next((line for line in headers.splitlines() if "GNU_STACK" in line), "")
        must(stack and "RWE" not in stack, file.name, "has an executable stack")
        must("NOW" in readelf("--dynamic", file), file.name, "binds functions lazily")
        if not file.name.startswith(("libwale_cuda", "libwale_mpi")):  # the latter has no arrays on its stack
            functions = readelf("--dyn-syms", file)
            must("__stack_chk_fail" in functions, file.name, "does not check its stack frames")
            checked = set(re.findall(r"__(?:memcpy|memmove|snprintf|vsnprintf|read)_chk", functions))
            must(checked or file.name.startswith("_wale"), file.name, "bounds no copies: _FORTIFY_SOURCE")
    listed = [component["name"] for bill in bills() for component in bill["components"]]
    must({"highway", "libpng", "libtiff", "zlib"} <= set(listed), f"the bill of materials has {sorted(listed)}")
    return f"{len(binaries)} binaries; {len(listed)} libraries in the bill of materials"


ROWS = (hardened,)
