"""What the tests reach of the host's code: the preset `coverage`, CTest, the tests of the Python package and the bad commands
of the table on the counted library, gcovr. The uncovered lines of all files are left in build/coverage/report.txt."""

import json
import os
import pathlib
import subprocess
import sys

import wale
from plan import must

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINES, BRANCHES = 92.0, 82.0  # percent
# The device's code is not compiled here.
FILTERS = ("--filter", "src/", "--filter", "cli/", "--filter", "include/", "--exclude", r".*/cuda/.*")
WORST = 12  # files that the figure names


def report_of(build):
    """gcovr's summary as a dictionary. Branches that only an exception takes are left out."""
    summary = build / "coverage.json"
    words = ["gcovr", "--root", str(ROOT), *FILTERS, "--exclude-throw-branches", "--exclude-unreachable-branches",
             "--gcov-ignore-parse-errors", "-j", str(os.cpu_count()), "--json-summary", str(summary),
             "--txt", str(build / "report.txt"), str(build)]  # fmt: skip
    subprocess.run(words, cwd=ROOT, check=True)
    return json.loads(summary.read_text())


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
    single = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
    tests = ["ctest", "--test-dir", str(build), "-j", str(os.cpu_count()), "-E", "install|fetch|house", "--timeout", "1200"]
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
    all = report_of(build)
    missing = sorted(all["files"], key=lambda f: f["line_covered"] - f["line_total"])[:WORST]
    rest = ", ".join(f"{f['filename']} {f['line_total'] - f['line_covered']}" for f in missing)
    figure = (f"lines {all['line_percent']:.1f} %, branches {all['branch_percent']:.1f} % of {len(all['files'])} files; most lines "
              f"not reached: {rest}; all: {build / 'report.txt'}")  # fmt: skip
    must(all["line_percent"] >= LINES and all["branch_percent"] >= BRANCHES, figure)
    return figure


ROWS = (coverage,)
