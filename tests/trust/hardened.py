"""How the command and the libraries are linked and compiled, as the program readelf shows it."""

import pathlib
import subprocess

from plan import must


def readelf(option, file):
    return subprocess.run(["readelf", "-W", option, file], check=True, capture_output=True, text=True).stdout


def lacks(file):
    """What a file lacks: relocations read-only after the start, all bound at the start, no stack that runs as code."""
    headers, dynamic, symbols = (readelf(option, file) for option in ("-lh", "-d", "--dyn-syms"))
    return [
        name
        for name, there in {
            "RELRO": "GNU_RELRO" in headers,
            "BIND_NOW": "BIND_NOW" in dynamic or "Flags: NOW" in dynamic,
            "a stack without code": any("GNU_STACK" in n and "RWE" not in n for n in headers.splitlines()),
            "position independence": "DYN (" in headers,
            "no TEXTREL": "TEXTREL" not in dynamic,
            "the stack protector": "__stack_chk_fail" in symbols,
            "FORTIFY": "_chk@" in symbols.replace("__stack_chk_fail", ""),
        }.items()
        if not there
    ]


def hardened(plan):
    """The command and libwale.so."""
    library = pathlib.Path(plan.libraries or ".") / "libwale.so"
    must(library.exists(), f"no {library}: name its folder by --libraries")
    faults = [f"{file}: lacks {', '.join(missing)}" for file in (plan.command(), library) if (missing := lacks(file))]
    must(not faults, "; ".join(faults))
    return "the command and libwale.so"


ROWS = (hardened,)
