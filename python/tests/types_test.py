"""Types: mypy accepts the package and knows it from outside; the stub of the extension module is complete."""

import ast
import inspect
import re
import shutil
import typing
from pathlib import Path

import pytest
import wale
import wale.euler
from wale import _wale

PACKAGE = Path(wale.__file__).parent
CONFIGURATION = Path(__file__).resolve().parents[2] / "pyproject.toml"

PROGRAM = '''
from typing import Any
import numpy as np
import wale, wale.euler

matrix = np.eye(3)
x: np.ndarray = wale.solve(matrix, [1.0, 2.0, 3.0])
outside: Any = object()
on_device: int = wale.solve(outside, outside)
inverse: np.ndarray = wale.inv([[2.0, 0.0], [0.0, 4.0]])
factors: wale.Factors = wale.lu_factor(matrix)
y: np.ndarray = wale.lu_solve(factors, np.ones(3))
chain: np.ndarray = wale.solve_tridiagonal([1.0], [4.0, 4.0], [1.0], [5.0, 5.0], pivoting="none")
image = np.zeros((4, 4), np.uint8)
filled: np.ndarray = wale.fill_holes(image, connectivity=1)
rebuilt: np.ndarray = wale.reconstruction(image, image, "erosion", clamp=True)
domes: np.ndarray = wale.h_domes(image, 3)
labels: np.ndarray = wale.watershed(image, np.zeros((4, 4), int))
chosen, area = wale.select_objects(image, [(0, 0)])
pixels: int = area
common: wale.LcsString = wale.lcs_string("ab", "b")
wrong_answer: int = wale.inv(matrix)  # wrong
wrong_rebuilt: str = wale.reconstruction(image, image)  # wrong
wale.inv(matrix, overwrite=True)  # wrong
length: int = wale.lcs_length("a", "b", threads=2)
lu, piv = wale.lu_factor([[1.0]], variant="cpu/small")
flow: wale.euler.FlowRun = wale.euler.Case(wale.euler.generate_mesh("tube")).run(1, threads=1)
report = wale.last_report()
seconds: float = report.compute_seconds if report else 0
wale.edit_distance("a", "b", bound="c")  # wrong
wale.fill_holes([[1]], thread=2)  # wrong
text: str = wale.hines_residual([-1], [1.0], [0.0], [0.0], [1.0], [1.0])  # wrong
'''


def test_mypy(tmp_path):
    """In a copy: mypy says nothing of what lies in site-packages."""
    api = pytest.importorskip("mypy.api")
    shutil.copytree(PACKAGE, tmp_path / "wale", ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    (tmp_path / "program.py").write_text(PROGRAM)
    sources = [str(tmp_path / "wale"), str(tmp_path / "program.py")]
    said, trouble, _ = api.run(["--config-file", str(CONFIGURATION), "--no-incremental", "--no-error-summary", *sources])
    assert trouble == ""
    assert (tmp_path / "wale" / "py.typed").exists()
    found = {line.split(": error: ")[0].split("/")[-1]: line for line in said.splitlines() if ": error: " in line}
    wrong = [k for k, line in enumerate(PROGRAM.splitlines(), 1) if line.endswith("# wrong")]
    assert sorted(found) == sorted(f"program.py:{k}" for k in wrong), said


def written_in_python():
    """Public functions and methods of the package by their names."""
    for module in (wale, wale.euler):
        for name in wale.__all__ if module is wale else ("Case", "Mesh", "read_mesh", "generate_mesh"):
            thing = getattr(module, name)
            if not getattr(thing, "__module__", "").startswith("wale."):
                continue
            if inspect.isfunction(thing):
                yield name, thing
            elif inspect.isclass(thing):
                yield from ((f"{name}.{n}", f) for n, f in inspect.getmembers(thing, inspect.isroutine)
                            if inspect.isfunction(inspect.unwrap(getattr(f, "__func__", f)))
                            and not n.startswith("_") and f.__module__.startswith("wale."))  # fmt: skip


FUNCTIONS = dict(written_in_python())


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_parameter_is_described(name):
    function = FUNCTIONS[name]
    text = inspect.getdoc(function) or ""
    section = text.partition("\nParameters\n")[2]
    for parameter in inspect.signature(function).parameters.values():
        if parameter.name != "self" and parameter.kind is not parameter.VAR_KEYWORD:
            assert re.search(rf"(?m)^(\w+, )*{parameter.name}(, \w+)*( :|$)", section), parameter.name


@pytest.mark.parametrize("name", FUNCTIONS)
def test_type_hints_are_found(name):
    hints = typing.get_type_hints(FUNCTIONS[name])
    assert "return" in hints
    assert {p.name for p in inspect.signature(FUNCTIONS[name]).parameters.values()} - {"self"} <= set(hints)


def members(scope):
    return {n.name: n for n in scope.body if isinstance(n, (ast.FunctionDef, ast.ClassDef))}


def names_of(scope):
    """All but an error's own kinds, such as CannotOpen.FileNotFoundError: _errors.py adds these for tracebacks."""
    kinds = {n for n, t in vars(scope).items() if inspect.isclass(scope) and inspect.isclass(t) and issubclass(t, scope)}
    return {n for n in vars(scope) if not n.startswith("_")} - kinds


def test_the_stub_has_every_function_class_and_member():
    declared = members(ast.parse((PACKAGE / "_wale.pyi").read_text()))
    assert names_of(_wale) == set(declared)
    for name, node in declared.items():
        there = getattr(_wale, name)
        assert inspect.isclass(there) == isinstance(node, ast.ClassDef), name
        if isinstance(node, ast.ClassDef):
            assert names_of(there) == {m for m in members(node) if not m.startswith("_")}, name


def test_the_stub_has_every_argument():
    """nanobind keeps the signature of each function; the stub says the same names in the same order."""
    declared = members(ast.parse((PACKAGE / "_wale.pyi").read_text()))
    functions = [n for n in declared.values() if isinstance(n, ast.FunctionDef)]
    assert functions
    for node in functions:
        (signature, *_), *_ = getattr(_wale, node.name).__nb_signature__
        assert re.findall(r"[(\s](\w+): ", signature) == [
            a.arg for a in node.args.posonlyargs + node.args.args
        ], node.name
