"""Every verb of the command line, and a set of Python calls, where the k-th call of a kind (allocation, thread, open,
read, write, fsync, rename, fork) fails: the right exit code or exception, one line, no hang, no partial file, memory freed.
A fault that the command does without must leave the whole answer."""

import concurrent.futures
import functools
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

import numpy as np
from plan import must, processors

HERE = pathlib.Path(__file__).resolve().parent
SECONDS = 120  # after which a run has hung; the runs themselves take a tenth of a second, on a busy machine some
THREADS = "3"

# The words of a verb; the file of its answer begins with x. Nothing: the answer is standard output.
RECONSTRUCT = {
    "reconstruct": ["zero.png", "grey.png"], "fill-holes": ["grey.png"], "clear-border": ["grey.npy"],
    "depressions": ["real.npy"], "h-domes": ["grey.tif", "--h", "9"], "h-basins": ["grey.png", "--h", "9"],
    "h-maxima-transform": ["grey.png", "--h", "9"], "h-minima-transform": ["grey.npy", "--h", "9"],
    "regional-maxima": ["grey.png"], "regional-minima": ["grey.png"], "extended-maxima": ["grey.png", "--h", "9"],
    "extended-minima": ["grey.png", "--h", "9"], "opening": ["grey.png", "--size", "3"],
    "closing": ["grey.npz:a", "--size", "3"], "impose-minima": ["grey.png", "seed.png"],
    "hysteresis": ["grey.png", "--low", "90", "--high", "200"], "select": ["seed.png", "--point", "0,0"],
    "watershed": ["grey.png", "seed.png"],
}  # fmt: skip
ARRAYS = ["--lower", "off.npy", "--diagonal", "on.npy", "--upper", "off.npy", "--rhs", "on.npy"]
VERBS = [
    *(["reconstruct", verb, *words, "-o", f"x{suffix}", "-t", THREADS]
      for (verb, words), suffix in zip(RECONSTRUCT.items(), (".npy", ".png", ".tif") * 6)),
    ["reconstruct", "fill-holes", "grey.jpg", "--gray", "--compare", "y.png", "-o", "x.png", "--verify"],
    ["align", "a.fa", "b.fa.gz", "-o", "x.tsv", "-t", THREADS], ["align", "a.fa", "b.fa.gz", "-s", "-o", "x.fa"],
    ["align", "a.fa", "a.fa", "-m", "edit", "--all", "-o", "x.tsv", "-t", THREADS],
    ["align", "a.fa", "a.fa", "-m", "score", "--pairs", "--format", "paf", "-o", "x.paf", "-t", THREADS],
    ["align", "--strings", "ACGT", "AGT", "-m", "score", "--format", "text"],
    ["map", "reads.fq", "b.fa.gz", "-f", "sam", "-o", "x.sam", "-t", THREADS],
    ["search", "a.fa", "a.fa", "-o", "x.tsv", "-t", THREADS],
    ["lu", "factor", "a.npy", "--pivots", "y.npy", "-o", "x.npy", "-t", THREADS], ["lu", "det", "a.mtx"],
    ["lu", "solve", "a.npy", "--rhs", "b.npy", "--refined", "-o", "x.npy", "-t", THREADS],
    ["lu", "inverse", "a.mtx", "-o", "x.mtx", "-t", THREADS], ["lu", "generate", "64", "-o", "x.dat"],
    ["tree", "solve", "case.txt", "-o", "x.txt"], ["tree", "info", "cell.swc"], ["tree", "grow", "-o", "x.swc"],
    ["tree", "solve", *ARRAYS, "-o", "x.npy", "-t", THREADS],
    ["tree", "cable", "cell.swc", "--membrane", "hh", "--tstop", "0.5", "-o", "x.csv", "-t", THREADS],
    ["mesh", "generate", "shell", "--size", "400", "-o", "x.su2"], ["mesh", "check", "box.su2"],
    ["mesh", "convert", "box.su2", "x.vtu"], ["mesh", "convert", "box.wmesh", "x.su2"],
    ["mesh", "renumber", "box.wmesh", "--permutation", "y.npy", "-o", "x.wmesh"],
    ["mesh", "partition", "box.wmesh", "-n", "4", "-o", "x.npy", "--picture", "y.vtu"],
    ["mesh", "partition", "box.wmesh", "-n", "4", "--method", "bisection", "-o", "x.npy"],
    *(["mesh", "check", f"box.{suffix}"] for suffix in ("fvcorr", "sac")),
    ["euler", "case.toml", "-t", THREADS],
    ["study", "wavefront", "--sizes", "90", "--repeats", "1", "--backend", "cpu", "-t", THREADS],
    ["list"], ["info", "--json"],
]  # fmt: skip
# Work that is large enough for a team, by each row that starts one.
TEAM_VERBS = [[*words, "-o", "x.npy" if words[0] != "align" else "x.tsv", "-t", THREADS] for words in (
    *(["align", "long.fa", "other.fa", "-m", measure] for measure in ("lcs", "edit")),
    *(["align", "many.fa", "many.fa", "--pairs", "-m", measure, "--variant", f"cpu/{row}"]
      for measure in ("lcs", "edit") for row in ("lanes", "pairs")),
    ["reconstruct", "h-domes", "large.npy", "--h", "40"], ["reconstruct", "opening", "large.npy", "--size", "9"],
    *(["reconstruct", "h-domes", "pages.npy", "--batch", "--h", "40", "--variant", f"cpu/{row}"]
      for row in ("hybrid", "fifo", "raster", "downhill")),
    ["reconstruct", "fill-holes", "bits.npy", "--variant", "cpu/bits"],
    *(["lu", "factor", "large_a.npy", "--variant", f"cpu/{row}", "--pivoting", "partial" if row == "recursive" else "none"]
      for row in ("recursive", "blocked", "row_column", "row_column_copy")),
    *(["lu", "solve", "large_a.npy", "--rhs", "large_a.npy", *how] for how in ([], ["--refined"])), ["lu", "inverse", "large_a.npy"],
    *(["tree", "solve", *(w.replace("o", "many_o", 1) if w.endswith("npy") else w for w in ARRAYS), "--variant", f"cpu/{row}"]
      for row in ("lanes", "thomas")),
    ["tree", "solve", *(w.replace("o", "one_o", 1) if w.endswith("npy") else w for w in ARRAYS), "--variant", "cpu/partition"],
)] + [
    *(["tree", "cable", "cell.swc", "--membrane", "hh", "--cells", "64", "--tstop", "1", "--variant", f"cpu/{row}", "-o", "x.csv",
       "-t", THREADS] for row in ("lanes", "compartments")),
    *(["euler", "large.toml", "--variant", f"cpu/{row}", "-t", THREADS] for row in ("vectors", "one_pass", "five_passes")),
    *(["mesh", "convert", f"large.{suffix}", "x.sac", "-t", THREADS] for suffix in ("fvcorr", "wmesh")),
]  # fmt: skip
CUDA = ["--backend", "cuda"]
DEVICE_VERBS = [
    ["reconstruct", "fill-holes", "grey.png", "-o", "x.png", *CUDA], ["reconstruct", "h-domes", "real.npy", "--h", "9", "-o", "x.npy", *CUDA],
    ["reconstruct", "fill-holes", "seed.png", "-o", "x.npy", "--batch", *CUDA],
    ["align", "a.fa", "b.fa.gz", "-o", "x.tsv", *CUDA], ["align", "a.fa", "a.fa", "-m", "edit", "--pairs", "-o", "x.tsv", *CUDA],
    ["align", "a.fa", "b.fa.gz", "-s", "-o", "x.fa", *CUDA],
    ["lu", "factor", "a.npy", "-o", "x.npy", *CUDA], ["lu", "solve", "a.npy", "--rhs", "b.npy", "-o", "x.npy", *CUDA],
    ["lu", "solve", "a.npy", "--rhs", "b.npy", "--refined", "-o", "x.npy", *CUDA], ["lu", "inverse", "a.npy", "-o", "x.npy", *CUDA],
    ["tree", "solve", *ARRAYS, "-o", "x.npy", *CUDA],
    ["tree", "cable", "cell.swc", "--membrane", "hh", "--tstop", "0.5", "-o", "x.csv", *CUDA], ["euler", "case.toml", *CUDA],
]  # fmt: skip
CODES = {
    "malloc": {71}, "team_malloc": {71}, "thread": {71}, "open": {66, 73}, "read": {66}, "write": {74}, "fsync": {74}, "rename": {74}, "fork": {71},
    "device_memory": {71, 75}, "device_call": {70},  # pinned memory is the host's: 71
}  # fmt: skip
ERROR = re.compile(r"(wale: error: [^\n]+\n(wale: hint: [^\n]+\n)?|\{\"schema_version\":1,\"code\":\d+,[^\n]+\}\n)")
# By glibc, where no 32 bytes are left for the destructor of memory that a thread keeps: cpu/blas.cpp has such.
TLS = "Fatal glibc error: failed to register TLS destructor"
CASE = """[mesh]
generate = "shell"
size = 300
[run]
iterations = 3
[output]
history = "y.csv"
flow = "x.vtu"
checkpoint = "y.checkpoint"
"""


