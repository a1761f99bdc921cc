"""wale.Profile beside parasail's scores of position-specific matrices, sequences and plain Python."""

import ctypes
import math
import random

import numpy as np
import pytest
import wale
from wale import _wale

LETTERS = "ARNDCQEGHILKMFPSTWYV"


def drawn(draw, count, most, letters=LETTERS):
    return ["".join(draw.choices(letters, k=draw.randrange(1, most))) for _ in range(count)]


def repeated(matrix, query, **words):
    """The profile that scores as the sequence does."""
    table = _wale.SubstitutionMatrix.named(matrix)
    scores = np.array(table.scores).reshape(len(table.letters), -1)
    return wale.Profile(scores[[table.letters.index(c) for c in query]], table.letters, query, **words)


def plain_local(scores, letters, target, gap_open, extend):
    """Gotoh's recurrence, one cell after the other."""
    h = [[0] * (len(target) + 1) for _ in range(len(scores) + 1)]
    f = [-math.inf] * (len(target) + 1)
    best = 0
    for i, row in enumerate(scores, 1):
        e = -math.inf
        for j, letter in enumerate(target, 1):
            e = max(h[i][j - 1] - gap_open, e - extend)
            f[j] = max(h[i - 1][j] - gap_open, f[j] - extend)
            h[i][j] = max(0, h[i - 1][j - 1] + row[letters.index(letter)], e, f[j])
            best = max(best, h[i][j])
    return best


def test_scores_as_plain_loops():
    draw = random.Random(1)
    for _ in range(20):
        scores = [[draw.randrange(-6, 9) for _ in LETTERS] for _ in range(draw.randrange(1, 40))]
        targets = drawn(draw, 40, 60)
        wanted = [plain_local(scores, LETTERS, target, 8, 2) for target in targets]
        profile = wale.Profile(scores, LETTERS)
        assert wale.align_scores(profile, targets, "local", open=8, extend=2).tolist() == wanted
        assert wale.align(profile, targets[0], "local", open=8, extend=2).score == wanted[0]


