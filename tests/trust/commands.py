"""Commands that cannot succeed: verbs combined with faults of their files and options. Each ends with its exit code, one
line of error (and at most one hint), no output left behind, in bounded time and memory."""

import concurrent.futures
import os
import pathlib
import random
import re
import subprocess
import tempfile
import time

from plan import must, processors

SECONDS = 5
# Of private memory: the files of the table are small.
MEMORY = 256 << 20
ERROR = re.compile(r"wale: error: \S.*")
HINT = re.compile(r"wale: hint: \S.*")

# A verb that reads files: its words, in which {} is the file with the fault, and -o names the output.
READERS = {
    "align": ["align", "{}", "good.fa"],
    "align, second": ["align", "good.fa", "{}", "-m", "edit"],
    "align, matrix": ["align", "-m", "score", "--matrix", "{}", "good.fa", "good.fa"],
    "align, profile": ["align", "--profile", "{}", "good.fa"],
    "map": ["map", "{}", "good.fa"],
    "map, genome": ["map", "good.fa", "{}"],
    "search": ["search", "{}", "good.fa"],
    "search, database": ["search", "good.fa", "{}"],
    "search, profile": ["search", "--profile", "{}", "good.fa"],
    "warp": ["warp", "{}", "good.npy"],
    "warp, all": ["warp", "--all", "good.npy", "{}"],
    "fill-holes": ["reconstruct", "fill-holes", "{}"],
    "h-domes": ["reconstruct", "h-domes", "{}", "--h", "3"],
    "depressions": ["reconstruct", "depressions", "{}"],
    "watershed": ["reconstruct", "watershed", "good.png", "{}"],
    "mask": ["reconstruct", "reconstruct", "good.png", "{}"],
    "factor": ["lu", "factor", "{}"],
    "det": ["lu", "det", "{}"],
    "inverse": ["lu", "inverse", "{}"],
    "rhs": ["lu", "solve", "good.npy", "--rhs", "{}"],
    "case": ["tree", "solve", "{}"],
    "chains": ["tree", "solve", "--lower", "row.npy", "--diagonal", "{}", "--pivoting", "none", "--upper", "row.npy", "--rhs", "row.npy"],
    "info": ["tree", "info", "{}"],
    "cable": ["tree", "cable", "{}", "--tstop", "1"],
    "check": ["mesh", "check", "{}"],
    "renumber": ["mesh", "renumber", "{}"],
    "partition": ["mesh", "partition", "{}", "-n", "2"],
    "convert": ["mesh", "convert", "{}", "answer.su2"],
    "flow": ["euler", "{}"],
    "restart": ["euler", "good.toml", "--restart", "{}"],
}
SUFFIX = {"align": ".tsv", "map": ".paf", "search": ".tsv", "warp": ".csv", "reconstruct": ".npy", "lu": ".npy", "tree": ".npy", "mesh": ".npy"}
NAMED_FORMAT = ("fill-holes", "h-domes", "depressions", "watershed", "mask", "factor", "inverse", "rhs", "renumber",
                "chains")
