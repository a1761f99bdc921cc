#!/usr/bin/env python3
"""The version stands once, in project() of CMakeLists.txt; checks that what quotes it agrees.

usage: version.py [--tag vX.Y.Z]     --tag: the tag of a release must agree too
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
QUOTES = {"CITATION.cff": r"^version: (.*)$", "docs/install.md": r"find_package\(wale (\d+\.\d+)"}


def problems(texts, tag=None):
    """`texts`: file -> text. Yields what differs from CMakeLists.txt."""
    version = re.search(r"project\(wale VERSION ([0-9.]+)", texts["CMakeLists.txt"])[1]
    for name, pattern in QUOTES.items():
        found = re.search(pattern, texts[name], re.MULTILINE)
        if not found or (version + ".").find(found[1] + ".") != 0:
            yield f"{name}: version is {found and found[1]}, expected {version}"
    if re.search(r'^version = "', texts["pyproject.toml"], re.MULTILINE):
        yield "pyproject.toml: says a version, expected the one of CMakeLists.txt to be taken"
    if tag is not None and tag != f"v{version}":
        yield f"tag is {tag}, expected v{version}"


def main():
    words = sys.argv[1:]
    if words and (len(words) != 2 or words[0] != "--tag"):
        raise SystemExit(__doc__)
    texts = {name: (ROOT / name).read_text() for name in [*QUOTES, "CMakeLists.txt", "pyproject.toml"]}
    found = list(problems(texts, *words[1:]))
    print("\n".join(found) or "version: one")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
