"""Calls about few and short texts are functions of CPython's own kind: their answers are those of the reference, and what they
do not take goes on to the function of Python."""

import inspect
import pickle
import random

import numpy as np
import pytest

import wale

SHORT = [wale.lcs_length, wale.edit_distance, wale.lcs_lengths, wale.edit_distances, wale.cdist, wale.align]
REFERENCE = {"backend": "reference"}


def drawn(source, kind, size):
    codes = [source.randrange(5) for _ in range(size)]
    if kind == "str":
        return "".join("ACGT "[c] for c in codes)
    if kind == "latin":
        return "".join("aàéüz"[c] for c in codes)
    if kind == "wide":
        return "".join("a一二\U0001f600é"[c] for c in codes)
    if kind == "bytes":
        return bytes(codes)
    if kind == "words":
        return [("to", "be", "or", "not", 7)[c] for c in codes]
    if kind == "strided":
        return np.array([c for code in codes for c in (code, 9)], np.uint16)[::2]
    return np.array([c * 3 - 2 for c in codes] if kind == "i8" else codes, {"f": "B"}.get(kind, kind))


KINDS = ["str", "latin", "wide", "bytes", "words", "strided", "u1", "u2", "u4", "i2", "i4", "i8", "u8", "<i8", ">i4", "bool"]


@pytest.mark.parametrize("kind", KINDS)
def test_pairs_and_lists_are_those_of_the_reference(kind):
    source = random.Random(kind)
    texts = [drawn(source, kind, source.choice([1, 2, 7, 30, 64, 65, 130, 300])) for _ in range(12)]
    others = [texts[k] if k % 4 == 0 else drawn(source, kind, source.choice([1, 3, 30, 64, 70, 129])) for k in range(12)]
    for a, b in zip(texts, others):
        assert wale.lcs_length(a, b) == wale.lcs_length(a, b, **REFERENCE)
        for bound in (None, 0, 1, 5, 40, 1000):
            assert wale.edit_distance(a, b, bound=bound) == wale.edit_distance(a, b, bound=bound, **REFERENCE)
    for run in ({}, {"threads": 2}):
        assert np.array_equal(wale.lcs_lengths(texts, others, **run), wale.lcs_lengths(texts, others, **REFERENCE))
        assert np.array_equal(wale.cdist(texts, others, metric="lcs", **run), wale.cdist(texts, others, metric="lcs", **REFERENCE))
        for bound in (None, 0, 3, 30):
            wanted = wale.edit_distances(texts, others, bound=bound, **REFERENCE)
            assert np.array_equal(wale.edit_distances(texts, others, bound=bound, **run), wanted)
            for targets in (others, None):
                wanted = wale.cdist(texts, targets, cutoff=bound, **REFERENCE)
                assert np.array_equal(wale.cdist(texts, targets, cutoff=bound, **run), wanted)


def test_numbers_that_no_32_bits_hold_are_not_confused():
    a, b = np.array([1, 1 << 32 | 1, -1]), np.array([1, 1, (1 << 32) - 1])
    assert wale.edit_distance(a, b) == 2
    assert wale.edit_distance(np.array([-1], "i2"), np.array([65535], "u2")) == 1
    assert wale.lcs_lengths([a], [b]).tolist() == [1]
    assert wale.edit_distance(b"ab", np.array([97, 98])) == 0


def test_columns_of_arrow_and_pandas_are_as_their_lists():
    source = random.Random(3)
    texts = [drawn(source, "latin", source.randrange(12)) for _ in range(300)]
    forms = [np.array(texts, object), tuple(texts)]
    arrow, pandas = pytest.importorskip("pyarrow"), None
    try:
        import pandas
    except ImportError:
        pass
    forms += [arrow.array(texts), arrow.array(texts[:20]), arrow.chunked_array([texts[:10], texts[10:20]])]
    forms += [] if pandas is None else [pandas.Series(texts), pandas.Series(texts, dtype=object)]
    for form in forms:
        size = len(form)
        wanted = wale.edit_distances(texts[:size], texts[:size][::-1])
        assert np.array_equal(wale.edit_distances(form, form[::-1]), wanted)
        assert np.array_equal(wale.cdist(form, cutoff=3), wale.cdist(texts[:size], cutoff=3, **REFERENCE))
    with pytest.raises(wale.BadArgument, match="nulls"):
        wale.cdist(arrow.array(["a", None]))


