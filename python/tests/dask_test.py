"""`wale.dask`: the same answers as the plain calls for any chunks."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
import wale

dask = pytest.importorskip("dask")
da = pytest.importorskip("dask.array")
import wale.dask as lazy  # noqa: E402

DRAW = np.random.default_rng(19)
TYPES = ["bool", "uint8", "uint16", "int32", "float32", "float64"]
OTHERS = ["int8", "int16", "uint32", "int64", "uint64", "float16", ">u2", ">f8"]
SHAPES = [(1, 1), (1, 9), (12,), (17, 13), (4, 6, 5)]


@pytest.fixture(autouse=True)
def on_threads(monkeypatch):
    from wale.dask import _images

    monkeypatch.setattr(_images, "TILE_BYTES", 0)  # small images keep their chunks
    with dask.config.set(scheduler="threads", num_workers=2):
        yield


def cut(extent):
    """Chunks of random sizes, many of one pixel."""
    sizes = []
    while sum(sizes) < extent:
        sizes.append(min(int(DRAW.choice([1, 1, 2, 5, 11])), extent - sum(sizes)))
    return tuple(sizes)


def chunked(array, chunks=None):
    return da.from_array(array, chunks=tuple(map(cut, array.shape)) if chunks is None else chunks)


def draw(shape, dtype, levels=9):
    values = DRAW.integers(0, 2 if np.dtype(dtype) == bool else levels, shape)
    return (values - 3 * (np.dtype(dtype).kind in "if")).astype(dtype)


def same(found, wanted):
    assert isinstance(found, da.Array)
    assert found.dtype == wanted.dtype
    computed = found.compute()
    assert computed.dtype == wanted.dtype
    np.testing.assert_array_equal(computed, wanted)


@pytest.mark.parametrize("rounds", [0, 2])
@pytest.mark.parametrize("method", ["dilation", "erosion"])
@pytest.mark.parametrize("dtype", TYPES + OTHERS)
def test_reconstruction_of_random_chunks(dtype, method, rounds):
    for shape in SHAPES:
        for connectivity in range(1, max(len(shape), 2) + 1):
            mask = draw(shape, dtype)
            # Few pixels give something, so that much has to come from other chunks.
            other = np.where(DRAW.random(shape) < 0.05, mask, mask.min() if method == "dilation" else mask.max())
            seed = other.astype(mask.dtype)
            found = lazy.reconstruction(
                chunked(seed), chunked(mask), method, connectivity=connectivity, rounds=rounds
            )
            same(found, wale.reconstruction(seed, mask, method, connectivity=connectivity))


ONE_IMAGE = {
    "fill_holes": (), "clear_border": (), "fill_depressions": (), "local_maxima": (), "local_minima": (),
    "h_maxima_transform": (2,), "h_minima_transform": (2,), "h_domes": (2,), "h_basins": (2,), "extended_maxima": (2,),
    "extended_minima": (2,), "apply_hysteresis_threshold": (1.5, 4.5), "opening_by_reconstruction": (3,),
    "closing_by_reconstruction": (3,),
}  # fmt: skip


@pytest.mark.parametrize("dtype", ["bool", "uint8", "uint16", "int8", "float32", "int64"])
@pytest.mark.parametrize("name", ONE_IMAGE)
def test_what_is_derived(name, dtype):
    compared = 0
    for shape in [(1, 1), (12,), (17, 13), (4, 6, 5)]:
        for batch in (False, True):
            if batch and len(shape) < 3:
                continue
            image = draw(shape, dtype)
            arguments = [1 if dtype == "bool" and value == 2 else value for value in ONE_IMAGE[name]]
            try:
                wanted = getattr(wale, name)(image, *arguments, batch=batch)
            except (wale.Error, ValueError, TypeError) as refusal:
                with pytest.raises(type(refusal)):
                    getattr(lazy, name)(chunked(image), *arguments, batch=batch).compute()
                continue
            compared += 1
            rounds = None if dtype in ("float32", "uint16") else 0
            same(getattr(lazy, name)(chunked(image), *arguments, batch=batch, rounds=rounds), wanted)
    if compared == 0:
        pytest.skip("the plain call refuses this type")


@pytest.mark.parametrize("dtype", ["uint8", "int8", "int32", "float32"])
def test_differences_at_the_ends_of_a_type(dtype):
    ends = np.iinfo(dtype) if np.dtype(dtype).kind in "iu" else np.finfo(dtype)
    image = DRAW.choice(np.array([ends.min, ends.max, 0, 1, ends.max // 2], dtype), (9, 11))
    for name in ("h_domes", "h_basins", "h_maxima_transform", "h_minima_transform"):
        same(getattr(lazy, name)(chunked(image), 100), getattr(wale, name)(image, 100))
    same(lazy.clear_border(chunked(image)), wale.clear_border(image))
    same(lazy.fill_holes(chunked(image)), wale.fill_holes(image))
    same(lazy.local_maxima(da.zeros((4, 5), chunks=2, dtype=dtype)), np.zeros((4, 5), bool))


def spiral(extent):
    """One path of one pixel's width from the corner to the middle, and walls."""
    image = np.zeros((extent, extent), np.uint8)
    row, column, step = 0, 0, (0, 1)
    image[0, 0] = 200
    while True:
        ahead = row + 2 * step[0], column + 2 * step[1]
        if not (0 <= ahead[0] < extent and 0 <= ahead[1] < extent) or image[ahead]:
            step = step[1], -step[0]
            ahead = row + 2 * step[0], column + 2 * step[1]
            if image[ahead]:
                return image, (row, column)
        for _ in range(2):
            row, column = row + step[0], column + step[1]
            image[row, column] = 200


