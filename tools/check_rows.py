#!/usr/bin/env python3
"""Checks that a variant is where its name says. The row "cpu/band" of an operation in src/solvers/s/o is defined in
cpu/band.cpp, or in cpu/band/band.cpp where the variant needs a folder (cpu/band/<table>.cpp where several tables share
the folder o); the row's object is named <table>_cpu_band; the solver's rows.txt lists the row; the solver's README.md
names the variant. A source that defines no row does not lie beside the variants.
With arguments, only the solvers that they name. Prints each offence; exit 1 if there is any."""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent / "src" / "solvers"
# extern constinit const catalogue::row<lcs_length_job> lcs_length_cpu_band{"cpu/band", ...
DEFINITION = re.compile(r'^(?:extern constinit )?const [\w:]*row(?:<[^;{]*>)? (\w+)\s*(?:=\s*)?\{\s*"(\w+)/(\w+)"', re.M)
DECLARATION = re.compile(r"^extern const [\w:]*row(?:<[^;{]*?>)? ([^;{]+);", re.M)
UNNAMED = re.compile(r'\{\s*"((?:cpu|cuda|reference)/\w+)",\s*"')
COMMENT = re.compile(r"#[^\n]*")
TABLE = re.compile(r"^(?:internal )?(\w+)(?: \w+)?(?: (\w+))?:([^:]*?)(?=^\S|\Z)", re.M)  # cmake/rows.cmake has the form
ENDS = {"cpu": "cpp", "cuda": "cu"}


def places(backend, variant, table):
    if backend not in ENDS:
        return ["reference.cpp"]
    end = ENDS[backend]
    own = f"{backend}/{variant}.{end}"
    return [f"{backend}/{variant}/{file}.{end}" for file in (variant, table)] + [own]


def offences(files, readme=None):
    """`files`: path below src/solvers -> text; `readme`: solver -> text of its README.md. Yields path and offence."""
    defined, listed = {}, {}  # (solver, object) -> path; list -> objects
    alone = []  # sources beside the variants that define no row
    for path, text in files.items():
        solver, _, inside = path.partition("/")
        if inside == "rows.txt":
            tables = TABLE.findall(COMMENT.sub("", text))
            listed[path] = {f"{name or key}_{row.replace('/', '_')}" for key, name, rows in tables for row in rows.split()}
            continue
        operation, _, rest = inside.partition("/")
        own = set()
        for name, backend, variant in DEFINITION.findall(text):
            own.add(name)
            defined[solver, name] = path
            expected = places(backend, variant, name.removesuffix(f"_{backend}_{variant}"))
            if rest not in expected:
                yield path, f"defines {backend}/{variant}, expected in {' or '.join(expected)}"
            if not name.endswith(f"_{backend}_{variant}"):
                yield path, f"{backend}/{variant} is the object {name}, expected ..._{backend}_{variant}"
            if readme is not None and backend in ENDS and not re.search(rf"\b{variant}\b", readme.get(solver, "")):
                yield path, f"{backend}/{variant} is not in src/solvers/{solver}/README.md"
        for row in UNNAMED.findall(DEFINITION.sub("", text)) if operation != "study" else ():  # claims name rows
            yield path, f"the row {row} is no object of its own"
        for names in DECLARATION.findall(text):
            for name in set(re.split(r",\s*", names)) - own:
                yield path, f"declares the row {name}, which rows.txt lists for all"
        if not own and re.fullmatch(r"(cpu|cuda)/[^/]+\.(cpp|cu)", rest):
            alone.append((f"{solver}/{operation}/", path))
    operations = {re.match("[^/]+/[^/]+/", path).group() for path in defined.values()}
    for operation, path in alone:
        if operation in operations:
            yield path, "defines no row, expected in the folder of a variant or in shared/"
    for (solver, name), path in sorted(defined.items()):
        if name not in listed.get(f"{solver}/rows.txt", ()):
            yield path, f"the row {name} is not in {solver}/rows.txt"
    for path, names in sorted(listed.items()):
        solver = path.partition("/")[0]
        for name in sorted(names):
            if (solver, name) not in defined:
                yield path, f"lists the row {name}, which no file of {solver} defines"


def main():
    wanted = [w.rstrip("/") + "/" for w in sys.argv[1:]]
    paths = {p.relative_to(ROOT).as_posix(): p for p in [*ROOT.rglob("*.c[pu]*"), *ROOT.glob("*/rows.txt")]}
    files = {path: p.read_text() for path, p in paths.items()
             if not wanted or any(path.startswith(w) for w in wanted)}
    bad = sorted(offences(files, {p.parent.name: p.read_text() for p in ROOT.glob("*/README.md")}))
    for path, why in bad:
        print(f"src/solvers/{path}: {why}")
    print(f"places of rows: {len(bad)} offences")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
