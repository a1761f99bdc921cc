"""python tests/trust/planted_cuda.py make DIR [--build build/dev] | run DIR --bin BIN | all DIR [--build build/dev]

The planted faults of device code (planted_table.py). `make` compiles each fault into one object, with the commands of a build
tree, and puts the objects of the backend beside them: it needs a compiler, no device. `run` links a backend for each fault
(some seconds each) and expects the test that is named beside the fault to fail: it needs a device, a host compiler and the
binaries, no sources. `all` does both where a build tree and a device are. Nothing outside of DIR is written."""

import argparse
import concurrent.futures
import functools
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import time

from planted_table import PLANTED

ROOT = pathlib.Path(__file__).resolve().parents[2]
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
# Of the units that include a header, the one in whose tests the fault must show.
UNIT = {"launch.cuh": "lcs_length.cu", "worklist.cuh": "tiles_of_u8.cu", "packets.cuh": "resident/pivoted_f32.cu"}
SECONDS = 90  # of one test: a wait that cannot end takes seconds at each question


def faults():
    return [(number, *row) for number, row in enumerate(PLANTED) if row[0].endswith((".cu", ".cuh"))]


@functools.lru_cache(None)
def included(file):
    """Files of src that a file of src includes, and those that they include."""
    seen, to_read = set(), [file]
    while to_read:
        for name in INCLUDE.findall((ROOT / to_read.pop()).read_text()):
            path = f"src/{name}"
            if path not in seen and (ROOT / path).exists():
                seen.add(path)
                to_read.append(path)
    return seen


def unit_of(file, units):
    """The source that is compiled anew for a fault in `file`."""
    if file in units:
        return file
    affected = sorted(u for u in units if file in included(u))
    return next((u for u in affected if u.endswith(UNIT.get(pathlib.Path(file).name, ""))), None)


def compile_fault(commands, folder, number, file, old, new):
    """Compiles the unit with the planted text, which is found before the sound one. What went wrong, or nothing."""
    unit = unit_of(file, commands)
    if unit is None:
        return f"{number} {file}: no unit includes it"
    place = folder / "mutated" / str(number)
    planted = place / "src" / pathlib.Path(file).relative_to("src")
    planted.parent.mkdir(parents=True, exist_ok=True)
    text = (ROOT / file).read_text()
    if text.count(old) != 1:
        return f"{number} {file}: its text occurs {text.count(old)} times"
    planted.write_text(text.replace(old, new))
    entry = commands[unit]
    words = shlex.split(entry["command"])
    if "ccache" in pathlib.Path(words[0]).name:
        words = words[1:]
    source = str(planted) if unit == file else entry["file"]
    words = [source if w == entry["file"] else w for w in words]
    words[words.index("-o") + 1] = str(place / "mutated.o")
    words.insert(1, f"-I{place / 'src'}")
    done = subprocess.run(words, cwd=entry["directory"], capture_output=True, text=True)
    if done.returncode != 0:
        return f"{number} {file}: does not compile: {done.stderr[-1500:]}"
    (place / "unit").write_text(entry["output"])
    return ""


def make(folder, build, jobs):
    entries = json.loads((build / "compile_commands.json").read_text())
    commands = {}
    for entry in entries:
        name = os.path.relpath(entry["file"], ROOT)
        if name.endswith(".cu") and "wale_cuda.dir" in entry["command"]:
            words = shlex.split(entry["command"])
            commands[name] = entry | {"output": words[words.index("-o") + 1]}
    shutil.rmtree(folder, ignore_errors=True)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        wrong = list(filter(None, pool.map(lambda f: compile_fault(commands, folder, *f[:4]), faults())))
    absent = 0
    for entry in commands.values():
        to = folder / entry["output"]
        to.parent.mkdir(parents=True, exist_ok=True)
        if (build / entry["output"]).exists():
            shutil.copyfile(build / entry["output"], to)
        else:
            absent += 1
    if absent:
        wrong.append(f"{absent} objects are not built: `ninja -C {build} wale_cuda` does it")
    (folder / "objects").write_text("\n".join(entry["output"] for entry in commands.values()))
    for line in wrong:
        print(line)
    compiled = sum((folder / "mutated" / str(f[0]) / "unit").exists() for f in faults())
    print(f"{compiled} of {len(faults())} faults compile, {len(commands) - absent} of {len(commands)} objects")
    return not wrong


