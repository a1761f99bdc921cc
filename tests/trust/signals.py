"""SIGINT and SIGTERM at random times: each verb ends within a second by its code and leaves nothing. SIGKILL leaves at
most the temporary file of an output, never a part of the output under its name."""

import contextlib
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time

import numpy as np
from plan import must

SECONDS = 1.0  # from the signal to the end, less the time for which others had the processors; the least of three tries
HANGS = 30
VERBS = {
    "align": ["align", "a.fa", "b.fa", "-m", "lcs", "--variant", "reference/plain", "-o", "x.tsv"],
    "score": ["align", "a.fa", "b.fa", "-m", "score", "--open", "5", "-o", "x.tsv"],
    "map": ["map", "many.fa", "b.fa", "-e", "0.5", "-o", "x.paf"],
    "reconstruct": ["reconstruct", "h-domes", "image.npy", "--h", "40", "--variant", "cpu/raster", "-o", "x.npy"],
    "watershed": ["reconstruct", "watershed", "image.npy", "image.npy", "-o", "x.npy"],
    "lu": ["lu", "inverse", "matrix.npy", "-o", "x.npy"],
    "cable": ["tree", "cable", "cell.swc", "--membrane", "hh", "--tstop", "1e6", "--sample-every", "1000", "-o", "x.csv"],
    "mesh": ["mesh", "generate", "shell", "--size", "3000000", "-o", "x.su2"],
    "euler": ["euler", "case.toml"],
    "study": ["study", "wavefront", "--csv", "x.csv"],
}
CASE = '[mesh]\ngenerate = "shell"\nsize = 20000\n[run]\niterations = 10000000\n[output]\nflow = "x.vtu"\nhistory = "x.csv"\n'


def make_files(folder, plan):
    def letters(n):
        return bytes(plan.rng.choice(list(b"ACGT"), n).astype(np.uint8))

    (folder / "a.fa").write_bytes(b">a\n" + letters(300000) + b"\n")
    (folder / "b.fa").write_bytes(b">b\n" + letters(300000) + b"\n")
    (folder / "many.fa").write_bytes(b"".join(b">%d\n%b\n" % (k, letters(2000)) for k in range(1000)))
    np.save(folder / "image.npy", plan.rng.integers(0, 255, (4000, 4000)).astype(np.uint8))
    np.save(folder / "matrix.npy", plan.rng.random((3000, 3000)))
    (folder / "case.toml").write_text(CASE)
    subprocess.run([plan.wale, "tree", "grow", "-o", "cell.swc"], cwd=folder, check=True, capture_output=True)


def has_handlers(process):
    """Whether the process catches SIGINT and SIGTERM."""
    caught = re.search(r"^SigCgt:\s*(\w+)", pathlib.Path(f"/proc/{process.pid}/status").read_text(), re.MULTILINE)
    return caught is not None and all(int(caught[1], 16) >> (number - 1) & 1 for number in (signal.SIGINT, signal.SIGTERM))


def waited(process):
    """Seconds for which each thread of the process was ready and had no processor."""
    found = {}
    for file in pathlib.Path(f"/proc/{process.pid}/task").glob("*/schedstat"):
        with contextlib.suppress(OSError):  # the thread has ended
            found[file.parent.name] = int(file.read_text().split()[1]) * 1e-9
    return found


def ended(wale, folder, words, number, delay):
    """Seconds from the signal to the end; 0 where the command was through before. The signal comes `delay` after the command
    has its handlers: before, the system ends the process."""
    before = sorted(os.listdir(folder))
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            [wale, *words], cwd=folder, stdout=subprocess.DEVNULL, stderr=errors,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a shell's background job ignores it
        )  # fmt: skip
        what, begin = f"wale {' '.join(words)}: signal {number} at {delay:.3f} s", time.monotonic()
        while process.poll() is None and not has_handlers(process) and time.monotonic() - begin < HANGS:
            time.sleep(0.001)
        time.sleep(delay)
        others, first, begin = 0.0, waited(process), time.monotonic()
        process.send_signal(number)
        while process.poll() is None:
            others = max([others, *(w - first.get(thread, 0.0) for thread, w in waited(process).items())])
            if time.monotonic() - begin - others > HANGS:
                process.kill()
                process.wait()
                must(False, what, f"runs {HANGS} s longer")
            time.sleep(0.005)
        taken = time.monotonic() - begin - others
        errors.seek(0)
        said = errors.read().decode(errors="replace")
    left = sorted(set(os.listdir(folder)) - set(before))
    if process.returncode == 0:
        for name in left:
            (folder / name).unlink()
        return 0.0
    if number == signal.SIGKILL:
        for name in [n for n in left if ".tmp." in n]:
            (folder / name).unlink()
            left.remove(name)
    must(process.returncode == (-number if number == signal.SIGKILL else 128 + number), what, f"exit {process.returncode}", said[:300])
    must(not left, what, f"exit {process.returncode} leaves {left}")
    return taken


def signals(plan):
    """Every long verb, short: once by each signal; long: 25 times."""
    longest, count = 0.0, 0
    with tempfile.TemporaryDirectory(prefix="wale_trust_") as name:
        folder = pathlib.Path(name)
        plan.command()
        make_files(folder, plan)
        for verb, words in VERBS.items():
            for trial in range(plan.count(3, 75)):
                number = (signal.SIGINT, signal.SIGTERM, signal.SIGKILL)[trial % 3]
                delay = plan.draw.uniform(0, 0.5 if trial < 6 else 2)
                taken = ended(plan.wale, folder, words, number, delay)
                for _ in range(2):  # a busy machine may be late once
                    if taken > SECONDS:
                        taken = min(taken, ended(plan.wale, folder, words, number, delay))
                must(taken <= SECONDS, f"{verb}: ends {taken:.1f} s after signal {number} at {delay:.3f} s")
                longest, count = max(longest, taken), count + 1
    return f"{count} signals, the end after {longest:.2f} s at most"


ROWS = (signals,)
