"""python tests/trust/planted.py [--list] [--from N] [--to N] [--copy DIR]: plants the faults of planted_table.py
one at a time in a copy of the sources, builds what the test needs, and expects the test to fail. A fault that no test sees is
a defect of the tests. The copy and its build, in build/planted, are kept: a fault costs a file and a link. planted_cuda.py
plants the faults of device code."""

import argparse
import os
import pathlib
import shlex
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from plan import must  # noqa: E402
from planted_table import PLANTED  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
SECONDS = 240  # of one test: a lost wake ends at a bound, or does not


def is_cuda(file):
    return file.endswith((".cu", ".cuh"))


def table_faults():
    """Rows whose old text is not there exactly once, so that the table cannot rot."""
    for number, (file, old, new, test) in enumerate(PLANTED):
        path = ROOT / file
        times = path.read_text().count(old) if path.exists() else 0
        if times != 1 or old == new or not test:
            yield f"row {number}, {file}: its text occurs {times} times"


def planted_table(plan):
    """Every text of the table occurs once; long: every fault of the host's code is planted."""
    wrong = list(table_faults())
    must(not wrong, "\n  ".join(wrong))
    if not plan.long:
        return f"{len(PLANTED)} planted faults have their place"
    copy = Copy(ROOT / "build" / "planted")
    seen, missed = copy.plant_all([row for row in PLANTED if not is_cuda(row[0])])
    must(not missed, f"{len(missed)} of {seen + len(missed)} survive:\n  " + "\n  ".join(missed))
    return f"{seen} planted faults fail their tests"


class Copy:
    def __init__(self, folder):
        self.sources = folder
        self.build = folder / "build" / "dev"  # the place that ccache knows
        self.sources.mkdir(parents=True, exist_ok=True)
        files = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
        for name in files:  # a file that is the same keeps its time, so that nothing is built again
            self.restore(name)
        options = ["-DWALE_CUDA=OFF", "-DWALE_TESTS=ON", "-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"]
        subprocess.run(["cmake", "--preset", "dev", *options], cwd=self.sources, check=True, stdout=subprocess.DEVNULL)

    def restore(self, name):
        to, content = self.sources / name, (ROOT / name).read_bytes()
        if not to.exists() or to.read_bytes() != content:
            to.parent.mkdir(parents=True, exist_ok=True)
            to.write_bytes(content)
            to.chmod((ROOT / name).stat().st_mode)

    def make(self, *targets):
        done = subprocess.run(["ninja", "-C", str(self.build), "-j", os.environ.get("WALE_JOBS", str(os.cpu_count())), *targets],
                              capture_output=True, text=True)  # fmt: skip
        return "" if done.returncode == 0 else done.stdout[-1500:]

    def commands(self, test):
        """Targets of a test, and its commands."""
        what, *words = shlex.split(test)
        if what == "trust":
            return ["wale_cli"], [[sys.executable, "tests/trust", "--wale", str(self.build / "bin" / "wale"), *words]]
        if what == "pytest":
            return [], [[sys.executable, "-m", "pytest", "-qx", "-p", "no:cacheprovider", *words]]
        return [what], [[str(self.build / "bin" / what), "--gtest_brief=1", "--gtest_fail_fast", f"--gtest_filter={words[0] if words else '*'}"]]

    def environment(self, file):
        """Python modules are taken from the sources, in front of the compiled parts of the installed package."""
        if not file.endswith(".py"):
            return dict(os.environ)
        import wale

        package = self.build / "python" / "wale"
        package.mkdir(parents=True, exist_ok=True)
        for there in [*pathlib.Path(wale.__file__).parent.iterdir(), *(self.sources / "python" / "wale").iterdir()]:
            link = package / there.name
            link.unlink(missing_ok=True)
            link.symlink_to(there)
        return os.environ | {"PYTHONPATH": str(package.parent)}

    def fails(self, file, test):
        """Whether the test fails now, and how."""
        targets, commands = self.commands(test)
        broken = self.make(*targets) if targets else ""
        if broken:
            return None, broken
        for command in commands:
            try:
                done = subprocess.run(command, cwd=self.sources, capture_output=True, text=True, timeout=SECONDS, env=self.environment(file))
            except subprocess.TimeoutExpired:
                return True, f"runs longer than {SECONDS} s"
            if " 0 tests ran" in done.stdout or "0 tests from 0" in done.stdout:
                return None, "the filter chooses no test"
            if done.returncode:
                return True, f"exit {done.returncode}"
        return False, "the test passes"

    def plant_all(self, rows):
        seen, missed, sound = 0, [], set()
        for file, old, new, test in rows:
            begin = time.monotonic()
            if test not in sound:  # a test that fails anyway shows nothing
                failed, how = self.fails(file, test)
                if failed is not False:
                    print(f"UNSOUND   {test}: {how} without a planted fault", flush=True)
                    missed.append(f"{test}: {how} without a planted fault")
                    continue
                sound.add(test)
            path = self.sources / file
            sound_text = path.read_text()
            path.write_text(sound_text.replace(old, new))
            try:
                failed, how = self.fails(file, test)
            finally:
                path.write_text(sound_text)
            verdict = "seen" if failed else "SURVIVES" if failed is False else "DOES NOT BUILD"
            print(f"{verdict:9} {time.monotonic() - begin:6.1f} s  {file}: {old[:60]!r}: {test}: {how}", flush=True)
            seen += failed is True
            if not failed:
                missed.append(f"{file}: {old[:60]!r}: {test}: {how}")
        return seen, missed


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--list", action="store_true", help="only check the table")
    parser.add_argument("--from", type=int, default=0, dest="first")
    parser.add_argument("--to", type=int, default=len(PLANTED))
    parser.add_argument("--copy", type=pathlib.Path, default=ROOT / "build" / "planted")
    words = parser.parse_args()
    wrong = list(table_faults())
    if wrong or words.list:
        print("\n".join(wrong) or f"{len(PLANTED)} rows")
        return 1 if wrong else 0
    rows = [row for row in PLANTED[words.first : words.to] if not is_cuda(row[0])]
    seen, missed = Copy(words.copy).plant_all(rows)
    print(f"{seen} of {len(rows)} planted faults seen")
    return 1 if missed else 0


ROWS = (planted_table,)

if __name__ == "__main__":
    sys.exit(main())
