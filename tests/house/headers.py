#!/usr/bin/env python3
"""headers.py COMPILER - each public header compiles alone, twice in one file, with the warnings of the library."""

import concurrent.futures
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "include"
FLAGS = ["-std=c++20", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror", "-fsyntax-only", "-x", "c++", "-"]


def fault_of(header):
    line = f"#include <{header.relative_to(FOLDER)}>\n"
    done = subprocess.run([sys.argv[1], f"-I{FOLDER}", *FLAGS], input=line * 2, capture_output=True, text=True)
    return f"{header.name}:\n{done.stderr}" if done.returncode else ""


with concurrent.futures.ThreadPoolExecutor(2) as pool:
    faults = [fault for fault in pool.map(fault_of, sorted(FOLDER.rglob("*.hpp"))) if fault]
print("\n".join(faults) or "every header compiles alone")
sys.exit(bool(faults))