@pytest.mark.parametrize("call", [
    lambda: wale.edit_distance("a", b"a"), lambda: wale.edit_distance("a"), lambda: wale.edit_distance("a", "b", bound=-1),
    lambda: wale.edit_distance("a", "b", threads=-1), lambda: wale.edit_distance("a", "b", limit=3),
    lambda: wale.lcs_length("a", "b", bound=3), lambda: wale.lcs_length([[]], ["a"]), lambda: wale.edit_distance(1.5, "a"),
    lambda: wale.edit_distances(["a"], ["b", "c"]), lambda: wale.edit_distances(["a"], [b"b"]), lambda: wale.cdist("ab", "cd"),
    lambda: wale.cdist(["a"], ["b"], metric="hamming"), lambda: wale.cdist(["a"], ["b"], metric="lcs", cutoff=1),
    lambda: wale.align("a", "b", "NX"), lambda: wale.align("a", "b", "NW", "score and more"), lambda: wale.align("a", b"b"),
    lambda: wale.align("a", "b", "NW", mode="NW"), lambda: wale.align("a", "b", k="1"), lambda: wale.cdist(["a"], cutoff="1"),
    lambda: wale.cdist(["a"], top=0), lambda: wale.cdist(["a"], sparse=True), lambda: wale.cdist(["a"], top=1, sparse=True, cutoff=1),
    lambda: wale.edit_distances(["a", b"a"], ["a", "b"]),
])  # fmt: skip
def test_what_is_refused_is_refused_by_the_function_of_python(call):
    with pytest.raises((ValueError, TypeError)) as refusal:
        call()
    assert str(refusal.value)


def test_they_are_functions_like_the_others():
    for function in SHORT:
        assert inspect.isroutine(function) and function.__doc__.strip().count("Parameters\n") == 1
        assert "run" in inspect.signature(function).parameters
        assert pickle.loads(pickle.dumps(function)) is function
        assert getattr(__import__(function.__module__, fromlist=["_"]), function.__name__) is function
    assert list(inspect.signature(wale.align).parameters)[:5] == ["query", "target", "mode", "task", "k"]


def test_the_last_call_is_reported():
    wale.edit_distance("kitten", "sitting")
    report = wale.last_report()
    assert report.work == 42 and report.variant in [row.name for row in wale.variants("wavefront")]
    wale.lcs_length("x" * 3000, "y" * 4000)
    assert wale.last_report().work == 12e6
    wale.align("ACGT", "TACGTT", "HW", "path")
    assert wale.last_report().work == 24 and wale.last_report().variant == "cpu/words"


def test_alignments_are_kept_and_copied():
    found = wale.align("ACTG", "CACTRT", "HW", "path")
    wanted = [getattr(found, name) for name in ("score", "query_begin", "query_end", "target_begin", "target_end", "identity")]
    assert wanted == [-1, 0, 4, 1, 4, 0.75] and str(found).startswith("ACTG")
    other = pickle.loads(pickle.dumps(wale.align("ACTG", "CACTRT", "HW", "path")))
    other.pop("cigar")
    other["editDistance"] = 9
    assert (other.score, other.target_begin, other.identity) == (-1, 1, 0.75)


def test_many_queries_and_scores_of_lists():
    source = random.Random(5)
    text = drawn(source, "str", 400)
    queries = [text[k : k + source.randrange(1, 90)] for k in range(0, 300, 30)]
    for words in ({"task": "distance"}, {"mode": "SHW"}, {"k": 2}, {"both_strands": True}):
        assert wale.locate(queries, text, **words) == wale.locate(queries, text, **words, **REFERENCE)
        encoded = [q.encode() for q in queries]
        assert wale.locate(encoded, text.encode(), **words) == wale.locate(encoded, text.encode(), **words, **REFERENCE)
    letters = "ARNDCQEGHILKMFPSTWYV"
    a, b = ([("".join(source.choices(letters, k=source.randrange(1, 60)))) for _ in range(7)] for _ in range(2))
    for words in ({"matrix": "blosum62", "open": 12}, {"match": 2, "mismatch": -3, "open": 5, "extend": 2}):
        for mode in ("NW", "local", "HW"):
            assert np.array_equal(wale.align_scores(a, b, mode, **words), wale.align_scores(a, b, mode, **words, **REFERENCE))
            one = wale.align(a[0], b[0], mode, "path", threads=1, **words)
            assert one == wale.align(a[0], b[0], mode, "path", **words, **REFERENCE)
    with pytest.raises(wale.BadArgument):
        wale.align_scores(a, b[:-1], matrix="blosum62", open=12)


