"""wale.align beside Biopython and parasail where they are, and what it refuses. search_test.py and tests/trust/pairs.py compare
it with edlib."""

import random
import re
import warnings

import numpy as np
import pytest
import wale
from wale import _wale

GAPS = [(11, 1), (3, 3), (5, 0)]


def random_text(source, size, letters):
    return "".join(source.choice(letters) for _ in range(size))


def changed(source, text, letters):
    out = []
    for c in text:
        kind = source.randrange(12)
        out.append(source.choice(letters) if kind == 0 else "" if kind == 1 else c + c if kind == 2 else c)
    return "".join(out)


def pairs(seed, count, letters="ACGT"):
    source = random.Random(seed)
    for k in range(count):
        target = random_text(source, source.randrange(1, 200), letters)
        first = source.randrange(len(target))
        query = changed(source, target[first : first + 60], letters) if k % 3 else random_text(source, 20, letters)
        yield query or "A", target


@pytest.mark.parametrize("mode", ["NW", "HW", "SHW"])
@pytest.mark.parametrize("task", ["distance", "ends", "locations", "path"])
@pytest.mark.parametrize("k", [-1, 0, 3, 1000])
@pytest.mark.parametrize("kind", [str, bytes, "wide"])
def test_plain_texts_go_a_short_way_to_the_same_answer(mode, task, k, kind):
    """Lists of symbols go the long way. Wide: letters of several bytes."""
    for query, target in [*pairs(3, 40), ("a", "b"), ("same", "same"), ("", "ab"), ("ab", "")]:
        plain = {bytes: lambda s: s.encode(), "wide": lambda s: s.replace("A", "\u03b1\U0001f600")}.get(kind, str)
        query, target = plain(query), plain(target)
        short = wale.align(query, target, mode, task, k)
        long = wale.align(list(query), list(target), mode, task, k)
        assert short == long and list(short) == list(long), (query, target)
        for name in ("score", "query_begin", "query_end", "target_begin", "target_end", "identity"):
            assert getattr(short, name) == getattr(long, name), (name, query, target)


def test_every_named_matrix_is_parasails():
    parasail = pytest.importorskip("parasail")
    theirs = sorted(name for name in dir(parasail) if re.fullmatch(r"(blosum|pam)[0-9]+", name))
    assert sorted(_wale.SubstitutionMatrix.names()) == sorted([*theirs, "nuc44"])
    for name in theirs:
        ours, wanted = _wale.SubstitutionMatrix.named(name), getattr(parasail, name)
        assert ours.letters == "ARNDCQEGHILKMFPSTWYVBZX*", name
        np.testing.assert_array_equal(np.reshape(ours.scores, (24, 24)), wanted.matrix, name)


@pytest.mark.parametrize("letters", ["U*", "J*", "O*", "-*", "1*", "xX", "bB", "aA"])
def test_unknown_letters_of_proteins_count_as_the_table_says(letters):
    one, other = ("ACDEFG" + letter + "HIKL" for letter in letters)
    scores = [wale.align(one, x, "local", "score", matrix="pam120", open=11).score for x in (one, other, "ACDEFGWHIKL")]
    others = [wale.align(other, x, "local", "score", matrix="pam120", open=11).score for x in (one, other, "ACDEFGWHIKL")]
    assert scores == others


def test_letters_of_nucleotides():
    words = {"mode": "global", "task": "score", "matrix": "nuc44", "open": 10}
    assert wale.align("GAUUACA", "gattaca", **words).score == 35
    assert wale.align("GAB", "GAC", **words).score == 9  # B: not A
    for letter in "XJE-*1":
        with pytest.raises(wale.BadArgument, match="query: "):
            wale.align("GA" + letter, "GAC", **words)


@pytest.mark.parametrize("gap_open, extend", GAPS)
@pytest.mark.parametrize("name", ["blosum45", "blosum50", "blosum62", "blosum80", "blosum90", "pam30", "pam70", "pam250"])
def test_scores_as_biopython(name, gap_open, extend):
    align = pytest.importorskip("Bio.Align")
    aligner = align.PairwiseAligner()
    aligner.substitution_matrix = align.substitution_matrices.load(name.upper())
    aligner.open_gap_score, aligner.extend_gap_score = -gap_open, -extend
    for query, target in pairs(3, 15, "ARNDCQEGHILKMFPSTWYVBZX"):
        for mode in ["global", "local"]:
            aligner.mode = mode
            found = wale.align(query, target, mode, matrix=name, open=gap_open, extend=extend)
            assert found.score == aligner.score(query, target), (query, target)
            assert found["editDistance"] is None