def library(folder):
    """The library of failing_calls.cpp."""
    file = pathlib.Path(folder) / "libfailing_calls.so"
    compiler = os.environ.get("CXX", "c++")
    source = str(HERE / "failing_calls.cpp")
    subprocess.run([compiler, "-std=c++20", "-O1", "-shared", "-fPIC", source, "-o", str(file), "-ldl"], check=True)
    return str(file)


def make_files(folder, plan):
    import gzip

    from PIL import Image

    grey = plan.rng.integers(0, 255, (40, 50)).astype(np.uint8)
    seed = np.where(grey > 230, grey, 0).astype(np.uint8)
    for name, picture in {"grey": grey, "seed": seed, "zero": 0 * grey}.items():
        Image.fromarray(picture).save(folder / f"{name}.png")
    Image.fromarray(grey).save(folder / "grey.tif")
    Image.fromarray(np.stack([grey] * 3, 2)).save(folder / "grey.jpg")
    np.save(folder / "grey.npy", grey)
    np.savez_compressed(folder / "grey.npz", a=grey)
    np.save(folder / "real.npy", grey.astype("f4"))
    matrix = plan.rng.random((90, 90)) + 9 * np.eye(90)
    np.save(folder / "a.npy", matrix)
    np.save(folder / "b.npy", matrix[:, :3])
    np.save(folder / "on.npy", np.full((30, 80), 4.0))
    np.save(folder / "off.npy", np.ones((30, 80)))
    (folder / "a.mtx").write_text("%%MatrixMarket matrix array real general\n2 2\n4\n1\n1\n3\n")
    letters = ["".join(plan.draw.choices("ACGT", k=400)) for _ in range(20)]
    (folder / "a.fa").write_text("".join(f">{k}\n{s}\n" for k, s in enumerate(letters)))
    (folder / "b.fa.gz").write_bytes(gzip.compress(f">genome\n{''.join(letters)}\n".encode()))
    (folder / "reads.fq").write_text("".join(f"@{k}\n{s[:60]}\n+\n{'I' * 60}\n" for k, s in enumerate(letters)))
    (folder / "case.txt").write_text("2\n0 0 0 1 2 -1\n1 1 1 1 4 0\n")
    (folder / "case.toml").write_text(CASE)
    for suffix in ("su2", "wmesh", "fvcorr", "sac"):
        made = ["mesh", "generate", "shell", "--size", "400", "-o", f"box.{suffix}"]
        subprocess.run([plan.wale, *made], cwd=folder, check=True, capture_output=True)
    subprocess.run([plan.wale, "tree", "grow", "-o", "cell.swc"], cwd=folder, check=True, capture_output=True)


