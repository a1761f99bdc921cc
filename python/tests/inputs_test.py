"""Every kind of input, its dtypes, strides and errors."""

import sys
import types

import numpy as np
import plain
import pytest
import wale

CODES = np.array([3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5], np.uint8)
OTHER = np.array([2, 7, 1, 8, 2, 8, 1, 8, 2, 8, 4, 5], np.uint8)
DISTANCE = plain.edit(CODES.tolist(), OTHER.tolist())[-1][-1]


class ThroughDlpack:
    """An array of which only DLPack is to be had."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


@pytest.mark.parametrize(
    "dtype", ["u1", "u2", "u4", "u8", "i1", "i2", "i4", "i8", ">u2", ">u4", ">i8", "object"]
)
@pytest.mark.parametrize("other", ["u1", ">u4", "i8"])
def test_dtypes_may_differ(dtype, other):
    assert wale.edit_distance(CODES.astype(dtype), OTHER.astype(other)) == DISTANCE


@pytest.mark.parametrize(
    "convert",
    [
        bytes,
        bytearray,
        memoryview,
        list,
        tuple,
        ThroughDlpack,
        lambda x: np.repeat(x, 3)[::3],  # strided
        lambda x: x[::-1].copy()[::-1],  # negative stride
        lambda x: np.stack([x, x], axis=1)[:, 1],  # a column
        lambda x: np.lib.stride_tricks.as_strided(x, writeable=False),
    ],
)
def test_kinds_may_differ(convert):
    assert wale.edit_distance(convert(CODES), OTHER) == DISTANCE
    assert wale.edit_distance(CODES, convert(OTHER)) == DISTANCE


def test_wide_integers_are_compared_by_value():
    a = np.array([2**40, -1, 7, 2**63 - 1])
    b = np.array([2**40, 255, 7], np.int64)
    assert wale.lcs_length(a, b) == 2
    assert wale.lcs_length(np.array([2**64 - 1], np.uint64), np.array([-1])) == 0
    assert wale.lcs_length(np.array([-1], np.int8), np.array([255], np.uint8)) == 0


def test_text():
    assert wale.edit_distance("naïve", "naive") == 1
    assert wale.edit_distance("€uro", "euro") == 1
    assert wale.lcs_length("\ud800x", "x") == 1  # a lone surrogate is a code point like any other
    assert wale.lcs_length(["the", "cat"], ("a", "cat")) == 1
    assert wale.lcs_length("cat", ["c", "t"]) == 2
    assert wale.lcs_length([1, "a", None, (2, 3)], [None, (2, 3)]) == 2


def test_sequences_of_biopython_are_text():
    seq = pytest.importorskip("Bio.Seq")
    record = pytest.importorskip("Bio.SeqRecord").SeqRecord(seq.Seq("GATTACA"))
    for x in seq.Seq("GATTACA"), seq.MutableSeq("GATTACA"), record:
        assert wale.edit_distance(x, "GATACA") == wale.edit_distance(seq.Seq("GATACA"), x) == 1
        with pytest.raises(TypeError, match="encode or decode"):
            wale.edit_distance(x, b"GATACA")
        assert wale.lcs_string(x, "TACA").text == "TACA"
        assert wale.align(x, "GATACA", matrix="blosum62", open=12) == wale.align("GATTACA", "GATACA", matrix="blosum62", open=12)
        assert str(wale.align(x, "GATACA", task="path")) == str(wale.align("GATTACA", "GATACA", task="path"))
        assert wale.align_scores([x], ["GATACA"], matrix="nuc44") == wale.align_scores(["GATTACA"], ["GATACA"], matrix="nuc44")
        assert wale.cdist([x, "ACA"], [x]).tolist() == [[0], [4]]
        assert wale.search([x], [x, "ACA"]) == wale.search(["GATTACA"], ["GATTACA", "ACA"])
        reverse = seq.Seq("TGTAATC")
        assert wale.locate([reverse], record, both_strands=True) == wale.locate(["TGTAATC"], "GATTACA", both_strands=True)
        with pytest.raises(TypeError, match="queries: is one"):
            wale.cdist(x, ["a"])


def test_tables_of_columns_are_refused():
    """What they iterate over are the names of columns, or the columns."""
    tables = [types.SimpleNamespace(columns=["x"]), pytest.importorskip("pyarrow").table({"x": ["a", "b"]})]
    for table in tables:
        for call in (lambda: wale.edit_distance(table, "x"), lambda: wale.cdist(table, ["x"]), lambda: wale.cdist(["x"], table),
                     lambda: wale.edit_distances(["x"], table)):  # fmt: skip
            with pytest.raises(TypeError, match="is a table"):
                call()


def test_empty_inputs():
    for empty in ("", b"", [], np.array([], np.int64)):
        assert wale.lcs_length(empty, empty) == 0
        assert wale.edit_distance(empty, [1, 2, 3] if not isinstance(empty, str) else "abc") == 3


@pytest.mark.parametrize(
    "a, b, error, message",
    [
        ("a", b"a", TypeError, "encode or decode"),
        (1, 2, TypeError, "a: is int"),
        (np.zeros(3), np.zeros(3), TypeError, "symbols of float64"),
        (np.zeros((2, 2), np.uint8), b"", wale.BadArgument, "a: has 2 dimensions"),
        ([[1]], [[1]], TypeError, "unhashable"),
    ],
)
def test_bad_inputs(a, b, error, message):
    with pytest.raises(error, match=message):
        wale.lcs_length(a, b)


def test_bad_options():
    with pytest.raises(wale.BadArgument, match="expected auto, reference, cpu or cuda"):
        wale.lcs_length("a", "b", backend="gpu")
    with pytest.raises(wale.UnsupportedVariant, match="no variant 'best' on reference; there are: reference"):
        wale.lcs_length("a", "b", backend="reference", variant="best")
    with pytest.raises(wale.BadArgument, match="excludes backend"):
        wale.lcs_length("a", "b", where=wale.reference(), backend="cpu")
    with pytest.raises(wale.BadArgument, match="bound: is -2"):
        wale.edit_distance("a", "b", bound=-2)
    with pytest.raises(wale.BadArgument, match="threads: is -1"):
        wale.cpu(-1)


def test_errors_are_what_python_programs_catch():
    assert issubclass(wale.BadArgument, ValueError) and issubclass(wale.BadArgument, wale.Error)
    assert issubclass(wale.OutOfMemory, MemoryError) and issubclass(wale.Error, RuntimeError)
    assert wale.BadArgument.__module__ == "wale"


@pytest.mark.skipif(wale.why_unavailable("cuda") == "", reason="there is a CUDA device")
def test_cuda_never_falls_back():
    for call in (lambda: wale.lcs_length("a", "b", backend="cuda"), lambda: wale.to_device(CODES)):
        with pytest.raises(wale.BackendUnavailable, match="CUDA is not available"):
            call()


class OnDevice(ThroughDlpack):
    """Host memory that says of itself that it is a GPU's: for what is decided before a kernel runs."""

    def __dlpack_device__(self):
        return 2, 0

    def copy(self):
        return OnDevice(self.array.copy())


