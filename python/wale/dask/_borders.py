"""Reconstruction of an image in chunks: sweeps of halos, and the graph of chunk borders that bounds them.

A chunk is reconstructed by itself; then borders of one pixel go from chunk to chunk in sweeps over all chunks, there
and back, and a chunk whose border rises by them goes on from that border. What is not settled then is solved at once. "Height" is the value where
lower is better: the value itself for erosion, its complement for dilation.

1. Per chunk, F is the reconstruction from its border pixels at the values of the mask: the best height at which
   anything may enter. Pixels where F is better than the answer so far, R, are shared out among the border pixels
   by a watershed of F: each belongs to a border pixel from which a path as low as F leads to it.
2. Two border pixels whose shares touch at the pixels p, q are joined by an edge of height max(F(p), F(q)).
   These edges keep every pass: a path of height t between two border pixels runs over pixels of F <= t, so
   the shares that it crosses are joined by edges of height <= t; and an edge stands for a path of its height.
   A path over a pixel with R <= t brings nothing that R does not have.
3. The edges of all chunks, those across chunk borders, and one from a source to each border pixel of height R make
   one graph. Along its minimum spanning tree the highest edge from the source to a pixel is the pixel's answer.
"""

from __future__ import annotations

from functools import reduce
from itertools import product
from typing import Any, Callable, Dict, FrozenSet, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import breadth_first_order, minimum_spanning_tree

from .. import _images, _wale
from .._reconstruction import reconstruction
from .._skimage_names import watershed

Shape = Tuple[int, ...]


class Place(NamedTuple):
    """Where a chunk lies in the image."""

    origin: Shape
    shape: Shape
    whole: Shape
    batch: bool

    def faces(self) -> List[Tuple[int, int, bool]]:
        """(axis, index, whether another chunk lies behind) of each side."""
        first = [(a, 0, self.origin[a] > 0) for a in range(self.batch, len(self.shape))]
        last = [(a, -1, self.origin[a] + self.shape[a] < self.whole[a]) for a, _, _ in first]
        return first + last

    def side(self, inner: bool) -> np.ndarray:
        """The pixels that touch another chunk (`inner`), or those at the border of the image."""
        found = np.zeros(self.shape, bool)
        for axis, at, behind in self.faces():
            if behind == inner:
                found[(slice(None),) * axis + (at,)] = True
        return found


class Operation(NamedTuple):
    """How an image is reconstructed: mask and seed of a chunk's blocks, and the answer."""

    method: str
    connectivity: int
    batch: bool
    clamp: bool
    late: bool  # few seeds, at the border of the image: a chunk begins in the first sweep, with what has come by then
    run: Dict[str, Any]
    mask: Callable[..., np.ndarray]  # (blocks)
    seed: Callable[..., Optional[np.ndarray]]  # (blocks, mask, place); None: nothing
    finish: Callable[..., np.ndarray]  # (blocks, mask, reconstruction)


class State(NamedTuple):
    """The answer of a chunk so far, and what its neighbours are to get of it.

    The next task of the chunk goes on in `found` itself: what lies there is never beyond the answer, and `sides` say
    what this state knows of it. A task that is run again, after a failure, therefore raises no less.
    """

    found: Optional[np.ndarray]  # None: nothing has come in yet
    sides: Dict[Shape, np.ndarray]  # towards the neighbours
    pending: FrozenSet[Shape]  # directions whose neighbour has not seen the side as it is
    onward: FrozenSet[Shape]  # of these, the ones that go on in this sweep


class Halo(NamedTuple):
    """What goes from a chunk to its neighbours, and whether more is pending."""

    sent: Dict[Shape, np.ndarray]
    pending: bool  # after this sweep


class Borders(NamedTuple):
    """The border pixels of a chunk: numbers in the image, heights of mask and answer, edges between them."""

    numbers: np.ndarray
    mask: np.ndarray
    found: np.ndarray
    edges: Tuple[np.ndarray, np.ndarray, np.ndarray]


def worst(dtype: np.dtype, method: str) -> Any:
    """The value of a seed that gives nothing."""
    if dtype.kind == "f":
        return dtype.type(-np.inf if method == "dilation" else np.inf)
    if dtype.kind == "b":
        return np.bool_(method != "dilation")
    ends = np.iinfo(dtype)
    return dtype.type(ends.min if method == "dilation" else ends.max)


