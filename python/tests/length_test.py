"""LCS length, edit distance and LCS string, against plain tables and against other libraries."""

import random

import numpy as np
import plain
import pytest
import wale
from hypothesis import given, settings
from hypothesis import strategies as st

texts = st.text(alphabet="abcé€😀", max_size=40)
EDGES = [0, 1, 31, 32, 33, 63, 64, 65, 130]


def letters(size, seed, alphabet="ACGT"):
    return "".join(random.Random(seed).choices(alphabet, k=size))


@pytest.mark.parametrize("m", EDGES)
@pytest.mark.parametrize("n", [0, 1, 64, 65])
def test_lcs_length_agrees_with_the_plain_table(lcs_length_variant, m, n):
    a, b = letters(m, 1), letters(n, 2)
    assert wale.lcs_length(a, b, variant=lcs_length_variant) == plain.lcs(a, b)[-1][-1]
    assert wale.last_report().variant == lcs_length_variant


@pytest.mark.parametrize("m", EDGES)
@pytest.mark.parametrize("n", [0, 1, 64, 65])
def test_edit_distance_agrees_with_the_plain_table(edit_distance_variant, m, n):
    a, b = letters(m, 1), letters(n, 2)
    assert wale.edit_distance(a, b, variant=edit_distance_variant) == plain.edit(a, b)[-1][-1]


@settings(deadline=None, max_examples=60)
@given(texts, texts)
def test_any_text(a, b):
    assert wale.lcs_length(a, b) == plain.lcs(a, b)[-1][-1]
    assert wale.edit_distance(a, b) == plain.edit(a, b)[-1][-1]


@settings(deadline=None, max_examples=60)
@given(texts, texts)
def test_lcs_string_is_a_common_subsequence_of_full_length(a, b):
    common = wale.lcs_string(a, b)
    assert len(common) == plain.lcs(a, b)[-1][-1]
    assert common.text == "".join(a[i] for i in common.in_a) == "".join(b[j] for j in common.in_b)
    assert common.in_a.dtype == common.in_b.dtype == np.int64
    assert (np.diff(common.in_a) > 0).all() and (np.diff(common.in_b) > 0).all()


def test_every_lcs_string_row(lcs_string_variant):
    a, b = letters(200, 3), letters(170, 4)
    common = wale.lcs_string(a.encode(), b.encode(), variant=lcs_string_variant)
    assert len(common) == plain.lcs(a, b)[-1][-1]
    assert common.text == bytes(b.encode()[j] for j in common.in_b)


@settings(deadline=None, max_examples=60)
@given(texts, texts, st.integers(0, 45))
def test_a_bound_cuts_off_at_one_more(a, b, bound):
    assert wale.edit_distance(a, b, bound=bound) == min(plain.edit(a, b)[-1][-1], bound + 1)


def test_rapidfuzz_agrees():
    rapidfuzz = pytest.importorskip("rapidfuzz")
    for seed in range(20):
        a, b = letters(500 + seed, seed), letters(470, seed + 100)
        assert wale.lcs_length(a, b) == rapidfuzz.distance.LCSseq.similarity(a, b)
        cut = seed * 20
        assert wale.edit_distance(a, b, bound=cut) == rapidfuzz.distance.Levenshtein.distance(
            a, b, score_cutoff=cut
        )


@pytest.mark.parametrize("k", [-1, 0, 2, 100])
@pytest.mark.parametrize(
    "pair", [("telephone", "elephant"), ("", "abc"), ("abc", "abc"), ("ACGT" * 30, "AGGT" * 29)]
)
def test_align_answers_as_edlib(pair, k):
    edlib = pytest.importorskip("edlib")
    query, target = pair
    if query == "":
        assert wale.align(query, target, k=k)["editDistance"] == (3 if k < 0 or k >= 3 else -1)
    else:
        assert wale.align(query, target, k=k) == edlib.align(query, target, mode="NW", task="distance", k=k)


@pytest.mark.parametrize("a, b", [("kitten", "sitting"), ("", "abc"), ("abc", ""), ("", ""), ("naïve", "naive"), ("a\0b", "ab")])
def test_plain_text_and_bytes_take_the_short_way_to_the_same_answer(a, b):
    expected = wale.edit_distance(list(a), list(b), backend="reference")
    assert wale.edit_distance(a, b) == expected
    assert wale.edit_distance(a.encode("latin-1"), b.encode("latin-1")) == expected
    assert wale.last_report().work == len(a) * len(b) and wale.last_report().variant.startswith("cpu/")
