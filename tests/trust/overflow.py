"""Problems beyond 2^31 elements, in C++: overflow_test.cpp beside the library of the package."""

import os
import pathlib
import subprocess
import tempfile

import wale
from plan import must

HERE = pathlib.Path(__file__).resolve().parent
GIGABYTES = 7  # of memory that must be free


def available():
    """Bytes of memory."""
    lines = dict(line.split(":") for line in pathlib.Path("/proc/meminfo").read_text().splitlines())
    return int(lines["MemAvailable"].split()[0]) << 10


def overflow(plan):
    """Short: what lies far apart in memory that is hardly touched, on the CPU. Long: all, on CUDA too where a device is."""
    must(not plan.long or available() > GIGABYTES << 30, f"needs {GIGABYTES} GB of memory")
    package, figures = pathlib.Path(wale.__file__).parent, []
    with tempfile.TemporaryDirectory(prefix="wale_trust_") as name:
        program = pathlib.Path(name) / "overflow_test"
        words = [os.environ.get("CXX", "c++"), "-std=c++20", "-O1", f"-I{HERE.parents[1] / 'include'}", str(HERE / "overflow_test.cpp"),
                 "-o", str(program), f"-L{package}", "-lwale", "-lgtest", "-lgtest_main", f"-Wl,-rpath,{package}"]  # fmt: skip
        subprocess.run(words, check=True)
        for where in ("cpu", "cuda") if plan.long else ("cpu",):
            if wale.why_unavailable(where):
                continue
            done = subprocess.run([str(program), "--gtest_brief=1", f"--gtest_filter={'*' if plan.long else '*FarApart:*Bits'}"], env=os.environ | {"WALE_OVERFLOW": where}, capture_output=True,
                                  text=True)  # fmt: skip
            must(done.returncode == 0, where, done.stdout[-2000:], done.stderr[-500:])
            figures.append(f"{where}: {done.stdout.splitlines()[-1].strip()}")
    return "; ".join(figures)


ROWS = (overflow,)