@pytest.mark.parametrize("rounds", [0, 3, None])
@pytest.mark.parametrize("chunks", [(1, 41), (7, 5), 20])
def test_a_spiral_across_all_chunks(chunks, rounds):
    mask, middle = spiral(41)
    seed = np.zeros_like(mask)
    seed[0, 0] = 150
    wanted = wale.reconstruction(seed, mask)
    assert wanted[middle] == 150
    same(lazy.reconstruction(chunked(seed, chunks), chunked(mask, chunks), rounds=rounds), wanted)


def test_a_spiral_in_chunks_of_one_pixel():
    mask, middle = spiral(15)
    seed = np.where(mask, 0, mask)
    seed[0, 0] = 150
    found = lazy.reconstruction(chunked(seed, 1), chunked(mask, 1), rounds=0).compute()
    assert found[middle] == 150 and (found == np.minimum(mask, 150)).all()


@pytest.mark.parametrize("tile", [1, 4, 7, 100, None])
def test_chunks_are_joined(tile, monkeypatch):
    from wale.dask import _images

    monkeypatch.setattr(_images, "TILE_BYTES", 49)
    for dtype in ("uint8", "float64"):
        image = draw((23, 19), dtype)
        cells = chunked(image)
        found = lazy.fill_holes(cells, tile=tile)
        assert found.chunks == cells.chunks
        same(found, wale.fill_holes(image))
        stack = draw((3, 9, 11), dtype)
        for batch in (False, True):
            same(lazy.h_domes(chunked(stack), 2, tile=tile, batch=batch), wale.h_domes(stack, 2, batch=batch))


def test_how_many_chunks_are_joined():
    from wale.dask import _images

    assert _images._tiles(((2, 2, 2, 9, 1), (3, 3)), 0, 4) == ((4, 2, 9, 1), (3, 3))
    assert _images._tiles(((2, 2, 2), (3, 3, 3)), 1, 6) == ((2, 2, 2), (6, 3))
    assert _images._tiles(((2, 2), (5,)), 0, 0) == ((2, 2), (5,))
    cells = da.zeros((64, 64), chunks=8, dtype=np.uint8)
    begun = [k for k in dict(lazy.fill_holes(cells, tile=32).__dask_graph__()) if k[0].startswith("wale-chunk1-")]
    assert len(begun) == 4