def make_large_files(folder, plan):
    """What TEAM_VERBS work on beside the small files."""
    np.save(folder / "large.npy", plan.rng.integers(0, 255, (1200, 1200)).astype(np.uint8))
    np.save(folder / "pages.npy", plan.rng.integers(0, 255, (8, 200, 200)).astype(np.uint8))
    np.save(folder / "bits.npy", plan.rng.random((3000, 3000)) < 0.5)
    np.save(folder / "large_a.npy", plan.rng.random((400, 400)))
    for name, shape in {"many": (600, 1000), "one": (1, 1000000)}.items():
        np.save(folder / f"{name}_off.npy", np.ones(shape))
        np.save(folder / f"{name}_on.npy", np.full(shape, 4.0))
    for name in ("long", "other"):
        (folder / f"{name}.fa").write_text(f">{name}\n{''.join(plan.draw.choices('ACGT', k=60000))}\n")
    (folder / "many.fa").write_text("".join(f">{k}\n{''.join(plan.draw.choices('ACGT', k=300))}\n" for k in range(3000)))
    (folder / "large.toml").write_text(CASE.replace("300", "20000").replace("iterations = 3", "iterations = 20"))
    for words in (["mesh", "generate", "shell", "--size", "20000", "-o", "large.fvcorr"],
                  ["mesh", "generate", "shell", "--size", "100000", "-o", "large.wmesh"]):  # fmt: skip
        subprocess.run([plan.wale, *words], cwd=folder, check=True, capture_output=True)


