#!/usr/bin/env python3
"""Fills the tables of figures in docs/performance/*.md and README.md from the measurements under bench/results.

A table stands between `<!-- table: NAME -->` and `<!-- end -->`; docs/performance/tables.txt or figures.txt declares it under [NAME]. A
declaration is a grid or a list. A grid has one row for each value of the fields named by `rows`:

    csv: h200/lu.csv
    where: operation=pivoted_f32; size=256,512  conditions, joined by `;`; the order of values is the order of rows
    rows: size
    first                                       where lines that fit a cell differ, the first one counts
    name: pivoted_f32 = float32; ...            words of the file and what the table writes for them
    show: size as n; `variant`; ...             columns of a field as it is
    | heading | template | conditions           one line for each column; the conditions may be left out

A list has the headings, then for each row the lines that the row quotes (the first line that fits counts) and the row:

    | work | time |
    h200/lu.csv: operation=pivoted_f32; size=256
    | text | {median_s*1e3:3} ms |              {2.field} is of the second line quoted

Templates hold {field}, {field*factor:digits} and {field/field:digits}: `digits` are significant digits. A cell without a
measurement is `-`, a row of a list without one says "not measured". With --check nothing is written: tables that differ are printed, and the exit status is 1 if there is any.
"""
import csv
import functools
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "bench" / "results"
PAGES = ROOT / "docs" / "performance"  # and its declarations, in *.txt
TABLE = re.compile(r"(<!-- table: (\S+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)
FIELD = re.compile(r"\{(?:(\d)\.)?(\w+)(?:([*/])([\w.-]+))?(?::(\d+))?\}")

NOT_MEASURED = "not measured"  # since the last change: the next run of bench/evidence.sh does


class Wrong(Exception):
    """A declaration that cannot be followed."""


@functools.lru_cache(maxsize=None)
def measurements(name):
    with (RESULTS / name).open(newline="") as file:
        return list(csv.DictReader(file))


def conditions(text):
    """'a=1,2; b=x' as {'a': ['1', '2'], 'b': ['x']}."""
    parts = (part.partition("=") for part in text.split(";") if part.strip())
    return {field.strip(): [value.strip() for value in values.split(",")] for field, _, values in parts}


def fitting(lines, wanted):
    return [line for line in lines if all(line[field] in values for field, values in wanted.items())]


def digits(value, count):
    """value with `count` significant digits, never as a power of ten."""
    rounded = float(f"{value:.{count - 1}e}")
    exponent = int(f"{rounded:e}".split("e")[1])
    return f"{rounded:,.{max(0, count - 1 - exponent)}f}"


def filled(template, lines, names):
    """The template with its fields replaced by those of the quoted lines."""

    def replacement(match):
        which, field, operator, operand, count = match.groups()
        line = lines[int(which or 1) - 1]
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
    return "".join("| " + " | ".join(row) + " |\n" for row in [headings, ["---"] * len(headings), *rows])


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def shown(line):
    """The columns of a line "show: size as n; `variant`"."""
    for word in line[5:].split(";"):
        field, _, heading = word.strip().partition(" as ")
        bare = field.strip("`")
        yield heading or bare, field.replace(bare, f"{{{bare}}}"), ""


def grid(lines):
    """The table of a declaration with one row for each value of the fields named by `rows`."""
    said = dict(line.split(":", 1) for line in lines if re.match(r"(csv|where|rows):", line))
    words = [word for line in lines if line.startswith("name:") for word in line[5:].split(";")]
    names = dict((part.strip() for part in word.split("=", 1)) for word in words)
    name, where = said["csv"].strip(), conditions(said.get("where", ""))
    keys = said["rows"].replace(",", " ").split()
    columns = []
    for line in lines:
        if line.startswith("show:"):
            columns += shown(line)
        elif line.startswith("|"):
            columns.append(([*cells(line), ""])[:3])
    groups = {}
    for line in fitting(measurements(name), where):
        groups.setdefault(tuple(line[key] for key in keys), []).append(line)

    def place(key):
        return [where[field].index(value) if field in where else 0 for field, value in zip(keys, key)]

    rows = []
    for key in sorted(groups, key=place):
        row = []
        for heading, template, condition in columns:
            found = fitting(groups[key], conditions(condition))
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
            work, *figures = cells(line)
            made = [filled(figure, quoted, {}) for figure in figures] if all(quoted) else [NOT_MEASURED] * len(figures)
            rows.append([work, *made])
            quoted = []
            continue
        name, _, where = line.partition(":")
        found = fitting(measurements(name.strip()), conditions(where))
        quoted.append(found[0] if found else None)
    return markdown(cells(lines[0]), rows)


def declarations(text):
    """The lines of each declaration by its name."""
    found = {}
    lines = []
    for line in filter(None, (line.strip() for line in text.splitlines())):
        if line.startswith("["):
            lines = found[line.strip("[]")] = []
        elif not line.startswith("#"):
            lines.append(line)
    return found


def table(lines):
    made = grid(lines) if any(line.startswith("csv:") for line in lines) else listing(lines)
    if made.count("\n") < 3:
        raise Wrong("no measurement fits")
    return made


def filled_page(text, declared, report):
    """The page with its tables filled; report(name, problem) for those that cannot be or that differ."""

    def fill(found):
        begin, name, old, end = found.groups()
        try:
            made = table(declared[name])
        except (Wrong, OSError, ValueError, KeyError, IndexError, ZeroDivisionError) as error:
            report(name, f"{type(error).__name__}: {error}")
            return found[0]
        if made != old:
            report(name, None)
        return begin + made + end

    return TABLE.sub(fill, text)


def main(arguments):
    checking = "--check" in arguments
    declared = declarations("\n".join(path.read_text() for path in sorted(PAGES.glob("*.txt"))))
    unused = set(declared)
    problems = 0
    for page in [*sorted(PAGES.glob("*.md")), ROOT / "README.md"]:

        def report(name, problem, page=page):
            nonlocal problems
            if problem or checking:
                problems += 1
                print(f"{page.relative_to(ROOT)}: table {name}: {problem or 'differs, run tools/performance_tables.py'}")

        text = page.read_text()
        made = filled_page(text, declared, report)
        unused -= {found[2] for found in TABLE.finditer(text)}
        if made != text and not checking:
            page.write_text(made)
    for name in sorted(unused):
        problems += 1
        print(f"{PAGES.relative_to(ROOT)}: no page has the table {name}")
    print(f"tables of figures: {len(declared)} declarations, {problems} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
