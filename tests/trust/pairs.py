"""Random pairs of sequences, equal to edlib and to rapidfuzz through every function that compares them."""

import edlib
import numpy as np
import rapidfuzz.process
import wale
from plan import must, rows_here
from rapidfuzz.distance import LCSseq, Levenshtein

EDGES = (0, 1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 1023, 1025, 4999, 5000)


def length(draw, longest):
    """Half of the lengths are beside the widths of words and vectors, the others are spread over all magnitudes."""
    edges = [edge for edge in EDGES if edge <= longest]
    return draw.choice(edges) if draw.random() < 0.5 else int(longest ** draw.random()) - 1


def sequence(draw, size, alphabet):
    return bytes(draw.choices(alphabet, k=size))


def mutated(draw, text, edits, alphabet):
    """`text` after so many random edits of one symbol."""
    out = bytearray(text)
    for _ in range(edits):
        kind, at = draw.randrange(3), draw.randrange(len(out) + 1)
        if kind == 0:
            out.insert(at, draw.choice(alphabet))
        elif at < len(out):
            out[at : at + 1] = b"" if kind == 1 else bytes([draw.choice(alphabet)])
    return bytes(out)


def pair(draw, longest):
    """Two sequences: unrelated ones, or one and what some edits make of the same."""
    alphabet = draw.sample(range(256), min(256, int(256 ** draw.random() + 0.5)))
    a = sequence(draw, length(draw, longest), alphabet)
    if draw.random() < 0.4:
        return a, sequence(draw, length(draw, longest), alphabet)
    b = mutated(draw, a, int((len(a) + 2) ** draw.random()) - 1, alphabet)
    return (a, b) if draw.random() < 0.5 else (b, a)


FORMS = {
    "bytes": bytes,
    "text": lambda s: s.decode("latin-1"),
    "wide text": lambda s: "".join(chr(0x4E00 + c) for c in s),
    "uint8": lambda s: np.frombuffer(s, np.uint8),
    "int64": lambda s: np.frombuffer(s, np.uint8).astype(np.int64) * 2**40 - 5,
}


def asked(function, *arguments, **keywords):
    """The answer, or None where the row refuses by the exception that is meant for this."""
    try:
        return function(*arguments, **keywords)
    except wale.UnsupportedVariant:
        return None


