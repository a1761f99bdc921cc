"""Infix alignment beside edlib, and each against each beside rapidfuzz."""

import random
import sys

import edlib
import numpy as np
import pytest
import wale
from rapidfuzz.distance import LCSseq, Levenshtein
from rapidfuzz.process import cdist


def mutated(text, share, draw, letters):
    out = []
    for letter in text:
        kept = draw.random() >= share
        out.append(letter if kept else draw.choice(["", draw.choice(letters), letter + draw.choice(letters)]))
    return "".join(out)


def cost(cigar, query, part):
    """What a path costs; the assertions fail where it does not lead through both sequences."""
    sum_, i, j, number = 0, 0, 0, 0
    for letter in cigar:
        if letter.isdigit():
            number = 10 * number + int(letter)
            continue
        for _ in range(number):
            if letter in "=X":
                assert (query[i] == part[j]) == (letter == "=")
            i += letter != "D"
            j += letter != "I"
            sum_ += letter != "="
        number = 0
    assert (i, j) == (len(query), len(part))
    return sum_


@pytest.mark.parametrize("mode", ["HW", "SHW"])
@pytest.mark.parametrize("task", ["distance", "locations", "path"])
def test_edlib_gives_the_same(mode, task):
    draw = random.Random(7)
    cases = [("", ""), ("", "ACG"), ("ACG", ""), ("A", "A"), ("A", "C"), ("AAA", "TTTT"), ("ACGT", "TTACGTTTACGT")]
    for size in (1, 5, 63, 64, 65, 128, 150, 1000):
        for letters in ("AC", "ACGT", "".join(map(chr, range(32, 120)))):
            text = "".join(draw.choices(letters, k=3000))
            at = 0 if mode == "SHW" else draw.randrange(1900)
            cases.append((mutated(text[at : at + size], draw.choice([0, 0.05, 0.3]), draw, letters), text))
    for query, text in cases:
        for k in (-1, 0, 4, 60):
            ours = wale.align(query, text, mode=mode, task=task, k=k)
            theirs = edlib.align(query, text, mode=mode, task=task, k=k)
            if min(len(query), len(text)) == 0 and k >= 0:
                continue  # edlib gives a distance above k there
            cigar = ours.pop("cigar")
            assert ours.items() <= theirs.items(), (query, text, k)
            assert (cigar is None) == (theirs["cigar"] is None)
            if cigar is not None:
                begin, end = ours["locations"][0]
                assert cost(cigar, query, text[begin : end + 1]) == ours["editDistance"]


def test_words_of_align_are_checked():
    with pytest.raises(ValueError, match="mode"):
        wale.align("A", "A", mode="XX")
    with pytest.raises(ValueError, match="task"):
        wale.align("A", "A", mode="HW", task="cigar")


def test_locate_many():
    draw = random.Random(3)
    text = "".join(draw.choices("ACGT", k=20000))
    reads = [mutated(text[a : a + 150], 0.04, draw, "ACGT") for a in range(0, 19000, 400)]
    other = str.maketrans("ACGT", "TGCA")
    both = [r.translate(other)[::-1] if k % 2 else r for k, r in enumerate(reads)]
    matches = wale.locate([r.encode() for r in both], text.encode(), both_strands=True, threads=2)
    for k, (read, match) in enumerate(zip(reads, matches)):
        theirs = edlib.align(read, text, mode="HW", task="locations")
        assert match.distance == theirs["editDistance"]
        assert [(begin, last + 1, k % 2 == 1) for begin, last in theirs["locations"]] == match.locations
    assert wale.locate([], "ACGT") == []
    assert wale.locate(["", "C"], "ACGT")[1] == wale.Match(0, [(1, 2, False)], "1=")
    assert wale.locate(["naïve 文字"], "so naive 文字!")[0].distance == 1
    with pytest.raises(TypeError):
        wale.locate(["A"], b"A")
    with pytest.raises(wale.UnsupportedVariant, match="no variant on cuda"):
        wale.locate(["A"], "A", backend="cuda")


def words(count, letters, longest, seed):
    draw = random.Random(seed)
    return ["".join(draw.choices(letters, k=draw.randrange(longest + 1))) for _ in range(count)]


@pytest.mark.parametrize("letters", ["ab", "abcdefghijklmnop", "äöü文字列é"])
@pytest.mark.parametrize("longest", [8, 60, 300])
def test_rapidfuzz_gives_the_same(letters, longest):
    a, b = words(40, letters, longest, 1), words(57, letters, longest, 2)
    assert (wale.cdist(a, b) == cdist(a, b, scorer=Levenshtein.distance, dtype=np.int32)).all()
    assert (wale.cdist(a, b, metric="lcs", threads=2) == cdist(a, b, scorer=LCSseq.similarity, dtype=np.int32)).all()
    assert (wale.cdist(a) == cdist(a, a, scorer=Levenshtein.distance, dtype=np.int32)).all()
    limited = cdist(a, b, scorer=Levenshtein.distance, dtype=np.int32, score_cutoff=5)
    assert (wale.cdist(a, b, cutoff=5) == limited).all()


