"""Random calls about images beside scikit-image, SciPy, ITK, OpenCV, mahotas, cc3d and fill_voids, as call_cells.py draws those
of texts."""

import numpy as np
from call_cells import Cell, caller, equal, peer, shown, size, threads_word

import wale


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


def itk_peer(image, filter_name, *values, **words):
    """A filter of ITK where its wheel has it for the image's type: {} or one peer."""
    itk = peer("itk")
    if not itk or image.dtype.name not in ("uint8", "uint16", "int16", "float32", "float64") or not image.dtype.isnative:
        return {}
    return {"itk": lambda: getattr(itk, filter_name)(*values, **words)}


def flooded_frame(image, connectivity, value):
    """OpenCV: a frame of `value` round the image, flooded from its corner; where the flood came is 2."""
    cv = peer("cv2")
    framed = cv.copyMakeBorder(image.view(np.uint8), 1, 1, 1, 1, cv.BORDER_CONSTANT, value=value)
    cv.floodFill(framed, None, (0, 0), 2, flags=4 if connectivity == 1 else 8)
    return framed[1:-1, 1:-1] == 2


def takes_opencv(image):
    return peer("cv2") and image.dtype == bool and image.ndim == 2


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
    peers = {"skimage": theirs, **itk_peer(image, "h_convex_image_filter" if name == "h_domes" else "h_concave_image_filter", image,
                                           height=h if image.dtype.kind in "iu" else float(h), fully_connected=True)}  # fmt: skip
    return Cell(shown(call=name, h=h, **traits, **word), caller(getattr(wale, name), image, h, **word), peers,
                lambda o, t: bool(np.allclose(o, t, atol=1e-3)))  # fmt: skip


def footprint_of_reach(rank, connectivity):
    from scipy import ndimage

    return ndimage.generate_binary_structure(rank, connectivity)


def footprint_of(draw, rank):
    connectivity = int(draw.choice([1, rank]))
    return connectivity, footprint_of_reach(rank, connectivity)


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
                {"skimage": lambda: morphology.reconstruction(seed, image, method, footprint),
                 **itk_peer(image, f"reconstruction_by_{method}_image_filter", marker_image=seed, mask_image=image,
                            fully_connected=connectivity > 1)}, equal)  # fmt: skip


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
        if takes_opencv(image):
            peers["opencv"] = lambda: ~flooded_frame(image, connectivity, 0)
    else:
        def grey():
            seed = np.full(image.shape, image.max(), image.dtype)
            for axis in range(image.ndim):
                for end in (0, -1):
                    at = (slice(None),) * axis + (end,)
                    seed[at] = image[at]
            return morphology.reconstruction(seed, image, "erosion", footprint)
        peers = {"skimage": grey, **itk_peer(image, "grayscale_fillhole_image_filter", image, fully_connected=connectivity > 1)}
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
    peers, mahotas = {"skimage": lambda: theirs(image, connectivity=connectivity, allow_borders=borders)}, peer("mahotas")
    if mahotas and borders and image.dtype.isnative:
        structure = footprint_of_reach(image.ndim, connectivity)
        peers["mahotas"] = lambda: getattr(mahotas, "regmax" if name == "local_maxima" else "regmin")(image, structure)
    return Cell(shown(call=name, connectivity=connectivity, borders=borders, **traits, **word),
                lambda: ours(image, connectivity=connectivity, allow_borders=borders, **word), peers, equal)  # fmt: skip


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
    peers, mahotas = {"skimage": lambda: segmentation.watershed(image, markers, connectivity, mask=mask, watershed_line=line)}, \
        peer("mahotas")
    if mahotas and mask is None and not line and image.dtype.isnative and image.dtype.kind in "iu":
        structure = footprint_of_reach(image.ndim, connectivity)
        peers["mahotas"] = lambda: mahotas.cwatershed(image, markers, structure)
    return Cell(shown(markers=at.size, connectivity=connectivity, line=line, mask=mask is not None, **traits, **word),
                caller(wale.watershed, image, markers, connectivity, mask, line, **word),
                peers, alike)  # fmt: skip


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
    peers = {"skimage": lambda: segmentation.clear_border(image)}
    if takes_opencv(image):
        peers["opencv"] = lambda: image & ~flooded_frame(image, 8, 1)
    return Cell(shown(**traits, **word), caller(wale.clear_border, image, **word), peers, equal)  # fmt: skip


IMAGES = {"reconstruction": rebuilt, "fill_holes": holes, "h_extrema": extended, "local_extrema": local, "watershed": flooded,
          "hysteresis": thresholds, "clear_border": borders, "select_objects": objects, "openings": opened, "domes": domes}  # fmt: skip
