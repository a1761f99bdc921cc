"""Random calls of the Python package beside peers: each draw is a Cell with the same question to Wale and to its peers.

`atlas.py calls` times them. A draw takes sizes log-uniform, and kinds of input as users have them. Peers that are not
installed are left out.
"""

from typing import Any, Callable, Dict, NamedTuple

import numpy as np
import text_peers
from text_peers import caller, equal, peer

import wale


class Cell(NamedTuple):
    traits: str
    ours: Callable[[], Any]
    peers: Dict[str, Callable[[], Any]]
    same: Callable[[Any, Any], bool]  # our answer and the first peer's


def size(draw, low, high):
    """Log-uniform in low..high."""
    return int(round(float(np.exp(draw.uniform(np.log(low), np.log(high + 0.49))))))


def threads_word(draw, threads):
    """The keyword, or none: then the environment's WALE_NUM_THREADS holds."""
    return {"threads": threads} if draw.random() < 0.5 else {}


def shown(**traits):
    return " ".join(f"{name}={value}" for name, value in traits.items() if value not in (None, {}))


# ---------------------------------------------------------------------------------------------------- sequences

ALPHABETS = {"dna": "ACGT", "letters": "abcdefghijklmnopqrstuvwxyz ", "latin": "aàbcçdeéèêfghiïjklmnoôpqrstuùü",
             "wide": "一二三四五六七八九十百千万上中下大小月日年早木林山川土空田天", "two": "ab"}  # fmt: skip
WORDS = [f"word{k}" for k in range(200)]


def kind_of(draw):
    """(name, maker of numbers 0..k-1, k)."""
    names = ["str dna", "str letters", "bytes dna", "bytes letters", "str letters", "str latin", "str wide", "ints",
             "words", "u8", "u16 strided", "big-endian i32", "i64"]  # fmt: skip
    weights = np.array([4, 6, 3, 3, 4, 2, 2, 1, 2, 1, 1, 0.5, 1])
    name = str(draw.choice(names, p=weights / weights.sum()))
    if name.startswith("str"):
        letters = ALPHABETS[name[4:]]
        return name, lambda codes: "".join([letters[c] for c in codes]), len(letters)
    if name.startswith("bytes"):
        letters = ALPHABETS[name[6:]].encode()
        return name, lambda codes: bytes([letters[c] for c in codes]), len(letters)
    made = {
        "ints": lambda codes: [int(c) * 1000 for c in codes],
        "words": lambda codes: [WORDS[c] for c in codes],
        "u8": lambda codes: np.asarray(codes, np.uint8),
        "u16 strided": lambda codes: np.repeat(np.asarray(codes, np.uint16), 2)[::2],
        "big-endian i32": lambda codes: np.asarray(codes, ">i4"),
        "i64": lambda codes: np.asarray(codes, np.int64),
    }
    return name, made[name], 200 if name == "words" else 100


def codes_pair(draw, m, letters, similar):
    """Codes of two sequences; `similar` is the share of symbols that are kept, None for unrelated ones."""
    a = draw.integers(0, letters, m)
    if similar is None:
        return a, draw.integers(0, letters, max(0, int(m * draw.uniform(0.5, 1.5))))
    lots, changed = draw.random(m), 1 - similar
    inserted, left_out = (lots >= similar + changed / 2) & (lots < similar + 3 * changed / 4), lots >= similar + 3 * changed / 4
    replaced = (lots >= similar) & (lots < similar + changed / 2)
    counts = 1 + inserted - left_out.astype(int)
    out = np.repeat(np.where(replaced, draw.integers(0, letters, m), a), counts)
    out[np.cumsum(counts)[inserted] - 1] = draw.integers(0, letters, int(inserted.sum()))
    return a, out


def likeness(draw):
    return [None, 0.5, 0.8, 0.95, 0.995][draw.integers(5)]


