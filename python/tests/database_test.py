"""Search of a database beside the scores of single alignments."""

import gzip
import math
import random

import pytest
import wale

LETTERS = "ARNDCQEGHILKMFPSTWYV"


def proteins(draw, count, most):
    return ["".join(draw.choices(LETTERS, k=draw.randrange(1, most))) for _ in range(count)]


def best(queries, records, top, **scoring):
    """(target, score) of the best records of each query, by scores of pairs."""
    out = []
    for query in queries:
        scores = wale.align_scores([query] * len(records), records, "local", **scoring)
        order = sorted((-int(score), k) for k, score in enumerate(scores) if score > 0)
        out.append([(k, -score) for score, k in order[:top]])
    return out


@pytest.mark.parametrize("scoring", [{"matrix": "blosum62", "open": 12, "extend": 1}, {"match": 2, "mismatch": -3, "open": 5, "extend": 2}])
def test_hits_are_the_best_pairs(scoring):
    draw = random.Random(4)
    queries, records = proteins(draw, 5, 60), proteins(draw, 80, 120)
    records[7] = queries[2]
    found = wale.search(queries, records, top=6, evalue=math.inf, **scoring)
    assert [[(hit.target, hit.score) for hit in of_one] for of_one in found] == best(queries, records, 6, **scoring)
    assert found[2][0].target == 7 and found[2][0].cigar == f"{len(queries[2])}="
    for query, of_one in zip(queries, found):
        for hit in of_one:
            single = wale.align(query, records[hit.target], "local", "path", **scoring)
            assert hit.score == single.score and 0 < hit.identity <= 1
            part = wale.align(query[slice(*hit.query)], records[hit.target][slice(*hit.place)], "NW", "path", **scoring)
            assert part.score == hit.score
            assert hit.bits == hit.bits or scoring["open"] == 5


def test_a_file_gives_what_memory_gives(tmp_path):
    draw = random.Random(5)
    queries, records = proteins(draw, 3, 50), proteins(draw, 40, 90)
    text = "".join(f">r{k} of many\n{record}\n" for k, record in enumerate(records))
    plain, packed = tmp_path / "records.fa", tmp_path / "records.fa.gz"
    plain.write_text(text)
    packed.write_bytes(gzip.compress(text.encode()))
    wanted = wale.search([q.encode() for q in queries], [r.encode() for r in records], path=False)
    for file in (plain, str(packed)):
        found = wale.search(queries, file, path=False, threads=2)
        assert [[hit._replace(name="") for hit in of_one] for of_one in found] == [
            [hit._replace(name="") for hit in of_one] for of_one in wanted
        ]
        assert all(hit.name.split()[0] == f"r{hit.target}" for of_one in found for hit in of_one)
    assert wanted[0][0].cigar == "" and wanted[0][0].identity is None and wanted[0][0].query == (-1, -1)


def test_evalues_follow_karlin_and_altschul():
    hit = wale.search(["MKTAYIAKQRQISFVKSHFSRQ"], ["MKTAYIAKQRQISFVKSHFSRQ"])[0][0]
    assert hit.bits == pytest.approx((0.267 * hit.score - math.log(0.041)) / math.log(2))
    assert 0 < hit.evalue < 1e-6
    assert wale.search(["MKTAYIAKQRQISFVKSHFSRQ"], ["MKTAYIAKQRQISFVKSHFSRQ"], evalue=1e-30) == [[]]
    assert math.isnan(wale.search(["AC"], ["AC"], match=1, mismatch=-1, open=2)[0][0].evalue)


@pytest.mark.parametrize(
    "call, error, words",
    [
        (lambda: wale.search(["AC"], ["AC"], top=0), wale.BadArgument, "top: 0, expected 1 to"),
        (lambda: wale.search(["AC"], ["AC"], open=-1), wale.BadArgument, "open"),
        (lambda: wale.search(["AC"], [b"AC"]), TypeError, "queries, database: one is str"),
        (lambda: wale.search(["AC"], "no such file"), FileNotFoundError, "no such file"),
        (lambda: wale.search(["AC"], ["AC"], matrix="none.txt"), FileNotFoundError, "none.txt"),
    ],
)
def test_bad_arguments(call, error, words):
    with pytest.raises(error, match=words):
        call()


def test_nothing_to_search():
    assert wale.search([], ["AC"]) == []
    assert wale.search(["AC"], []) == [[]]
    assert wale.search([""], ["AC", ""]) == [[]]