def peers_single(plan):
    """edit_distance and lcs_length of one pair, of any form, by any row, with bounds below, at and above."""
    draw, compared, pairs = plan.draw, 0, plan.count(6000, 60000)
    edit_rows, lcs_rows = rows_here("edit_distance"), rows_here("lcs_length")
    for number in range(pairs):
        row = draw.choice(["automatic", *edit_rows])
        a, b = pair(draw, 600 if row.startswith("reference") else 5000)
        form = draw.choice(list(FORMS))
        x, y = FORMS[form](a), FORMS[form](b)
        what = f"pair {number} of lengths {len(a)} and {len(b)}, {form}, {row}:"
        distance = Levenshtein.distance(a, b)
        if len(a) and len(b) and number % 4 == 0:
            theirs = edlib.align(a.decode("latin-1"), b.decode("latin-1"))["editDistance"]
            must(theirs == distance, what, "edlib and rapidfuzz differ")
        for bound in {None, 0, distance // 2, max(distance - 1, 0), distance, distance + 1, 2**62}:
            wanted = distance if bound is None else min(distance, bound + 1)
            found = asked(wale.edit_distance, x, y, bound=bound, variant=row, threads=1)
            must(found in (None, wanted), what, f"edit_distance with bound {bound} is {found}, expected {wanted}")
            compared += found is not None
        common, row = LCSseq.similarity(a, b), draw.choice(["automatic", *lcs_rows])
        if row.startswith("reference") and len(a) * len(b) > 10**6:
            row = "automatic"
        found = asked(wale.lcs_length, x, y, variant=row, threads=draw.choice([1, 2]))
        must(found in (None, common), what, f"lcs_length by {row} is {found}, expected {common}")
        compared += found is not None
    return f"{pairs} pairs, {compared} answers equal"


def peers_batches(plan):
    """edit_distances, lcs_lengths and cdist."""
    draw, compared = plan.draw, 0
    rows = ["automatic", *rows_here("edit_batch")]
    for number in range(plan.count(200, 1500)):
        longest = draw.choice([3, 20, 64, 65, 200, 1000])
        batch = [pair(draw, longest) for _ in range(draw.choice([0, 1, 2, 15, 16, 17, 33, 100]))]
        a, b = [p[0] for p in batch], [p[1] for p in batch]
        row = draw.choice(rows if longest <= 200 else rows[:-1])
        distances = [Levenshtein.distance(x, y) for x, y in batch]
        bound = draw.choice([None, 0, 1, 7, 63, 64, *distances[:1]])
        wanted = [d if bound is None else min(d, bound + 1) for d in distances]
        found = asked(wale.edit_distances, a, b, bound=bound, variant=row)
        if found is not None:
            must(list(found) == wanted, f"batch {number}, {row}: edit_distances with bound {bound} differ")
            compared += len(batch)
        found = asked(wale.lcs_lengths, a, b, variant=row)
        if found is not None:
            must(list(found) == [LCSseq.similarity(x, y) for x, y in batch], f"batch {number}, {row}: lcs_lengths differ")
            compared += len(batch)
        some, others, cutoff = a[:12], b[-9:], draw.choice([None, 0, 3, 40])
        wanted = rapidfuzz.process.cdist(some, others, scorer=Levenshtein.distance, dtype=np.int32, score_cutoff=cutoff)
        found = wale.cdist(some, others, cutoff=cutoff)
        must((found == wanted).all(), f"batch {number}: cdist with cutoff {cutoff} differs")
        wanted = rapidfuzz.process.cdist(some, others, scorer=LCSseq.similarity, dtype=np.int32)
        must((wale.cdist(some, others, metric="lcs") == wanted).all(), f"batch {number}: cdist of lcs differs")
        compared += 2 * found.size
    return f"{compared} answers equal"


def path_cost(cigar, query, part):
    """Edits of an extended CIGAR string, or None where the path does not lead through both sequences."""
    i = j = edits = 0
    for step in cigar.replace("=", "= ").replace("X", "X ").replace("I", "I ").replace("D", "D ").split():
        size, letter = int(step[:-1]), step[-1]
        same = [query[i + k : i + k + 1] == part[j + k : j + k + 1] for k in range(size)] if letter in "=X" else []
        if any(equal != (letter == "=") for equal in same):
            return None
        i, j = i + size * (letter != "D"), j + size * (letter != "I")
        edits += size * (letter != "=")
    return edits if (i, j) == (len(query), len(part)) else None


def both_strands(draw, text, what):
    """locate of a piece of DNA, and of its reverse complement, beside edlib's of each strand."""
    genome = bytes(b"ACGT"[c % 4] for c in text)
    first = draw.randrange(len(genome))
    read = mutated(draw, genome[first : first + draw.choice([5, 30, 64, 100])], draw.randrange(4), b"ACGT") or b"A"
    strands = [read, read.translate(bytes.maketrans(b"ACGT", b"TGCA"))[::-1]]
    theirs = [edlib.align(s.decode(), genome.decode(), mode="HW", task="locations") for s in strands]
    least = min(t["editDistance"] for t in theirs)
    places = [(begin, last + 1, k == 1) for k, t in enumerate(theirs) if t["editDistance"] == least
              for begin, last in t["locations"] if last != -1]  # fmt: skip
    for asked_for in strands[0], strands[1]:
        found = wale.locate([asked_for], genome, both_strands=True)[0]
        expected = places if asked_for is strands[0] else [(b, e, not reverse) for b, e, reverse in places]
        kept = sorted(place for place in found.locations if place[1] != 0)
        must((found.distance, kept) == (least, sorted(expected)), what, f"locate of both strands of {asked_for!r}: {found}")


def peers_places(plan):
    """align in the modes NW, SHW and HW, with a limit, and locate: distance, places and path beside edlib's."""
    draw, number = plan.draw, plan.count(4000, 30000)
    for trial in range(number):
        a, b = pair(draw, draw.choice([70, 300, 1200]))
        mode, task = draw.choice(["NW", "SHW", "HW"]), draw.choice(["distance", "locations", "path"])
        query, target = a.decode("latin-1"), b.decode("latin-1")
        k = -1 if min(len(a), len(b)) == 0 else draw.choice([-1, 0, 5, len(a)])  # edlib's answer passes k where one is empty
        what = f"trial {trial}: {mode} {task} k={k} of lengths {len(a)} and {len(b)}:"
        theirs = edlib.align(query, target, mode=mode, task=task, k=k)
        ours = wale.align(query, target, mode=mode, task=task, k=k)
        cigar, first = ours["cigar"], (ours["locations"] or [None])[0]
        if theirs["editDistance"] < 0 or min(len(a), len(b)) > 0:
            names = ("editDistance", "alphabetLength") + (("locations",) if mode != "NW" else ())
        else:
            names = ("editDistance",)
        for answer in (ours, theirs):  # edlib leaves the empty place before the target out where 64 divides the query's length
            answer["locations"] = [place for place in answer["locations"] or [] if place[1] != -1]
        for name in names:
            must(ours[name] == theirs[name], what, f"{name} is {ours[name]}, edlib has {theirs[name]}")
        if cigar is not None and first is not None and None not in first:
            begin, last = first
            cost = path_cost(cigar, query, target[begin : last + 1])
            must(cost == ours["editDistance"], what, f"the path costs {cost}, the distance is {ours['editDistance']}")
        if mode == "HW" and min(len(a), len(b)) > 0:
            match = wale.locate([a], b, k=k, task="locations")[0]
            located = edlib.align(query, target, mode=mode, task="locations", k=k)["locations"] or []
            places = [(begin, last + 1, False) for begin, last in located if last != -1]
            must(match.distance == theirs["editDistance"], what, f"locate's distance is {match.distance}")
            found = [place for place in match.locations if place[1] != 0]
            must(match.distance < 0 or found == places, what, "locate's places differ")
            both_strands(draw, b, what)
    return f"{number} alignments equal"


ROWS = (peers_single, peers_batches, peers_places)
