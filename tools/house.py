#!/usr/bin/env python3
"""Prints the size of the tree and, for each build folder named, what it holds and how long its objects took.

    tools/house.py [BUILD...]        for example: tools/house.py build/dev

Times are read from Ninja's log: seconds from the start of a command to its end, so that objects compiled side by
side count in full. They are exact where the build ran with -j 1 and without ccache.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HARD_LOOK = 400  # lines of a file
LANGUAGES = {"C++": ".cpp.o", "CUDA": ".cu.o"}


def tree() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    files = [ROOT / name for name in listed.splitlines()]
    measured = [f for f in files if "bench/results/" in f.as_posix()]
    lines = {f: f.read_bytes().count(b"\n") for f in files if f not in set(measured) and f.is_file()}
    print(f"lines without measurements  {sum(lines.values())}")
    print(f"files                       {len(files)}, of them measurements {len(measured)}")
    print(f"files above {HARD_LOOK} lines       ", end="")
    print(", ".join(f"{f.relative_to(ROOT)} ({n})" for f, n in lines.items() if n > HARD_LOOK) or "none")


def build(folder: Path) -> None:
    for library in sorted(folder.glob("bin/libwale*.so")):
        print(f"{folder}: {library.name}  {library.stat().st_size / 1e6:.1f} MB")
    log = folder / ".ninja_log"
    if not log.is_file():
        return
    seconds: dict[str, float] = {}  # the last run of each command counts
    for line in log.read_text().splitlines()[1:]:
        start, end, _, output, *_ = line.split("\t")
        seconds[output] = (int(end) - int(start)) / 1000
    for language, suffix in LANGUAGES.items():
        objects = {name: s for name, s in seconds.items() if name.endswith(suffix)}
        if objects:
            longest = max(objects, key=lambda name: objects[name])
            print(
                f"{folder}: {language}  {len(objects)} objects, {sum(objects.values()):.0f} s together, "
                f"longest {objects[longest]:.0f} s ({Path(longest).name})"
            )


def main(arguments: list[str]) -> int:
    if any(a.startswith("-") for a in arguments):
        print(__doc__)
        return 0 if arguments[0] in ("-h", "--help") else 2
    tree()
    for folder in arguments:
        build(Path(folder))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