def test_nucleotides_as_biopython():
    align = pytest.importorskip("Bio.Align")
    aligner = align.PairwiseAligner()
    aligner.substitution_matrix = align.substitution_matrices.load("NUC.4.4")
    aligner.open_gap_score, aligner.extend_gap_score = -10, -1
    for query, target in pairs(5, 30, "ATGCSWRYKMBVHDN"):
        assert wale.align(query, target, matrix="nuc44", open=10).score == aligner.score(query, target)
        assert wale.align(query.replace("T", "u"), target, matrix="NUC44", open=10).score == aligner.score(query, target)
    with pytest.raises(wale.BadArgument):
        wale.align("ACGE", "A", matrix="nuc44")


def test_heuristics_say_so():
    for query, target in pairs(6, 30):
        exact = wale.align(query, target, match=2, mismatch=-3, open=5, extend=2)
        wide = wale.align(query, target, match=2, mismatch=-3, open=5, extend=2, band=400)
        narrow = wale.align(query, target, match=2, mismatch=-3, open=5, extend=2, band=0, task="path")
        assert not exact.heuristic and wide.heuristic and narrow.heuristic
        assert wide.score == exact.score >= narrow.score
        unit = wale.align(query, target, band=5)
        assert unit.heuristic and unit["editDistance"] >= wale.align(query, target)["editDistance"]
    found = wale.align("ACGTACGT" + "A" * 40, "ACGTACGT" + "C" * 40, match=1, mismatch=-2, open=3, x_drop=6)
    assert (found.score, found.query_end, found.target_end) == (8, 8, 8)
    with pytest.raises(wale.BadArgument):
        wale.align("A", "A", "local", x_drop=3)


@pytest.mark.parametrize("gap_open, extend", GAPS)
def test_scores_as_parasail(gap_open, extend):
    parasail = pytest.importorskip("parasail")
    functions = {  # "scan": the striped ones of 2.6 give lower scores where open equals extend
        ("NW", None): parasail.nw_scan_32,
        ("local", None): parasail.sw_scan_32,
        ("overlap", None): parasail.sg_scan_32,
        ("semi_global", ("query_begin", "target_end")): parasail.sg_qb_de_scan_32,
        ("semi_global", ("query_end", "target_begin")): parasail.sg_qe_db_scan_32,
        ("HW", None): parasail.sg_dx_scan_32,
    }
    for query, target in pairs(4, 60, "ARNDCQEGHILKMFPSTWYV"):
        for (mode, ends), function in functions.items():
            found = wale.align(query, target, mode, matrix="blosum62", open=gap_open, extend=extend, ends=ends)
            wanted = function(query, target, gap_open, extend, parasail.blosum62).score
            if mode == "semi_global":
                wanted = max(wanted, 0)  # nothing aligned with nothing: parasail leaves the border out
            assert found.score == wanted, (mode, ends, query, target)


def test_batch_is_as_pair_by_pair():
    many = list(pairs(5, 50, "ARNDCQEGHILKMFPSTWYV"))
    for mode in ["NW", "HW", "local", "overlap"]:
        words = {"matrix": "blosum62", "open": 11}
        scores = wale.align_scores([q for q, _ in many], [t for _, t in many], mode, **words)
        assert scores.dtype == np.int64
        assert scores.tolist() == [wale.align(q, t, mode, **words).score for q, t in many]


def test_own_matrix_is_by_row_of_the_query():
    table = ("AB", np.array([[2, -1], [-3, 1]]))
    assert wale.align("A", "B", matrix=table, open=9).score == -1
    assert wale.align("B", "A", matrix=table, open=9).score == -3


def test_a_matrix_of_biopython():
    matrix = pytest.importorskip("Bio.Align.substitution_matrices").load("BLOSUM62")
    words = {"mode": "local", "task": "path", "open": 11}
    assert wale.align("HEAGAWGHEE", "PAWHEAE", matrix=matrix, **words) == wale.align("HEAGAWGHEE", "PAWHEAE", matrix="blosum62", **words)
    assert wale.align_scores(["W"], ["W"], matrix=matrix).tolist() == [11]
    with pytest.raises(wale.BadArgument, match="matrix: expected whole numbers"):
        wale.align("A", "C", matrix=matrix / 2)


