"""What `automatic` takes, by the names of rows."""

import numpy as np
import pytest

import wale


def ran(answer):
    """The row of the call before."""
    return wale.last_report().variant


def texts(count, size, letters=26, seed=1):
    draw = np.random.default_rng(seed)
    return ["".join(map(chr, 97 + draw.integers(0, letters, size))) for _ in range(count)]


@pytest.mark.parametrize("function, short, long", [(wale.lcs_lengths, 100, 400), (wale.edit_distances, 20, 400)])
def test_batches_of_short_pairs_go_one_by_one(function, short, long):
    for size, row in ((short, "cpu/pairs"), (long, "cpu/lanes")):
        a, b = texts(64, size), texts(64, size, seed=2)
        assert ran(function(a, b)) == row
        assert (function(a, b) == function(a, b, variant="cpu/lanes")).all()


@pytest.mark.parametrize("metric", ["lcs", "edit_distance"])
def test_few_queries_make_no_masks_of_the_targets(metric):
    targets = texts(300, 30)
    for queries, row in ((texts(1, 40, seed=3), "cpu/pairs"), (texts(9, 40, seed=3), "cpu/lanes")):
        assert ran(wale.cdist(queries, targets, metric=metric)) == row
        answers = wale.cdist(queries, targets, metric=metric)
        assert (answers == wale.cdist(queries, targets, metric=metric, variant="reference/plain")).all()


def test_one_pair_goes_by_stripes():
    words = {"mode": "local", "match": 2, "mismatch": -3, "open": 5, "extend": 2}
    for pair in (texts(2, 15), texts(2, 60)):
        found = wale.align(*pair, **words)
        assert ran(None) in ("cpu/striped", "cpu/tiles")  # the latter without vectors
        assert found.score == wale.align(*pair, variant="reference/plain", **words).score
    # A score of 16 bits holds no such costs.
    wale.align("AB" * 30, "BA" * 30, match=1000, mismatch=-1000, open=40000)
    assert ran(None) in ("cpu/wavefronts", "cpu/diagonals", "cpu/tiles")


def test_similar_pairs_go_by_costs():
    words = {"match": 0, "mismatch": -4, "open": 8, "extend": 2}
    a = texts(40, 400, letters=4)
    b = [text[:100] + "z" + text[101:300] + text[302:] for text in a]
    assert wale.align(a[0], b[0], task="path", **words).score == -4 - 10
    assert ran(None) == "cpu/wavefronts"
    mixed = [text if k % 11 else other for k, (text, other) in enumerate(zip(b, texts(40, 400, letters=4, seed=2)))]
    for targets, similar in ((b, True), (mixed, True), (b[::-1], False)):
        assert (ran(wale.align_scores(a, targets, **words)) == "cpu/pairs") == similar
        scores = wale.align_scores(a, targets, variant="cpu/tiles", **words)
        assert (wale.align_scores(a, targets, **words) == scores).all()


def test_tables_within_a_cutoff_go_by_bands():
    queries, targets = texts(20, 200), texts(300, 200, seed=2)
    targets[7] = queries[3][:90] + "?" + queries[3][91:]
    assert ran(wale.cdist(queries, targets, cutoff=20)) == "cpu/pairs"
    assert (wale.cdist(queries, targets, cutoff=20) == wale.cdist(queries, targets, cutoff=20, variant="cpu/lanes")).all()


def test_unit_costs_go_by_bits():
    a, b = texts(2, 300)
    found = wale.align(a, b, task="path")
    assert ran(None) == "cpu/bit_vector"
    assert found == wale.align(a, b, task="path", variant="reference/plain")
    assert wale.align(a, b, task="path", k=2)["editDistance"] == -1
    assert wale.align(a, b, task="path", k=2).score == found.score
    wale.align(a, a[100:] + b, "HW", "locations")
    assert ran(None) == "cpu/strips"


def test_narrow_tables_of_bits_have_no_vectors():
    a, b = texts(1, 900)[0], texts(1, 20)[0]
    assert ran(wale.wavefront_fill(a, b, kind="edit")) != "cpu/simd"


def test_few_right_sides_of_larger_matrices():
    draw = np.random.default_rng(4)
    factors = wale.lu_factor(draw.uniform(-1, 1, (500, 500)) + 20 * np.eye(500))
    for sides, row in ((1, "cpu/small"), (16, "cpu/small"), (17, "cpu/recursive")):
        b = draw.uniform(-1, 1, (500, sides))
        assert ran(wale.lu_solve(factors, b)) == row
        np.testing.assert_allclose(wale.lu_solve(factors, b), wale.lu_solve(factors, b, variant="cpu/recursive"))


def test_few_systems_side_by_side():
    draw = np.random.default_rng(5)
    for axis, systems, row in ((0, 5, "cpu/thomas"), (0, 6, "cpu/lanes"), (-1, 3, "cpu/thomas"), (-1, 4, "cpu/lanes")):
        shape = (300, systems) if axis == 0 else (systems, 300)
        less = (299, systems) if axis == 0 else (systems, 299)
        dl, du = draw.uniform(-1, 1, (2, *less))
        assert ran(wale.solve_tridiagonal(dl, draw.uniform(4, 5, shape), du, np.ones(shape), axis=axis)) == row


def test_texts_of_another_kind_leave_the_band_early():
    a, b = texts(1, 200)[0], texts(1, 205, seed=8)[0]
    assert wale.edit_distance(a, b, bound=20) == 21 and ran(None) == "cpu/band"
