#!/usr/bin/env python3
"""Checks the measurements under bench/results and the tuning rows that rest on them.

Every CSV file has the columns commit, date, machine and command, and the command's first word is a program of bench/.
Every tuning row says "untuned" or cites file:line of a measurement. Element size, variant and policy of that line must
be those of the row: a line of tuning.csv (bench/tune.py) names the table and has the row's values; any other line has a
type, a variant and a policy, of which the numbers must be among the row's.

    tools/check_evidence.py --cite CSV     writes, into every row that CSV measured, the line as its evidence
    tools/check_evidence.py --merge DIR    takes DIR/*.csv over into bench/results/<machine>, then cites tuning.csv
"""
import csv
import re
import sys
from pathlib import Path

import tuning_rows

ROOT = tuning_rows.ROOT
PROVENANCE = ["commit", "date", "machine", "command"]
# What says which case a line measured; the other columns are what was measured.
CASE = """table array values element_bytes operation case type layout size count right_sides variant scheme cells constants order
pairs length length_min length_max shortest longest alphabet dimensions window cost stage source shape solver seed cell family
backend threads ranks devices traits precision flux decades way membrane compartments picture side chunk who""".split()
BYTES = {"f32": 4, "float32": 4, "f64": 8, "float64": 8, "u8": 1, "uint8": 1, "u16": 2, "uint16": 2, "i32": 4, "int32": 4}


def measurements(path):
    """{line number: fields} of a CSV file; no field of them holds a line end."""
    with path.open(newline="") as file:
        return dict(enumerate(csv.DictReader(file), 2))


def program(command, folder):
    """Whether `command` begins with a program whose source is in `folder`, or is a study of the command line's."""
    name = command.split(" ")[0]
    if command.startswith("wale study "):
        return True
    return bool(re.fullmatch(r"[\w.]+", name)) and any((folder / (name + end)).is_file() for end in ("", ".cpp", ".py"))


def unwritten(path, folder=ROOT / "bench"):
    """What is wrong with a file of measurements; None if nothing."""
    lines = measurements(path)
    for number, line in lines.items():
        missing = [column for column in PROVENANCE if not line.get(column)]
        if missing:
            return f"line {number} lacks {', '.join(missing)}"
        if not program(line["command"], folder):
            return f"line {number}: '{line['command']}', expected a program of bench/ or wale study"
    return None if lines else "holds no measurement"


def type_bytes(line):
    """Element size by the column `type` or the end of `operation`; 0 where neither says it."""
    return BYTES.get(line.get("type") or line.get("operation", "").rpartition("_")[2], 0)


def numbers(text):
    return {float(n) for n in re.findall(r"\d+", text.replace("'", ""))}


def mismatch(line, name, row, path):
    """In what the cited line is not about the row; None if in nothing."""
    if "values" in line:
        if line["array"] != name:
            return f"measured {line['array']}, expected {name}"
        if row.element_bytes not in (0, int(line["element_bytes"])):
            return f"measured elements of {line['element_bytes']} bytes, expected {row.element_bytes}"
        return None if line["values"] == row.values else f"measured {line['values']}, the row is {row.values}"
    size = type_bytes(line)
    if row.element_bytes and size and row.element_bytes != size:
        return f"measured elements of {size} bytes, expected {row.element_bytes}"
    if not line.get("variant"):
        return "has no variant"
    sides = [side for side in ("cpu", "cuda") if f"/{side}" in path]
    if sides and line["variant"].partition("/")[0] not in sides:
        return f"measured {line['variant']}, a variant of another backend"
    reported = numbers(line.get("policy") or "")
    if reported and not reported & numbers(row.values):
        return f"measured '{line['policy']}', the row is {row.values}"
    return None


def problem(evidence, name="", row=None, path=""):
    """What is wrong with one evidence string; None if nothing."""
    if evidence == "untuned":
        return None
    file, _, number = evidence.rpartition(":")
    if not (ROOT / file).is_file() or not file.startswith("bench/results/"):
        return f"{file} does not exist"
    lines = measurements(ROOT / file)
    if not number.isdigit() or int(number) not in lines:
        return f"{file} has no measurement at line {number!r} (it has {len(lines) + 1})"
    why = row and mismatch(lines[int(number)], name, row, path)
    return f"{evidence}: {why}" if why else None


def cite(results):
    """Writes the evidence of every row that the file measured; of several lines the fastest one counts."""
    shown = results.resolve().relative_to(ROOT)
    fastest = {}
    for number, line in measurements(results).items():
        key = (line["array"], line["values"])
        rate = float(line["rate_g_per_s"])
        if rate > fastest.get(key, (0,))[0]:
            fastest[key] = (rate, number, int(line["element_bytes"]), int(line["row"]))
    cited = 0
    for path, tables in tuning_rows.all_tables(ROOT).items():
        text, changes = path.read_text(), []
        for name, rows in tables.items():
            for row in rows:
                _, number, size, measured_row = fastest.get((name, row.values), (0, 0, 0, -1))
                if number and measured_row == row.number and row.element_bytes in (0, size):
                    changes.append((row.span, f"{shown}:{number}"))
        for (begin, end), evidence in sorted(changes, reverse=True):
            text = text[:begin] + evidence + text[end:]
        cited += len(changes)
        if changes:
            path.write_text(text)
    print(f"{cited} rows cite {shown}; clang-format them")


def case(line):
    return tuple(line.get(column) for column in CASE)


def merged(old, new):
    """A new line takes the place of the first older line of its case, so that cited lines keep their numbers."""
    lines, first = list(old), {}
    for at, line in enumerate(old):
        first.setdefault(case(line), at)
    for line in new:
        at = first.pop(case(line), None)
        if at is None:
            lines.append(line)
        else:
            lines[at] = line
    return lines


def merge(folder):
    for path in sorted(folder.glob("*.csv")):
        new = list(measurements(path).values())
        if not new:
            continue
        results = ROOT / "bench" / "results" / new[0]["machine"] / path.name
        old = list(measurements(results).values()) if results.is_file() else []
        columns = list(new[0])
        if old and list(old[0]) != columns:
            sys.exit(f"{path} has not the columns of {results}")
        results.parent.mkdir(parents=True, exist_ok=True)
        with results.open("w", newline="") as file:
            writer = csv.DictWriter(file, columns, lineterminator="\n")
            writer.writeheader()
            writer.writerows(merged(old, new))
        print(f"{results.relative_to(ROOT)}: {len(new)} lines taken over")
        if path.name == "tuning.csv":
            cite(results)


def main(arguments):
    if len(arguments) == 2 and arguments[0] == "--cite":
        cite(Path(arguments[1]))
        return 0
    if len(arguments) == 2 and arguments[0] == "--merge":
        merge(Path(arguments[1]))
        return 0
    bad = rows = 0

    def report(where, why):
        nonlocal bad
        bad += why is not None
        if why:
            print(f"{where}: {why}")

    for path in sorted((ROOT / "bench" / "results").rglob("*.csv")):
        report(path.relative_to(ROOT), unwritten(path))
    for path, tables in tuning_rows.all_tables(ROOT).items():
        for name, found in tables.items():
            rows += len(found)
            for row in found:
                where = str(path.relative_to(ROOT))
                report(f"{where}, {name}[{row.number}]", problem(row.evidence, name, row, where))
    print(f"tuning evidence: {rows} rows, {bad} problems")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