def for_peer(x):
    """Arrays as lists, which rapidfuzz takes; lists and texts as they are."""
    return x.tolist() if isinstance(x, np.ndarray) else x


def pair(draw, threads, lcs=False):
    kind, made, letters = kind_of(draw)
    m, similar = size(draw, 1, 3000 if "words" in kind or "ints" in kind else 100_000), likeness(draw)
    a, b = map(made, codes_pair(draw, m, letters, similar))
    x, y = for_peer(a), for_peer(b)
    word = threads_word(draw, threads)
    if lcs:
        return Cell(shown(kind=kind, m=len(a), n=len(b), similar=similar, **word),
                    caller(wale.lcs_length, a, b, **word),
                    {"rapidfuzz": caller(peer("rapidfuzz.distance").LCSseq.similarity, x, y)}, equal)  # fmt: skip
    bound = None if draw.random() < 0.5 else size(draw, 1, max(2, len(a)))
    ours = {} if bound is None else {"bound": bound}
    return Cell(shown(kind=kind, m=len(a), n=len(b), similar=similar, bound=bound, **word),
                caller(wale.edit_distance, a, b, **ours, **word), text_peers.distances(x, y, bound), equal)  # fmt: skip


def lcs_pair(draw, threads):
    return pair(draw, threads, lcs=True)


def short_pair(draw, threads):
    """Words and names."""
    kind, made, letters = kind_of(draw)
    m, similar, word = size(draw, 1, 80), likeness(draw), threads_word(draw, threads)
    a, b = map(made, codes_pair(draw, m, letters, similar))
    x, y = for_peer(a), for_peer(b)
    name = str(draw.choice(["edit_distance", "lcs_length"]))
    lcs = name == "lcs_length"
    peers = {"rapidfuzz": caller(peer("rapidfuzz.distance").LCSseq.similarity, x, y)} if lcs else text_peers.distances(x, y, None)
    return Cell(shown(call=name, kind=kind, m=len(a), n=len(b), similar=similar, **word),
                caller(getattr(wale, name), a, b, **word), peers, equal)  # fmt: skip