def height(values: np.ndarray, method: str) -> np.ndarray:
    """Values of which lower is better; applied twice it gives the values again."""
    if method == "erosion":
        return values
    return -values if values.dtype.kind == "f" else ~values


def _run(op: Operation, place: Place, seed: np.ndarray, mask: np.ndarray, clamp: bool = False, own: bool = False) -> np.ndarray:
    """The reconstruction, in the memory of the seed where that is the task's `own`: new memory costs its clearing."""
    mask = np.ascontiguousarray(mask)  # rows that lie far apart may share few lines of the cache
    try:
        how = {"connectivity": op.connectivity, "batch": op.batch, "clamp": clamp, **op.run}
        if own and seed.dtype == mask.dtype and seed.ndim > 1:
            how["out"] = seed
        return reconstruction(seed, mask, op.method, **how)
    except _wale.BadArgument as refusal:
        raise _wale.BadArgument(f"in the chunk that begins at {place.origin}: {refusal}") from None


def _onward(op: Operation, place: Place, found: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """What follows from border pixels of `found` that have risen; `found` may be written."""
    if op.run.get("variant", "automatic") != "automatic":
        return _run(op, place, found, mask, True)
    rows, mask = (1, mask.size) if mask.ndim == 1 else mask.shape, np.ascontiguousarray(mask)
    ready = _images.prepare(("mask",), (mask.reshape(rows),), op.batch)
    words: Any = {**op.run, "connectivity": op.connectivity, "batch": op.batch, "out": found.reshape(rows)}
    return _images.call(_wale.reconstruct_onward, ready, words, method=op.method).reshape(mask.shape)


def _nothing(op: Operation, mask: np.ndarray) -> np.ndarray:
    return np.full(mask.shape, worst(mask.dtype, op.method))


def halo(state: State) -> Halo:
    return Halo({d: state.sides[d] for d in state.onward}, state.pending > state.onward)


def _sides(found: np.ndarray, near: Sequence[Shape]) -> Dict[Shape, np.ndarray]:
    """Copies of the sides, edges and corners that lie towards the neighbours."""
    cut = {-1: slice(0, 1), 0: slice(None), 1: slice(-1, None)}
    return {d: found[tuple(cut[step] for step in d)].copy() for d in near}


def _same(one: Dict[Shape, np.ndarray], other: Dict[Shape, np.ndarray]) -> bool:
    return all(np.array_equal(one[d], other[d]) for d in one)


def _better(op: Operation) -> Any:
    return np.maximum if op.method == "dilation" else np.minimum


def _risen(op: Operation, arrived: Sequence[Tuple[Shape, np.ndarray]], found: np.ndarray,
           mask: np.ndarray) -> List[Tuple[Tuple[slice, ...], np.ndarray]]:  # fmt: skip
    """The sides of the chunk that rise by what lies behind them: where they are, and their values."""
    cap, better = (np.minimum, np.greater) if op.method == "dilation" else (np.maximum, np.less)
    cut = {-1: slice(0, 1), 0: slice(1, -1), 1: slice(-1, None)}
    risen = []
    for axis, side in sorted({(a, d[a]) for d, _ in arrived for a in range(mask.ndim) if d[a]}):
        wide = [n + 2 * (a >= op.batch) if a != axis else 1 for a, n in enumerate(mask.shape)]
        behind = np.full(wide, worst(mask.dtype, op.method))
        flat = [a < op.batch or a == axis for a in range(mask.ndim)]
        for d, slab in arrived:
            if d[axis] == side:
                behind[tuple(slice(None) if f else cut[step] for f, step in zip(flat, d))] = slab
        # A step across the side, and up to connectivity - 1 along it. A filter of scipy costs more than these few slices.
        steps = [s for s in product(*[(0,) if f else (-1, 0, 1) for f in flat]) if np.abs(s).sum() < op.connectivity]
        parts = [behind[tuple(slice(None) if f else slice(1 + s, n - 1 + s) for f, s, n in zip(flat, step, wide))] for step in steps]
        face = (slice(None),) * axis + (slice(0, 1) if side < 0 else slice(-1, None),)
        values = cap(reduce(_better(op), parts), mask[face])
        if better(values, found[face]).any():
            risen.append((face, values))
    return risen


def _first(op: Operation, place: Place, arrived: Sequence[Tuple[Shape, np.ndarray]], fresh: bool, mask: np.ndarray,
           blocks: Sequence[np.ndarray]) -> Optional[np.ndarray]:  # fmt: skip
    """The first answer of a chunk, from its seed where that was not yet looked at; None: nothing comes in."""
    seed = op.seed(blocks, mask, place) if fresh else None
    start = _nothing(op, mask) if seed is None else seed
    risen = _risen(op, arrived, start, mask)
    for face, values in risen:
        start[face] = _better(op)(start[face], values)
    best = np.max if op.method == "dilation" else np.min
    some = risen or (seed is not None and seed.size and best(seed) != worst(mask.dtype, op.method))
    if some or (fresh and mask.dtype.kind == "f" and np.isnan(mask.min())):  # which is refused
        own = start.flags.writeable and not any(np.may_share_memory(start, x) for x in (mask, *blocks))
        return _run(op, place, start, mask, op.clamp or not fresh, own)
    return None


def begin(op: Operation, place: Place, near: Sequence[Shape], *blocks: np.ndarray) -> State:
    """The chunk by itself; `near` lead to its neighbours."""
    return spread(op, place, near, frozenset(), [], None, [], *blocks)


def spread(op: Operation, place: Place, near: Sequence[Shape], onward: FrozenSet[Shape], before: Sequence[Shape],
           state: Optional[State], halos: Sequence[Halo], *blocks: np.ndarray) -> State:  # fmt: skip
    """The chunk after borders arrived from the neighbours `before` it; those `onward` come after it in the sweep.

    Without a state the chunk begins here.
    """
    back = [tuple(-step for step in d) for d in before]
    arrived = [(d, h.sent[b]) for d, b, h in zip(before, back, halos) if b in h.sent]
    fresh = state is None
    found, sides, pending, sent = state or State(None, {}, frozenset(), frozenset())
    pending -= sent
    if arrived or fresh:
        mask = op.mask(blocks)
        if found is None:
            found = _first(op, place, arrived, fresh, mask, blocks)
            if found is not None:
                sides, pending = _sides(found, near), frozenset(near)
        else:
            risen = _risen(op, arrived, found, mask)
            if risen or not _same(sides, _sides(found, near)):
                if not (found.flags.writeable and found.flags.aligned):  # as it came from another process
                    found = found.copy()
                for face, values in risen:
                    found[face] = _better(op)(found[face], values)
                found = _onward(op, place, found, mask)
                now = _sides(found, near)
                pending |= {d for d in near if not np.array_equal(now[d], sides[d])}
                sides = now
    return State(found, sides, pending, pending & onward)


def offsets(rank: int, connectivity: int, batch: bool) -> List[Shape]:
    """One of each pair of opposite steps to a neighbour."""
    lead = (0,) * batch
    steps = [lead + s for s in product((-1, 0, 1), repeat=rank - batch) if 0 < np.abs(s).sum() <= connectivity]
    return [s for s in steps if s > (0,) * rank]


def _forest(count: int, u: np.ndarray, v: np.ndarray, w: np.ndarray) -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A minimum spanning forest of edges (u < v, height w)."""
    if not u.size:
        return u, v, w
    order = np.lexsort((w, v, u))
    u, v, w = u[order], v[order], w[order]
    first = np.append(True, (u[1:] != u[:-1]) | (v[1:] != v[:-1]))
    levels, rank = np.unique(w[first], return_inverse=True)
    graph = coo_matrix((rank + 1.0, (u[first], v[first])), shape=(count, count)).tocsr()
    tree = minimum_spanning_tree(graph).tocoo()
    return tree.row, tree.col, levels[tree.data.astype(np.int64) - 1]


def borders(op: Operation, place: Place, unsettled: bool, state: State, *blocks: np.ndarray) -> Optional[Borders]:
    """The graph of a chunk's border pixels (1 and 2 above); None where no chunk rises any more."""
    if not unsettled:
        return None
    mask = op.mask(blocks)
    inner = place.side(True)
    nodes = np.flatnonzero(inner)
    reach = _run(op, place, np.where(inner, mask, worst(mask.dtype, op.method)), mask)
    best = height(reach, op.method)
    found = height(_nothing(op, mask) if state.found is None else state.found, op.method)
    markers = np.zeros(mask.shape, np.int32)
    markers[inner] = np.arange(1, nodes.size + 1)
    where = {word: value for word, value in op.run.items() if word != "variant"}
    share = watershed(best, markers, op.connectivity, mask=best < found, batch=op.batch, **where)
    parts: List[Tuple[np.ndarray, ...]] = [(np.empty(0, np.int64), np.empty(0, np.int64), best.ravel()[:0])]
    shared = np.nonzero(share)  # often few
    for step in offsets(mask.ndim, op.connectivity, op.batch):
        there = [x + s for x, s in zip(shared, step)]
        inside = np.logical_and.reduce([(0 <= x) & (x < n) for x, n in zip(there, mask.shape)])
        one, other = tuple(x[inside] for x in shared), tuple(x[inside] for x in there)
        a, b = share[one], share[other]
        apart = (a != b) & (b > 0)
        a, b, rise = a[apart].astype(np.int64) - 1, b[apart].astype(np.int64) - 1, np.maximum(best[one], best[other])
        parts.append((np.minimum(a, b), np.maximum(a, b), rise[apart]))
    u, v, w = (np.concatenate(part) for part in zip(*parts))
    at = [x + o for x, o in zip(np.nonzero(inner), place.origin)]
    numbers = np.ravel_multi_index(at, place.whole)
    return Borders(numbers, height(mask[inner], op.method), found[inner], _forest(nodes.size, u, v, w))


Pairs = List[Tuple[np.ndarray, np.ndarray]]


def _across(numbers: np.ndarray, chunk: np.ndarray, whole: Shape, steps: Sequence[Shape]) -> Pairs:
    """The pairs of neighbouring border pixels in different chunks."""
    order = np.argsort(numbers)
    ordered = numbers[order]
    at = np.unravel_index(numbers, whole)
    pairs = []
    for step in steps:
        there = [x + s for x, s in zip(at, step)]
        inside = np.logical_and.reduce([(0 <= x) & (x < n) for x, n in zip(there, whole)])
        mine = np.flatnonzero(inside)
        wanted = np.ravel_multi_index([x[mine] for x in there], whole)
        place = np.minimum(np.searchsorted(ordered, wanted), order.size - 1)
        theirs = order[place]
        hit = (ordered[place] == wanted) & (chunk[theirs] != chunk[mine])
        pairs.append((mine[hit], theirs[hit]))
    return pairs


def solve(whole: Shape, steps: Sequence[Shape], parts: Sequence[Optional[Borders]]) -> List[Optional[np.ndarray]]:
    """The heights of all border pixels in the answer, a list a chunk (3 above)."""
    known = [p for p in parts if p is not None]
    if not known:
        return [None] * len(parts)
    begins = np.cumsum([0] + [p.numbers.size for p in known])
    count = int(begins[-1])
    numbers, mask, found = (np.concatenate([p[k] for p in known]) for k in range(3))
    chunk = np.repeat(np.arange(len(known)), np.diff(begins))
    edges = [(p.edges[0] + begin, p.edges[1] + begin, p.edges[2]) for p, begin in zip(known, begins)]
    for a, b in _across(numbers, chunk, whole, steps):
        edges.append((np.minimum(a, b), np.maximum(a, b), np.maximum(mask[a], mask[b])))
    edges.append((np.arange(count), np.full(count, count), found))  # the source has the last number
    u, v, w = (np.concatenate(part) for part in zip(*edges))
    u, v, w = _forest(count + 1, u, v, w)
    levels, rank = np.unique(w, return_inverse=True)
    tree = coo_matrix((rank + 1.0, (u, v)), shape=(count + 1, count + 1)).tocsr()
    parent = breadth_first_order(tree, count, directed=False, return_predecessors=True)[1].astype(np.int64)
    parent[count] = count
    child = np.where(parent[u] == v, u, v)
    highest = np.full(count + 1, -1, np.int64)
    highest[child] = rank
    while (parent != count).any():  # each turn looks twice as far up the tree
        highest = np.maximum(highest, highest[parent])
        parent = parent[parent]
    answer = levels[highest[:count]]
    slices = iter(np.split(answer, begins[1:-1]))
    return [None if p is None else next(slices) for p in parts]


def end(op: Operation, place: Place, state: State, heights: Optional[np.ndarray], *blocks: np.ndarray) -> np.ndarray:
    """The answer of a chunk: its border pixels at their last heights, and what follows inside."""
    mask = op.mask(blocks)
    found = _nothing(op, mask) if state.found is None else state.found
    if heights is not None:
        inner = place.side(True)
        values = height(heights, op.method)
        if not np.array_equal(values, found[inner]):
            found = found.copy()
            found[inner] = values
            found = _onward(op, place, found, mask)
    return op.finish(blocks, mask, found)
