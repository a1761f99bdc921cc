import base64

import meshio
import numpy as np
import pytest

import wale
import wale.euler

@pytest.fixture(scope="module")
def shell():
    return wale.euler.generate_mesh("shell", size=1500)


def test_a_mesh_in_arrays(shell):
    assert shell.dimensions == 3
    rows = np.repeat(np.arange(shell.cells), np.diff(shell.first_face))
    closed = np.zeros((shell.cells, 3))
    np.add.at(closed, rows, shell.normal)
    assert np.abs(closed).max() < 1e-12 * np.abs(shell.normal).max()
    assert shell.neighbour.min() == -len(shell.patches)
    report = shell.inspect()
    assert report.verdict == ""
    assert report.volume == pytest.approx(shell.volume.sum())
    assert set(shell.partition(4)) == {0, 1, 2, 3}


def test_a_mesh_from_cells_and_back(tmp_path):
    points = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]], float)
    pair = wale.euler.Mesh.from_cells(points, "tetrahedron", [[0, 1, 2, 3], [4, 1, 3, 2]],
                                      {"wall": [[0, 1, 2]],
                                       "farfield": [[0, 1, 3], [0, 2, 3], [4, 1, 3], [4, 1, 2], [4, 2, 3]]})
    np.testing.assert_allclose(pair.volume, [1 / 6, 1 / 3])
    assert sorted(pair.neighbour)[-2:] == [0, 1]
    pair.save(tmp_path / "pair.su2")
    again = wale.euler.read_mesh(tmp_path / "pair.su2")
    np.testing.assert_array_equal(again.normal, pair.normal)
    pair.save(tmp_path / "pair.wmesh")
    np.testing.assert_array_equal(wale.euler.read_mesh(tmp_path / "pair.wmesh").normal, pair.normal)
    pair.save(tmp_path / "pair.fvcorr")
    bare = wale.euler.read_mesh(tmp_path / "pair.fvcorr")
    assert not bare.has_points
    assert bare.recover() < 1e-5
    assert bare.has_points
    with pytest.raises(wale.BadArgument):
        wale.euler.Mesh.from_cells(points, "ball", [[0, 1, 2, 3]])
    with pytest.raises(wale.BadInput):
        wale.euler.Mesh.from_cells(points, "tetrahedron", [[0, 1, 2, 2]])
    for far in (2**32, 0.5):
        with pytest.raises(ValueError, match="whole numbers"):
            wale.euler.Mesh.from_cells(points, "tetrahedron", np.array([[far, 1, 2, 3]]))


def test_forces_of_walls_add_up(shell):
    flow = wale.euler.Case(shell, stream={"mach": 1.2, "alpha": 2}, scheme={"cfl": 1.0})
    flow.run(20)
    (patch,) = flow.forces().keys()
    assert patch == "wall"
    for name in ("drag", "lift", "side"):
        assert flow.forces()["wall"][name] == pytest.approx(flow.history[name][-1], rel=1e-12)


# meshio joins the base64 of all arrays, padding between them, and takes decoding to end at the first padding; newer
# Pythons (Debian's 3.13.5) go on behind it, and meshio reads no appended array then, whatever program wrote the file.
@pytest.mark.skipif(base64.b64decode(b"QQ==QQ==") != b"A", reason="meshio needs a Python that decodes to the first padding")
@pytest.mark.parametrize("precision", ["f32", "f64"])
@pytest.mark.parametrize("surface", [False, True])
def test_meshio_reads_flows_of_every_size(tmp_path, precision, surface):
    path = tmp_path / "flow.vtu"
    for cells in range(1, 61):
        along = np.repeat(np.arange(cells + 1.0), 2)
        points = np.column_stack([along, np.tile([0.0, 1.0], cells + 1), 0 * along])
        first = 2 * np.arange(cells)[:, None]
        grid = wale.euler.Mesh.from_cells(points, "quadrilateral", first + [0, 2, 3, 1])
        flow = wale.euler.Case(grid, scheme={"order": 1}, run={"precision": precision},
                               boundary={name: {"kind": "wall"} for name in grid.patches})
        density = np.linspace(1, 2, cells)
        flow.state = density[:, None] * [1, 0, 0, 0, 2.5]
        flow.write_vtu(path, surface=surface)
        read = meshio.read(path)
        if not surface:
            np.testing.assert_array_equal(read.points, points)
        (block,) = read.cells
        assert len(block.data) == (2 * cells + 2 if surface else cells)
        (cell,), (found,) = read.cell_data["cell"], read.cell_data["density"]
        np.testing.assert_allclose(found.ravel(), density[cell.astype(int).ravel()], rtol=1e-7)