def text_lists(draw, longest, most):
    """Kind, two lists of texts, pair by pair alike, and their mean length."""
    while True:
        kind, made, letters = kind_of(draw)
        if kind.split()[0] in ("str", "bytes") or draw.random() < 0.2:
            break
    mean, similar = size(draw, 2, longest), likeness(draw)
    count = size(draw, 1, max(1, min(most, 300000 // mean)))
    pairs = [codes_pair(draw, max(1, int(mean * draw.uniform(0.5, 1.5))), letters, similar) for _ in range(count)]
    return kind, [made(a) for a, _ in pairs], [made(b) for _, b in pairs], mean, similar


def column(draw, kind):
    """How a user keeps texts - a list, a column of Arrow or pandas, an array of objects - and what a peer is given, which
    takes no column of Arrow."""
    if not kind.startswith("str") or draw.random() < 0.6:
        return "list", list, lambda values: lambda: values
    form = str(draw.choice(["arrow", "pandas", "object array"]))
    if form == "arrow" and peer("pyarrow"):
        return form, peer("pyarrow").array, lambda values: values.to_pylist
    if form == "pandas" and peer("pandas"):
        return form, peer("pandas").Series, lambda values: lambda: values
    return "object array", lambda values: np.array(values, object), lambda values: lambda: values


def pairs(draw, threads):
    from rapidfuzz import process
    from rapidfuzz.distance import LCSseq, Levenshtein

    kind, a, b, mean, similar = text_lists(draw, 2000, 3000)
    form, kept, given = column(draw, kind)
    ours_a, ours_b = kept(a), kept(b)
    word, lcs = threads_word(draw, threads), draw.random() < 0.4
    x, y = (given(ours) if form != "list" else (lambda of=[for_peer(s) for s in ours]: of) for ours in (ours_a, ours_b))
    bound = size(draw, 1, mean) if not lcs and draw.random() < 0.4 else None
    traits = shown(kind=kind, form=form, count=len(a), mean=mean, similar=similar, lcs=lcs, bound=bound, **word)
    if lcs:
        return Cell(traits, caller(wale.lcs_lengths, ours_a, ours_b, **word), {"rapidfuzz cpdist": lambda: process.cpdist(
            x(), y(), scorer=LCSseq.similarity, workers=threads)}, equal)  # fmt: skip
    return Cell(traits, caller(wale.edit_distances, ours_a, ours_b, bound=bound, **word), {"rapidfuzz cpdist": lambda: (
        process.cpdist(x(), y(), scorer=Levenshtein.distance, score_cutoff=bound, workers=threads))}, equal)  # fmt: skip


def matrix(draw, threads):
    from rapidfuzz import process
    from rapidfuzz.distance import LCSseq, Levenshtein

    kind, a, b, mean, similar = text_lists(draw, 500, 500)
    own = draw.random() < 0.3
    if not own and draw.random() < 0.5:
        a = a[: size(draw, 1, 20)]
    while len(a) * len(b) * mean * mean > 1e10:
        a, b = a[: max(1, len(a) // 2)], b[: max(1, len(b) // 2)]
    word, lot = threads_word(draw, threads), draw.random()
    targets = None if own else b
    cutoff = size(draw, 1, mean) if lot < 0.4 else None
    form, kept, given = column(draw, kind)
    queries = kept(a)
    x, y = (lambda of=[for_peer(s) for s in side]: of for side in (a, a if own else b))
    if form != "list":
        targets = None if own else kept(b)
        x, y = given(queries), given(queries if own else targets)
    traits = {"kind": kind, "form": form, "queries": len(a), "targets": "own" if own else len(b), "mean": mean,
              "similar": similar, **word}  # fmt: skip
    if lot > 0.9 and not own:
        top = size(draw, 1, 10)
        def best():
            return [[(one[2], int(one[1])) for one in process.extract(q, y(), scorer=Levenshtein.distance, limit=top)] for q in x()]
        def alike(ours, theirs):
            return all([v for v in row if v >= 0] == [v for _, v in other] for row, other in zip(ours[1].tolist(), theirs))
        return Cell(shown(top=top, **traits), lambda: wale.cdist(queries, targets, top=top, **word),
                    {"rapidfuzz extract": best}, alike)  # fmt: skip
    if lot > 0.8 and not own:
        cutoff = size(draw, 1, mean)
        def within():
            found = process.cdist(x(), y(), scorer=Levenshtein.distance, score_cutoff=cutoff, workers=threads)
            return (*np.nonzero(found <= cutoff), found[found <= cutoff])
        return Cell(shown(sparse=True, cutoff=cutoff, **traits),
                    lambda: wale.cdist(queries, targets, cutoff=cutoff, sparse=True, **word),
                    {"rapidfuzz cdist": within}, lambda o, t: all(map(equal, o, t)))  # fmt: skip
    if lot > 0.6:
        return Cell(shown(lcs=True, **traits), lambda: wale.cdist(queries, targets, metric="lcs", **word), {
            "rapidfuzz cdist": lambda: process.cdist(x(), y(), scorer=LCSseq.similarity, workers=threads)}, equal)  # fmt: skip
    peers = {"rapidfuzz cdist": lambda: process.cdist(
        x(), y(), scorer=Levenshtein.distance, score_cutoff=cutoff, workers=threads)}  # fmt: skip
    if cutoff is None:
        peers.update(text_peers.crossed(x, y, threads))
    return Cell(shown(cutoff=cutoff, **traits), caller(wale.cdist, queries, targets, cutoff=cutoff, **word), peers, equal)


def alignment(draw, threads):
    """edlib's calls; parasail's scores and paths."""
    mode, task = str(draw.choice(["NW", "HW", "SHW"])), str(draw.choice(["distance", "locations", "path"]))
    kind = str(draw.choice(["str", "bytes"]))
    letters = ALPHABETS[str(draw.choice(["dna", "letters"]))]
    m, similar = size(draw, 1, 5000), likeness(draw)
    a, b = codes_pair(draw, m, len(letters), similar)
    if mode != "NW" and draw.random() < 0.7:
        b = np.concatenate([draw.integers(0, len(letters), size(draw, 1, 3000)), b, draw.integers(0, len(letters), 50)])
    a, b = ("".join([letters[c] for c in codes]) for codes in (a, b))
    a, b = a or "A", b or "A"
    if kind == "bytes":
        a, b = a.encode(), b.encode()
    edlib, k = peer("edlib"), -1 if draw.random() < 0.7 else size(draw, 1, max(2, m // 2))
    def alike(ours, theirs):
        if ours["editDistance"] != theirs["editDistance"]:
            return False
        return ours["editDistance"] < 0 or ours["locations"] == theirs["locations"]
    return Cell(shown(kind=kind, mode=mode, task=task, m=len(a), n=len(b), similar=similar, k=k),
                caller(wale.align, a, b, mode, task, k), {"edlib": caller(edlib.align, a, b, mode, task, k)}, alike)  # fmt: skip


PROTEIN = "ARNDCQEGHILKMFPSTWYV"


def scored(draw, threads):
    m, n = size(draw, 2, 1500), size(draw, 2, 1500)
    mode = str(draw.choice(["local", "NW"]))
    path = draw.random() < 0.5
    a, b = ("".join(draw.choice(list(PROTEIN), k)) for k in (m, n))
    word = threads_word(draw, threads) if draw.random() < 0.3 else {}
    stem = {"local": "sw", "NW": "nw"}[mode]
    def ours():
        found = wale.align(a, b, mode, "path" if path else "score", matrix="blosum62", open=12, extend=1, **word)
        return found.score, found["cigar"]
    return Cell(shown(mode=mode, path=path, m=m, n=n, **word), ours, text_peers.scores(a, b, stem, path),
                lambda o, t: o[0] == t[0])  # fmt: skip


def genes(draw, threads):
    similar, path = likeness(draw), draw.random() < 0.5
    m = size(draw, 10, 20000 if similar and similar > 0.9 else 1000)  # WFA2 takes the square of the cost
    a, b = ("".join(["ACGT"[c] for c in codes]) or "A" for codes in codes_pair(draw, m, 4, similar))
    word = threads_word(draw, threads)
    def ours():
        found = wale.align(a, b, "NW", "path" if path else "score", match=0, mismatch=-4, open=8, extend=2, **word)
        return found.score, found["cigar"]
    return Cell(shown(path=path, m=len(a), n=len(b), similar=similar, **word), ours, text_peers.genes(a, b, path),
                lambda o, t: o[0] == t[0])  # fmt: skip


def scored_pairs(draw, threads):
    parasail, count = peer("parasail"), size(draw, 1, 300)
    mean, mode = size(draw, 5, 500), str(draw.choice(["local", "NW"]))
    a, b = ([("".join(draw.choice(list(PROTEIN), max(1, int(mean * draw.uniform(0.5, 1.5)))))) for _ in range(count)]
            for _ in range(2))  # fmt: skip
    stem, word = {"local": "sw", "NW": "nw"}[mode], {"threads": threads}
    def asked(name):
        function = getattr(parasail, name)
        return lambda: [function(x, y, 12, 1, parasail.blosum62).score for x, y in zip(a, b)]
    return Cell(shown(mode=mode, count=count, mean=mean),
                lambda: wale.align_scores(a, b, mode, matrix="blosum62", open=12, extend=1, **word),
                {f"parasail {stem}_striped_{bits}": asked(f"{stem}_striped_{bits}") for bits in (16, "sat")}, equal)  # fmt: skip


def located(draw, threads):
    edlib = peer("edlib")
    text = "".join(draw.choice(list("ACGT"), size(draw, 50, 100000)))
    count, mean = size(draw, 1, 100), size(draw, 5, 300)
    queries = []
    for _ in range(count):
        at = int(draw.integers(0, max(1, len(text) - mean)))
        read = list(text[at : at + mean])
        for k in range(len(read)):
            if draw.random() < 0.03:
                read[k] = "ACGT"[draw.integers(4)]
        queries.append("".join(read))
    task = str(draw.choice(["distance", "locations", "path"]))
    k = -1 if draw.random() < 0.5 else max(1, mean // 10)
    word = {"threads": threads}
    def alike(ours, theirs):
        return all(o.distance == t["editDistance"] for o, t in zip(ours, theirs))
    return Cell(shown(count=count, mean=mean, text=len(text), task=task, k=k, **word),
                lambda: wale.locate(queries, text, task=task, k=k, **word),
                {"edlib": lambda: [edlib.align(q, text, "HW", task, k) for q in queries]}, alike)  # fmt: skip


def database(draw, threads):
    parasail = peer("parasail")
    count, mean, path = size(draw, 10, 2000), size(draw, 20, 400), draw.random() < 0.3
    records = ["".join(draw.choice(list(PROTEIN), max(1, int(mean * draw.uniform(0.5, 1.5))))) for _ in range(count)]
    query = records[0][: max(5, mean // 2)]
    word = {"threads": threads}
    def striped():
        profile = parasail.profile_create_sat(query, parasail.blosum62)
        scores = [parasail.sw_striped_profile_sat(profile, target, 12, 1).score for target in records]
        return sorted(scores, reverse=True)[:5]
    return Cell(shown(records=count, mean=mean, query=len(query), path=path),
                lambda: [h.score for h in wale.search([query], records, top=5, evalue=1e30, path=path, **word)[0]],
                {"parasail striped_profile_sat": striped}, equal)  # fmt: skip


def warping(draw, threads):
    n, m = size(draw, 1, 2000), size(draw, 1, 2000)
    x, y = draw.normal(size=n).cumsum(), draw.normal(size=m).cumsum()
    window = None if draw.random() < 0.6 else size(draw, 1, max(n, m))
    word = threads_word(draw, threads)
    path = draw.random() < 0.2
    if window is not None:
        y = draw.normal(size=n).cumsum()
    def close(ours, theirs):
        return bool(np.isclose(ours[0] if path else ours, theirs, rtol=1e-9))
    return Cell(shown(n=n, m=len(y), window=window, path=path, **word),
                caller(wale.dtw, x, y, cost="squared", window=window, path=path, **word),
                text_peers.warping(x, y, window, path), close)  # fmt: skip


def warping_matrix(draw, threads):
    from dtaidistance import dtw

    n, count = size(draw, 2, 500), size(draw, 2, 60)
    series = draw.normal(size=(count, n)).cumsum(axis=1)
    word, lists = {"threads": threads}, draw.random() < 0.5
    given = list(series) if lists else series
    upper = np.triu_indices(count, 1)
    peers = {"dtaidistance": lambda: np.asarray(dtw.distance_matrix_fast(series, compact=True, parallel=threads > 1)) ** 2}
    return Cell(shown(n=n, count=count, lists=lists, **word), lambda: wale.cdist_dtw(given, cost="squared", **word)[upper],
                peers, lambda o, t: np.allclose(o, t, rtol=1e-9))  # fmt: skip


SEQUENCES = {"edit_distance": pair, "lcs_length": lcs_pair, "words": short_pair, "pairs": pairs, "cdist": matrix, "align": alignment,
             "align by scores": scored, "align genes": genes, "align_scores": scored_pairs, "locate": located, "search": database,
             "dtw": warping, "cdist_dtw": warping_matrix}  # fmt: skip
