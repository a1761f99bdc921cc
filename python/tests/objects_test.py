"""What outlives a call: pickle, copies, errors of the system, threads at one object, Ctrl-C."""

import copy
import errno
import os
import pickle
import signal
import threading
import time

import numpy as np
import pytest
import wale
import wale.euler

A = np.array([[1.0, 2.0], [4.0, 3.0]])
COPIES = {
    "pickle": lambda x: pickle.loads(pickle.dumps(x)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}


@pytest.fixture(params=COPIES)
def again(request):
    return COPIES[request.param]


@pytest.mark.parametrize("where", [wale.reference(), wale.cpu(), wale.cpu(3), wale.cuda(1)])
def test_executions(again, where):
    assert again(where) == where and hash(again(where)) == hash(where)
    assert repr(again(where)) == repr(where)
    assert where != wale.cpu(7)


def test_a_stream_has_no_pickle():
    assert copy.copy(wale.cuda(0, 64)) == wale.cuda(0, 64) != wale.cuda(0)
    with pytest.raises(ValueError, match="stream"):
        pickle.dumps(wale.cuda(0, 64))


def values(result):
    return {n: getattr(result, n) for n in dir(type(result)) if isinstance(getattr(type(result), n), property)}


def test_reports_and_outcomes(again):
    factors = wale.lu_factor(A, growth=True)
    report = wale.last_report()
    assert values(again(report)) == values(report) and report.variant
    outcome = again(factors.outcome)
    assert outcome.growth == factors.outcome.growth and values(outcome.run) == values(factors.outcome.run)
    refined = again(wale.solve_refined(A, [1.0, 2.0]).outcome)
    assert refined.outcome and refined.factored == "float32"
    row = wale.study("wavefront", operation="lcs_length", sizes=[16], variant="reference", repeats=1).rows[0]
    assert values(again(row)) == values(row)


def test_outcomes_say_their_fields():
    found = wale.lu_factor(np.eye(2), growth=True).outcome
    assert repr(found).startswith("LuOutcome(run=Report(variant='") and "singular=0" in repr(found)
    assert repr(wale.TridiagonalFactors([1.0], [4.0, 4], [1.0]).outcome).startswith("ChainOutcome(")


def test_profiles(again):
    profile = wale.Profile([[2, -3], [-3, 4]], "AC", "AC", "blosum62")
    found = again(profile)
    assert np.array_equal(found.scores, profile.scores)
    assert (found.letters, found.consensus, found.scaled_as) == ("AC", "AC", "blosum62")
    assert wale.search(found, ["AC"]) == wale.search(profile, ["AC"])


@pytest.mark.parametrize("kind", ["shell", "box"])
def test_meshes(again, kind):
    mesh = wale.euler.generate_mesh(kind, size=100)
    found = again(mesh)
    assert found.patches == mesh.patches and found.dimensions == mesh.dimensions
    for name in ("volume", "centre", "points", "first_face", "neighbour", "normal"):
        assert np.array_equal(getattr(found, name), getattr(mesh, name))


def test_positions_have_numpys_own_type(again):
    common = again(wale.lcs_string("nematode", "empty"))
    assert repr(common.in_a) == "array([1, 2, 4])" and common.in_b.dtype.char == np.dtype(np.int64).char


def test_factors(again):
    factors = wale.lu_factor(A)
    found = again(factors)
    assert type(found) is wale.Factors and found.outcome.run.variant == factors.outcome.run.variant
    np.testing.assert_array_equal(wale.lu_solve(found, [5.0, 10.0]), [1, 2])
    lu, piv = found
    assert lu is found.lu and piv is found.piv


@pytest.mark.parametrize("how", [{}, {"pivoting": "none"}, {"periodic": True}, {"axis": 0, "variant": "cpu/thomas"}])
def test_factors_of_chains(again, how):
    rng = np.random.default_rng(3)
    d, off, b = 5 + rng.random((20, 20)), rng.random((20, 20)), rng.random((20, 20))
    factors = wale.TridiagonalFactors(off, d, off, **how)
    expected = factors.solve(b)
    kept = again(factors)
    d[:] = 0  # what the caller does with the matrix later does not matter
    np.testing.assert_array_equal(kept.solve(b), expected)
    assert kept.nbytes == factors.nbytes


def test_plans(again):
    plan = wale.HinesPlan([-1, 0, 1, -1], forest=True)
    found = again(plan)
    assert (found.size, found.trees, found.depth) == (4, 2, 2)
    ones = np.ones(4)
    np.testing.assert_array_equal(
        wale.hines_solve(found, 3 * ones, ones, ones, ones), wale.hines_solve(plan, 3 * ones, ones, ones, ones)
    )


def no_swc(path):
    return wale.Cable(path)


def no_mesh(path):
    return wale.euler.read_mesh(path)


def no_case(path):
    return wale.euler.Case.read(path)


@pytest.mark.parametrize("read", [no_swc, no_mesh, no_case])
def test_a_missing_file_is_pythons_own_error(tmp_path, read, again):
    path = str(tmp_path / "none.swc")
    with pytest.raises(FileNotFoundError) as seen:
        read(path)
    for error in (seen.value, again(seen.value)):
        assert isinstance(error, wale.CannotOpen) and isinstance(error, wale.Error)
        assert error.errno == errno.ENOENT and error.filename == path
        assert type(error) is wale.CannotOpen.FileNotFoundError
        assert type(error).__qualname__ == "CannotOpen.FileNotFoundError"
        assert str(error) == f"[Errno 2] {os.strerror(errno.ENOENT)}: {path!r}"


def test_other_errors_of_the_system(tmp_path):
    with pytest.raises(IsADirectoryError) as seen:
        wale.Cable(tmp_path)
    assert seen.value.errno == errno.EISDIR and isinstance(seen.value, wale.CannotOpen)
    with pytest.raises(FileNotFoundError) as seen:
        wale.grow_neuron(tmp_path / "none" / "cell.swc")
    assert seen.value.errno == errno.ENOENT and isinstance(seen.value, wale.CannotWrite)
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(NotADirectoryError):
        wale.Cable(file / "cell.swc")
    if os.geteuid() != 0:
        file.chmod(0)
        with pytest.raises(PermissionError):
            wale.Cable(file)


def test_a_cable_of_two_threads_is_refused(tmp_path):
    cell = wale.Cable(wale.grow_neuron(tmp_path / "cell.swc"), membrane="hh", cells=8)
    seen, end = [], time.monotonic() + 120

    def run():
        while not seen and time.monotonic() < end:
            for call in (lambda: cell.run(2), cell.voltages, cell.reset):
                try:
                    call()
                except wale.BadArgument as refusal:
                    seen.append(str(refusal))

    other = threading.Thread(target=run)
    other.start()
    run()
    other.join()
    assert set(seen) == {"cable: is in use by another thread, expected one call at a time"}


def test_a_cable_has_no_copy(tmp_path, again):
    with pytest.raises(TypeError, match="a Cable has no copy and no pickle"):
        again(wale.Cable(wale.grow_neuron(tmp_path / "cell.swc", levels=1)))
    with pytest.raises(TypeError, match="a Case has no copy and no pickle"):
        again(wale.euler.Case(wale.euler.generate_mesh("shell", size=200)))


def snake(side):
    """Walls that leave one way of a pixel's width through the whole image: passes without end."""
    mask = np.zeros((side, side), np.uint8)
    mask[::2] = 9
    mask[1::4, -1] = mask[3::4, 0] = 9
    seed = np.zeros_like(mask)
    seed[0, 0] = 9
    return seed, mask


LONG = np.random.default_rng(1).integers(0, 4, (2, 3_000_000), np.uint8)
BIG = np.random.default_rng(1).random((3000, 3000)) + 3000 * np.eye(3000)
PART = LONG[:, :400_000]
CALLS = {
    "align, scores": lambda: wale.align(*PART, match=1),
    "align, path": lambda: wale.align(*PART, "local", "path", match=2, mismatch=-3),
    "align, HW": lambda: wale.align(*PART, "HW", "path"),
    "align, band": lambda: wale.align(*PART, match=1, band=100_000),
    "align, wavefronts": lambda: wale.align(*PART, match=1, mismatch=-3, variant="cpu/wavefronts"),
    "align_scores": lambda: wale.align_scores([PART[0]] * 4, [PART[1]] * 4, match=2),
    "align_scores, lanes": lambda: wale.align_scores([PART[0]] * 64, [PART[1]] * 64, "local", match=2, variant="cpu/lanes"),
    "cdist": lambda: wale.cdist([PART[0]] * 4, [PART[1]] * 4),
    "cdist, lanes": lambda: wale.cdist([bytes(LONG[0, k : k + 900]) for k in range(8000)], variant="cpu/lanes"),
    "cdist, pairs": lambda: wale.cdist([bytes(LONG[0, k : k + 60]) for k in range(8000)] * 3, variant="cpu/pairs"),
    "locate": lambda: wale.locate([PART[0]], LONG[1]),
    "locate, reference": lambda: wale.locate([PART[0]], LONG[1], backend="reference"),
    "edit_distance": lambda: wale.edit_distance(*LONG),
    "edit_distance, band": lambda: wale.edit_distance(*LONG, variant="cpu/band"),
    "edit_distance, bit_vector": lambda: wale.edit_distance(*LONG, variant="cpu/bit_vector"),
    "lcs_length, reference": lambda: wale.lcs_length(*LONG, backend="reference"),
    "lcs_string": lambda: wale.lcs_string(*LONG),
    "edit_distances": lambda: wale.edit_distances([LONG[0]] * 4, [LONG[1]] * 4),
    "reconstruction, raster": lambda: wale.reconstruction(*snake(4000), variant="cpu/raster"),
    "reconstruction, reference": lambda: wale.reconstruction(*snake(4000), backend="reference"),
    "lu_factor, reference": lambda: wale.lu_factor(BIG, backend="reference"),
    "lu_factor, row_column": lambda: wale.lu_factor(BIG, variant="cpu/row_column", pivoting="none"),
    "inv, reference": lambda: wale.inv(BIG, backend="reference"),
    "flow": lambda: flow(check_every=0).run(10**7),
    "flow, reference": lambda: flow(check_every=0).run(10**7, backend="reference"),
    "flow, newton": lambda: flow("newton", check_every=0).run(10**7),
    "mesh": lambda: wale.euler.generate_mesh("shell", size=50_000_000),
}


def flow(time="jameson", **run):
    return wale.euler.Case(wale.euler.generate_mesh("shell", size=3000), scheme={"time": time}, run=run)


@pytest.fixture
def ctrl_c():
    """Python's own handler of SIGINT: a shell starts what it runs in the background with SIGINT ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("name", CALLS)
def test_interrupted_calls_end(name, ctrl_c):
    """Each would take minutes; what it raises is KeyboardInterrupt, and the next call is as good as ever."""
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    begin = time.process_time()
    with pytest.raises(KeyboardInterrupt):
        CALLS[name]()
    assert time.process_time() - begin < 20 * len(os.sched_getaffinity(0)), "the call went on to its end"
    timer.join()
    assert wale.edit_distance("kitten", "sitting") == 3


@pytest.mark.parametrize("method", ["jameson", "newton"])
def test_an_interrupted_flow_is_as_it_was_measured(method, ctrl_c):
    """Not as it was between two measurements, and not as it was before the call."""
    one, other = (flow(method, check_every=7) for _ in range(2))
    one.run(7)
    timer = threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        one.run(10**7)
    timer.join()
    assert one.iteration % 7 == 0 and one.iteration == one.history["iteration"][-1]
    other.run(one.iteration)
    np.testing.assert_array_equal(one.state, other.state)
    for each in (one, other):
        each.run(9)
    np.testing.assert_array_equal(one.state, other.state)


def test_an_interrupted_cable_goes_on(tmp_path, ctrl_c):
    """From where it was: the same bits as of one that was not interrupted."""
    path = wale.grow_neuron(tmp_path / "cell.swc")
    cell, other = (wale.Cable(path, membrane="hh", cells=4) for _ in range(2))
    for one in (cell, other):
        one.clamp(1.0, delay=1)
        one.probe()
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        cell.run(2e5)
    timer.join()
    assert 0 < cell.time < 2e5
    seen = other.run(cell.time)
    assert other.time == cell.time and len(seen.times) == round(cell.time / 0.025)
    np.testing.assert_array_equal(cell.voltages(), other.voltages())
    np.testing.assert_array_equal(cell.run(5).voltages, other.run(5).voltages)


def test_a_handler_may_raise_its_own_error():
    def handler(number, frame):
        raise TimeoutError("enough")

    before = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(TimeoutError, match="enough"):
            wale.lcs_length(*LONG, backend="reference")
    finally:
        signal.signal(signal.SIGALRM, before)