def test_missing_cells_let_water_out():
    heights = DRAW.random((17, 15)).astype(np.float32)
    heights[DRAW.random(heights.shape) < 0.03] = np.nan
    heights[4, 4] = -9999
    same(lazy.fill_depressions(chunked(heights), -9999), wale.fill_depressions(heights, -9999))
    whole = DRAW.integers(0, 50, (17, 15)).astype(np.int16)
    same(lazy.fill_depressions(chunked(whole), 7), wale.fill_depressions(whole, 7))


def test_types_that_differ_and_a_seed_that_is_cut():
    mask = draw((9, 9), "uint8")
    same(lazy.reconstruction(chunked(mask - np.float32(1.5)), chunked(mask)), wale.reconstruction(mask - np.float32(1.5), mask))
    same(lazy.reconstruction(chunked(mask + 3), chunked(mask), clamp=True), mask)


def test_nothing_is_computed_before_it_is_asked_for():
    read = []
    image = da.from_array(draw((6, 6), "uint8"), chunks=3).map_blocks(lambda x: read.append(1) or x, dtype=np.uint8)
    found = lazy.h_domes(image, 3)
    read.clear()
    part = found[:1, :1]
    assert part.shape == (1, 1) and not read
    part.compute()
    assert len(read) == 4  # each chunk once


@pytest.mark.parametrize(
    "call, error, message",
    [
        (lambda m: lazy.reconstruction(m + 1, m).compute(), wale.BadArgument, r"chunk that begins at \(\d, \d\): .*above"),
        (lambda m: lazy.fill_holes(da.where(m == 4, np.nan, m)).compute(), wale.BadArgument, r"begins at \(0, 0\): .*NaN"),
        (lambda m: lazy.reconstruction(m[:2], m), wale.BadArgument, "seed: has shape"),
        (lambda m: lazy.reconstruction(m, m, "opening"), wale.BadArgument, "method: is 'opening'"),
        (lambda m: lazy.fill_holes(m, connectivity=3), wale.BadArgument, "connectivity: is 3, expected 1..2"),
        (lambda m: lazy.fill_holes(m, conectivity=1), TypeError, "unexpected keyword 'conectivity'"),
        (lambda m: lazy.fill_holes(m, rounds=-1), wale.BadArgument, "rounds: is -1"),
        (lambda m: lazy.fill_holes(m, tile=-1), wale.BadArgument, "tile: is -1"),
        (lambda m: lazy.fill_holes(np.zeros((3, 3))), TypeError, "image: is ndarray, expected a Dask array"),
        (lambda m: lazy.fill_holes(m.astype(complex)), TypeError, "complex128, expected booleans or numbers"),
        (lambda m: lazy.fill_holes(m[m[:, 0] > 3]), wale.BadArgument, "chunks of unknown size"),
        (lambda m: lazy.h_domes(m, 0), wale.BadArgument, "h: is 0"),
        (lambda m: lazy.h_domes(m.astype(np.uint8), 1.5), wale.BadArgument, "whole number"),
        (lambda m: lazy.opening_by_reconstruction(m, 2), wale.BadArgument, "odd"),
        (lambda m: lazy.apply_hysteresis_threshold(m, 3, 2), wale.BadArgument, "low"),
        (lambda m: lazy.watershed(m, m), wale.UnsupportedVariant, "one queue over the whole image"),
        (lambda m: lazy.edit_distances("abc", ["a"]), TypeError, "a: is one str"),
        (lambda m: lazy.edit_distances(["a"], ["a", "b"]), wale.BadArgument, "1 and 2 sequences"),
        (lambda m: lazy.cdist(["a"], ["b"], metric="hamming"), ValueError, "metric: is 'hamming'"),
        (lambda m: lazy.solve_tridiagonal(m, m, m, m, axis=0), wale.BadArgument, "axis: is not taken"),
        (lambda m: lazy.det(m), ValueError, "Core dimension .* multiple chunks"),
    ],
)  # fmt: skip
def test_bad_arguments(call, error, message):
    with pytest.raises(error, match=message):
        call(da.from_array(np.arange(9.0).reshape(3, 3), chunks=2))


