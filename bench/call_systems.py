"""Random calls about matrices, chains, trees and images beside NumPy, SciPy and scikit-image, as call_cells.py draws those
about sequences."""

import numpy as np
from call_cells import Cell, caller, equal, peer, shown, size, threads_word

import wale

TOLERANCE = {"float32": 2e-2, "complex64": 2e-2}


def close(ours, theirs, kind=None):
    """Within what rounding of well-conditioned systems explains; of `kind`, which a list widens."""
    ours, theirs = np.asarray(ours), np.asarray(theirs)
    narrow = {kind or ours.dtype.name, ours.dtype.name} & set(TOLERANCE)
    tolerance = 2e-2 if narrow else 1e-7
    scale = np.abs(theirs).max() if theirs.size else 1
    return ours.shape == theirs.shape and bool(np.allclose(ours, theirs, rtol=tolerance, atol=tolerance * max(scale, 1e-300)))


def layout_of(draw, a):
    """The array as it is, by columns, a part of a larger one, of the other byte order, or a list."""
    lot = draw.random()
    if lot < 0.6:
        return "C", a
    if lot < 0.75:
        return "F", np.asfortranarray(a)
    if lot < 0.85:
        big = np.zeros((*a.shape[:-1], 2 * a.shape[-1]), a.dtype)
        big[..., ::2] = a
        return "strided", big[..., ::2]
    if lot < 0.92 and a.ndim > 1:
        return "transposed", np.ascontiguousarray(a.swapaxes(-1, -2)).swapaxes(-1, -2)
    if lot < 0.96 or a.size > 2000:
        return "big-endian", a.astype(a.dtype.newbyteorder(">"))
    return "list", a.tolist()


