#!/usr/bin/env python3
"""Checks that every tuning row names a measurement that exists (file:line under bench/results) or says "untuned"."""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# The last string of a row in a *tuning.hpp file.
EVIDENCE = re.compile(r'"((?:bench/results/|untuned)[^"]*)"')
ROW = re.compile(r"^\s*\{\s*(?:\.from_sm\s*=\s*)?\d+\s*,")


def problem(text):
    """What is wrong with one evidence string; None if nothing."""
    if text == "untuned":
        return None
    name, _, line = text.rpartition(":")
    path = ROOT / name
    if not path.is_file():
        return f"{name} does not exist"
    lines = path.read_text().splitlines()
    if not line.isdigit() or not 2 <= int(line) <= len(lines):
        return f"{name} has no measurement at line {line!r} (it has {len(lines)})"
    return None


def main():
    bad = rows = 0
    for path in sorted((ROOT / "src").rglob("*tuning.hpp")):
        text = path.read_text()
        starts = sum(1 for line in text.splitlines() if ROW.match(line))
        found = EVIDENCE.findall(text)
        rows += len(found)
        name = path.relative_to(ROOT)
        if len(found) < starts:
            print(f"{name}: {starts} rows, but only {len(found)} name their evidence")
            bad += 1
        for evidence in found:
            why = problem(evidence)
            if why:
                print(f"{name}: {why}")
                bad += 1
    print(f"tuning evidence: {rows} rows, {bad} problems")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
