"""python lapack_test.py SHIM TESTERS: runs LAPACK's test programs with the shim in front of LAPACK. Each group of tests must
pass below LAPACK's ratio of 30 with the INFO that LAPACK expects."""

import os
import pathlib
import re
import subprocess
import sys

SIZES = "0 1 2 3 5 17 65 132"  # 132 is the largest that LAPACK's programs take
# Of refined solves LAPACK asks for sqrt(n) roundings. The test's own residual of two or three terms has as many, so
# that even the nearest double may fall short there.
REFINED_SIZES = "0 1 17 65 132"
# Program, its input file, the groups of tests that concern Wale, sizes, and how many groups must report.
PROGRAMS = (
    ("xlintsts", "stest.in", ("SGE", "SGT"), SIZES, 4),
    ("xlintstd", "dtest.in", ("DGE", "DGT"), SIZES, 4),
    ("xlintstds", "dstest.in", ("DGE",), REFINED_SIZES, 1),
)
GROUP = re.compile(r"[SD][A-Z0-9]{2}( |$)")


def script(file, groups, sizes):
    """LAPACK's own input with the wanted groups alone, and larger sizes."""
    lines = [line for line in file.read_text().splitlines() if not GROUP.match(line) or line.startswith(groups)]
    for k, line in enumerate(lines):
        if "Values of M (row" in line or "Values of N (column" in line:
            lines[k - 1], lines[k] = str(len(sizes.split())), sizes
    return "\n".join(lines) + "\n"


def main():
    shim, testers = sys.argv[1], pathlib.Path(sys.argv[2])
    failed = False
    for program, file, groups, sizes, reports in PROGRAMS:
        ran = subprocess.run([testers / program], input=script(testers / file, groups, sizes), capture_output=True, text=True,
                             env=os.environ | {"LD_PRELOAD": shim})
        passed = re.findall(r"All tests for .* passed the threshold \( *(\d+) tests run\)", ran.stdout)
        good = ran.returncode == 0 and len(passed) == reports and "ailed" not in ran.stdout and "***" not in ran.stdout
        print(f"{program}: {'good' if good else 'FAILED'}, {sum(map(int, passed))} tests in {len(passed)} groups")
        if not good:
            print(ran.stdout[-3000:], ran.stderr[-2000:])
            failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