def test_cdist_of_other_things():
    assert wale.cdist([], []).shape == (0, 0)
    assert wale.cdist(["a"], []).shape == (1, 0)
    assert wale.cdist([b"ab", b""], [b"b"]).tolist() == [[1], [1]]
    assert wale.cdist([["to", "be"]], [["or", "be", "not"]]).tolist() == [[2]]
    packed = (np.frombuffer(b"abcab", np.uint8), np.array([0, 3, 5]))
    assert wale.cdist(packed).tolist() == [[0, 1], [1, 0]]
    for wrong in ({"metric": "hamming"}, {"cutoff": -1}, {"cutoff": 1, "metric": "lcs"}):
        with pytest.raises((ValueError, wale.BadArgument)):
            wale.cdist(["a"], **wrong)
    with pytest.raises(TypeError):
        wale.cdist(["a"], [b"a"])
    with pytest.raises(TypeError):
        wale.cdist("abc")


@pytest.mark.parametrize("block", [1, 100, 1 << 24])
def test_cdist_top_and_sparse(block, monkeypatch):
    monkeypatch.setattr("wale._search._BLOCK", block)
    a, b = words(23, "ab", 9, 1), words(31, "ab", 9, 2)
    for metric, sign in (("edit_distance", 1), ("lcs", -1)):
        whole = wale.cdist(a, b, metric=metric)
        numbers, values = wale.cdist(a, b, metric=metric, top=5)
        assert (numbers == np.argsort(sign * whole, axis=1, kind="stable")[:, :5]).all()
        assert (values == np.take_along_axis(whole, numbers, 1)).all()
    whole = wale.cdist(a, b)
    numbers, values = wale.cdist(a, b, top=40, cutoff=3)
    for row, number, value in zip(whole, numbers, values):
        order = [k for k in np.argsort(row, kind="stable") if row[k] <= 3]
        assert number.tolist() == order + [-1] * (40 - len(order))
        assert value.tolist() == row[order].tolist() + [4] * (40 - len(order))
    rows, columns, values = wale.cdist(a, b, cutoff=2, sparse=True)
    assert (np.array([rows, columns]) == np.nonzero(whole <= 2)).all() and (values == whole[rows, columns]).all()
    own = wale.cdist(a)
    numbers, _ = wale.cdist(a, top=2)
    np.fill_diagonal(own, 99)
    assert (numbers == np.argsort(own, axis=1, kind="stable")[:, :2]).all()
    rows, columns, values = wale.cdist(a, cutoff=2, sparse=True)
    assert (np.array([rows, columns]) == np.nonzero(np.triu(own <= 2, 1))).all() and (values <= 2).all()
    assert [part.shape for part in wale.cdist([], [], cutoff=1, sparse=True)] == [(0,)] * 3
    assert [part.shape for part in wale.cdist(["a"], [], top=2)] == [(1, 2)] * 2
    for wrong in ({"top": 0}, {"top": 1, "sparse": True, "cutoff": 1}, {"sparse": True}, {"top": 1, "sparse": True},
                  {"top": 0, "sparse": True, "cutoff": 1}):  # fmt: skip
        with pytest.raises(wale.BadArgument):
            wale.cdist(["a"], **wrong)


@pytest.mark.parametrize("cutoff", [2**31 - 2, 2**31 - 1, 2**31, 2**40, 2**63 - 1])
@pytest.mark.parametrize("times", [1, 60])  # short texts have a way of their own
def test_the_largest_cutoffs(cutoff, times):
    a, b = ["kitten" * times, "ab"], ["sitting" * times, "b"]
    numbers, values = wale.cdist(a, b, cutoff=cutoff, top=3)
    assert numbers[:, 2].tolist() == [-1, -1] and values[:, 2].tolist() == [2**31 - 1] * 2
    assert values[:, 0].tolist() == [3 * times, 1]
    assert wale.cdist(a, b, cutoff=cutoff).tolist() == wale.cdist(a, b).tolist()
    assert wale.edit_distances(a, b, bound=cutoff).tolist() == [3 * times, 1]
    assert wale.edit_distance(a[0], b[0], bound=cutoff) == 3 * times
    assert wale.align(a[0], b[0], band=cutoff)["editDistance"] == 3 * times