NO_OUTPUT = ("det", "info", "check", "convert", "flow", "restart")
READ_FAILS, BAD_DATA = {66}, {65}
FILE_FAULTS = {
    "missing": READ_FAILS, "folder": READ_FAILS, "closed": READ_FAILS, "missing/in/there": READ_FAILS,
    "empty": BAD_DATA, "zeros": BAD_DATA, "noise": BAD_DATA, "gzip": BAD_DATA, "text": BAD_DATA,
    "huge.npy": BAD_DATA, "vast.npy": BAD_DATA, "cut.npy": BAD_DATA, "nan.npy": BAD_DATA | {1},
    "cut.png": BAD_DATA, "vast.png": BAD_DATA, "huge.mtx": BAD_DATA, "huge.su2": BAD_DATA | {2}, "negative.mtx": BAD_DATA,
    "case.swc": BAD_DATA,
}  # fmt: skip
# What of these a verb may read as something that is right: sequences of letters are almost free, one number is a matrix.
LENIENT = {
    ("align", "text"), ("align, second", "text"), ("map", "text"), ("map, genome", "text"), ("search", "text"), ("search, database", "text"),
}  # fmt: skip
OPTION_FAULTS = (
    ["--threads", "-1"], ["--threads", "9999999999999999999999"], ["--threads", "nan"], ["--threads"],
    ["--backend", "quantum"], ["--variant", "cpu/none"], ["--nonsense"], ["--variant", ""],
)  # fmt: skip
OUTPUT_FAULTS = {"no/folder/x": {73}, "folder": {73}, "/dev/full": {73, 74}, "closed/x": {73}, "/proc/x": {73, 74}}
GOOD = {
    "align": "good.fa", "map": "good.fa", "search": "good.fa", "warp": "good.npy", "reconstruct": "good.npy", "lu": "good.npy", "tree": "good.swc",
    "mesh": "good.su2", "euler": "good.toml", "align, matrix": "blosum62", "watershed": "good.png", "mask": "good.png",
    "case": "good.txt", "restart": "good.checkpoint", "chains": "fours.npy",
    "align, profile": "good.pssm", "search, profile": "good.pssm",
}  # fmt: skip
SINGLE = (
    ["align", "-", "-"], ["map", "-", "-"], ["reconstruct", "reconstruct", "-", "-"], ["lu", "solve", "-", "--rhs", "-"],
    ["lu", "generate", "1000000000"], ["lu", "generate", "-3"], ["lu", "generate", "0x10"], ["study", "nothing"],
    ["list", "nothing"], [], ["nothing"], ["lu"], ["lu", "nothing"], ["mesh", "generate", "box", "--size", "-1", "-o", "x.su2"],
    ["mesh", "generate", "box", "--size", "100", "-o", "x.nothing"], ["mesh", "partition", "good.su2", "-n", "0", "-o", "x.npy"],
    ["tree", "grow", "--levels", "99"], ["tree", "cable", "good.swc", "--dt", "0"], ["tree", "cable", "good.swc", "--clamp", "1,2"],
    ["tree", "cable", "good.swc", "--tstop", "nan"], ["tree", "cable", "good.swc", "--membrane", "wood"],
    ["tree", "cable", "good.swc", "--probe", "99999999"], ["reconstruct", "opening", "good.png", "--size", "2"],
    ["reconstruct", "h-domes", "good.png", "--h", "nan"], ["reconstruct", "h-domes", "good.png", "--h", "-1"],
    ["reconstruct", "h-domes", "good.png", "--h", "1.5"], ["reconstruct", "h-domes", "good.png"],
    ["reconstruct", "select", "good.png", "--point", "9999,0"], ["reconstruct", "select", "good.png", "--point", "1"],
    ["reconstruct", "fill-holes", "good.png", "-c", "6"], ["reconstruct", "fill-holes", "good.png", "--channel", "7"],
    ["align", "--strings", "A"], ["align", "good.fa", "good.fa", "-m", "edit", "-k", "-1"],
    ["align", "good.fa", "good.fa", "-m", "score", "--open", "99999999999"], ["map", "good.fa", "good.fa", "-e", "2"],
    ["align", "good.fa", "two.fa", "--pairs"], ["lu", "factor", "good.npy", "--type", "float8"],
    ["lu", "factor", "good.npy", "--pivoting", "total"], ["lu", "det", "row.npy"], ["lu", "solve", "good.npy", "--rhs", "two.npy"],
)  # fmt: skip


def npy(values, shape=None, kind="<f8", cut=None):
    import numpy as np

    array = np.asarray(values, kind)
    header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape or array.shape}, }}".ljust(117) + "\n"
    return (b"\x93NUMPY\x01\0\x76\0" + header.encode() + array.tobytes())[:cut]


def png(pixels):
    import io

    import numpy as np
    from PIL import Image

    stream = io.BytesIO()
    Image.fromarray(np.asarray(pixels, "u1")).save(stream, "png")
    return stream.getvalue()


