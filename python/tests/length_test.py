"""LCS length, edit distance and LCS string of any text. tests/trust compares every row with the peers."""

import numpy as np
import plain
import pytest
import wale
from hypothesis import given, settings
from hypothesis import strategies as st

texts = st.text(alphabet="abcé€😀", max_size=40)


@settings(deadline=None, max_examples=60)
@given(texts, texts)
def test_lcs_string_is_a_common_subsequence_of_full_length(a, b):
    common = wale.lcs_string(a, b)
    assert len(common) == plain.lcs(a, b)[-1][-1]
    assert common.text == "".join(a[i] for i in common.in_a) == "".join(b[j] for j in common.in_b)
    assert common.in_a.dtype == common.in_b.dtype == np.int64
    assert (np.diff(common.in_a) > 0).all() and (np.diff(common.in_b) > 0).all()


@settings(deadline=None, max_examples=60)
@given(texts, texts, st.integers(0, 45))
def test_a_bound_cuts_off_at_one_more(a, b, bound):
    distance = plain.edit(a, b)[-1][-1]
    assert wale.edit_distance(a, b) == distance
    assert wale.edit_distance(a, b, bound=bound) == min(distance, bound + 1)


@pytest.mark.parametrize("a, b", [("kitten", "sitting"), ("", "abc"), ("abc", ""), ("", ""), ("naïve", "naive"), ("a\0b", "ab")])
def test_plain_text_and_bytes_take_the_short_way_to_the_same_answer(a, b):
    expected = wale.edit_distance(list(a), list(b), backend="reference")
    assert wale.edit_distance(a, b) == expected
    assert wale.edit_distance(a.encode("latin-1"), b.encode("latin-1")) == expected
    assert wale.last_report().work == len(a) * len(b) and wale.last_report().variant.startswith("cpu/")
