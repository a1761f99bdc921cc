#!/usr/bin/env python3
"""Makes the documentation site: gathers docs, the READMEs of the solvers and the generated references, then runs
Sphinx with warnings as errors. Runs with the Python of build/venv, which has the package wale.

usage: make_site.py WALE OUTPUT         WALE: the program, whose help becomes a page; the site is OUTPUT/html
"""

import inspect
import json
import pathlib
import re
import shutil
import subprocess
import sys

import command_help

ROOT = pathlib.Path(__file__).resolve().parents[1]
SOLVERS = ("wavefront", "reconstruction", "lu", "tree", "euler")


def place(path):
    """Where a file of the repository lies in the site's sources; None if it is no page."""
    parts = path.relative_to(ROOT).parts
    if parts[0] == "docs" and path.suffix in (".md", ".png"):
        return pathlib.Path(*parts[1:])
    if parts[:2] == ("src", "solvers") and len(parts) == 4 and path.name == "README.md":
        return pathlib.Path("solvers", f"{parts[2]}.md")
    if path == ROOT / "CHANGELOG.md":
        return pathlib.Path("changelog.md")
    return None


def relinked(page):
    """A page's text with links that hold in the site; what is no page of it is shown as the name of a file.

    A page of several parts, each with a heading of level 1, becomes one part: a site's page has one title.
    """
    here = place(page).parent

    def link(found):
        name, target, anchor = found[1], found[2], found[3] or ""
        if re.match(r"[a-z]+:", target):
            return found[0]
        there = (page.parent / target).resolve()
        if not there.exists():
            raise SystemExit(f"{page}: links to {target}, which is not there")
        to = place(there)
        if to is None:
            return f"{name} (`{there.relative_to(ROOT)}`)"
        up = "../" * len(here.parts)
        return f"[{name}]({up}{to.as_posix()}{anchor})"

    pieces = re.split(
        r"(^```.*?^```|`[^`\n]*`)", page.read_text(), flags=re.MULTILINE | re.DOTALL
    )  # odd ones are code
    pieces[::2] = [re.sub(r"(?<!!)\[([^\]\n]*)\]\(([^)#\s]+)(#[^)]*)?\)", link, text) for text in pieces[::2]]
    titles = 0

    def heading(found):
        nonlocal titles
        titles += found[0] == "# "
        return found[0] if titles < 2 else "#" + found[0]

    pieces[::2] = [re.sub(r"^#+ ", heading, text, flags=re.MULTILINE) for text in pieces[::2]]
    return "".join(pieces)


def gather(source):
    pages = [*(ROOT / "docs").glob("*/*.md"), *(ROOT / "docs").glob("*.md"), ROOT / "CHANGELOG.md"]
    pages += [ROOT / "src/solvers" / solver / "README.md" for solver in SOLVERS]
    for page in pages:
        to = source / place(page)
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_text(relinked(page))
    for folder in "pictures", "performance/atlas":
        shutil.copytree(ROOT / "docs" / folder, source / folder)
    for name in "conf.py", "style.css":
        shutil.copy(ROOT / "docs" / name, source)


def notebook(page):
    """A page as a notebook: its text and its Python as cells in their order."""
    cells = []
    for k, text in enumerate(
        re.split(r"^```python\n(.*?)^```\n", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    ):
        lines = re.sub(r"^!\[.*\)$", "", text, flags=re.MULTILINE).strip().splitlines(keepends=True)
        if lines:
            code = (
                {"cell_type": "code", "execution_count": None, "outputs": []}
                if k % 2
                else {"cell_type": "markdown"}
            )
            cells.append({"id": f"{page.stem}-{k}", **code, "metadata": {}, "source": lines})
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return json.dumps(
        {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}, indent=1
    )


def add_notebooks(source):
    """Each tutorial offers itself as a notebook, without pictures, which its code draws."""
    for page in (ROOT / "docs/tutorials").glob("*.md"):
        if page.stem != "index":
            (source / "tutorials" / f"{page.stem}.ipynb").write_text(notebook(page))
            with (source / "tutorials" / page.name).open("a") as file:
                file.write(
                    f"\nThis page as a notebook: {{download}}`{page.stem}.ipynb <{page.stem}.ipynb>`.\n"
                )


def python_page():
    """Every public name of the package, by what it is."""
    import wale
    import wale.dask
    import wale.euler

    yield from (
        "# Python",
        "",
        "All names of `wale`; `help(wale.NAME)` says the same. Flows are in `wale.euler`, Dask arrays in `wale.dask`.",
        "",
    )
    for title, module in (("wale", wale), ("wale.dask", wale.dask), ("wale.euler", wale.euler)):
        yield from (f"## {title}", "", "```{eval-rst}", f".. currentmodule:: {title}", "")
        names = getattr(module, "__all__", None) or [n for n in vars(module) if not n.startswith("_")]
        for name in sorted(names):
            value = getattr(module, name)
            if inspect.ismodule(value) or not getattr(value, "__doc__", None) or not callable(value):
                continue
            if title == "wale.euler" and not str(getattr(value, "__module__", "")).startswith("wale"):
                continue
            kind = (
                "exception"
                if inspect.isclass(value) and issubclass(value, BaseException)
                else "class"
                if inspect.isclass(value)
                else "function"
            )
            members = ["   :members:"] if kind == "class" else []
            yield from (f".. auto{kind}:: {name}", *members, "")
        yield from ("```", "")


def cpp_page():
    """A section a header, with what its first comment says."""
    yield from ("# C++", "", "`#include <wale/wale.hpp>` includes all of these.", "")
    for header in sorted((ROOT / "include/wale").glob("*.hpp")):
        about = re.match(r"((?://[^\n]*\n)+)", header.read_text())
        if header.name == "wale.hpp" or not about:
            continue
        text = " ".join(line[2:].strip() for line in about[1].splitlines())
        text = re.sub(r"^\w+ - ", "", text)
        yield from (f"## wale/{header.name}", "", text.replace("<", "&lt;").replace("*", r"\*"), "")
        yield from (
            "```{doxygenfile} " + header.name,
            ":sections: briefdescription detaileddescription innerclass innernamespace enum func typedef var",
            "```",
            "",
        )


def doxygen(folder):
    settings = (ROOT / "docs/Doxyfile").read_text()
    include = ROOT / "include"
    settings += f"INPUT = {include / 'wale'}\nOUTPUT_DIRECTORY = {folder}\nSTRIP_FROM_PATH = {include}\n"
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["doxygen", "-"], input=settings, text=True, check=True)


def main():
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    output = pathlib.Path(sys.argv[2]).resolve()
    shutil.rmtree(output, ignore_errors=True)
    source = output / "source"
    source.mkdir(parents=True)
    gather(source)
    add_notebooks(source)
    (source / "reference/cli.md").write_text("\n".join(command_help.markdown(command_help.read(sys.argv[1]))))
    (source / "reference/python.md").write_text("\n".join(python_page()))
    (source / "reference/cpp.md").write_text("\n".join(cpp_page()))
    doxygen(output / "doxygen")
    subprocess.run(
        [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html", source, output / "html"],
        check=True,
    )
    print(f"{output / 'html/index.html'}")


if __name__ == "__main__":
    main()
