"""What the tests of the library and of the command line reach of the host's code: the preset `coverage`, CTest, gcovr.
The list of all files, the least covered first, is left in build/coverage/report.txt."""

import json
import os
import pathlib
import subprocess

from plan import must

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINES, BRANCHES = 92.0, 82.0  # percent
# The device's code is not compiled here; a study measures, and the peers' and LAPACK's programs are no tests of ours.
FILTERS = ("--filter", "src/", "--filter", "cli/", "--filter", "include/", "--exclude", r".*/cuda/.*", "--exclude", r".*/study/.*")


def report_of(build):
    """gcovr's summary as a dictionary. Branches that only an exception takes are left out."""
    summary = build / "coverage.json"
    words = ["gcovr", "--root", str(ROOT), *FILTERS, "--exclude-throw-branches", "--exclude-unreachable-branches",
             "--gcov-ignore-parse-errors", "-j", str(os.cpu_count()), "--json-summary", str(summary), str(build)]  # fmt: skip
    subprocess.run(words, cwd=ROOT, check=True)
    return json.loads(summary.read_text())


def coverage(plan):
    """Only in the long form: the build takes as long as that of a sanitizer."""
    if not plan.long:
        return "only in the long form"
    build = ROOT / "build" / "coverage"
    subprocess.run(["cmake", "--preset", "coverage"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", str(build)], check=True, stdout=subprocess.DEVNULL)
    for old in build.rglob("*.gcda"):
        old.unlink()
    done = subprocess.run(["ctest", "--test-dir", str(build), "-j", str(os.cpu_count()), "-E", "install|fetch|house"],
                          capture_output=True, text=True)  # fmt: skip
    must(done.returncode == 0, done.stdout[-2000:])
    all = report_of(build)
    files = sorted(all["files"], key=lambda f: f["line_percent"])
    lines = [f"{f['line_percent']:6.1f} {f['branch_percent'] or 0:6.1f}  {f['filename']}\n" for f in files]
    (build / "report.txt").write_text(" lines branches\n" + "".join(lines))
    figure = f"lines {all['line_percent']:.1f} %, branches {all['branch_percent']:.1f} % of {len(files)} files: {build / 'report.txt'}"
    must(all["line_percent"] >= LINES and all["branch_percent"] >= BRANCHES, figure)
    return figure


ROWS = (coverage,)
