"""LCS length, edit distance and LCS string of any text, and of many pairs at once, in every form that Python programs have them.
tests/trust compares every row with the peers."""

import random

import numpy as np
import plain
import pytest
import wale
from hypothesis import given, settings
from hypothesis import strategies as st


def words(count, longest, seed, alphabet="ACGT"):
    draw = random.Random(seed)
    return ["".join(draw.choices(alphabet, k=draw.randrange(longest + 1))) for _ in range(count)]


A, B = words(60, 70, 1), words(60, 70, 2)
LENGTHS = [plain.lcs(a, b)[-1][-1] for a, b in zip(A, B)]
DISTANCES = [plain.edit(a, b)[-1][-1] for a, b in zip(A, B)]


def packed(items):
    offsets = np.cumsum([0] + [len(x) for x in items])
    return "".join(items).encode(), offsets


@pytest.mark.parametrize(
    "convert",
    [
        lambda items: [x.encode() for x in items],
        lambda items: [list(x) for x in items],
        lambda items: [np.frombuffer(x.encode(), np.uint8).astype(np.int64) for x in items],
        packed,
    ],
)
def test_every_way_to_say_a_batch(convert):
    assert wale.edit_distances(convert(A), convert(B)).tolist() == DISTANCES
    lengths = wale.lcs_lengths(convert(A), convert(B))
    assert lengths.dtype == np.int32 and lengths.tolist() == LENGTHS


def test_wide_text_on_one_side_only():
    assert wale.edit_distances(["abc", "x"], ["a€c", "x"]).tolist() == [1, 0]


def test_no_pairs_and_empty_pairs():
    assert wale.lcs_lengths([], []).tolist() == []
    assert wale.edit_distances(["", "a"], ["", ""]).tolist() == [0, 1]


def test_bad_batches():
    with pytest.raises(wale.BadArgument, match="1 and 2 sequences"):
        wale.lcs_lengths(["a"], ["a", "b"])
    with pytest.raises(TypeError, match="expected a list of sequences"):
        wale.lcs_lengths("abc", "abc")
    with pytest.raises(TypeError, match="not a mixture"):
        wale.lcs_lengths(["a", b"b"], ["a", "b"])
    with pytest.raises(wale.BadArgument, match="expected within 0..3"):
        wale.lcs_lengths((b"abc", np.array([0, 9])), (b"abc", np.array([0, 3])))
    with pytest.raises(wale.BadArgument, match="ascending"):
        wale.lcs_lengths((b"abc", np.array([0, 2, 1])), (b"abc", np.array([0, 1, 3])))


def test_arrow_columns_of_views_and_dictionaries():
    pa = pytest.importorskip("pyarrow")
    words, others = ["kitten", "größe", "kitten", ""], ["sitting", "grosse", "mitten", "a"]
    expected = wale.edit_distances(words, others).tolist()
    chunks = pa.chunked_array([pa.array(words[:1]).dictionary_encode(), pa.array(words[1:]).dictionary_encode()])
    for column in (pa.array(words).dictionary_encode(), chunks, pa.array(words, pa.string_view())):
        assert wale.edit_distances(column, others).tolist() == expected
    binary = pa.array([b"a", b"bc"], pa.binary_view())
    assert wale.cdist(binary, [b"b"]).tolist() == [[1], [1]]
    with pytest.raises(wale.BadArgument, match="has 1 nulls"):
        wale.cdist(pa.array(["a", None, "a"]).dictionary_encode(), ["b"])


def test_arrays_of_texts_are_lists_of_them():
    words, others = ["kitten", "", "sitting"], ["sitting", "ab", "kit"]
    for kind, given in (("U", words), ("O", words), ("S", [w.encode() for w in words])):
        a, b = np.array(given, kind), others if kind != "S" else [w.encode() for w in others]
        for call in (wale.edit_distances, wale.align_scores, wale.lcs_lengths, wale.cdist):
            assert call(a, b).tolist() == call(given, b).tolist(), (kind, call)
        assert wale.align_pairs(a, b).cigars() == wale.align_pairs(given, b).cigars()
        assert wale.locate(a, b[0]) == wale.locate(given, b[0])


def test_arrow_columns_are_batches():
    arrow = pytest.importorskip("pyarrow")
    words, others = ["ab", "b\u00e9", ""], ["b", "c", "abc"]
    wanted = wale.edit_distances(words, others).tolist()
    for a in (words, arrow.array(words), arrow.chunked_array([words[:1], words[1:]])):
        for b in (others, arrow.array(others)):
            assert wale.edit_distances(a, b).tolist() == wanted
            assert wale.align_scores(a, b).tolist() == [-d for d in wanted]
    assert wale.lcs_lengths(arrow.array([b"ab"]), [b"xb"]).tolist() == [1]
    with pytest.raises(TypeError, match="a, b: one is str, the other bytes"):
        wale.edit_distances(arrow.array(["ab"]), [b"ab"])
    with pytest.raises(wale.BadArgument, match="a: has 1 nulls, expected none"):
        wale.edit_distances(arrow.array(["ab", None]), ["b", "c"])


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