def test_device_arrays_with_strides_are_packed_by_their_library(monkeypatch):
    inputs = sys.modules["wale._inputs"]
    monkeypatch.setattr(inputs._wale, "inspect", lambda value: types.SimpleNamespace(
        contiguous=value.array.flags.c_contiguous, shape=value.array.shape, dtype=value.array.dtype.name))  # fmt: skip
    whole, strided = OnDevice(CODES), OnDevice(CODES[::2])
    assert inputs.on_device(whole).array is whole
    packed = inputs.pair(strided, whole)
    assert packed.a.array.tolist() == CODES[::2].tolist() and packed.a.array.flags.c_contiguous
    assert packed.b is whole and packed.sizes == (6, 11)
    monkeypatch.delattr(OnDevice, "copy")
    with pytest.raises(wale.BadArgument, match="array: is OnDevice with strides"):
        inputs.on_device(strided)


def test_what_dlpack_does_not_export_is_taken_by_numpy_or_refused_by_name():
    class Shy(list):
        """Speaks DLPack as a tensor with gradients does, or Arrow's text."""

        def __dlpack_device__(self):
            return 1, 0

        def __dlpack__(self, **_):
            raise BufferError("cannot export")

    assert wale.wavefront_fill(Shy([0.0, 1.0]), [0.0, 1.0], kind="dtw")[-1, -1] == 0
    assert wale.edit_distance(Shy(["ab", "c"]), Shy(["ab", "d"])) == 1
    with pytest.raises(wale.BadArgument, match=r"image: NaN at \(0, 1\)"):
        wale.h_maxima([[0.0, float("nan")]], 1)
    with pytest.raises(TypeError, match="array: is str, expected an array"):
        wale.to_host("x")


def test_messages_name_what_is_meant_in_one_line():
    grey = np.arange(30, dtype=np.uint8).reshape(5, 6)
    for call, message in (
        (lambda: wale.align("ACGT", None), "^target: is NoneType, expected"),
        (lambda: wale.cdist(["a"], ["b"], score_cutoff=2), "it is called bound .of cdist: cutoff. here"),
        (lambda: wale.lcs_length("a", "b", workers=2), "it is called threads here"),
        (lambda: wale.fill_holes(grey, structure=np.ones((3, 3))), "it is called connectivity here"),
        (lambda: wale.dtw([1.0], [2.0], sakoe_chiba_radius=2), "it is called window here"),
        (lambda: wale.align("a", "b", open_gap_score=-3), "it is called open .a cost. here"),
        (lambda: wale.opening_by_reconstruction(grey, np.ones((3, 3))), r"size: is an array of float64 of shape \(3, 3\), "),
        (lambda: wale.watershed(grey, None), "markers: is None, expected an array of labels"),
    ):
        with pytest.raises(TypeError, match=message) as refused:
            call()
        assert "\n" not in str(refused.value)


def test_a_watershed_takes_the_footprints_of_scikit_image():
    grey, markers = np.arange(30, dtype=np.uint8).reshape(5, 6) % 7, np.eye(5, 6, dtype=int)
    diagonal = wale.watershed(grey, markers, connectivity=np.ones((3, 3)))
    assert np.array_equal(diagonal, wale.watershed(grey, markers, connectivity=2))
    assert np.array_equal(diagonal, wale.watershed(grey, markers, connectivity=[[1] * 3] * 3))
    with pytest.raises(wale.BadArgument, match="symmetric neighbourhoods"):
        wale.watershed(grey, markers, connectivity=np.ones((5, 5)))