@pytest.mark.parametrize("mode", ["NW", "local", "HW", "overlap"])
def test_a_repeated_sequence_is_the_sequence(mode):
    draw = random.Random(2)
    for query, target in zip(drawn(draw, 12, 90), drawn(draw, 12, 120)):
        target = query[: len(query) // 2] + target
        words = {"open": 11, "extend": 1}
        wanted = wale.align(query, target, mode, "path", matrix="blosum62", **words)
        found = wale.align(repeated("blosum62", query), target, mode, "path", **words)
        assert dict(found, alphabetLength=0) == dict(wanted, alphabetLength=0)
        assert (found.score, found.identity, str(found)) == (wanted.score, wanted.identity, str(wanted))


def pssm_of_parasail(parasail, scores):
    """parasail has position-specific matrices, its Python module no word for them: the function of its library."""
    library = parasail.bindings_v2._lib
    create = library.parasail_matrix_pssm_create
    create.argtypes = [ctypes.c_char_p, ctypes.POINTER(ctypes.c_int), ctypes.c_int]
    create.restype = library.parasail_matrix_create.restype
    cells = [score for row in scores for score in row]
    return parasail.Matrix(create(LETTERS.encode(), (ctypes.c_int * len(cells))(*cells), len(scores)))


@pytest.mark.parametrize("mode, function", [("NW", "nw"), ("local", "sw"), ("overlap", "sg"), ("HW", "sg_dx")])
def test_scores_as_parasail(mode, function):
    parasail = pytest.importorskip("parasail")
    draw = random.Random(3)
    scores = [[draw.randrange(-5, 8) for _ in LETTERS] for _ in range(50)]
    matrix = pssm_of_parasail(parasail, scores)
    targets = drawn(draw, 30, 80)
    name = f"{function}_striped_profile_16"
    profile = parasail.profile_create_16("A" * len(scores), matrix)
    wanted = [getattr(parasail, name)(profile, target, 10, 2).score for target in targets]
    assert wale.align_scores(wale.Profile(scores, LETTERS), targets, mode, open=10, extend=2).tolist() == wanted


def test_search_has_the_evalues_of_the_scale(tmp_path):
    draw = random.Random(4)
    records = drawn(draw, 60, 150)
    query = records[20][3:] or "MKT"
    wanted = wale.search([query], records, top=5)
    profile = repeated("blosum62", query, scaled_as="blosum62")
    found = wale.search(profile, records, top=5)
    assert found == wanted and found == wale.search([profile], [r.encode() for r in records], top=5)
    file = tmp_path / "r.fa"
    file.write_text("".join(f">r{k}\n{record}\n" for k, record in enumerate(records)))
    assert [hit._replace(name="") for hit in wale.search([profile, profile], file, top=5)[1]] == wanted[0]
    bare = wale.search(repeated("blosum62", query), records, top=5)[0][0]
    assert bare.score == wanted[0][0].score and math.isnan(bare.evalue)


def test_files_and_attributes(tmp_path):
    file = tmp_path / "p.txt"
    file.write_text("A C G T\n1 2 -3 4\n5 -6 7 8\n")
    profile = wale.Profile.read(file)
    assert (len(profile), profile.letters, profile.consensus, profile.scaled_as) == (2, "ACGT", "TT", None)
    assert profile.scores.tolist() == [[1, 2, -3, 4], [5, -6, 7, 8]]
    assert repr(profile) == "<wale.Profile of 2 positions x 4 letters>"
    file.write_text("A C\n1 2\n1 x\n")
    with pytest.raises(wale.BadInput, match=r"p\.txt:3: 'x', expected a whole number"):
        wale.Profile.read(file)


def test_lower_case_of_an_alignment_counts():
    upper = wale.Profile.from_alignment(["ACT", "AC-", "AGT"])
    assert np.array_equal(wale.Profile.from_alignment(["act", "aC-", "AgT"]).scores, upper.scores)
    low = wale.Profile.from_alignment(["ab", "AB"], "abAB")
    assert low.scores[0, 0] == low.scores[0, 2] > low.scores[0, 1]
    for rows in "ACT", [b"ACT"], [1, 2]:
        with pytest.raises(TypeError, match="rows: is .*, expected a list of str"):
            wale.Profile.from_alignment(rows)
    with pytest.raises(wale.BadArgument, match="per_bit: is nan"):
        wale.Profile.from_alignment(["ACT"], per_bit=float("nan"))


def test_of_an_alignment():
    rows = ["ACGT", "ACGA", "AC-A", "TCGA"]
    profile = wale.Profile.from_alignment(rows, per_bit=4, pseudocount=2)
    p = 0.25
    for column, scores in zip(zip(*rows), profile.scores):
        counted = sum(letter in "ACGT" for letter in column)
        for letter, score in zip("ACGT", scores):
            odds = (column.count(letter) + 2 * p) / (counted + 2) / p
            assert score == round(4 * math.log2(odds))
    with pytest.raises(wale.BadArgument, match="one length"):
        wale.Profile.from_alignment(["AC", "A"])
    with pytest.raises(wale.BadArgument, match="background"):
        wale.Profile.from_alignment(["AC"], background=[1, 0, 1, 1])


PROFILE = wale.Profile([[1, -1], [-1, 1]], "AC")


@pytest.mark.parametrize(
    "call, error, words",
    [
        (lambda: wale.Profile([[1, 2, 3]], "AC"), wale.BadArgument, "shape"),
        (lambda: wale.Profile([[1.5, 2]], "AC"), wale.BadArgument, "whole numbers"),
        (lambda: wale.Profile([[1, 2]], "AA"), wale.BadArgument, "twice"),
        (lambda: wale.Profile([[1, 2]], b"AC"), TypeError, "letters: is b'AC', expected str"),
        (lambda: wale.Profile([[1, 2]], "A\u00c4"), wale.BadArgument, "expected ASCII"),
        (lambda: wale.Profile([[1, 2]], "AC", "AA"), wale.BadArgument, "consensus"),
        (lambda: wale.align(PROFILE, "AC", matrix="blosum62"), wale.BadArgument, "matrix"),
        (lambda: wale.align(PROFILE, "AC", match=2), wale.BadArgument, "match"),
        (lambda: wale.align(PROFILE, "AC", k=3), ValueError, "k: bounds"),
        (lambda: wale.align(PROFILE, "AG"), wale.BadArgument, "byte 71 at 1, expected a letter that has scores"),
        (lambda: wale.align(PROFILE, "AC", variant="cpu/wavefronts"), wale.UnsupportedVariant, "not a profile"),
        (lambda: wale.align_scores(PROFILE, ["AC"], backend="cuda"), wale.Error, "no variant on cuda|CUDA"),
        (lambda: wale.search([PROFILE, "AC"], ["AC"]), wale.BadArgument, "profiles alone"),
        (lambda: wale.search(wale.Profile([[1]], "A", scaled_as="blosum63"), ["A"]), wale.BadArgument, "blosum63"),
    ],
)
def test_bad_arguments(call, error, words):
    with pytest.raises(error, match=words):
        call()