def run(plan, preload, folder, words, under=(), **variables):
    """A run of the command, `under` another, in a folder of its own, which has links to the inputs; its answers are the other
    files."""
    with tempfile.TemporaryDirectory(dir=folder.parent) as name:
        place = pathlib.Path(name)
        for file in folder.iterdir():
            (place / file.name).symlink_to(file)
        before = set(os.listdir(place))
        environment = os.environ | {"LD_PRELOAD": preload, "OPENBLAS_NUM_THREADS": "1"} | variables
        done = subprocess.run([*under, plan.wale, *words], cwd=place, stdin=subprocess.DEVNULL, capture_output=True,
                              env=environment, timeout=SECONDS)  # fmt: skip
        answers = {n: (place / n).read_bytes() for n in sorted(set(os.listdir(place)) - before)}
        return done, answers


def timeless(name, answer):
    """Of a history the lines without their time."""
    return re.sub(rb"[^,\n]*$", b"", answer, flags=re.MULTILINE) if name == "y.csv" else answer


def fault_of(plan, preload, folder, words, right, kind, k):
    """What is wrong with the run where this call fails, or an empty text."""
    try:
        done, answers = run(plan, preload, folder, words, WALE_FAIL=f"{kind}:{k}")
    except subprocess.TimeoutExpired:
        return f"runs longer than {SECONDS} s"
    said = done.stderr.decode(errors="replace")
    for name, answer in answers.items():  # one of several outputs may be complete before another fails
        if name not in right or timeless(name, answer) != timeless(name, right[name]):
            return f"exit {done.returncode}, leaves {name} of {len(answer)} bytes: {said[:200]}"
    if done.returncode == 0:
        # Each second fsync is that of an output's folder, when the output has its name already.
        if kind == "rename" or (kind == "fsync" and int(k.rstrip("+")) % 2):
            return f"exit 0 though {kind} failed"
        return "" if answers.keys() == right.keys() else f"exit 0 without {right.keys() - answers.keys()}"
    if said.startswith(TLS) and done.returncode == -signal.SIGABRT:
        return ""
    if kind == "thread" and not re.search(r"threads: is \d+, of which the system starts \d+ ", said):
        return f"exit {done.returncode} names no threads: {said[:300]}"
    if done.returncode not in CODES[kind]:
        return f"exit {done.returncode}, expected {sorted(CODES[kind])}: {said[:300]}"
    return "" if ERROR.fullmatch(said) else f"exit {done.returncode} says {said[:300]!r}"