def test_history_state_and_checkpoint(shell, tmp_path):
    flow = wale.euler.Case(shell, scheme={"name": "rodinia"}, run={"check_every": 5})
    assert flow.run(10) == (10, "iterations")
    history = flow.history
    np.testing.assert_array_equal(history["iteration"], [0, 5, 10])
    assert history["drag"][-1] > 0
    flow.save(tmp_path / "c")
    flow.run(10)
    after = flow.state
    flow.restore(tmp_path / "c")
    assert flow.iteration == 10
    flow.run(10)
    np.testing.assert_array_equal(flow.state, after)
    np.testing.assert_allclose(flow.quantity("density"), after[:, 0])
    picture = flow.slice("mach", shape=(40, 60))
    assert picture.shape == (40, 60) and np.isfinite(picture).any()


def test_a_flow_is_verified(shell):
    flow = wale.euler.Case(shell, scheme={"time": "jameson"}, run={"check_every": 5})
    flow.run(10)
    verdict = flow.verify()
    assert verdict["flaw"] == "" and verdict["mass_in"] > 0
    assert verdict["mass_change"] == pytest.approx(verdict["mass_in"] - verdict["mass_out"], abs=1e-9 * verdict["mass_in"])
    state = flow.state * 1.0
    state[5, 4] = -1
    flow.state = state
    assert flow.verify()["flaw"] == "cell 5 has a nonphysical state: its density or pressure is not positive"


def test_a_watcher_ends_a_run(shell):
    flow = wale.euler.Case(shell, scheme={"name": "rodinia"}, run={"check_every": 2})
    seen = []
    done = flow.run(100, watch=lambda iteration, residual: seen.append(iteration) or iteration < 4)
    assert done.end == "asked" and seen == [0, 2, 4]

    def fails(iteration, residual):
        raise KeyError("watch")

    with pytest.raises(KeyError):
        flow.run(10, watch=fails)
    assert flow.iteration == 6, "what was computed until then stays"
    before = flow.state

    def looks(iteration, residual):
        assert iteration == 6 or not np.array_equal(flow.state, before)
        with pytest.raises(wale.BadArgument):
            flow.run(1)
        return True

    assert flow.run(4, watch=looks).iterations == 4
    assert flow.iteration == 10


def test_a_stop_rule_that_is_not_met(shell):
    flow = wale.euler.Case(shell, scheme={"name": "rodinia"}, run={"check_every": 5, "stop_decades": 9})
    assert flow.run(20) == (20, "not_converged")
    residual = flow.history["residual_density"]
    assert flow.decades == pytest.approx(np.log10(residual.max() / residual[-1]))
    cell, place, change = flow.largest_residual()
    changes = flow.residual[:, 0] / shell.volume
    assert cell == np.abs(changes).argmax()
    assert change == changes[cell]
    assert len(place) == 3 and np.any(np.array(place) != 0)


def test_ends_of_slow_flow():
    channel = wale.euler.generate_mesh("bump", size=75)
    slow = {"mach": 0.4}
    assert wale.euler.Case(channel, stream=slow).warnings() == []
    (warning,) = wale.euler.Case(channel, stream=slow, boundary={"outflow": {"kind": "outflow"}}).warnings()
    assert "pressure_outlet" in warning
    flow = wale.euler.Case(channel, stream=slow, boundary={
        "inflow": {"kind": "pressure_inlet", "total_pressure": 1.3, "total_temperature": 0.8, "direction": [1, 0, 0]},
        "outflow": {"kind": "pressure_outlet", "pressure": 1.1}})
    assert flow.run(20).iterations == 20
    with pytest.raises(wale.BadArgument, match="does not lead into"):
        wale.euler.Case(channel, stream=slow, boundary={"inflow": {"kind": "pressure_inlet", "direction": [-1, 0, 0]}})


