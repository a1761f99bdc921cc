"""The package as a whole: docstrings, stubs, threads, configuration, the study."""

import ast
import doctest
import importlib
import inspect
import re
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
import wale

FOLDER = Path(wale.__file__).parent
MODULES = ["wale", "wale.euler", "wale.dask._images", "wale.dask._derived", "wale.dask._batches"] + [f"wale.{p.stem}" for p in FOLDER.glob("_*.py") if p.stem != "__init__"]


@pytest.mark.parametrize("name", MODULES)
def test_docstring_examples(name):
    if name.startswith("wale.dask"):
        pytest.importorskip("dask.array")
    module = importlib.import_module(name)
    failed, tried = doctest.testmod(module)
    for function in vars(module).values():  # doctest takes a decorated function for one of its decorator's module
        plain = inspect.unwrap(function) if inspect.isfunction(function) else function
        if plain is not function and plain.__module__ == name:
            for test in doctest.DocTestFinder().find(plain, module=module):
                more_failed, more_tried = doctest.DocTestRunner().run(test)
                failed, tried = failed + more_failed, tried + more_tried
    assert failed == 0
    assert tried > 0 or name in ("wale._call", "wale._inputs", "wale._batches", "wale._axes", "wale._errors", "wale._typing", "wale._images", "wale._matrices", "wale._mesh",
                                  "wale._vectors", "wale._flow_words", "wale._footprint", "wale._command", "wale.__main__", "wale._libraries", "wale._morphio", "wale._scoring", "wale._verification")


def test_every_public_function_says_what_it_takes_returns_and_raises():
    functions = [getattr(wale, n) for n in wale.__all__ if inspect.isfunction(getattr(wale, n))]
    assert functions
    for f in functions:
        takes = ["Parameters", "Raises"] if inspect.signature(f).parameters else []  # "show_config" cannot be called wrongly
        for section in [*takes, "Returns", "Examples", ">>> "]:
            assert f"\n{section}" in inspect.getdoc(f), (f.__name__, section)


@pytest.mark.parametrize("module", [wale, wale.euler])
def test_a_module_lists_its_public_names_only(module):
    assert {name for name in dir(module) if not name.startswith("_")} == set(module.__all__)


def test_import_loads_neither_numpy_nor_the_library():
    """So that a program that may use Wale starts at once."""
    program = "import sys, wale; print(sorted({'numpy', 'typing', 'wale._wale'} & set(sys.modules))); wale.lu_solve"
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert said.stdout == "[]\n"


def test_the_command_loads_little():
    """It becomes another program at once: what Python loads before is lost."""
    program = "import sys; before = set(sys.modules); import wale._command; print(sorted(set(sys.modules) - before - {'__future__'}))"
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert said.stdout == "['wale', 'wale._command']\n"


def test_without_docstrings():
    """python -OO has none."""
    program = "import wale; print(wale.lcs_length('wavefront', 'waterfront'), wale.edit_distance('a', 'b'), wale.align('a', 'a')['editDistance'])"
    said = subprocess.run([sys.executable, "-OO", "-c", program], capture_output=True, text=True)
    assert (said.returncode, said.stdout) == (0, "8 1 0\n"), said.stderr


def test_bindings_keep_to_the_stable_interface():
    """One wheel serves all Pythons from 3.12 on: macros that reach into objects are not for it."""
    sources = [p for p in Path(__file__).resolve().parents[1].iterdir() if p.suffix in (".cpp", ".hpp")]
    assert sources
    for path in sources:
        text = re.sub(r"#ifndef Py_LIMITED_API.*?#(else|endif)", "", path.read_text(), flags=re.DOTALL)
        assert re.findall(r"\bPy[A-Z]\w*_[A-Z]{2}[A-Z_]*\(|\bPy_SIZE\(", text) == [], path.name


def test_names_of_other_packages_are_answered():
    for name, meant in importlib.import_module("wale._elsewhere").NAMES.items():
        with pytest.raises(AttributeError, match=f"no attribute '{name}'; here it is "):
            getattr(wale, name)
        first = meant.replace("wale itself: ", "").replace("wale.", "").split("(")[0].split(",")[0].split(" ")[0]
        if first.isidentifier() and first not in ("print", "threads"):
            assert first in wale.__all__, (name, meant)
    with pytest.raises(AttributeError, match="no attribute 'nonsense'$"):
        wale.nonsense


def test_the_module_is_the_command():
    if not (FOLDER / "bin" / "wale").exists():
        pytest.skip("a package without the command")
    said = subprocess.run([sys.executable, "-m", "wale", "--version"], capture_output=True, text=True)
    assert (said.returncode, said.stdout) == (0, f"wale {wale.__version__}\n"), said.stderr


