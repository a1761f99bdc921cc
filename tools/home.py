#!/usr/bin/env python3
"""Puts the address of the repository into the metadata of both Python packages, from where PyPI shows it. The sources name
no address, so that the packages of a copy point to that copy: the release workflow knows where it runs.

usage: home.py URL
"""

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
PACKAGES = ("pyproject.toml", "packaging/cuda/pyproject.toml")


def with_home(text, url):
    """The text of a pyproject.toml with its table of addresses."""
    if not url.startswith("https://") or any(c in url for c in '"\\ \n'):
        raise SystemExit(f"URL: is {url!r}, expected https://HOST/PATH")
    if "[project.urls]" in text:
        raise SystemExit("pyproject.toml: has addresses already")
    pages = {"Homepage": "", "Issues": "/issues", "Changelog": "/blob/main/CHANGELOG.md"}
    return text + "\n[project.urls]\n" + "".join(f'{name} = "{url}{page}"\n' for name, page in pages.items())


def main():
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    for name in PACKAGES:
        path = ROOT / name
        path.write_text(with_home(path.read_text(), sys.argv[1]))


if __name__ == "__main__":
    main()
