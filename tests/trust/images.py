"""Random images of every type, rank, connectivity and row, equal to scikit-image."""

import numpy as np
import wale
from plan import must, rows_here
from skimage import filters, morphology, segmentation
from skimage.morphology import reconstruction as expected_reconstruction

TYPES = ("bool", "uint8", "int8", "uint16", "int16", "int32", "uint32", "int64", "uint64", "float16", "float32", "float64")


def cross(rank, reach):
    """The neighbourhood of `reach` steps along axes at most, as a footprint."""
    return (np.abs(np.indices((3,) * rank) - 1).sum(axis=0) <= reach).astype(np.uint8)


def said_otherwise(plan, footprint):
    """The same neighbourhood as a larger footprint with an offset, at times."""
    if plan.draw.random() < 0.5:
        return footprint, None
    room = [(plan.draw.randrange(3), plan.draw.randrange(3)) for _ in footprint.shape]
    return np.pad(footprint, room), [1 + before for before, _ in room]


def shape_of(plan):
    rank = plan.draw.choice([1, 2, 2, 3])
    longest = {1: 300, 2: 70, 3: 14}[rank]
    return tuple(plan.draw.choice([1, 2, 3, 7, 8, 15, 16, 17, 31, 33, 63, 64, 65, longest]) for _ in range(rank)) \
        if rank < 3 else tuple(plan.draw.randrange(1, longest) for _ in range(rank))  # fmt: skip


def image_of(plan, shape, dtype):
    """Plateaus, noise, or a slope, at times at both ends of the type."""
    levels = 2 if dtype == "bool" else plan.draw.choice([2, 3, 12, 100])
    values = plan.rng.integers(0, levels, shape)
    if plan.draw.random() < 0.2:
        values = values + np.add.outer(*[np.arange(n) for n in shape]) % 20 if len(shape) == 2 else values
        values = values % 100 if dtype != "bool" else values % 2
    image = values.astype(dtype)
    if np.issubdtype(image.dtype, np.integer) and image.dtype.itemsize < 8 and plan.draw.random() < 0.2:
        ends = np.iinfo(image.dtype)
        image = np.where(values == 0, ends.min, np.where(values == levels - 1, ends.max, image)).astype(dtype)
    if np.issubdtype(image.dtype, np.floating) and plan.draw.random() < 0.2:
        image = np.where(values == 0, -np.inf, np.where(values == levels - 1, np.inf, image)).astype(dtype)
    return image


def same(found, wanted, *what):
    must(found.shape == wanted.shape, *what, f"shape {found.shape}, expected {wanted.shape}")
    differ = np.argwhere(found.astype(np.float64) != wanted.astype(np.float64))
    if len(differ):
        at = tuple(differ[0])
        must(False, *what, f"{len(differ)} pixels differ, first at {at}: {found[at]}, expected {wanted[at]}")


def viewed(plan, *images):
    """The images as they are or by strides; the values that are compared stay."""
    kind = plan.draw.choice(["plain", "fortran", "reversed", "gaps"])
    if kind == "fortran":
        return [np.asfortranarray(x) for x in images]
    if kind == "reversed":
        return [np.ascontiguousarray(x[::-1])[::-1] for x in images]
    if kind == "gaps":
        return [np.repeat(x, 2, axis=-1)[..., ::2] for x in images]
    return list(images)


def peers_reconstruction(plan):
    """reconstruction by dilation and by erosion, with the certificate of each answer."""
    rows, answers, refused = ["automatic", *rows_here("reconstruct")], 0, 0
    for number in range(plan.count(3000, 14000)):
        shape, dtype = shape_of(plan), plan.draw.choice(TYPES)
        method, row = plan.draw.choice(["dilation", "erosion"]), plan.draw.choice(rows)
        reach, threads = plan.draw.randrange(len(shape)) + 1, plan.draw.choice([1, 2, 3])
        mask, other = image_of(plan, shape, dtype), image_of(plan, shape, dtype)
        seed = (np.minimum if method == "dilation" else np.maximum)(mask, other)
        what = f"image {number}: {dtype} {shape} {method} reach {reach} {row} threads {threads}:"
        a, b = viewed(plan, seed, mask)
        try:
            found = wale.reconstruction(a, b, method, *said_otherwise(plan, cross(len(shape), reach)), variant=row, threads=threads)
        except wale.UnsupportedVariant:
            refused += 1
            continue
        must(found.dtype == mask.dtype, what, f"type {found.dtype}")
        wanted = expected_reconstruction(seed.astype(float), mask.astype(float), method, cross(len(shape), reach))
        same(found, wanted, what)
        flaw = wale.reconstruction_flaw(seed, mask, found, method, connectivity=reach)
        must(flaw == "", what, "certificate:", flaw)
        answers += 1
    return f"{answers} images equal, {refused} refused by the row"