def test_a_flow_that_diverges(shell):
    flow = wale.euler.Case(shell, scheme={"name": "rodinia", "cfl": 30.0})
    with pytest.raises(FloatingPointError, match="has a nonphysical state after iteration"):
        flow.run(2000)
    assert np.isfinite(flow.state).all()


def test_an_own_start_and_a_case_of_a_file(tmp_path):
    path = tmp_path / "case.toml"
    path.write_text(
        '[mesh]\ngenerate = "box"\nsize = 400\nshape = "quadrilateral"\n'
        '[boundary]\nperiodic = [["left", "right"], ["bottom", "top"]]\n'
        '[scheme]\nstep = "global"\ntime = "ssp_rk3"\n[run]\nstart = "vortex"\nend_time = 0.5\n'
    )
    flow = wale.euler.Case.read(path)
    before = flow.state
    flow.state = before * 1.0
    assert flow.run(10000).end == "time"
    assert flow.time == 0.5
    history = flow.history
    assert history["total_mass"][-1] == pytest.approx(history["total_mass"][0], rel=1e-13)


def test_letters_of_any_kind(tmp_path):
    odd = 'fl\u00fcgel "\U0001f30a" \\'
    points = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0]], float)
    one = wale.euler.Mesh.from_cells(points, "triangle", [[0, 1, 2]], {odd: [[0, 1], [1, 2], [2, 0]]})
    flow = wale.euler.Case(one, boundary={odd: {"kind": "wall"}}, scheme={"order": 1})
    assert flow.run(1, backend="reference").iterations == 1
    with pytest.raises(wale.CannotOpen):
        wale.euler.Case(mesh_words={"file": str(tmp_path / odd)})


def test_bad_words_are_refused(shell):
    with pytest.raises(wale.BadArgument, match="scheme.fluxes: unknown word"):
        wale.euler.Case(shell, scheme={"fluxes": "roe"})
    with pytest.raises(wale.BadArgument):
        wale.euler.Case(shell, boundary={"wing": {"kind": "wall"}})
    with pytest.raises(ValueError):
        wale.euler.Case()
    with pytest.raises(TypeError):
        wale.euler.Case(shell).run(1, thread=2)
    with pytest.raises(ValueError):
        flow = wale.euler.Case(shell)
        flow.state = np.ones((3, 5))


def test_a_polar_is_the_flows_one_by_one(tmp_path):
    foil = wale.euler.generate_mesh("o_grid", section="0012", around=40, outward=14)
    words = {"stream": {"mach": 0.5}, "run": {"stop_decades": 6}}
    case = wale.euler.Case(foil, **words)
    polar = case.polar(alpha=[-2, 0, 2], iterations=100, threads=1)
    assert polar["end"] == ["residual"] * 3
    np.testing.assert_allclose(polar["lift"], -polar["lift"][::-1], atol=2e-4)
    assert polar["lift"][2] > 0.2 and polar["moment"].shape == (3, 3)
    assert case.iteration == polar["iterations"].sum() and len(case.history["drag"]) > 3
    assert (polar["decades"] >= 6).all()
    # By the command line's way: a checkpoint of the one is the beginning of the next.
    states = []
    for n, alpha in enumerate([-2, 0, 2]):
        flow = wale.euler.Case(foil, stream={"mach": 0.5, "alpha": alpha}, run=words["run"])
        if n == 0:
            flow.state = wale.euler.Case(foil, **words).state
        else:
            flow.restore(tmp_path / "before")
        flow.run(100, threads=1)
        flow.save(tmp_path / "before")
        states.append(flow.state)
    np.testing.assert_array_equal(case.state, states[-1])
    machs = wale.euler.Case(foil, **words).polar(mach=[0.3, 0.4], iterations=5, threads=1)
    assert machs["end"] == ["not_converged"] * 2 and list(machs["mach"]) == [0.3, 0.4]
    lost = wale.euler.Case(foil, scheme={"name": "rodinia", "cfl": 30.0}).polar(mach=[1.2, 1.3], iterations=3000)
    assert lost["end"] == ["diverged"] and lost["lift"].shape == (1,)
    empty = wale.euler.Case(foil).polar(alpha=[])
    assert empty["lift"].shape == (0,) and empty["moment"].shape == (0, 3) and empty["end"] == []
    for wrong in {}, {"alpha": [1], "mach": [1]}:
        with pytest.raises(wale.BadArgument, match="either alpha or mach"):
            case.polar(**wrong)


