"""The programs under examples run; each asserts that its own result is right."""

import runpy
import sys
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).resolve().parents[2] / "examples").glob("*/*.py"))


@pytest.mark.parametrize("program", EXAMPLES, ids=lambda path: path.stem)
def test_example(program, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [str(program)])
    runpy.run_path(str(program), run_name="__main__")
    assert capsys.readouterr().out


def test_each_solver_has_examples():
    assert len({path.parent for path in EXAMPLES}) == 5