def test_matrix_file(tmp_path):
    file = tmp_path / "own.txt"
    file.write_text("# own\n   A  C *\nA  5 -4 -9\nC -4  6 -9\n* -9 -9 1\n")
    assert wale.align("ACG", "ACT", matrix=str(file), open=20).score == 5 + 6 + 1
    file.write_text("  A C\nA 1 2\nC 1\n")
    with pytest.raises(wale.BadInput, match=r"own.txt:3: 1 scores, expected 2"):
        wale.align("A", "C", matrix=file)


def test_sequences_that_are_no_text():
    found = wale.align(["to", "be", "or"], ["to", "or"], task="path")
    assert found["cigar"] == "1=1I1=" and str(found).startswith("{")
    assert wale.align(np.array([1, -5, 70000]), np.array([1, 70000]))["editDistance"] == 1


def test_view():
    found = wale.align("ACGTTAGAC", "AGTTACAC", task="path")
    assert found.view(5).splitlines()[:3] == ["ACGTT", "| |||", "A-GTT"]
    assert str(found) == found.view()
    with pytest.raises(ValueError, match="no path"):
        wale.align("A", "C").view()


@pytest.mark.parametrize(
    "words, error",
    [
        ({"mode": "XY"}, ValueError),
        ({"task": "all"}, ValueError),
        ({"ends": ["target_end"]}, ValueError),
        ({"mode": "semi_global", "ends": ["left"]}, ValueError),
        ({"k": 3, "match": 2}, ValueError),
        ({"open": -1}, wale.BadArgument),
        ({"extend": 10**7}, wale.BadArgument),
        ({"match": 10**7}, wale.BadArgument),
        ({"match": True}, TypeError),
        ({"matrix": "no_such.file"}, wale.CannotOpen),
        ({"matrix": "blosum63"}, wale.BadArgument),
        ({"matrix": ("AA", np.zeros((2, 2), int))}, wale.BadArgument),
        ({"matrix": ("AC", np.zeros((2, 2), int))}, wale.BadArgument),
        ({"matrix": ("AC", np.zeros((2, 3), int))}, wale.BadArgument),
    ],
)
def test_refusals(words, error):
    with pytest.raises(error):
        wale.align("AG", "AC", **words)


def test_pair_on_a_device():
    if wale.why_unavailable("cuda"):
        pytest.skip(wale.why_unavailable("cuda"))
    words = {"match": 2, "mismatch": -3, "open": 5, "extend": 2}
    query, target = "ACGTTACGTCCGATACGT" * 40, "ACGTTACGACCGATCGT" * 50
    for mode in ("global", "local"):
        expected = wale.align(query, target, mode, "path", **words)
        found = wale.align(query, target, mode, "path", backend="cuda", **words)
        assert (found, found.score) == (expected, expected.score)


def test_scores_on_a_device():
    if wale.why_unavailable("cuda"):
        pytest.skip(wale.why_unavailable("cuda"))
    queries, targets = ["HEAGAWGHEE", "WW", "", "A" * 3000], ["PAWHEAE", "W", "AC", "A" * 2999]
    words = {"matrix": "blosum62", "open": 11}
    expected = wale.align_scores(queries, targets, "local", backend="cpu", **words)
    assert wale.align_scores(queries, targets, "local", backend="cuda", **words).tolist() == expected.tolist()
    with pytest.raises(wale.BadArgument, match="target: byte 63 at 1, expected a letter"):
        wale.align_scores(["AC"], ["A?"], matrix=("AC", np.eye(2, dtype=int)), where=wale.cuda())


@pytest.mark.parametrize("mode", ["local", "overlap"])
def test_a_mode_of_parts_without_scores_is_warned_of(mode):
    with pytest.warns(UserWarning, match=f"mode '{mode}' with match=0: nothing scores above 0") as seen:
        assert wale.align("ACGT", "CG", mode).score == 0
    assert seen[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert wale.align("ACGT", "CG", mode, match=1).score == 2
        assert wale.align(wale.Profile([[2, -3], [-3, 2]], "AC"), "AC", mode).score == 4
        assert wale.align("ACGT", "CG", mode, matrix="blosum62", open=12).score > 0
