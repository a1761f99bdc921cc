#!/usr/bin/env python3
"""Checks that includes point down only (the table of HACKING.md). Prints each offence; exit 1 if there is any."""
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# Room -> rooms under src/ that it may include. include/wale is open to all.
ALLOWED = {
    "include": set(),
    "base": set(),
    "tuning": {"base"},
    "variants": {"base"},
    "schedule": {"base"},
    "cpu": {"schedule", "tuning", "base"},
    "cuda": {"schedule", "tuning", "variants", "base"},
    "io": {"cpu", "base"},
    "mesh": {"cpu", "base"},
    "mpi": {"base"},
    "study": {"cpu", "base"},
    "core": {"cpu", "cuda", "variants", "base"},
    "solvers": {"cpu", "cuda", "io", "mesh", "mpi", "schedule", "study", "tuning", "variants", "base"},
    "cli": set(),
    "python": set(),
    "examples": set(),
}
# The plugin's entry point names every solver; nothing else in src/cuda may.
EXCEPTIONS = {("src/cuda/entry.cu", "solvers")}
INCLUDE = re.compile(r'^\s*#\s*include\s+[<"]([^>"]+)[>"]')


def room(path):
    """The room that a file of the repository, or an include path below src/, lies in."""
    parts = path.split("/")
    return parts[1] if parts[0] == "src" else parts[0]


def offences(path, text):
    own = room(path)
    if own not in ALLOWED:
        return
    for number, line in enumerate(text.splitlines(), 1):
        found = INCLUDE.match(line)
        if not found:
            continue
        target = found.group(1)
        head = target.split("/")[0]
        cuda_header = target.endswith((".cuh", "cuda_runtime.h"))
        if cuda_header and not path.endswith((".cu", ".cuh")):
            yield number, f"{target}: only .cu and .cuh files may include CUDA headers"
        if head in ("wale",) or head not in ALLOWED or "/" not in target:
            continue
        if own == "solvers" and head == "solvers":
            mine, theirs = path.split("/")[2], target.split("/")[1]
            if mine != theirs:
                yield number, f"{target}: a solver never includes another"
        elif head != own and head not in ALLOWED[own] and (path, head) not in EXCEPTIONS:
            yield number, f"{target}: {own} may not include {head}"


def main():
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True)
    files = listed.stdout.split() if listed.returncode == 0 else [
        str(p.relative_to(ROOT)) for d in ("include", "src", "cli", "python", "examples")
        for p in (ROOT / d).rglob("*")]
    bad = 0
    for name in sorted(files):
        path = ROOT / name
        if path.suffix in (".hpp", ".cpp", ".cuh", ".cu") and path.is_file():
            for number, why in offences(name, path.read_text()):
                print(f"{name}:{number}: {why}")
                bad += 1
    print(f"include directions: {bad} offences")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
