"""What the tests reach of the host's code: the preset `coverage`, CTest, the tests of the Python package and the bad commands
of the table on the counted library, gcov. The uncovered lines of all files are left in build/coverage/report.txt."""

import concurrent.futures
import json
import math
import os
import pathlib
import re
import subprocess
import sys

import wale
from plan import must, processors

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINES, BRANCHES = 92.0, 82.0  # percent
OURS = ("src/", "cli/", "include/")  # but for the folders named cuda, of which nothing is compiled here or reached without a device
CONDITION = re.compile(r"&&|\|\||\?|\b(?:if|for|while|switch|case)\b")
WORST = 12  # files that the figure names


def counted(object_notes):
    """gcov's figures of one object: (file, line) -> the number of executions, and lists of branches without those of exceptions."""
    words = ["gcov", "--json-format", "--stdout", "--branch-probabilities", str(object_notes)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, check=True)
    lines = {}
    for text in done.stdout.splitlines():
        figures = json.loads(text)
        for file in figures["files"]:
            name = os.path.relpath(os.path.join(figures["current_working_directory"], file["file"]), ROOT)
            if not name.startswith(OURS) or "/cuda/" in name:
                continue
            for line in file["lines"]:  # a line again for each instance of a template
                known = lines.setdefault((name, line["line_number"]), [0, []])
                known[0] += max(line["count"], 0)
                known[1].append([b["count"] != 0 for b in line["branches"] if not b["throw"]])
    return lines


def outcomes(source, lists):
    """Of the branches of a line, how many there are and how many were taken. A line without a condition has none: temporaries
    and arrays branch where only the compiler knows. What templates and inlining copy counts once: the lists of all instances
    are folded to the length of one copy, which is twice the line's conditions where that divides them."""
    lists, conditions = [taken for taken in lists if taken], 2 * len(CONDITION.findall(source))
    if not lists or not conditions:
        return 0, 0
    length = math.gcd(*map(len, lists))
    if length % conditions == 0 and "switch" not in source:
        length = conditions
    taken = [any(one[k] for one in lists for k in range(at, len(one), length)) for at in range(length)]
    return length, sum(taken)


def report_of(build, sources=ROOT):
    """Lines, covered lines, branches, taken branches of each file; the lines that are not reached are listed in report.txt."""
    all = {}
    with concurrent.futures.ThreadPoolExecutor(processors()) as pool:
        for part in pool.map(counted, sorted(build.rglob("*.gcno"))):
            for place, (count, lists) in part.items():
                known = all.setdefault(place, [0, []])
                known[0] += count
                known[1] += lists
    files, missed = {}, {}
    for (name, number), (count, lists) in sorted(all.items()):
        figure = files.setdefault(name, [0, 0, 0, 0])
        text = (sources / name).read_text().splitlines() if figure[0] == 0 else text
        branches, taken = outcomes(text[number - 1], lists)
        for k, value in enumerate((1, count > 0, branches, taken)):
            figure[k] += value
        if count == 0:
            missed.setdefault(name, []).append(number)
    with (build / "report.txt").open("w") as report:
        print("  lines reached branches taken  file: lines not reached", file=report)
        for name, (lines, reached, branches, taken) in sorted(files.items(), key=lambda f: f[1][1] - f[1][0]):
            print(f"{lines:7} {reached:7} {branches:8} {taken:5}  {name}: {' '.join(map(str, missed.get(name, [])))}", file=report)
    return files


def package_on(library, folder):
    """A folder for PYTHONPATH: the installed package with this library in place of its own."""
    package = folder / "wale"
    package.mkdir(parents=True, exist_ok=True)
    for file in pathlib.Path(wale.__file__).parent.iterdir():
        link = package / file.name
        link.unlink(missing_ok=True)
        link.symlink_to(library if file.name == "libwale.so" else file)
    return str(folder)


def run_tests(build):
    """CTest, then what asks the same library and command from outside."""
    command, library = build / "bin" / "wale", build / "bin" / "libwale.so"
    single = os.environ | {"OPENBLAS_NUM_THREADS": "1", "WALE_NO_FILE_LIMITS": "1"}
    tests = ["ctest", "--test-dir", str(build), "-j", str(processors()), "-E", "install|fetch|house", "--timeout", "1200"]
    table = [sys.executable, "tests/trust", "--wale", str(command), "bad_commands"]
    package = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "python/tests", "--deselect", "python/tests/dask_test.py"]
    for words, variables in ((tests, {}), (table, {}), (package, {"PYTHONPATH": package_on(library, build / "python")})):
        done = subprocess.run(words, cwd=ROOT, env=single | variables, capture_output=True, text=True)
        must(done.returncode == 0, *words[:4], done.stdout[-2000:], done.stderr[-500:])


def coverage(plan):
    """Only in the long form: the build takes as long as that of a sanitizer."""
    if not plan.long:
        return "only in the long form"
    build = ROOT / "build" / "coverage"
    subprocess.run(["cmake", "--preset", "coverage"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", str(build)], check=True, stdout=subprocess.DEVNULL)
    for old in build.rglob("*.gcda"):
        old.unlink()
    run_tests(build)
    files = report_of(build)
    lines, reached, branches, taken = (sum(figures[k] for figures in files.values()) for k in range(4))
    rest = ", ".join(f"{name} {files[name][0] - files[name][1]}" for name in list(sorted(files, key=lambda f: files[f][1] - files[f][0]))[:WORST])
    figure = (f"lines {100 * reached / lines:.1f} % of {lines}, branches {100 * taken / branches:.1f} % of {branches} in {len(files)} files; "
              f"most lines not reached: {rest}; all: {build / 'report.txt'}")  # fmt: skip
    must(100 * reached >= LINES * lines and 100 * taken >= BRANCHES * branches, figure)
    return figure


ROWS = (coverage,)