def test_chunks_of_no_pixels():
    image = draw((6, 5), "uint8")
    same(lazy.fill_holes(da.from_array(image, chunks=((2, 0, 4), (5, 0)))), wale.fill_holes(image))
    same(lazy.fill_holes(da.zeros((0, 4), dtype=np.uint8)), np.zeros((0, 4), np.uint8))


def words(count):
    return ["".join(DRAW.choice(list("acgt"), DRAW.integers(0, 12))) for _ in range(count)]


def test_sequences_in_blocks():
    a, b = words(23), words(23)
    for name, more in (("edit_distances", {}), ("edit_distances", {"bound": 3}), ("lcs_lengths", {}),
                       ("align_scores", {"matrix": ("acgt", np.eye(4, dtype=int))})):  # fmt: skip
        wanted = getattr(wale, name)(a, b, **more)
        same(getattr(lazy, name)(a, b, **more), wanted)
        same(getattr(lazy, name)(chunked(np.array(a)), chunked(np.array(b, object)), **more), wanted)
        same(getattr(lazy, name)(chunked(np.array(a)), b, **more), wanted)
    same(lazy.cdist(chunked(np.array(a)), chunked(np.array(b)), cutoff=4), wale.cdist(a, b, cutoff=4))
    same(lazy.cdist(a, metric="lcs"), wale.cdist(a, metric="lcs"))


def test_systems_in_blocks():
    stack = DRAW.random((11, 4, 4)) + 4 * np.eye(4)
    blocks = da.from_array(stack, chunks=(3, 4, 4))
    vector, columns = DRAW.random(4), DRAW.random((11, 4, 2))
    for b in (vector, columns, da.from_array(columns, chunks=(2, 4, 2)), columns[0]):
        np.testing.assert_allclose(lazy.solve(blocks, b).compute(), wale.solve(stack, np.asarray(b)), rtol=1e-12)
    np.testing.assert_allclose(lazy.inv(blocks).compute(), wale.inv(stack), rtol=1e-12)
    np.testing.assert_allclose(lazy.det(blocks).compute(), wale.det(stack), rtol=1e-12)
    for kind in (np.float32, np.complex64, np.complex128, np.int32):
        for known in (lazy.inv(blocks.astype(kind)), lazy.det(blocks.astype(kind)), lazy.solve(blocks.astype(kind), np.float32(vector))):
            assert known.compute().dtype == known.dtype
    with pytest.raises(np.linalg.LinAlgError, match="singular"):
        lazy.solve(da.zeros((2, 3, 3)), np.ones(3)).compute()


def test_chains_and_cells_in_blocks():
    low, high, right = DRAW.random((3, 10, 8))
    middle = 4 + DRAW.random((10, 8))
    pieces = [da.from_array(x, chunks=(3, 8)) for x in (low, middle, high, right)]
    np.testing.assert_allclose(lazy.solve_tridiagonal(*pieces).compute(), wale.solve_tridiagonal(low, middle, high, right), rtol=1e-12)
    short = lazy.solve_tridiagonal(pieces[0][:, 1:], pieces[1], pieces[2][:, :-1], right[0], pivoting="none")
    np.testing.assert_allclose(short.compute(), wale.solve_tridiagonal(low, middle, high, right[0]), rtol=1e-12)
    one = lazy.solve_tridiagonal(low[0], middle[0], high[0], pieces[3])  # one matrix, many right-hand sides
    np.testing.assert_allclose(one.compute(), wale.solve_tridiagonal(low[:1], middle[:1], high[:1], right), rtol=1e-12)
    plan = wale.HinesPlan([-1, 0, 1, 1, 0, 4, 5, 0])
    cells = lazy.hines_solve(plan, pieces[1], -pieces[0], -pieces[2], right[0])
    wanted = wale.hines_solve(plan, middle, -low, -high, np.broadcast_to(right[0], low.shape))
    np.testing.assert_allclose(cells.compute(), wanted, rtol=1e-12)


