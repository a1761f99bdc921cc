"""The same question to each peer that is installed: distances and alignments of texts, warping of series.

Each function gives calls by the peer's name, the first one for the comparison of answers. Peers that take no bound, whose
time is the product of the lengths, are left out where that is long.
"""

import importlib

import numpy as np

SLOW = 100_000  # cells


def peer(name):
    """A peer's module, or None."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def caller(function, *values, **words):
    """function(*values, **words) as a user writes it: unpacking dictionaries takes as long as a short call."""
    names = {f"v{k}": value for k, value in enumerate(values)}
    text = ", ".join([*names, *(f"{word}={word}" for word in words)])
    return eval(f"lambda: function({text})", {"function": function, **names, **words})


def distances(x, y, bound):
    """Of two texts or lists; bound + 1 above a bound."""
    text, cells = isinstance(x, str), len(x) * len(y)
    words = {} if bound is None else {"score_cutoff": bound}
    calls = {"rapidfuzz": caller(peer("rapidfuzz.distance").Levenshtein.distance, x, y, **words)}
    if peer("Levenshtein"):
        calls["Levenshtein"] = caller(peer("Levenshtein").distance, x, y, **words)
    if peer("edlib") and isinstance(x, (str, bytes)) and cells:
        edlib, k = peer("edlib"), -1 if bound is None else bound
        calls["edlib"] = lambda: edlib.align(x, y, k=k)["editDistance"]
    if peer("polyleven") and text:
        calls["polyleven"] = caller(peer("polyleven").levenshtein, x, y, *([] if bound is None else [bound]))
    if peer("editdistance") and cells < SLOW:
        calls["editdistance"] = caller(peer("editdistance").eval, x, y)
    if peer("jellyfish") and text and cells < SLOW:
        calls["jellyfish"] = caller(peer("jellyfish").levenshtein_distance, x, y)
    return calls


def crossed(x, y, threads):
    """StringZillas' table of distances of lists of texts, x() with y(): its list of strings is made in the call, its engine
    before. {} for other lists."""
    engines, first = peer("stringzillas"), next(iter(x()))
    text = isinstance(first, str)
    if not engines or not isinstance(first, (str, bytes)):
        return {}
    strings, scope = peer("stringzilla").Strs, engines.DeviceScope(cpu_cores=threads)
    of = engines.LevenshteinDistancesUTF8 if text and not all(s.isascii() for s in (*x(), *y())) else engines.LevenshteinDistances
    engine = of(capabilities=scope)
    return {"stringzillas": lambda: engine(strings(list(x())), strings(list(y())), device=scope)}


def scores(a, b, stem, path):
    """parasail's functions, each of which gives (score,) or (score, CIGAR): BLOSUM62, gaps of 12 and 1."""
    parasail = peer("parasail")
    names = [f"{stem}_trace_{way}_16" for way in ("scan", "striped", "diag")] if path else (
        [f"{stem}_{way}_{bits}" for way in ("striped", "scan") for bits in (16, "sat")])  # fmt: skip
    def asked(name):
        function = getattr(parasail, name)
        def call():
            found = function(a, b, 12, 1, parasail.blosum62)
            return (found.score, found.cigar.decode) if path else (found.score,)
        return call
    return {"parasail " + name: asked(name) for name in names}


def genes(a, b, path):
    """Global, mismatches 4, gaps of 6 + 2 a letter: WFA2 and parasail, which maximises."""
    calls = {}
    if peer("pywfa"):
        def aligned():
            found = peer("pywfa").WavefrontAligner(
                a, mismatch=4, gap_opening=6, gap_extension=2, scope="full" if path else "score")
            score = found.wavefront_align(b)
            return (score, found.cigarstring) if path else (score,)
        calls["pywfa"] = aligned
    parasail, way = peer("parasail"), "nw_trace_scan_32" if path else "nw_scan_32"
    if parasail and len(a) * len(b) < 5_000_000:
        matrix = parasail.matrix_create("ACGT", 0, -4)
        def scored():
            found = getattr(parasail, way)(a, b, 8, 2, matrix)
            return (found.score, found.cigar.decode) if path else (found.score,)
        calls["parasail"] = scored
    return calls


def warping(x, y, window, path):
    """Squared costs, no root. dtaidistance gives infinity for some pairs of one and of few points: it is not asked first."""
    calls, cells = {}, len(x) * len(y)
    if peer("tslearn") and (window is None or len(x) == len(y)):
        metrics = importlib.import_module("tslearn.metrics")
        words = {} if window is None else {"global_constraint": "sakoe_chiba", "sakoe_chiba_radius": window}
        calls["tslearn"] = (lambda: metrics.dtw_path(x, y, **words)[0] ** 2) if path else (
            lambda: metrics.dtw(x, y, **words) ** 2)  # fmt: skip
    if peer("dtaidistance") and (window is None or len(x) == len(y)):
        dtw = importlib.import_module("dtaidistance.dtw")
        more = {} if window is None else {"window": window + 1}
        calls["dtaidistance"] = (lambda: dtw.warping_path_fast(x, y, include_distance=True, **more)[1] ** 2) if path else (
            lambda: dtw.distance_fast(x, y, **more) ** 2)  # fmt: skip
    if peer("dtw") and window is None and cells < SLOW:
        pattern = peer("dtw").symmetric1
        calls["dtw-python"] = lambda: peer("dtw").dtw(
            x, y, dist_method="sqeuclidean", step_pattern=pattern, distance_only=not path).distance  # fmt: skip
    return calls


def equal(x, y):
    return bool(np.array_equal(np.asarray(x), np.asarray(y)))
