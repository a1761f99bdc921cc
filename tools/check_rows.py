#!/usr/bin/env python3
"""Checks that a variant is where its name says: row "cpu/band" of operation o of solver s is defined at the end of
src/solvers/s/o/cpu/band.cpp, or of cpu/band/band.cpp where the variant needs a folder, and no other file names it.
With arguments, only the folders src/solvers/s/o that they name. Prints each offence; exit 1 if there is any."""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent / "src" / "solvers"
# constinit const catalogue::row<lcs_length_job> lcs_length_cpu_band{"cpu/band", ...
DEFINITION = re.compile(r'^(?:constinit )?const [\w:]*row(?:<\w+>)? (\w+)\s*(?:=\s*)?\{\s*"(cpu|cuda|reference)/(\w+)"', re.M)
LISTED = re.compile(r"^extern const [\w:]*row(?:<\w+>)? ([^;]+);", re.M)


def places(backend, variant):
    if backend == "reference":
        return {"reference.cpp"}
    end = {"cpu": "cpp", "cuda": "cu"}[backend]
    return {f"{backend}/{variant}.{end}", f"{backend}/{variant}/{variant}.{end}"}


def offences(files):
    """`files`: path below src/solvers -> text. Yields path and what is wrong."""
    defined, listed = {}, {}
    for path, text in files.items():
        solver, _, inside = path.partition("/")
        operation, _, rest = inside.partition("/")
        for name, backend, variant in DEFINITION.findall(text):
            defined[name] = path
            if rest not in places(backend, variant):
                yield path, f"defines {backend}/{variant}, expected in {' or '.join(sorted(places(backend, variant)))}"
        own = {name for name, *_ in DEFINITION.findall(text)}
        for names in LISTED.findall(text):
            for name in re.split(r",\s*", names):
                if name in own:  # the declaration that gives the definition external linkage
                    continue
                listed[name] = path
                if Path(path).stem != "rows":
                    yield path, f"declares the row {name}, expected in rows.cpp or cuda/rows.cu"
    for name in sorted(defined.keys() - listed.keys()):
        yield defined[name], f"the row {name} is in no list"


def main():
    wanted = sys.argv[1:]
    files = {str(p.relative_to(ROOT)): p.read_text() for p in ROOT.rglob("*.c[pu]*")
             if not wanted or any(str(p.relative_to(ROOT)).startswith(w) for w in wanted)}
    bad = sorted(offences(files))
    for path, why in bad:
        print(f"src/solvers/{path}: {why}")
    print(f"places of rows: {len(bad)} offences")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