def test_newtons_method_by_levels_and_by_colours_comes_to_one_flow():
    foil = wale.euler.generate_mesh("o_grid", section="0012", around=40, outward=14)
    lift = {}
    for variant in "levels", "colours":
        flow = wale.euler.Case(foil, stream={"mach": 0.63, "alpha": 2}, run={"stop_decades": 8})
        assert flow.run(100, backend="cpu", variant=variant).end == "residual"
        lift[variant] = flow.history["lift"][-1]
    assert lift["levels"] == pytest.approx(lift["colours"], rel=1e-5)


def test_richardson():
    for order, spacings in (1, [4, 2, 1]), (2, [3, 1.7, 1]), (1.5, [1, 0.9, 0.5]), (2.5, [0.04, 0.02, 0.01]):
        values = 0.3 + 0.05 * np.array(spacings) ** order
        found = wale.euler.richardson(values, spacings)
        np.testing.assert_allclose(found, (0.3, order, values[-1] - 0.3), rtol=1e-8)
        np.testing.assert_allclose(wale.euler.richardson(-values, spacings)[:2], (-0.3, order), rtol=1e-8)
    for values in [1, 2, 1], [1, 1, 1], [1, 2, 3.5], [1, np.nan, 2], [1, 2, 2]:
        assert np.isnan(wale.euler.richardson(values, [4, 2, 1])).all()
    for values, spacings in ([1, 2], [2, 1]), ([1, 2, 3], [1, 2, 4]), ([1, 2, 3], [2, 1, 0]), ([1, 2, 3], [2, 1, 1]):
        with pytest.raises(wale.BadArgument):
            wale.euler.richardson(values, spacings)


def test_the_scheme_is_of_second_order_on_three_grids():
    """Mach 0.5 without shocks: the drag is that of the scheme alone, and none is left in cells of no size."""
    found, spacings = [], []
    for around in 64, 128, 192:
        foil = wale.euler.generate_mesh("o_grid", around=around, outward=around * 3 // 8, outer=10)
        flow = wale.euler.Case(foil, stream={"mach": 0.5}, run={"stop_decades": 6})
        assert flow.run(100).end == "residual"
        found.append(flow.history["drag"][-1])
        spacings.append(foil.cells ** -0.5)
    estimate = wale.euler.richardson(found, spacings)
    assert 1.5 < estimate.order < 3.5
    assert abs(estimate.value) < 0.2 * found[-1] < 1e-4


def test_a_case_takes_the_path_of_a_mesh_and_says_what_it_does_not_take(tmp_path):
    grid = wale.euler.generate_mesh("shell", size=300)
    grid.save(tmp_path / "m.su2")
    flow = wale.euler.Case(tmp_path / "m.su2")
    assert flow.mesh.cells == grid.cells
    with pytest.raises(FileNotFoundError):
        wale.euler.Case("nothere.su2")
    for call in (lambda: wale.euler.Mesh("m.su2"), lambda: wale.euler.Case(5)):
        with pytest.raises(TypeError, match="expected a "):
            call()
    with pytest.raises(wale.BadArgument, match="write_vtu"):
        flow.save(tmp_path / "flow.vtu")
