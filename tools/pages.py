#!/usr/bin/env python3
"""Runs the Python of documentation pages as readers would: the blocks of a page in order, in one namespace.

`pages.py` alone runs the tutorials and writes the pictures that they draw into docs/pictures.
"""

import argparse
import ast
import os
import pathlib
import re
import tempfile

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[1]


def blocks(page, language):
    """Line and text of each block of `language`; a block marked no-run, or of doctest's form, is left out."""
    text = pathlib.Path(page).read_text()
    for found in re.finditer(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        if not found[1].startswith(">>>"):
            yield text.count("\n", 0, found.start(1)), found[1]


def value_said(comment):
    """What a comment that is a literal says; None of a comment in words."""
    try:
        return ast.literal_eval(comment)
    except (SyntaxError, ValueError):
        return None


def agree(found, said):
    """Whether a value is the one said: numbers to rounding, everything else as it is."""
    if isinstance(said, (tuple, list)):
        return len(found) == len(said) and all(agree(f, s) for f, s in zip(found, said))
    if isinstance(said, (bool, str)):
        return bool(found == said)
    return bool(np.allclose(found, said))


def run_block(page, line, block, names):
    """Runs one block; returns how many values its comments say, each of which was compared."""
    compared = 0
    lines = block.splitlines()
    tree = ast.increment_lineno(ast.parse(block), line)
    for statement in tree.body:
        if not isinstance(statement, ast.Expr):
            exec(compile(ast.Module([statement], []), str(page), "exec"), names)
            continue
        found = eval(compile(ast.Expression(statement.value), str(page), "eval"), names)
        comment = lines[statement.end_lineno - line - 1].encode()[statement.end_col_offset :].decode()
        said = value_said(comment.strip().lstrip("# "))
        if said is not None:
            assert agree(found, said), f"{page}:{statement.lineno}: {found!r}, the page says {said!r}"
            compared += 1
    return compared


def run_page(page, folder):
    """Runs a page in a folder; returns how many values were compared."""
    before = os.getcwd()
    os.chdir(folder)
    try:
        names = {}
        return sum(run_block(page, line, block, names) for line, block in blocks(page, "python"))
    finally:
        os.chdir(before)


def pictures(page):
    """Names of the pictures that a page shows."""
    return re.findall(r"\]\([./]*pictures/([^)]+)\)", pathlib.Path(page).read_text())


def store(drawn, name):
    """Keeps a picture with a palette, which takes a third of the bytes of full colour."""
    from PIL import Image

    kept = ROOT / "docs/pictures" / name
    Image.open(drawn).convert("RGB").quantize(96).save(kept, optimize=True)
    print(f"{kept} {kept.stat().st_size} bytes")


def overview(path):
    """Draws a panel a solver: a table of alignment, and the parts of the tutorials' pictures that say most."""
    from matplotlib import pyplot

    import wale

    letters = np.random.default_rng(4).integers(0, 4, 150)
    changed = np.delete(np.concatenate([letters[:60], letters[40:]]), slice(90, 110))
    table = wale.wavefront_fill(letters, changed, kind="edit").astype(float)
    panels = {"sequences": table - np.abs(np.subtract.outer(*map(np.arange, table.shape)))}
    for title, name, left, right in (
        ("images", "nuclei", 0.67, 1),
        ("equations", "solves", 0, 1),
        ("neurons", "neuron", 0, 1),
        ("flows", "flow", 0, 0.5),
    ):
        drawn = pyplot.imread(ROOT / "docs/pictures" / f"{name}.png")
        panels[title] = drawn[:, int(left * drawn.shape[1]) : int(right * drawn.shape[1])]
    widths = [panel.shape[1] / panel.shape[0] for panel in panels.values()]
    figure, axes = pyplot.subplots(1, len(panels), figsize=(14, 2.4), width_ratios=widths)
    for ax, (title, panel) in zip(axes, panels.items()):
        ax.imshow(panel, cmap="magma_r")
        ax.set_title(title)
        ax.axis("off")
    figure.tight_layout()
    figure.savefig(path, dpi=75, bbox_inches="tight")


def main():
    argparse.ArgumentParser(description=__doc__).parse_args()
    import matplotlib

    matplotlib.use("Agg")
    for page in sorted((ROOT / "docs/tutorials").glob("*.md")):
        with tempfile.TemporaryDirectory() as folder:
            run_page(page, folder)
            for name in pictures(page):
                store(pathlib.Path(folder) / name, name)
    with tempfile.TemporaryDirectory() as folder:
        overview(pathlib.Path(folder) / "wale.png")
        store(pathlib.Path(folder) / "wale.png", "wale.png")


if __name__ == "__main__":
    main()
