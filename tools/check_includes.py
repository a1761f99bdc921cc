#!/usr/bin/env python3
"""Checks that includes point down only: between the folders of src by the table below (it is HACKING.md's), between
the operations of a solver by computing their graph, which may have no cycle. Prints each offence; exit 1 if there is any."""
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# Folder of src -> folders of src that it may include. include/wale is open to all.
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
INCLUDE = re.compile(r'^\s*#\s*include\s+[<"]([^>"]+)[>"]')


def folder(path):
    """The folder of src (or of the root) in which a file of the repository, or an include path below src/, is."""
    parts = path.split("/")
    return parts[1] if parts[0] == "src" else parts[0]


def offences(path, text):
    own = folder(path)
    if own not in ALLOWED:
        return
    for number, line in enumerate(text.splitlines(), 1):
        found = INCLUDE.match(line)
        if not found:
            continue
        target = found.group(1)
        head = target.split("/")[0]
        cuda_header = target.endswith((".cuh", "cuda_runtime.h"))
        if cuda_header and not path.endswith((".cu", ".cuh", ".cu.in")):
            yield number, f"{target}: only .cu and .cuh files may include CUDA headers"
        if head in ("wale",) or head not in ALLOWED or "/" not in target:
            continue
        if own == "solvers" and head == "solvers":
            mine, theirs = path.split("/")[2], target.split("/")[1]
            if mine != theirs:
                yield number, f"{target}: a solver never includes another"
        elif head != own and head not in ALLOWED[own]:
            yield number, f"{target}: {own} may not include {head}"


def operation(path):
    """Solver and operation of src/solvers/<solver>/<operation>/...; what lies at the solver's level is `shared` where
    it is a header and `front` (api.cpp and the like, which nothing includes) where it is a source."""
    parts = path.split("/")
    if len(parts) > 4:
        return parts[2], parts[3]
    return parts[2], "shared" if path.endswith((".hpp", ".cuh")) else "front"


def reach(graph, start):
    found, left = set(), [start]
    while left:
        for target in graph.get(left.pop(), ()):
            if target not in found:
                found.add(target)
                left.append(target)
    return found


def cycles(files):
    """`files`: path -> text. Yields path, line and offence for each include that is part of a cycle between
    operations of one solver."""
    edges = {}  # (solver, from, to) -> places
    for path, text in files.items():
        if not path.startswith("src/solvers/"):
            continue
        solver, own = operation(path)
        for number, line in enumerate(text.splitlines(), 1):
            found = INCLUDE.match(line)
            if found and found.group(1).startswith(f"solvers/{solver}/"):
                other = operation("src/" + found.group(1))[1]
                if other != own:
                    edges.setdefault((solver, own, other), []).append((path, number, found.group(1)))
    graph = {}
    for solver, own, other in edges:
        graph.setdefault((solver, own), set()).add((solver, other))
    for (solver, own, other), places in sorted(edges.items()):
        if (solver, own) not in reach(graph, (solver, other)):
            continue
        for path, number, target in places:
            yield path, number, f"{target}: {other} includes {own} too, directly or through others"


def main():
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True)
    files = listed.stdout.split() if listed.returncode == 0 else [
        str(p.relative_to(ROOT)) for d in ("include", "src", "cli", "python", "examples")
        for p in (ROOT / d).rglob("*")]
    texts = {name: (ROOT / name).read_text() for name in sorted(files)
             if name.endswith((".hpp", ".cpp", ".cuh", ".cu", ".cu.in")) and (ROOT / name).is_file()}
    bad = [(name, number, why) for name, text in texts.items() for number, why in offences(name, text)]
    bad += cycles(texts)
    for name, number, why in bad:
        print(f"{name}:{number}: {why}")
    print(f"include directions: {len(bad)} offences")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
