"""align_pairs: columns equal to align's answers pair by pair, in every mode and task, of every kind of batch."""

import random
import sys

import numpy as np
import pytest
import wale

MODES = ("NW", "HW", "SHW", "local", "overlap")
SCORES = {"match": 2, "mismatch": -3, "open": 5, "extend": 2}
BACKENDS = [{"backend": "cpu"}, {"backend": "reference"}] + [{"backend": "cuda"}] * (not wale.why_unavailable("cuda"))


def pairs(count, letters="ACGT"):
    draw = random.Random(count)
    queries = ["".join(draw.choices(letters, k=draw.randrange(60))) for _ in range(count)]
    changed = ["".join(c if draw.random() < 0.85 else draw.choice(letters) * 2 for c in query) for query in queries]
    return queries, changed


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("where", BACKENDS, ids=str)
def test_columns_are_those_of_pairs(mode, where):
    queries, targets = pairs(50)
    found = wale.align_pairs(queries, targets, mode, **SCORES, **where)
    assert len(found) == 50 and "paths" in repr(found)
    for k, (query, target) in enumerate(zip(queries, targets)):
        one = wale.align(query, target, mode, "path", **SCORES, variant="tiles", backend="cpu")
        places = tuple(int(column[k]) for column in (found.query_begin, found.query_end, found.target_begin, found.target_end))
        assert places == (one.query_begin, one.query_end, one.target_begin, one.target_end)
        assert (int(found.score[k]), found.cigar(k)) == (one.score, one["cigar"])
        assert found.identity[k] == pytest.approx(one.identity)
    assert found.cigars() == [found.cigar(k) for k in range(50)]
    assert found.cigar(-1) == found.cigar(49)


def test_a_task_has_its_columns_alone():
    queries, targets = pairs(5)
    columns = ("query_end", "query_begin", "runs")
    for task, known in (("score", 0), ("ends", 1), ("locations", 2), ("path", 3)):
        found = wale.align_pairs(queries, targets, task=task)
        assert [getattr(found, name) is not None for name in columns] == [k < known for k in range(3)]
        assert found.score.dtype == np.int64
        if task != "path":
            for ask in (found.cigars, lambda: found.cigar(0), lambda: found.identity):
                with pytest.raises(ValueError, match="no paths"):
                    ask()


def test_batches_of_every_kind():
    queries, targets = pairs(7)
    wanted = wale.align_pairs(queries, targets)
    offsets = [np.concatenate([[0], np.cumsum([len(x) for x in side])]) for side in (queries, targets)]
    packed = [(np.frombuffer("".join(side).encode(), np.uint8), at) for side, at in zip((queries, targets), offsets)]
    wide = [[np.array([ord(c) * 70000 % 2**32 for c in x], np.uint32) for x in side] for side in (queries, targets)]
    for a, b in ([x.encode() for x in queries], [x.encode() for x in targets]), packed, wide:
        found = wale.align_pairs(a, b)
        assert found.cigars() == wanted.cigars() and np.array_equal(found.score, wanted.score)
    empty = wale.align_pairs([], [])
    assert len(empty) == 0 and empty.cigars() == [] and empty.identity.size == 0


def test_proteins_and_threads():
    queries, targets = pairs(40, "ARNDCQEGHILKMFPSTWYVarnd")
    words = {"matrix": "blosum62", "open": 12, "extend": 1, "mode": "local"}
    one, three = (wale.align_pairs(queries, targets, **words, threads=n) for n in (1, 3))
    assert np.array_equal(one.runs, three.runs) and np.array_equal(one.score, wale.align_scores(queries, targets, **words))


def test_refusals():
    with pytest.raises(ValueError, match="task"):
        wale.align_pairs(["A"], ["A"], task="all")
    with pytest.raises(wale.BadArgument, match="number"):
        wale.align_pairs(["A"], ["A", "B"])
    with pytest.raises(wale.BadArgument, match="expected a letter"):
        wale.align_pairs([b"A"], [b"?"], matrix=("AB", [[1, 0], [0, 1]]))
    with pytest.raises(IndexError):
        wale.align_pairs(["A"], ["A"]).cigar(1)


if __name__ == "__main__":
    sys.exit(pytest.main([__file__]))