def make_files(folder, wale, draw):
    picture = png([[draw.randrange(256) for _ in range(40)] for _ in range(30)])
    noise = draw.randbytes(5000)
    files = {
        "empty": b"", "zeros": bytes(4096), "noise": b"\xfe" + noise, "gzip": b"\x1f\x8b\x08\0" + noise,
        "text": b"Once upon a time\nthere was no number here.\n",
        "huge.npy": npy([1.0], (10**9, 10**9)), "vast.npy": npy([1.0], (60000, 60000)),
        "cut.npy": npy([[1.0] * 9] * 9, cut=-100), "nan.npy": npy([[1.0, float("nan")], [2.0, 3.0]]),
        "cut.png": picture[: len(picture) // 2], "vast.png": picture[:16] + b"\x7f\xff\xff\xff" * 2 + picture[24:],
        "huge.mtx": b"%%MatrixMarket matrix array real general\n4000000000 4000000000\n1\n",
        "negative.mtx": b"%%MatrixMarket matrix coordinate real general\n2 2 1\n-1 1 3\n",
        "huge.su2": b"NDIME= 3\nNELEM= 9000000000000000000\n10 0 1 2 3 0\n",
        "case.swc": b"1 1 0 0 0 nan -1\n2 3 1e999 0 0 1 7\n",
        "good.fa": b">a\nACGTACGTTTAC\n", "good.pssm": b"A C G T\n1 2 -3 4\n", "two.fa": b">a\nACG\n>b\nACT\n", "good.npy": npy([[4.0, 1.0], [1.0, 3.0]]),
        "row.npy": npy([1.0] * 5), "fours.npy": npy([4.0] * 5), "two.npy": npy([1.0] * 3), "good.png": picture,
        "good.txt": b"2\n0 0 0 1 2 -1\n1 1 1 1 4 0\n",
        "good.toml": b'[mesh]\ngenerate = "shell"\nsize = 100\n[run]\niterations = 1\n',
    }  # fmt: skip
    for name, content in files.items():
        (folder / name).write_bytes(content)
    (folder / "folder").mkdir()
    (folder / "closed").write_bytes(b"x")
    (folder / "kept.toml").write_bytes(files["good.toml"] + b'[output]\ncheckpoint = "good.checkpoint"\n')
    for words in (["mesh", "generate", "box", "--size", "100", "-o", "good.su2"], ["tree", "grow", "-o", "good.swc"],
                  ["euler", "kept.toml"]):  # fmt: skip
        subprocess.run([wale, *words], cwd=folder, check=True, capture_output=True)


def output_of(name, words):
    if name in NO_OUTPUT:
        return []
    suffix = ".su2" if name == "renumber" else ".csv" if name == "cable" else SUFFIX[words[0]]
    return ["-o", f"answer{suffix}"]


def table():
    """The words of a command, and the exit codes that are right."""
    for name, words in READERS.items():
        good = GOOD.get(name, GOOD[words[0]])
        for fault, codes in FILE_FAULTS.items():
            if fault == "closed" or (name, fault) in LENIENT:
                continue
            if fault == "nan.npy" and words[0] == "reconstruct":
                continue  # a NaN is no data in elevations
            yield [w.format(fault) for w in words] + output_of(name, words), codes
        for option in OPTION_FAULTS:
            if name == "info" and option[0] != "--nonsense":
                continue
            usage = {2} if option[:2] != ["--variant", "cpu/none"] else {2, 69}
            yield [w.format(good) for w in words] + option, usage
        if name not in NO_OUTPUT:
            for place, codes in OUTPUT_FAULTS.items():
                out = output_of(name, words)[1]
                path = place if place in ("folder", "/dev/full") else place + pathlib.Path(out).suffix
                if path == place and name in NAMED_FORMAT:
                    continue  # a name that says no format is refused as usage before it is opened
                yield [w.format(good) for w in words] + ["-o", path], codes
    for words in SINGLE:
        yield words, {2, 65, 71}


def limited(words):
    """The command with bounds of its memory, and without a core file."""
    memory = [] if "WALE_NO_MEMORY_LIMITS" in os.environ else [f"--data={MEMORY}"]
    return ["prlimit", "--core=0", *memory, *words]


def fault_of(wale, words, codes, folder):
    """What is wrong with how the command ends, or an empty text. A busy machine may be late once."""
    for _ in range(3):
        fault, late = asked(wale, words, codes, folder)
        if fault or not late:
            return fault
    return late


def asked(wale, words, codes, folder):
    """What is wrong with the end of one run, and what is wrong with its time."""
    before, begin = sorted(os.listdir(folder)), time.monotonic()
    variables = dict(os.environ, OPENBLAS_NUM_THREADS="1", WALE_NUM_THREADS=os.environ.get("WALE_NUM_THREADS", "2"))
    try:
        done = subprocess.run(limited([wale, *words]), cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, env=variables,
                              timeout=4 * SECONDS)  # fmt: skip
    except subprocess.TimeoutExpired:
        return "", f"still runs after {4 * SECONDS} s"
    taken = time.monotonic() - begin
    late = f"takes {taken:.1f} s" if taken > SECONDS else ""
    after = sorted(os.listdir(folder))
    if after != before:
        for name in set(after) - set(before):
            (folder / name).unlink()
        return f"exit {done.returncode}, leaves {sorted(set(after) - set(before))}", late
    said = done.stderr.decode(errors="replace")
    lines = said.splitlines()
    if done.returncode not in codes:
        return f"exit {done.returncode}, expected {sorted(codes)}: {said.strip()[:300]}", late
    errors = [line for line in lines if line.startswith("wale: error:")]
    strange = [n for n in lines if not (ERROR.fullmatch(n) or HINT.fullmatch(n))]
    if done.returncode != 1 and (len(errors) != 1 or strange or len(lines) > 2):
        return f"exit {done.returncode} says {said.strip()[:300]!r}", late
    return "", late


def faults_of(plan, commands):
    """What is wrong with each of these commands, which run one after the other in a folder of their own."""
    with tempfile.TemporaryDirectory(prefix="wale_trust_") as name:
        folder = pathlib.Path(name)
        make_files(folder, plan.wale, random.Random(plan.seed))
        found = [(words, fault_of(plan.wale, words, codes, folder)) for words, codes in commands]
    return [f"wale {' '.join(words)}: {fault}" for words, fault in found if fault]


def bad_commands(plan):
    """Every command of the table, by as many hands as there are processors."""
    plan.command()
    rows, hands = list(table()), processors()
    with concurrent.futures.ThreadPoolExecutor(hands) as pool:
        faults = sum(pool.map(lambda hand: faults_of(plan, rows[hand::hands]), range(hands)), [])
    must(not faults, f"{len(faults)} of {len(rows)} commands:\n  " + "\n  ".join(faults))
    return f"{len(rows)} commands end as they must"


ROWS = (bad_commands,)
