"""The command `wale` of the Python package: the program that lies in the package."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import NoReturn


def main() -> NoReturn:
    """Becomes the program `wale` with the arguments of this process."""
    program = Path(__file__).parent / "bin" / "wale"
    try:
        os.execv(program, ["wale", *sys.argv[1:]])
    except OSError as e:
        sys.exit(f"wale: error: {program}: {e.strerror}, expected the command in the package")