@pytest.mark.parametrize("kind", ["f4", "f8"])
def test_series_go_a_short_way_to_the_same_cost(kind):
    rng = np.random.default_rng(6)
    for n, m in ((1, 1), (3, 40), (70, 64)):
        x, y = rng.normal(size=n).astype(kind), rng.normal(size=m).astype(kind)
        for words in ({}, {"cost": "squared"}, {"window": 2}, {"cost": "squared", "gamma": 0.5}):
            assert wale.dtw(x, y, **words) == pytest.approx(wale.dtw(x, y, **words, **REFERENCE), rel=1e-5)
            assert wale.dtw(x[::-1], y, **words) == wale.dtw(x[::-1].copy(), y, **words)
        series = rng.normal(size=(5, n)).astype(kind)
        answers = [wale.cdist_dtw(given) for given in (series, list(series), series.tolist())]
        assert answers[0].dtype == np.dtype(kind) and np.array_equal(answers[0], answers[1])
        assert np.allclose(answers[0], answers[2], rtol=1e-5)
        assert np.array_equal(wale.cdist_dtw(series, [y, x]), np.array([[wale.dtw(s, t) for t in (y, x)] for s in series], kind))
    for bad in (np.nan, np.inf):
        with pytest.raises(wale.BadArgument, match="1"):
            wale.dtw(np.array([0, bad], kind), np.zeros(2, kind))
        with pytest.raises(wale.BadArgument):
            wale.cdist_dtw(np.array([[0, bad]], kind))


def test_answers_that_are_known_without_a_flood():
    image = np.arange(24, dtype=np.uint8).reshape(4, 6)
    out = np.ones((4, 6), np.uint8)
    assert not wale.h_maxima(image, 100).any() and not wale.h_minima(image, 24).any()
    assert wale.h_maxima(image, 23).sum() == 1
    with pytest.raises(wale.BadArgument):
        wale.h_maxima(image, 100, np.ones((2, 2)))
    with pytest.raises(wale.UnsupportedVariant):
        wale.h_maxima(image, 100, variant="cpu/none")
    assert not wale.local_maxima(image[:2], allow_borders=False).any()
    assert wale.local_maxima(np.pad([[3]], 2), allow_borders=False).sum() == 1 and out.all()


def test_determinants_that_leave_the_range_of_the_type_on_the_way():
    for kind in ("c8", "c16", "f4", "f8"):
        most = float(np.finfo(kind).max) ** 0.5 * 4
        a = np.diag([most, most, most, 1 / most, 1 / most]).astype(kind)
        assert abs(wale.det(a) / most - 1) < 1e-5
        assert np.isinf(abs(wale.det(np.diag([most, most, 1, 1, 1]).astype(kind))))


def test_solves_of_two_types_and_of_one_column():
    rng = np.random.default_rng(8)
    a, b = rng.normal(size=(5, 5)).astype("c8") + 5 * np.eye(5, dtype="c8"), rng.normal(size=5).tolist()
    assert wale.solve(a, b).dtype == np.linalg.solve(a, np.array(b)).dtype
    assert np.allclose(wale.solve(a, b), np.linalg.solve(a, np.array(b)))
    dl, d, du, right = rng.normal(size=(4, 9))
    one = wale.solve_tridiagonal(dl, d + 5, du, right[:, None])
    assert one.shape == (9, 1) and np.array_equal(one[:, 0], wale.solve_tridiagonal(dl, d + 5, du, right))
    z = (dl + 1j * du, d + 5 + 1j * dl, du - 1j, right + 1j * d)
    for kind in ("c8", "c16"):
        parts = [x.astype(kind) for x in z]
        assert np.allclose(wale.solve_tridiagonal(*parts, pivoting="none"), wale.solve_tridiagonal(*parts), rtol=1e-4)