def counts_of(plan, preload, folder, words):
    with tempfile.NamedTemporaryFile() as counted:
        done, answers = run(plan, preload, folder, words, WALE_COUNT=counted.name)
        must(done.returncode == 0, words, done.stderr.decode(errors="replace"))
        lines = pathlib.Path(counted.name).read_text().splitlines()
    return answers, {kind: int(count) for kind, count in map(str.split, lines)}


def chosen(plan, calls, most):
    """The numbers of the calls that fail: all, or some at random."""
    ks = range(1, calls + 1) if calls <= most else sorted(plan.draw.sample(range(1, calls + 1), most))
    return [f"{k}{'+' if plan.draw.random() < 0.3 else ''}" for k in ks]


def sweep(plan, verbs, kinds, most):
    """Figure of the runs in which of each verb and kind at most so many calls fail, each alone."""
    plan.command()
    with tempfile.TemporaryDirectory(prefix="wale_trust_") as name, concurrent.futures.ThreadPoolExecutor(max(2, min(8, processors() // 2))) as pool:
        folder = pathlib.Path(name) / "inputs"
        folder.mkdir()
        preload = library(name)
        make_files(folder, plan)
        if verbs is TEAM_VERBS:
            make_large_files(folder, plan)
        tried = []
        counted = pool.map(functools.partial(counts_of, plan, preload, folder), verbs)
        for words, (right, counts) in zip(verbs, counted):
            must(verbs is not TEAM_VERBS or counts["thread"] > 0, f"wale {' '.join(words)} wants no thread: it asks nothing")
            tried += [(words, right, kind, k) for kind in kinds for k in chosen(plan, counts[kind], most)]
        said = list(pool.map(lambda one: fault_of(plan, preload, folder, *one), tried))
    faults = [f"wale {' '.join(one[0])}: {one[2]} {one[3]}: {fault}" for one, fault in zip(tried, said) if fault]
    must(not faults, f"{len(faults)} of {len(tried)} faults (seed {plan.seed}):\n  " + "\n  ".join(faults[:40]))
    return f"{len(tried)} faults of {len(verbs)} verbs end as they must (seed {plan.seed})"


def failing_verbs(plan):
    """Short: of each verb and kind two calls; long: 200 of each."""
    return sweep(plan, VERBS, [kind for kind in CODES if not kind.startswith(("device", "team"))], plan.count(2, 200))


def failing_teams(plan):
    """Of work by several threads: no thread, or an allocation of one thread while the others may wait for it."""
    return sweep(plan, TEAM_VERBS, ["thread", "team_malloc"], plan.count(2, 40))


def failing_device(plan):
    """Calls of the driver, where a device is. Short: 2 of each verb and kind. The driver itself ends by a signal where
    its own malloc fails, so malloc is not asked."""
    info = subprocess.run([plan.command(), "info"], capture_output=True, text=True, check=True).stdout
    if not re.search("^cuda device", info, re.MULTILINE):
        return "no device"
    return sweep(plan, DEVICE_VERBS, ["device_memory", "device_call"], plan.count(2, 200))


def failing_calls(plan):
    """Python calls in a process of their own, which failing_python.py is."""
    with tempfile.TemporaryDirectory(prefix="wale_trust_") as name:
        words = [sys.executable, str(HERE / "failing_python.py"), str(plan.seed), str(plan.count(8, 400))]
        done = subprocess.run(words, cwd=name, capture_output=True, text=True, timeout=plan.count(900, 7200),
                              env=os.environ | {"LD_PRELOAD": library(name), "WALE_NUM_THREADS": THREADS})  # fmt: skip
    must(done.returncode == 0, f"exit {done.returncode}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    figure = json.loads(done.stdout)
    must(not figure["wrong"], f"{len(figure['wrong'])} of {figure['faults']} faults (seed {plan.seed}):\n  " + "\n  ".join(figure["wrong"]))
    return f"{figure['faults']} faults in {figure['calls']} calls end as they must, {figure['refused']} by an exception"


ROWS = (failing_verbs, failing_teams, failing_device, failing_calls)
