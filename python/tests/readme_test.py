"""The Python of README.md runs as it stands, and gives the values that its comments say."""

import ast
import re
from pathlib import Path

import numpy as np

README = Path(__file__).resolve().parents[2] / "README.md"


def value_said(comment):
    """What a comment that is a literal says; None of a comment in words."""
    try:
        return ast.literal_eval(comment)
    except (SyntaxError, ValueError):
        return None


def test_python_of_readme():
    blocks = re.findall(r"^```python\n(.*?)^```", README.read_text(), re.MULTILINE | re.DOTALL)
    assert blocks
    checked = 0
    for block in blocks:
        names = {}
        lines = block.splitlines()
        for statement in ast.parse(block).body:
            if not isinstance(statement, ast.Expr):
                exec(compile(ast.Module([statement], []), str(README), "exec"), names)
                continue
            found = eval(compile(ast.Expression(statement.value), str(README), "eval"), names)
            said = value_said(lines[statement.end_lineno - 1][statement.end_col_offset :].strip().lstrip("# "))
            if said is not None:
                assert np.allclose(found, said), ast.unparse(statement)
                checked += 1
    assert checked >= 3
