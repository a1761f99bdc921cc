"""Arrays of CuPy, PyTorch and JAX on a GPU: the answers are those of NumPy's arrays, and arrays of the same library."""

import importlib

import numpy as np
import pytest

import wale

pytestmark = pytest.mark.skipif(wale.why_unavailable("cuda") != "", reason=wale.why_unavailable("cuda"))
DRAW = np.random.default_rng(11)
TEXTS = [DRAW.integers(0, 4, n).astype(np.uint8) for n in (300, 280)]
SERIES = [DRAW.normal(size=n).astype(np.float32) for n in (120, 90)]
IMAGE = DRAW.integers(0, 200, (60, 50)).astype(np.uint8)
SEED = np.where(DRAW.random(IMAGE.shape) < 0.02, IMAGE, 0).astype(np.uint8)
SYSTEMS = (DRAW.normal(size=(5, 12, 12)) + 8 * np.eye(12)).astype(np.float32)
RIGHT = DRAW.normal(size=(5, 12, 3)).astype(np.float32)
DIAGONALS = [DRAW.normal(size=(7, 33)).astype(np.float32) + shift for shift in (0, 6, 0)]
TARGET = DRAW.normal(size=(7, 33)).astype(np.float32)
TREES = [DRAW.normal(size=(4, 5)).astype(np.float32) + shift for shift in (9, 0, 0, 0)]
OFFSETS = np.array([0, 100, 100, 220], np.int64)


def hines(to):
    parent = np.array([-1, 0, 1, 1, 0], np.int32)
    return wale.hines_solve(parent, *map(to, TREES))


CALLS = {
    "wavefront_fill": lambda to: wale.wavefront_fill(*map(to, TEXTS)),
    "dtw": lambda to: wale.wavefront_fill(*map(to, SERIES), kind="dtw"),
    "warping": lambda to: wale.cdist_dtw(to(RIGHT)),
    "summed_area": lambda to: wale.summed_area(to(IMAGE)),
    "edit_distances": lambda to: wale.edit_distances(
        (to(TEXTS[0]), to(OFFSETS)), (to(TEXTS[1]), to(OFFSETS))),
    "reconstruction": lambda to: wale.reconstruction(to(SEED), to(IMAGE)),
    "fill_holes": lambda to: wale.fill_holes(to(IMAGE)),
    "h_domes": lambda to: wale.h_domes(to(IMAGE), 20),
    "local_maxima": lambda to: wale.local_maxima(to(IMAGE)),
    "lu_solve": lambda to: wale.lu_solve(wale.lu_factor(to(SYSTEMS)), to(RIGHT)),
    "solve": lambda to: wale.solve(to(SYSTEMS), to(RIGHT)),
    "solve_of_a_vector": lambda to: wale.solve(to(SYSTEMS[0]), to(RIGHT[0, :, 0])),
    "inv": lambda to: wale.inv(to(SYSTEMS)),
    "det": lambda to: wale.det(to(SYSTEMS)),
    "slogdet": lambda to: wale.slogdet(to(SYSTEMS)).logabsdet,
    "solve_tridiagonal": lambda to: wale.solve_tridiagonal(*map(to, DIAGONALS), to(TARGET)),
    "interleaved": lambda to: wale.solve_tridiagonal(
        *(to(np.ascontiguousarray(x.T)) for x in (*DIAGONALS, TARGET)), axis=0),
    "hines": hines,
}  # fmt: skip


class Cupy:
    def __init__(self):
        self.library = importlib.import_module("cupy")
        self.kind, self.to, self.back = self.library.ndarray, self.library.asarray, self.library.asnumpy


class Torch:
    def __init__(self):
        self.library = importlib.import_module("torch")
        self.kind = self.library.Tensor

    def to(self, array):
        return self.library.from_numpy(np.ascontiguousarray(array)).cuda()

    def back(self, array):
        return array.cpu().numpy()


class Jax:
    def __init__(self):
        self.library = importlib.import_module("jax")
        self.library.config.update("jax_enable_x64", True)
        self.kind, self.to, self.back = self.library.Array, self.library.numpy.asarray, np.asarray


@pytest.fixture(scope="module", params=[Cupy, Torch, Jax], ids=["cupy", "torch", "jax"])
def library(request):
    try:
        return request.param()
    except ImportError as missing:
        pytest.skip(str(missing))


def same(found, expected):
    if expected.dtype.kind == "f":
        np.testing.assert_allclose(found, expected, rtol=2e-4, atol=2e-5)
    else:
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("call", CALLS)
def test_answers_are_arrays_of_the_library(library, call):
    expected = CALLS[call](lambda x: x)
    found = CALLS[call](library.to)
    assert isinstance(found, library.kind)
    assert tuple(found.shape) == expected.shape
    same(library.back(found), expected)


def test_strided_arrays_are_taken(library):
    wide = DRAW.integers(0, 200, (40, 60)).astype(np.uint8)
    same(library.back(wale.fill_holes(library.to(wide)[:, ::2])), wale.fill_holes(wide[:, ::2]))
    same(library.back(wale.solve(library.to(SYSTEMS).transpose(0, 2, 1) if library.kind.__name__ != "Tensor" else
                                 library.to(SYSTEMS).transpose(1, 2), library.to(RIGHT))),
         wale.solve(SYSTEMS.transpose(0, 2, 1), RIGHT))  # fmt: skip


def test_calls_follow_the_current_stream_of_cupy():
    cupy = pytest.importorskip("cupy")
    n = 1 << 22
    for _ in range(5):
        with cupy.cuda.Stream(non_blocking=True):
            image = cupy.zeros((2048, n // 2048), cupy.uint8)
            for _ in range(60):  # work that is not finished when the call begins
                image += 3
            found = wale.reconstruction(image, image)
            assert int(found.min()) == int(found.max()) == 180


def test_calls_follow_the_current_stream_of_torch():
    torch = pytest.importorskip("torch")
    for _ in range(5):
        with torch.cuda.stream(torch.cuda.Stream()):
            a = torch.eye(64, device="cuda").repeat(2000, 1, 1)
            for _ in range(30):
                a = a * 1.0 + 0.0
            a += torch.eye(64, device="cuda")
            x = wale.solve(a, torch.ones((2000, 64, 1), device="cuda"))
            assert torch.equal(x, torch.full_like(x, 0.5))


def test_out_and_overwritten_inputs_are_the_callers(library):
    if library.kind.__module__.startswith("jax"):
        pytest.skip("JAX's arrays do not change")
    image = library.to(IMAGE)
    out = library.to(np.zeros_like(IMAGE))
    assert wale.fill_holes(image, out=out) is out
    same(library.back(out), wale.fill_holes(IMAGE))
    right = library.to(RIGHT)
    factors = wale.lu_factor(library.to(SYSTEMS))
    x = wale.lu_solve(factors, right, overwrite_b=True)
    assert isinstance(factors.lu, library.kind) and isinstance(x, library.kind)
    same(library.back(right), library.back(x))