def test_a_task_that_is_run_again_loses_nothing():
    from functools import partial

    from wale.dask import _borders, _images

    mask = np.array([[9, 9, 9, 9]], np.uint8)
    op = _borders.Operation("dilation", 1, False, True, False, {"threads": 1}, lambda b: b[0], lambda b, m, p: None,
                            partial(_images.answer, np.dtype(np.uint8)))  # fmt: skip
    place = _borders.Place((0, 4), (1, 4), (1, 8), False)
    state = _borders.spread(op, place, [(0, -1)], frozenset(), [(0, -1)],
                            _borders.State(None, {}, frozenset(), frozenset()),
                            [_borders.Halo({(0, 1): np.array([[3]], np.uint8)}, False)], mask)  # fmt: skip
    better = [_borders.Halo({(0, 1): np.array([[7]], np.uint8)}, False)]
    for _ in range(2):  # the second time finds the work of the first in the array
        after = _borders.spread(op, place, [(0, -1)], frozenset({(0, -1)}), [(0, -1)], state, better, mask)
        assert (after.found == 7).all() and after.onward == {(0, -1)} and after.sides[0, -1] == 7


def test_arrays_as_they_come_from_another_process():
    """Read-only, or not aligned to their elements."""
    from wale.dask import _borders

    mask = np.full((1, 4), 9, np.float64)
    op = _borders.Operation("dilation", 1, False, True, False, {"threads": 1}, lambda b: b[0], lambda b, m, p: None,
                            lambda b, m, f: f)  # fmt: skip
    place = _borders.Place((0, 4), (1, 4), (1, 8), False)
    unaligned = np.frombuffer(bytearray(33), np.uint8)[1:].view(np.float64).reshape(1, 4)
    fixed = np.zeros((1, 4))
    fixed.flags.writeable = False
    for found in (unaligned, fixed):
        state = _borders.State(found, {(0, -1): found[:, :1].copy()}, frozenset(), frozenset())
        halos = [_borders.Halo({(0, 1): np.array([[7.0]])}, False)]
        after = _borders.spread(op, place, [(0, -1)], frozenset(), [(0, -1)], state, halos, mask)
        np.testing.assert_array_equal(after.found, np.full((1, 4), 7.0))


def test_a_chunk_is_reconstructed_once(monkeypatch):
    from wale.dask import _borders

    runs = []
    run = _borders._run
    monkeypatch.setattr(_borders, "_run", lambda op, place, *rest: runs.append(place.origin) or run(op, place, *rest))
    image = draw((60, 60), "uint8", 250)
    with dask.config.set(scheduler="synchronous"):
        same(lazy.fill_holes(chunked(image, 20)), wale.fill_holes(image))
    assert len(runs) == len(set(runs)) == 9


def test_a_cluster_that_loses_a_worker():
    distributed = pytest.importorskip("distributed")
    image = DRAW.integers(0, 255, (300, 300)).astype(np.uint8)
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, processes=True) as cluster:
        with distributed.Client(cluster) as client:
            slow = da.from_array(image, chunks=60).map_blocks(lambda x: (time.sleep(0.05), x)[1], dtype=np.uint8)
            future = client.compute(lazy.fill_holes(slow))
            time.sleep(0.4)
            worker = next(iter(cluster.workers.values()))
            os.kill(worker.process.pid, signal.SIGKILL)
            np.testing.assert_array_equal(future.result(timeout=600), wale.fill_holes(image))


def test_without_dask_the_import_says_what_to_install():
    program = "import sys; sys.modules['dask'] = None\nimport wale\ntry:\n    import wale.dask\nexcept ImportError as e:\n    print(e)"
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "expected dask and scipy: pip install 'wale[dask]'" in said.stdout