def test_arrow_columns():
    pa = pytest.importorskip("pyarrow")
    plain = ["naïve", "", "文字", "native", "x"]
    for kind in (pa.string(), pa.large_string()):
        column = pa.array(["left out", *plain], kind)[1:]
        assert (wale.cdist(column) == wale.cdist(plain)).all()
        assert (wale.cdist(pa.chunked_array([column, column]), plain) == wale.cdist(plain + plain, plain)).all()
    ascii_only = pa.array(["kitten", "flaw"])
    assert wale.cdist(ascii_only, ["sitting"]).tolist() == [[3], [7]]
    assert wale.cdist(pa.array([b"\xff\x00", b""]), [b"\xff"]).tolist() == [[1], [1]]
    assert wale.cdist(pa.array([], pa.string()), ["a"]).shape == (0, 1)
    with pytest.raises(wale.BadArgument, match="nulls"):
        wale.cdist(pa.array(["a", None]))
    with pytest.raises(TypeError, match="int64"):
        wale.cdist(pa.array([1, 2]))


def hook(monkeypatch, module, name, change):
    """The compiled function gives answers that are a little wrong, once."""
    binding = sys.modules[f"wale.{module}"]._wale
    sound, wrong = getattr(binding, name), []

    def call(*arguments):
        answer = sound(*arguments)
        if wrong:
            return answer
        wrong.append(True)
        return change(answer)

    monkeypatch.setattr(binding, name, call)


TEXT = bytes(np.random.default_rng(20).choice(list(b"ACGT"), 700).astype(np.uint8))


@pytest.mark.parametrize("mode", ["NW", "HW", "SHW", "local", "overlap"])
@pytest.mark.parametrize("task", ["distance", "locations", "path"])
def test_verified_alignments_are_the_answers(mode, task):
    read = TEXT[100:160] + b"T" + TEXT[163:190]
    for words in ({}, {"match": 2, "mismatch": -3, "open": 5, "extend": 2}, {"band": 700}, {"matrix": "nuc44", "open": 12}):
        for query, target in ((read, TEXT), ("", "ACG"), ("größe", "große")):
            if "matrix" in words and query == "größe":
                continue
            assert wale.align(query, target, mode, task, verify=True, **words) == wale.align(query, target, mode, task, **words)
    assert wale.align("kitten", "sitting", k=2, verify=True)["editDistance"] == -1


def test_verification_sees_wrong_alignments(monkeypatch):
    with monkeypatch.context() as patch, pytest.raises(wale.Error, match="verification: score is -4, another row says -3"):
        hook(patch, "_alignment", "plain_align", lambda found: (found[0] + 1, *found[1:]))
        wale.align("kitten", "sitting", verify=True)
    with monkeypatch.context() as patch, pytest.raises(wale.Error, match="verification: path: says ="):
        hook(patch, "_alignment", "plain_align", lambda found: (*found[:3], "7=", 1.0))
        wale.align("kittens", "sittens", task="path", verify=True)
    with monkeypatch.context() as patch, pytest.raises(wale.Error, match="below -1, another row says -1"):
        hook(patch, "_alignment", "plain_align", lambda found: (-1, found[1], [], "", None))
        wale.align("tale", "a telephone", "HW", k=1, verify=True)


def test_verified_places_and_hits(monkeypatch):
    reads = [TEXT[100:160] + b"T" + TEXT[163:190], TEXT[300:360], b"", TEXT[:50].translate(bytes.maketrans(b"ACGT", b"TGCA"))[::-1]]
    for words in ({}, {"task": "distance"}, {"mode": "SHW"}, {"k": 2}):
        both = {"both_strands": True, **words}
        assert wale.locate(reads, TEXT, verify=True, **both) == wale.locate(reads, TEXT, **both)
    with monkeypatch.context() as patch, pytest.raises(wale.Error, match="verification: query 1: "):
        hook(patch, "_search", "infix_align", lambda found: ([found[0][0], (1, *found[0][1][1:]), *found[0][2:]], found[1]))
        wale.locate(reads, TEXT, verify=True)
    proteins = ["MKTAYIAKQRQISFVKSHFSRQ", "GGGGG", "MKTAYIAKQR"]
    found = wale.search(["MKTAYIGKQRQISF"], proteins, verify=True)
    assert found == wale.search(["MKTAYIGKQRQISF"], proteins) and found[0][0].cigar
    assert wale.search(["MKTAYIGKQRQISF"], proteins, path=False, verify=True)[0][0].cigar == ""
    for call in (lambda: wale.locate(reads, TEXT, verify=1), lambda: wale.search(["A"], ["A"], verify="yes"), lambda: wale.align("a", "a", verify=None)):
        with pytest.raises(TypeError, match="verify: is"):
            call()
    with pytest.raises(wale.BadArgument, match="verify"):
        wale.align(wale.Profile([[1, 2]], "AC"), "AC", verify=True)