def test_every_name_has_a_home():
    homes = [name for names in wale._HOMES.values() for name in names.split()]
    assert sorted([*homes, "euler"]) == sorted(wale.__all__)
    assert all(getattr(wale, name) is not None for name in wale.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        wale.nothing


def test_stub_and_marker_are_installed():
    assert (FOLDER / "py.typed").exists()
    stub = ast.parse((FOLDER / "_wale.pyi").read_text())
    declared = {n.name for n in stub.body if isinstance(n, (ast.FunctionDef, ast.ClassDef))}
    assert {"lcs_length", "edit_distance", "fill", "Report", "Error"} <= declared


def test_variants_and_configuration(capsys):
    rows = wale.variants("wavefront")
    on_pairs = {"fill", "lcs_length", "edit_distance", "lcs_string", "lcs_batch", "edit_batch"}
    assert on_pairs | {"infix", "lcs_cross", "edit_cross"} <= {r.operation for r in rows}
    assert all(r.summary and r.backend in ("reference", "cpu", "cuda") for r in rows)
    for name, kind in ("nothing", wale.BadArgument), (5, TypeError):
        with pytest.raises(kind, match=f"solver: is {name!r}, expected"):
            wale.variants(name)
    with pytest.raises(TypeError, match="backend: is None, expected"):
        wale.why_unavailable(None)
    wale.show_config()
    assert wale.__version__ in capsys.readouterr().out


def test_the_gil_is_released():
    """This thread sees the table half written: with the GIL held it could look only before or after."""
    a = np.random.default_rng(1).integers(0, 4, 5000, np.uint8)
    table = np.full((a.size, a.size), -1, np.int32)

    def half_written():
        table[...] = -1
        worker = threading.Thread(
            target=wale.wavefront_fill, args=(a, a), kwargs={"out": table, "backend": "reference"}
        )
        worker.start()
        seen = False
        while worker.is_alive():
            seen = seen or (table[0, -1] != -1 and table[-1, -1] == -1)
        worker.join()
        assert table[-1, -1] == a.size
        return seen

    assert any(half_written() for _ in range(3))


def test_reports_belong_to_their_thread():
    wale.lcs_length("a", "a", backend="reference")
    seen = []
    other = threading.Thread(target=lambda: seen.append(wale.last_report()))
    other.start()
    other.join()
    assert seen == [None]
    assert wale.last_report().work == 1


def test_many_threads_at_once():
    draw = np.random.default_rng(3)
    inputs = [draw.integers(0, 4, (2, 300), np.uint8) for _ in range(8)]
    expected = [wale.edit_distance(a, b, backend="reference") for a, b in inputs]
    answers = [None] * len(inputs)

    def work(k):
        for _ in range(20):
            answers[k] = wale.edit_distance(*inputs[k], threads=2)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(len(inputs))]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert answers == expected


def test_study():
    heard = []
    result = wale.study(
        "wavefront", operation="lcs_length", sizes=[64, 128], repeats=1, cuda=False, progress=heard.append
    )
    assert heard and result.rows and not result.failed
    assert all(r.verified and r.seconds > 0 and r.rate > 0 for r in result.rows)
    assert result.rows[0].variant in repr(result)
    pyplot = pytest.importorskip("matplotlib.pyplot")
    pyplot.switch_backend("agg")
    lines = result.plot().get_lines()
    assert len(lines) == len({r.variant for r in result.rows})


def test_a_study_of_complex_systems():
    result = wale.study("tree", operation="chains_flat_c64", sizes=[64], variant="cpu", repeats=1, cuda=False)
    assert [r.variant for r in result.rows] == ["cpu/thomas"] and result.rows[0].verified and not result.failed


def test_a_study_can_be_interrupted():
    def interrupt(text):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        wale.study("wavefront", operation="lcs_length", sizes=[64], progress=interrupt)
    with pytest.raises(wale.BadArgument, match="solver"):
        wale.study("weather")


def test_a_named_variant_runs_or_is_refused():
    a = np.array([[4.0, 1.0], [1.0, 3.0]])
    image = np.arange(60, dtype=np.uint8).reshape(6, 10)
    lists = ["abc", "wavefront"], ["cab", "waterfront"]
    ones = np.ones(9)
    calls = {
        "wavefront": {
            "lcs_length": lambda **how: wale.lcs_length("wavefront", "waterfront", **how),
            "edit_distance": lambda **how: wale.edit_distance("wavefront", "waterfront", **how),
            "lcs_string": lambda **how: wale.lcs_string("wavefront", "waterfront", **how),
            "lcs_batch": lambda **how: wale.lcs_lengths(*lists, **how),
            "edit_batch": lambda **how: wale.edit_distances(*lists, **how),
            "lcs_cross": lambda **how: wale.cdist(*lists, metric="lcs", **how),
            "edit_cross": lambda **how: wale.cdist(*lists, **how),
            "infix": lambda **how: wale.locate(["front"], "wavefront", **how),
            "fill": lambda **how: wale.wavefront_fill("wavefront", "waterfront", **how),
        },
        "lu": {"factor": lambda **how: wale.lu_factor(a, **how)},
        "tree": {"tridiagonal": lambda **how: wale.solve_tridiagonal(ones[:8], 4 * ones, ones[:8], ones, **how)},
        "reconstruction": {"reconstruct": lambda **how: wale.reconstruction(image, image, **how)},
    }
    ran = set()
    for v in wale.variants():
        if wale.why_unavailable(v.backend):
            continue
        for operation, call in calls.get(v.solver, {}).items():
            try:
                call(variant=v.name)
            except wale.UnsupportedVariant as refusal:
                assert v.name in str(refusal)
                continue
            assert wale.last_report().variant == v.name
            ran.add((v.solver, operation, v.name))
    assert {("wavefront", "lcs_string", "cpu/hirschberg"), ("lu", "factor", "cpu/small")} <= ran
    assert ("wavefront", "lcs_string", "cpu/skewed_strips") not in ran


def test_the_second_step_takes_the_row_of_the_same_name():
    a = np.array([[4.0, 1.0], [1.0, 3.0]])
    for v in wale.variants("lu"):
        if v.operation == "inverse" and v.backend == "cpu":
            np.testing.assert_allclose(wale.inv(a, variant=v.name) @ a, np.eye(2), atol=1e-15)


@pytest.mark.parametrize("threads", [-3, 4097])
def test_threads_out_of_range(threads):
    with pytest.raises(wale.BadArgument, match=f"threads: is {threads}, expected 0"):
        wale.lcs_length("a", "b", threads=threads)
