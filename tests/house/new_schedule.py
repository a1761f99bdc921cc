"""Adds a schedule to a copy of the sources as HACKING.md says: its file, its name in rows.txt, its line in the README.
Looks whether the checkers accept it, CMake compiles it, wale::variants() lists it and a call runs it.
Arguments: the folder of the sources, and of the build whose libwale and compiler are used."""
import re
import shutil
import subprocess
import sys
from pathlib import Path

SOLVER = "src/solvers/wavefront"
OPERATION = f"{SOLVER}/length"
SCHEDULE = """#include "solvers/wavefront/jobs.hpp"

namespace wale::wavefront {
namespace {

void answer(lcs_length_job& job) {
    job.length = 4711;
}

}  // namespace

extern constinit const catalogue::row<lcs_length_job> lcs_length_cpu_dummy{
    "cpu/dummy", "an answer without work", answer};

}  // namespace wale::wavefront
"""
# The program is linked with the changed table, which libwale then takes instead of its own.
PROGRAM = """#include <algorithm>
#include <cstdio>
#include <wale/wale.hpp>

int main() {
    const auto rows = wale::variants("wavefront");
    const auto is_new = [](const auto& row) { return row.operation == "lcs_length" && row.name == "cpu/dummy"; };
    if (std::none_of(rows.begin(), rows.end(), is_new)) return std::puts("the row is not listed"), 1;
    const auto result = wale::lcs_length(wale::on_cpu{}, "ab", "ba", {.variant = "dummy"});
    std::printf("%s: %d\\n", result.run.variant.c_str(), static_cast<int>(result.length));
}
"""


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def main(source, build):
    copy, own = build / "new_schedule/source", build / "new_schedule/build"
    shutil.rmtree(copy, ignore_errors=True)
    for part in ("src", "include", "cmake", "tools"):
        shutil.copytree(source / part, copy / part, ignore=shutil.ignore_patterns("__pycache__"))
    for file in source.glob("*"):
        if file.is_file():
            shutil.copy(file, copy)

    (copy / OPERATION / "cpu/dummy.cpp").write_text(SCHEDULE)  # the first place
    rows = copy / SOLVER / "rows.txt"  # the second
    rows.write_text(rows.read_text().replace("\nlcs_length:", "\nlcs_length: cpu/dummy"))
    with (copy / SOLVER / "README.md").open("a") as readme:  # the third
        readme.write("| `cpu/dummy` |\n")
    for checker in ("rows", "includes"):
        run(sys.executable, copy / f"tools/check_{checker}.py")

    known = dict(re.findall(r"^(\w+):\w+=(.*)$", (build / "CMakeCache.txt").read_text(), re.M))
    kept = ("CMAKE_BUILD_TYPE", "CMAKE_CXX_COMPILER", "CMAKE_CXX_COMPILER_LAUNCHER", "CMAKE_CXX_FLAGS",
            "CMAKE_EXE_LINKER_FLAGS", "CMAKE_SHARED_LINKER_FLAGS")
    run("cmake", "-G", "Ninja", "-S", copy, "-B", own, *(f"-D{part}=OFF" for part in ("WALE_CUDA", "WALE_CLI", "WALE_TESTS")),
        *(f"-D{name}={known[name]}" for name in kept if known.get(name)))
    objects = [f"CMakeFiles/wale.dir/{name}.cpp.o" for name in (f"{OPERATION}/cpu/dummy", "rows/wavefront")]
    run("ninja", "-C", own, *objects)
    (own / "program.cpp").write_text(PROGRAM)
    run(known["CMAKE_CXX_COMPILER"], "-std=c++20", *known.get("CMAKE_CXX_FLAGS", "").split(), "-I", copy / "include",
        own / "program.cpp", *(own / name for name in objects), "-L", build / "bin", "-lwale",
        f"-Wl,-rpath,{build / 'bin'}", "-o", own / "program")
    answer = run(own / "program").strip()
    if answer != "cpu/dummy: 4711":
        sys.exit(f"{answer}, expected cpu/dummy: 4711")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve())
