"""The command `wale` of the Python package: the program that lies in the package."""

import os
import sys


def main() -> None:
    """Becomes the program `wale` with the arguments of this process; without pathlib and typing, which take 10 ms."""
    program = os.path.join(os.path.dirname(__file__), "bin", "wale")
    try:
        os.execv(program, ["wale", *sys.argv[1:]])
    except OSError as e:
        sys.exit(f"wale: error: {program}: {e.strerror}, expected the command in the package")