def matrix_of(draw, low=1, high=1200, batches=True):
    """Type, layout and values of a well-conditioned matrix or a batch of them."""
    kind = str(draw.choice(["float32", "float64", "float64", "complex64", "complex128"]))
    n, count = size(draw, low, high), None
    if batches and draw.random() < 0.3:
        n = size(draw, 1, 100)
        count = size(draw, 1, max(1, 400000 // (n * n)))
    shape = (n, n) if count is None else (count, n, n)
    a = draw.normal(size=shape) + (1j * draw.normal(size=shape) if kind.startswith("c") else 0)
    a += np.eye(n) * 2 * np.sqrt(n)
    layout, given = layout_of(draw, a.astype(kind))
    return kind, layout, given, n, count


def sides_of(draw, kind, n, count):
    k = [None, 1, size(draw, 2, 8), size(draw, 2, 300)][draw.choice(4, p=[0.45, 0.1, 0.25, 0.2])]
    if n * (k or 1) * (count or 1) > 3_000_000:
        k = None
    shape = ((n,) if count is None else (count, n, 1)) if k is None else ((n, k) if count is None else (count, n, k))
    b = draw.normal(size=shape) + (1j * draw.normal(size=shape) if kind.startswith("c") else 0)
    return k, layout_of(draw, b.astype(kind))


def solved(draw, threads):
    kind, layout, a, n, count = matrix_of(draw)
    k, (b_layout, b) = sides_of(draw, kind, n, count)
    word = threads_word(draw, threads)
    return Cell(shown(type=kind, layout=layout, n=n, count=count, sides=k, b=b_layout, **word),
                caller(wale.solve, a, b, **word), {"numpy": caller(np.linalg.solve, a, b)}, close)  # fmt: skip


def inverse(draw, threads):
    kind, layout, a, n, count = matrix_of(draw)
    word = threads_word(draw, threads)
    return Cell(shown(type=kind, layout=layout, n=n, count=count, **word), caller(wale.inv, a, **word),
                {"numpy": caller(np.linalg.inv, a)}, close)  # fmt: skip


def determinant(draw, threads):
    kind, layout, a, n, count = matrix_of(draw, high=100)
    word = threads_word(draw, threads)
    return Cell(shown(type=kind, layout=layout, n=n, count=count, **word), caller(wale.det, a, **word),
                {"numpy": caller(np.linalg.det, a)},
                lambda o, t: all(np.allclose(part(o), part(t), rtol=0.05 if kind in TOLERANCE else 1e-7)
                                 for part in (np.real, np.imag)))  # fmt: skip


def log_determinant(draw, threads):
    kind, layout, a, n, count = matrix_of(draw)
    word = threads_word(draw, threads)
    def alike(ours, theirs):
        return bool(np.allclose(ours[1], theirs[1], rtol=1e-3, atol=1e-3))
    return Cell(shown(type=kind, layout=layout, n=n, count=count, **word), caller(wale.slogdet, a, **word),
                {"numpy": caller(np.linalg.slogdet, a)}, alike)  # fmt: skip


def factored(draw, threads):
    import scipy.linalg

    kind, layout, a, n, count = matrix_of(draw, batches=False)
    word = threads_word(draw, threads)
    return Cell(shown(type=kind, layout=layout, n=n, **word), lambda: wale.lu_factor(a, **word)[0],
                {"scipy": lambda: scipy.linalg.lu_factor(a, check_finite=False)[0],
                 "scipy checked": lambda: scipy.linalg.lu_factor(a)[0]}, close)  # fmt: skip


def resolved(draw, threads):
    import scipy.linalg

    kind, layout, a, n, _ = matrix_of(draw, batches=False)
    k, (b_layout, b) = sides_of(draw, kind, n, None)
    trans, word = int(draw.choice([0, 0, 0, 1, 2])), threads_word(draw, threads)
    factors = wale.lu_factor(np.asarray(a))
    theirs = scipy.linalg.lu_factor(np.asarray(a))
    return Cell(shown(type=kind, n=n, sides=k, b=b_layout, trans=trans, **word),
                caller(wale.lu_solve, factors, b, trans, **word),
                {"scipy": lambda: scipy.linalg.lu_solve(theirs, b, trans, check_finite=False)},
                lambda o, t: close(o, t, kind))  # fmt: skip


def chains(draw, threads):
    """solve_banded, and of longer systems gtsv; of several systems loops."""
    import scipy.linalg

    kind = str(draw.choice(["float32", "float64", "float64", "complex64", "complex128"]))
    n, word = size(draw, 2, 200000), threads_word(draw, threads)
    count = size(draw, 1, max(1, 1000000 // n)) if draw.random() < 0.5 else None
    axis = int(draw.choice([-1, -1, 0])) if count else -1
    k = None if count or draw.random() < 0.6 else size(draw, 1, max(1, min(300, 2000000 // n)))
    def numbers(*shape):
        return (draw.normal(size=shape) + (1j * draw.normal(size=shape) if kind.startswith("c") else 0)).astype(kind)
    lead = (count,) if count else ()
    dl, d, du = numbers(*lead, n), numbers(*lead, n) + np.asarray(6, kind), numbers(*lead, n)
    b = numbers(*lead, n) if k is None else numbers(n, k)
    pivoting = str(draw.choice(["partial", "partial", "none"]))
    ours = [np.ascontiguousarray(x.T) for x in (dl, d, du, b)] if axis == 0 else [dl, d, du, b]
    table = np.zeros((3, *d.shape), kind)
    table[0, ..., 1:], table[1], table[2, ..., :-1] = du[..., :-1], d, dl[..., 1:]
    solve = scipy.linalg.solve_banded
    def banded():
        if count is None:
            return solve((1, 1), table, b, check_finite=False)
        x = np.stack([solve((1, 1), table[:, i], b[i], check_finite=False) for i in range(count)])
        return x.T if axis == 0 else x
    peers = {"scipy solve_banded": banded}
    if n >= 100:  # a function of LAPACK through SciPy, which few call
        gtsv = scipy.linalg.get_lapack_funcs("gtsv", (d, b))
        def loop():
            x = np.stack([gtsv(dl[i, 1:], d[i], du[i, :-1], b[i])[3] for i in range(count)])
            return x.T if axis == 0 else x
        peers["scipy gtsv"] = loop if count else lambda: gtsv(dl[1:], d, du[:-1], b)[3]
    return Cell(shown(type=kind, n=n, count=count, axis=axis, sides=k, pivoting=pivoting, **word),
                lambda: wale.solve_tridiagonal(*ours, pivoting=pivoting, axis=axis, **word), peers, close)  # fmt: skip


def single_systems(draw, threads):
    """Small tridiagonal systems beside LAPACK's gtsv, which few call through SciPy."""
    import scipy.linalg
    kind = str(draw.choice(["float32", "float64", "float64", "complex64", "complex128"]))
    n, word = size(draw, 2, 400), threads_word(draw, threads)
    k = None if draw.random() < 0.5 else size(draw, 1, 12)
    def numbers(*shape):
        return (draw.normal(size=shape) + (1j * draw.normal(size=shape) if kind.startswith("c") else 0)).astype(kind)
    dl, d, du, b = numbers(n - 1), numbers(n) + np.asarray(6, kind), numbers(n - 1), numbers(*((n,) if k is None else (n, k)))
    gtsv = scipy.linalg.get_lapack_funcs("gtsv", (d, b))
    def looked_at():  # as a user of LAPACK's function must
        *_, x, info = gtsv(dl, d, du, b)
        return x if info == 0 else None
    return Cell(shown(type=kind, n=n, sides=k, **word), caller(wale.solve_tridiagonal, dl, d, du, b, **word),
                {"scipy gtsv": looked_at}, close)  # fmt: skip


def trees(draw, threads):
    """Hines systems beside SciPy's sparse factors, made before; cells one after the other there."""
    import scipy.sparse
    import scipy.sparse.linalg

    n, word = size(draw, 2, 20000), threads_word(draw, threads)
    parent = np.array([-1] + [int(draw.integers(max(0, i - 20), i)) for i in range(1, n)])
    diagonal, off, rhs = draw.uniform(4, 5, n) + np.bincount(parent[1:], minlength=n), -draw.random(n), draw.normal(size=n)
    plan, at = wale.HinesPlan(parent), np.arange(1, n)
    def theirs():
        rows = np.concatenate([np.arange(n), parent[1:], at])
        columns = np.concatenate([np.arange(n), at, parent[1:]])
        a = scipy.sparse.csc_array((np.concatenate([diagonal, off[1:], off[1:]]), (rows, columns)), shape=(n, n))
        return scipy.sparse.linalg.spsolve(a, rhs)
    return Cell(shown(n=n, **word), caller(wale.hines_solve, plan, diagonal, off, off, rhs, **word),
                {"scipy spsolve": theirs}, close)  # fmt: skip


# ------------------------------------------------------------------------------------------------------- images

def picture(draw, kinds=("uint8", "uint8", "uint16", "int16", "int32", "float32", "float64", "bool", "int64")):
    """Type, layout and an image: smooth, noise, or few levels."""
    kind, rank = str(draw.choice(kinds)), 3 if draw.random() < 0.25 else 2
    pixels = size(draw, 4, 2_000_000)
    if rank == 2:
        rows = size(draw, 1, pixels)
        if draw.random() < 0.7:
            rows = max(1, int(np.sqrt(pixels) * draw.uniform(0.6, 1.6)))
        shape = rows, max(1, pixels // rows)
    else:
        side = max(1, round(pixels ** (1 / 3)))
        shape = max(1, int(side * draw.uniform(0.3, 1.5))), side, max(1, int(side * draw.uniform(0.5, 1.5)))
    look = str(draw.choice(["noise", "smooth", "levels"]))
    image = draw.random(shape)
    if look == "smooth":
        from scipy import ndimage

        image = ndimage.gaussian_filter(image, min(3, max(shape) / 8))
        image -= image.min()
        image /= max(image.max(), 1e-9)
    levels = 5 if look == "levels" else 255
    if kind == "bool":
        image = image > (0.5 if look != "smooth" else np.median(image))
    else:
        image = (image * levels).astype(kind) if kind[0] != "f" else (image * levels).astype(kind)
    lot, layout = draw.random(), "C"
    if lot > 0.95 and kind != "bool":
        layout, image = "big-endian", image.astype(image.dtype.newbyteorder(">"))
    elif lot > 0.85:
        layout, image = "F", np.asfortranarray(image)
    elif lot > 0.8:
        layout, image = "strided", np.repeat(image, 2, axis=-1)[..., ::2]
    return {"type": kind, "look": look, "layout": layout, "shape": "x".join(map(str, image.shape))}, image


def objects(draw, threads):
    """The parts of a binary image that hold given points, beside SciPy's labels and scikit-image's floods."""
    from scipy import ndimage
    from skimage import segmentation
    traits, image = picture(draw, ("bool",))
    connectivity, footprint = footprint_of(draw, image.ndim)
    word, count = threads_word(draw, threads), size(draw, 1, 20)
    parts = np.argwhere(image)  # points are in objects, where there are any
    some = draw.integers(0, max(1, len(parts)), count)
    points = [tuple(map(int, parts[k])) if len(parts) else (0,) * image.ndim for k in some]
    def labelled():
        labels, _ = ndimage.label(image, footprint)
        return np.isin(labels, list({int(labels[at]) for at in points} - {0})) & image
    def flooded_from():
        found = np.zeros(image.shape, bool)
        for at in points:
            if image[at] and not found[at]:
                found |= segmentation.flood(image, at, footprint=footprint)
        return found
    peers, parts3 = {"scipy label": labelled, "skimage flood": flooded_from}, peer("cc3d")
    if parts3:
        neighbours = {(2, 1): 4, (2, 2): 8, (3, 1): 6, (3, 3): 26}[image.ndim, connectivity]
        def counted():
            labels = parts3.connected_components(image, connectivity=neighbours)
            return np.isin(labels, [labels[at] for at in points if image[at]])
        peers["cc3d"] = counted
    return Cell(shown(points=count, connectivity=connectivity, **traits, **word),
                lambda: wale.select_objects(image, points, connectivity=connectivity, **word)[0], peers, equal)  # fmt: skip


def opened(draw, threads):
    """Openings and closings by reconstruction, beside an erosion and a reconstruction of scikit-image."""
    from scipy import ndimage
    from skimage import morphology

    traits, image = picture(draw, ("uint8", "uint16", "int32", "float32", "float64"))
    name, side = str(draw.choice(["opening", "closing"])), 2 * min(size(draw, 1, 7), (min(image.shape) - 1) // 2) + 1
    word = threads_word(draw, threads)
    def theirs():
        grown = ndimage.grey_erosion if name == "opening" else ndimage.grey_dilation
        seed, method = grown(image, (side,) * image.ndim, mode="nearest"), "dilation" if name == "opening" else "erosion"
        return morphology.reconstruction(seed, image, method)
    ours = getattr(wale, f"{name}_by_reconstruction")
    return Cell(shown(call=name, side=side, **traits, **word), caller(ours, image, side, **word), {"scipy, skimage": theirs}, equal)


def domes(draw, threads):
    """The residue of a reconstruction of the lowered image, as scikit-image's users write it."""
    from skimage import morphology

    traits, image = picture(draw, ("uint8", "uint16", "int32", "float32", "float64"))
    name, h, word = str(draw.choice(["h_domes", "h_basins"])), int(draw.integers(1, 100)), threads_word(draw, threads)
    def theirs():
        wide = image.astype(np.int64) if image.dtype.kind in "iu" else image
        if name == "h_domes":
            lowered = np.maximum(wide - h, 0) if image.dtype.kind == "u" else wide - h
            return (wide - morphology.reconstruction(lowered, wide)).astype(image.dtype)
        top = np.iinfo(image.dtype).max if image.dtype.kind in "iu" else np.inf
        return (morphology.reconstruction(np.minimum(wide + h, top), wide, "erosion") - wide).astype(image.dtype)
    return Cell(shown(call=name, h=h, **traits, **word), caller(getattr(wale, name), image, h, **word), {"skimage": theirs},
                lambda o, t: bool(np.allclose(o, t, atol=1e-3)))  # fmt: skip


def footprint_of(draw, rank):
    from scipy import ndimage

    connectivity = int(draw.choice([1, rank]))
    return connectivity, ndimage.generate_binary_structure(rank, connectivity)


def rebuilt(draw, threads):
    from skimage import morphology

    traits, image = picture(draw)
    connectivity, footprint = footprint_of(draw, image.ndim)
    method, word = str(draw.choice(["dilation", "erosion"])), threads_word(draw, threads)
    if image.dtype == bool:
        seed = image & (draw.random(image.shape) < 0.01) if method == "dilation" else image | (draw.random(image.shape) < 0.9)
    elif draw.random() < 0.5:
        high = method == "dilation"
        seed = np.full(image.shape, image.min() if high else image.max(), image.dtype)
        at = draw.random(image.shape) < 0.01
        seed[at] = image[at]
    else:
        h = image.dtype.type(40)
        low, high = image.min(), image.max()
        seed = np.where(image > low + h, image - h, low) if method == "dilation" else np.where(image < high - h, image + h, high)
        seed = seed.astype(image.dtype)
    return Cell(shown(method=method, connectivity=connectivity, **traits, **word),
                caller(wale.reconstruction, seed, image, method, connectivity=connectivity, **word),
                {"skimage": lambda: morphology.reconstruction(seed, image, method, footprint)}, equal)  # fmt: skip


def holes(draw, threads):
    from scipy import ndimage
    from skimage import morphology

    traits, image = picture(draw)
    connectivity, footprint = footprint_of(draw, image.ndim)
    word = threads_word(draw, threads)
    if image.dtype == bool:
        peers = {"scipy binary_fill_holes": lambda: ndimage.binary_fill_holes(image, footprint)}
        voids = peer("fill_voids")  # of noise in 3-D it leaves some holes
        if voids and connectivity == 1:
            peers["fill_voids"] = lambda: voids.fill(image)
    else:
        def grey():
            seed = np.full(image.shape, image.max(), image.dtype)
            for axis in range(image.ndim):
                for end in (0, -1):
                    at = (slice(None),) * axis + (end,)
                    seed[at] = image[at]
            return morphology.reconstruction(seed, image, "erosion", footprint)
        peers = {"skimage": grey}
    return Cell(shown(connectivity=connectivity, **traits, **word),
                caller(wale.fill_holes, image, connectivity=connectivity, **word), peers, equal)  # fmt: skip


def extended(draw, threads):
    from skimage import morphology

    traits, image = picture(draw, ("uint8", "uint8", "uint16", "int32", "float32", "float64"))
    connectivity, footprint = footprint_of(draw, image.ndim)
    name, word = str(draw.choice(["h_maxima", "h_minima"])), threads_word(draw, threads)
    h = int(draw.integers(1, max(2, int(0.4 * float(image.max())))))
    ours, theirs = getattr(wale, name), getattr(morphology, name)
    return Cell(shown(call=name, h=h, connectivity=connectivity, **traits, **word),
                lambda: ours(image, h, footprint, **word), {"skimage": lambda: theirs(image, h, footprint)}, equal)  # fmt: skip


def local(draw, threads):
    from skimage import morphology

    traits, image = picture(draw)
    name, word = str(draw.choice(["local_maxima", "local_minima"])), threads_word(draw, threads)
    connectivity, borders = int(draw.choice([1, image.ndim])), bool(draw.random() < 0.8)
    ours, theirs = getattr(wale, name), getattr(morphology, name)
    return Cell(shown(call=name, connectivity=connectivity, borders=borders, **traits, **word),
                lambda: ours(image, connectivity=connectivity, allow_borders=borders, **word),
                {"skimage": lambda: theirs(image, connectivity=connectivity, allow_borders=borders)}, equal)  # fmt: skip


def flooded(draw, threads):
    from skimage import segmentation

    traits, image = picture(draw, ("uint8", "uint8", "uint16", "int32", "float32", "float64"))
    connectivity, word = int(draw.choice([1, image.ndim])), threads_word(draw, threads)
    markers = np.zeros(image.shape, np.int32)
    count = size(draw, 2, max(2, image.size // 50))
    at = draw.choice(image.size, min(count, image.size), replace=False)
    markers.ravel()[at] = np.arange(1, at.size + 1)
    def alike(ours, theirs):  # equal ones of the marked pixels leave scikit-image's queue in no stated order
        return equal(ours, theirs) or np.unique(image.ravel()[at]).size < at.size
    line, mask = bool(draw.random() < 0.2), (draw.random(image.shape) < 0.9) if draw.random() < 0.2 else None
    return Cell(shown(markers=at.size, connectivity=connectivity, line=line, mask=mask is not None, **traits, **word),
                caller(wale.watershed, image, markers, connectivity, mask, line, **word),
                {"skimage": lambda: segmentation.watershed(image, markers, connectivity, mask=mask, watershed_line=line)},
                alike)  # fmt: skip


def thresholds(draw, threads):
    from skimage import filters

    traits, image = picture(draw, ("uint8", "uint16", "int32", "float32", "float64"))
    low, high = sorted(float(x) for x in draw.uniform(0, float(image.max()) or 1, 2))
    word = threads_word(draw, threads)
    return Cell(shown(low=round(low, 1), high=round(high, 1), **traits, **word),
                caller(wale.apply_hysteresis_threshold, image, low, high, **word),
                {"skimage": lambda: filters.apply_hysteresis_threshold(image, low, high)}, equal)  # fmt: skip


def borders(draw, threads):
    from skimage import segmentation

    traits, image = picture(draw, ("bool",))
    word = threads_word(draw, threads)
    return Cell(shown(**traits, **word), caller(wale.clear_border, image, **word),
                {"skimage": lambda: segmentation.clear_border(image)}, equal)  # fmt: skip


SYSTEMS = {"solve": solved, "inv": inverse, "det": determinant, "slogdet": log_determinant, "lu_factor": factored,
           "lu_solve": resolved, "solve_tridiagonal": chains, "hines_solve": trees,
           "one tridiagonal": single_systems}  # fmt: skip
IMAGES = {"reconstruction": rebuilt, "fill_holes": holes, "h_extrema": extended, "local_extrema": local, "watershed": flooded,
          "hysteresis": thresholds, "clear_border": borders, "select_objects": objects, "openings": opened, "domes": domes}  # fmt: skip
