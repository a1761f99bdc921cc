"""python3 tests/trust/device.py --bin DIR [--quick] [--seconds N] [ROW...]: the rows of the table of trust that need a device,
with binaries that are built already (as bench/gpu.sh --bin). Each row prints its figure; the exit code is 1 where a row falls
short, 69 where no row ran. Without a device, and where a row's binary or module is absent, the row is said to be not run."""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent


class NotRun(Exception):
    """A row that cannot run here."""


class Fell(Exception):
    """A row that falls short."""


class Binaries:
    def __init__(self, folder, quick, seconds):
        self.folder, self.quick, self.seconds = folder, quick, seconds
        self.environment = os.environ | {"LD_LIBRARY_PATH": f"{folder}:{os.environ.get('LD_LIBRARY_PATH', '')}"}

    def tests(self, name, chosen, **variables):
        """How many tests passed; what was not skipped must pass."""
        program = self.folder / name
        if not program.exists():
            raise NotRun(f"{name} is not in {self.folder}")
        words = [str(program), f"--gtest_filter={chosen}", "--gtest_brief=1"]
        try:
            done = subprocess.run(words, env=self.environment | variables, capture_output=True, text=True, timeout=self.seconds)
        except subprocess.TimeoutExpired as late:
            raise Fell(f"{name} {chosen} runs longer than {self.seconds} s") from late
        if done.returncode != 0:
            raise Fell(f"{name} {chosen}: exit {done.returncode}: {done.stdout[-1500:]}{done.stderr[-500:]}")
        passed = re.search(r"PASSED  \] (\d+) test", done.stdout)
        if passed is None or passed[1] == "0":
            raise NotRun(f"{name} {chosen}: every test was skipped")
        return int(passed[1]), [line for line in done.stdout.splitlines() if line.endswith(" s")]

    def sum_of(self, *pairs, **variables):
        return f"{sum(self.tests(name, chosen, **variables)[0] for name, chosen in pairs)} tests pass"

    def runs(self, quick):
        return {"WALE_DEVICE_RUNS": str(quick)} if self.quick else {}


def resident_blocks(b):
    """1, 2 and 8 resident blocks with work for one more of them, and for 64 times as many."""
    return b.sum_of(("trouble_test", "*WorkBeyond*"))


def shuffled_blocks(b):
    """Tiles in another order, with pauses."""
    return b.sum_of(("reconstruct_test", "*_jitter_1"))


def hog(b):
    """A process and a stream beside, which keep the multiprocessors busy."""
    return b.sum_of(("trouble_test", "*AHog*"), **b.runs(2))


def lost_words(b):
    """A strip, tile, part or word that never comes: device_error within the bound, and the next call is right."""
    count, said = b.tests("trouble_test", "*Withheld*")
    for name, chosen in (("wavefront_fill_test", "*cannot_end*"), ("reconstruct_test", "*ALostWake*")):
        count += b.tests(name, chosen)[0]
    longest = max((float(line.split()[-2]) for line in said), default=0)
    return f"{count} tests pass, {len(said)} waits of trouble_test end after at most {longest:.2f} s"


def full_memory(b):
    """A device without free memory: out_of_memory or the answer, and the next call is right."""
    return b.sum_of(("device_test", "*FullMemory*"))


def launches(b):
    """10,000 calls of each operation (quick: 500) with the same answer, and no memory lost."""
    return b.sum_of(("device_test", "*ThousandsOfCalls*"), **b.runs(500))


def same_bits(b):
    """100 runs of every row (quick: 10), and 16 threads with streams of their own."""
    return b.sum_of(("device_test", "*EveryRowAgain*:*SixteenThreads*"), **b.runs(10))


def failing_calls(b):
    """The k-th call of the driver fails under every verb: the documented code, one line, no partial file."""
    try:
        import faults
        from plan import Fell as Short
        from plan import Plan
    except ImportError as absent:
        raise NotRun(str(absent)) from absent
    if not (b.folder / "wale").exists():
        raise NotRun(f"wale is not in {b.folder}")
    os.environ["LD_LIBRARY_PATH"] = b.environment["LD_LIBRARY_PATH"]
    try:
        figure = faults.failing_device(Plan(False, 1, str(b.folder / "wale")))
    except Short as short:
        raise Fell(str(short)) from short
    if figure == "no device":
        raise NotRun(figure)
    return figure


def large_objects(b):
    """Images, tables, sequences, matrices and batches beyond 2^31 elements, on a device of more than 100 GB."""
    gigabytes = memory_of_device() >> 10
    if gigabytes < 100:
        raise NotRun(f"the device has {gigabytes} GB, expected 100")
    return b.sum_of(("overflow_test", "*"), WALE_OVERFLOW="cuda")


ROWS = {r.__name__: r for r in (resident_blocks, shuffled_blocks, hog, lost_words, full_memory, launches, same_bits, failing_calls, large_objects)}


def memory_of_device():
    """MiB; 0: there is no device."""
    try:
        words = ["nvidia-smi", "--query-gpu=memory.total", "--format=csv,noheader,nounits"]
        return int(subprocess.run(words, capture_output=True, text=True, check=True).stdout.split()[0])
    except (OSError, subprocess.CalledProcessError, ValueError, IndexError):
        return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", nargs="*", metavar="ROW", help=", ".join(ROWS))
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--quick", action="store_true", help="fewer repeats: a minute or two in all")
    parser.add_argument("--seconds", type=float, default=300, help="of one binary")
    words = parser.parse_args()
    unknown = [name for name in words.rows if name not in ROWS]
    if unknown:
        parser.error(f"row {unknown[0]}: expected one of {', '.join(ROWS)}")
    binaries = Binaries(words.bin.resolve(), words.quick, words.seconds)
    sys.path.insert(0, str(HERE))
    verdicts = []
    for name in words.rows or ROWS:
        begin = time.monotonic()
        try:
            figure, verdict = ROWS[name](binaries), "good"
        except NotRun as why:
            figure, verdict = str(why), "not run"
        except Fell as short:
            figure, verdict = str(short), "SHORT"
        verdicts.append(verdict)
        print(f"{name:16} {verdict:8} {time.monotonic() - begin:6.1f} s  {figure}", flush=True)
    return 1 if "SHORT" in verdicts else 0 if "good" in verdicts else 69


if __name__ == "__main__":
    sys.exit(main())