def filled(image, footprint):
    seed = image.copy()
    if all(extent > 2 for extent in image.shape):
        seed[(slice(1, -1),) * image.ndim] = image.max()
    return expected_reconstruction(seed.astype(float), image.astype(float), "erosion", footprint)


def peers_derived(plan):
    """fill_holes, h_maxima, h_minima, local extrema, thresholds with hysteresis and clear_border."""
    answers = 0
    for number in range(plan.count(1200, 4000)):
        shape, dtype = shape_of(plan), plan.draw.choice(TYPES)
        image, reach = image_of(plan, shape, dtype), plan.draw.randrange(len(shape)) + 1
        footprint, what = cross(len(shape), reach), f"image {number}: {dtype} {shape} reach {reach}:"
        (view,) = viewed(plan, image)
        if len(shape) > 1:  # one axis is a row of an image: every pixel of the row lies at the border
            same(wale.fill_holes(view, connectivity=reach), filled(image, footprint), what, "fill_holes:")
            answers += 1
        if dtype != "bool" and len(shape) > 1 and min(shape) > 2 and image.min() != image.max():
            for ours, theirs in ((wale.local_maxima, morphology.local_maxima), (wale.local_minima, morphology.local_minima)):
                wanted = theirs(image.astype(np.float64), connectivity=reach)
                same(ours(view, connectivity=reach), wanted, what, f"{ours.__name__}:")
                answers += 1
        if dtype in ("uint8", "uint16", "int32", "float64") and np.isfinite(image.astype(float)).all():
            h = plan.draw.choice([1, 2, 7, 50])
            if int(image.max()) - int(image.min()) < 2**20:
                for ours, theirs in ((wale.h_maxima, morphology.h_maxima), (wale.h_minima, morphology.h_minima)):
                    same(ours(view, h, footprint), theirs(image, h, footprint), what, f"{ours.__name__}({h}):")
                    answers += 1
        if dtype != "bool" and np.isfinite(image.astype(float)).all():
            low, high = sorted(plan.draw.choice([-1, 0, 0.5, 1, 2.5, 7, 1e9]) for _ in range(2))
            wanted = filters.apply_hysteresis_threshold(image.astype(float), low, high)
            same(wale.apply_hysteresis_threshold(view, low, high), wanted, what, f"apply_hysteresis_threshold({low}, {high}):")
            answers += 1
        if dtype == "bool" and len(shape) > 1:
            wanted = segmentation.clear_border(morphology.label(image, connectivity=reach)) > 0
            same(wale.clear_border(view, connectivity=reach), wanted, what, "clear_border:")
            answers += 1
    return f"{answers} images equal"


def peers_watershed(plan):
    """watershed where markers have heights of their own: scikit-image takes equal ones in no order that it documents."""
    rows, answers = ["automatic", *rows_here("watershed")], 0
    for number in range(plan.count(600, 2000)):
        shape = plan.draw.choice([(40, 37), (1, 90), (33, 2), (9, 10, 11), (17, 64)])
        size = int(np.prod(shape))
        markers = np.where(plan.rng.random(shape) < 0.05, plan.rng.integers(1, 9, shape), 0)
        image = plan.rng.integers(size, size + plan.draw.choice([2, 30, 1000]), shape).astype(plan.draw.choice(["uint16", "float64"]))
        image[markers > 0] = plan.rng.permutation(size)[: (markers > 0).sum()]
        within = plan.draw.choice([None, plan.rng.random(shape) < 0.9])
        line = len(shape) == 2 and plan.draw.random() < 0.3
        reach, row = plan.draw.randrange(len(shape)) + 1, plan.draw.choice(rows)
        what = f"image {number}: {image.dtype} {shape} reach {reach} line {line} {row}:"
        try:
            found = wale.watershed(image, markers, reach, within, line, variant=row)
        except wale.UnsupportedVariant:
            continue
        wanted = segmentation.watershed(image, markers, reach, mask=within, watershed_line=line)
        same(found, wanted, what)
        answers += 1
    return f"{answers} images equal"


ROWS = (peers_reconstruction, peers_derived, peers_watershed)
