#!/usr/bin/env python3
"""Fills the tables of figures in docs/performance/*.md and README.md from the measurements under bench/results.

A table stands between `<!-- table: NAME` (with its declaration, up to `-->`) and `<!-- end -->`. A declaration is one of

    csv: h200/lu.csv                            a grid: one row for each value of the fields named by `rows`
    where: operation=pivoted_f32; size=256,512  conditions, joined by `;`; the order of values is the order of rows
    rows: size
    first                                       where lines that fit a cell differ, the first one counts
    name: pivoted_f32 = float32                 a word of the file and what the table writes for it
    | heading | template | conditions           one line for each column; the conditions may be left out

    | heading | heading |                       a list: the headings, then for each row
    h200/lu.csv: operation=pivoted_f32; size=256    the lines that the row quotes; a quote takes the first line that fits
    | text | {median_s*1e3:3} ms |                  and the row itself; {2.field} is of the second line quoted

or none: then the declaration of the same name in docs/performance is used. Templates hold {field}, {field*factor:digits} and
{field/field:digits}: `digits` are significant digits. A cell without a measurement is `-`.

With --check nothing is written: tables that differ are printed, and the exit status is 1 if there is any.
"""
import csv
import functools
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "bench" / "results"
TABLE = re.compile(r"<!-- table: (?P<name>\S+)(?P<declaration>.*?)-->\n(?P<text>.*?)<!-- end -->", re.DOTALL)
FIELD = re.compile(r"\{(?:(\d)\.)?(\w+)(?:([*/])([\w.-]+))?(?::(\d+))?\}")


class Wrong(Exception):
    """A declaration that cannot be followed."""


@functools.lru_cache(maxsize=None)
def measurements(name):
    path = RESULTS / name
    if not path.is_file():
        raise Wrong(f"bench/results/{name} does not exist")
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def conditions(text):
    """'a=1,2; b=x' as {'a': ['1', '2'], 'b': ['x']}."""
    found = {}
    for part in filter(None, (part.strip() for part in text.split(";"))):
        field, equals, values = part.partition("=")
        if not equals:
            raise Wrong(f"condition {part!r} has no '='")
        found[field.strip()] = [value.strip() for value in values.split(",")]
    return found


def fitting(name, wanted):
    lines = measurements(name)
    for field in wanted:
        if lines and field not in lines[0]:
            raise Wrong(f"bench/results/{name} has no column {field!r}")
    return [line for line in lines if all(line[field] in values for field, values in wanted.items())]


def digits(value, count):
    """value with `count` significant digits, never as a power of ten."""
    rounded = float(f"{value:.{count - 1}e}")
    whole = len(str(int(abs(rounded)))) if abs(rounded) >= 1 else 0
    if whole:
        return f"{rounded:,.{max(0, count - whole)}f}"
    exponent = int(f"{rounded:e}".split("e")[1])
    return f"{rounded:.{count - 1 - exponent}f}"


def filled(template, lines, names):
    """The template with its fields replaced by those of the quoted lines."""

    def replacement(match):
        which, field, operator, operand, count = match.groups()
        line = lines[int(which or 1) - 1]
        if field not in line:
            raise Wrong(f"no column {field!r} for {match.group(0)}")
        text = line[field]
        if operator is None and count is None:
            return names.get(text, text)
        value = float(text)
        if operator == "*":
            value *= float(operand)
        elif operator == "/":
            value /= float(line[operand])
        return digits(value, int(count or 3))

    made = FIELD.sub(replacement, template)
    if "{" in made:
        raise Wrong(f"{template!r} has a field that is none")
    return made


def markdown(headings, rows):
    lines = [headings, ["---"] * len(headings), *rows]
    return "".join("| " + " | ".join(cells) + " |\n" for cells in lines)


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def grid(lines):
    """The table of a declaration with one row for each value of the fields named by `rows`."""
    said = dict(line.split(":", 1) for line in lines if re.match(r"(csv|where|rows):", line))
    names = dict((part.strip() for part in line[5:].split("=", 1)) for line in lines if line.startswith("name:"))
    name, where = said["csv"].strip(), conditions(said.get("where", ""))
    keys = said["rows"].replace(",", " ").split()
    columns = [([*cells(line), ""])[:3] for line in lines if line.startswith("|")]
    groups = {}
    for line in fitting(name, where):
        groups.setdefault(tuple(line[key] for key in keys), []).append(line)

    def place(key):
        return [where[field].index(value) if field in where else 0 for field, value in zip(keys, key)]

    rows = []
    for key in sorted(groups, key=place):
        row = []
        for heading, template, condition in columns:
            wanted = conditions(condition)
            found = [line for line in groups[key] if all(line[field] in wanted[field] for field in wanted)]
            texts = [filled(template, [line], names) for line in found] or ["-"]
            if len(set(texts)) > 1 and "first" not in lines:
                raise Wrong(f"{len(found)} lines fit {heading!r} at {', '.join(key)}")
            row.append(texts[0])
        rows.append(row)
    return markdown([heading for heading, _, _ in columns], rows)


def listing(lines):
    """The table of a declaration that names the quoted lines row by row."""
    rows, quoted = [], []
    for line in lines[1:]:
        if line.startswith("|"):
            rows.append([filled(cell, quoted, {}) for cell in cells(line)])
            quoted = []
            continue
        name, _, where = line.partition(":")
        found = fitting(name.strip(), conditions(where))
        if not found:
            raise Wrong(f"no line fits {line!r}")
        quoted.append(found[0])
    return markdown(cells(lines[0]), rows)


def table(declaration):
    lines = [line.strip() for line in declaration.strip().splitlines()]
    made = grid(lines) if any(line.startswith("csv:") for line in lines) else listing(lines)
    if made.count("\n") < 3:
        raise Wrong("no measurement fits")
    return made


def main(arguments):
    pages = [*sorted((ROOT / "docs" / "performance").glob("*.md")), ROOT / "README.md"]
    texts = {page: page.read_text() for page in pages}
    declared = {found["name"]: found["declaration"] for page in pages
                for found in TABLE.finditer(texts[page]) if found["declaration"].strip()}
    problems = 0
    for page in pages:
        def fill(found, page=page):
            nonlocal problems
            try:
                made = table(declared.get(found["name"], ""))
            except (Wrong, ValueError, KeyError, IndexError, ZeroDivisionError) as error:
                problems += 1
                print(f"{page.relative_to(ROOT)}: table {found['name']}: {error}")
                return found[0]
            if "--check" in arguments and made != found["text"]:
                problems += 1
                print(f"{page.relative_to(ROOT)}: table {found['name']} differs: run tools/performance_tables.py")
            return f"<!-- table: {found['name']}{found['declaration']}-->\n{made}<!-- end -->"

        text = TABLE.sub(fill, texts[page])
        if "--check" not in arguments and text != texts[page]:
            page.write_text(text)
    print(f"tables of figures: {len(declared)} declarations, {problems} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