def link(folder, binaries, place, instead):
    """A folder like that of the binaries, whose backend has the mutated object instead of one of its own."""
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    for file in binaries.iterdir():
        if file.name == "libwale_cuda.so":
            continue
        if file.name.startswith("libwale"):  # it looks for the backend beside itself
            shutil.copy2(file, place / file.name, follow_symlinks=True)
        else:
            (place / file.name).symlink_to(file)
    cuda = pathlib.Path(os.environ.get("CUDA_HOME", "/usr/local/cuda"))
    libraries = [f"-L{path}" for path in (cuda / "lib64", cuda / "lib", cuda / "targets/x86_64-linux/lib") if path.exists()]
    objects = [str(instead.get(name, folder / name)) for name in (folder / "objects").read_text().splitlines()]
    core = next(p for p in sorted(place.glob("libwale.so*")))
    words = ["g++", "-fPIC", "-shared", "-o", str(place / "libwale_cuda.so"), *objects, str(core), *libraries,
             "-Wl,-rpath,$ORIGIN", f"-Wl,-rpath,{cuda / 'lib64'}", "-lcublas", "-lcublasLt", "-lcudadevrt", "-lcudart_static",
             "-lrt", "-lpthread", "-ldl"]  # fmt: skip
    done = subprocess.run(words, capture_output=True, text=True)
    return "" if done.returncode == 0 else done.stderr[-1500:]


def run_test(place, test):
    """Whether the test fails, and how; None where it shows nothing."""
    name, filter_words = shlex.split(test)
    environment = os.environ | {"LD_LIBRARY_PATH": f"{place}:{os.environ.get('LD_LIBRARY_PATH', '')}"}
    try:
        done = subprocess.run([str(place / name), "--gtest_brief=1", "--gtest_fail_fast", f"--gtest_filter={filter_words}"],
                              env=environment, capture_output=True, text=True, timeout=SECONDS)  # fmt: skip
    except subprocess.TimeoutExpired:
        return True, f"runs longer than {SECONDS} s"
    ran = re.search(r"PASSED  \] (\d+) test", done.stdout)
    if done.returncode == 0 and (ran is None or ran[1] == "0"):
        return None, "no test ran: " + (done.stdout + done.stderr)[-300:]
    first = re.search(r"^.*Failure$.*", done.stdout, re.MULTILINE)
    return done.returncode != 0, f"exit {done.returncode} {first[0] if first else ''}"


def try_fault(folder, binaries, fault):
    number, file, old, _, test = fault
    begin = time.monotonic()
    own = folder / "mutated" / str(number)
    place = folder / "run" / str(number)
    broken = link(folder, binaries, place, {(own / "unit").read_text(): own / "mutated.o"})
    failed, how = (None, f"does not link: {broken}") if broken else run_test(place, test)
    shutil.rmtree(place, ignore_errors=True)
    verdict = "seen" if failed else "SURVIVES" if failed is False else "NOT RUN"
    print(f"{verdict:9} {time.monotonic() - begin:6.1f} s  {number} {file}: {old[:50]!r}: {test}: {how}", flush=True)
    return failed is True


def run(folder, binaries, jobs, sound):
    """The tests must pass with the sound backend, linked in the same way, and fail with each fault."""
    binaries = binaries.resolve()
    good = True
    if sound:
        place = folder / "run" / "sound"
        broken = link(folder, binaries, place, {})
        tests = sorted({fault[4] for fault in faults()})
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            for test, (failed, how) in zip(tests, pool.map(lambda t: (None, broken) if broken else run_test(place, t), tests)):
                if failed is not False:
                    good = False
                    print(f"UNSOUND   {test}: {how} without a planted fault", flush=True)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        seen = sum(pool.map(lambda fault: try_fault(folder, binaries, fault), faults()))
    print(f"{seen} of {len(faults())} planted faults seen")
    return good and seen == len(faults())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["make", "run", "all"])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "dev")
    parser.add_argument("--bin", type=pathlib.Path, help="the binaries; else those of the build")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--unsound", action="store_true", help="leave out the tests without a fault: they have just run")
    words = parser.parse_args()
    folder, build = words.folder.resolve(), words.build.resolve()
    if words.what != "run" and not make(folder, build, words.jobs):
        return 1
    if words.what == "make":
        return 0
    return 0 if run(folder, (words.bin or build / "bin").resolve(), min(words.jobs, 6), not words.unsound) else 1


if __name__ == "__main__":
    sys.exit(main())
