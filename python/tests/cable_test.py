import numpy as np
import pytest

import wale

CABLE_ROWS = [v.name for v in wale.variants("tree") if v.operation == "cable" and not wale.why_unavailable(v.backend)]


@pytest.fixture()
def form(tmp_path):
    return wale.grow_neuron(tmp_path / "cell.swc", levels=2)


@pytest.mark.parametrize("row", CABLE_ROWS)
def test_every_row_sees_the_same(form, row):
    def run_of(**run):
        cells = wale.Cable(form, membrane={"soma": "hh", "axon": "hh", "dendrite": {"g": 0.0002}}, cells=3)
        cells.clamp([0.5, 1.0, 2.0], delay=1, duration=5)
        for k in range(3):
            cells.probe("soma", cell=k)
        cells.probe(100, cell=2)
        return cells.run(10, **run), cells.voltages(), cells.gates()

    (expected, v, gates), (found, v2, gates2) = run_of(backend="reference"), run_of(variant=row)
    assert wale.last_report().variant == row
    np.testing.assert_allclose(found.voltages, expected.voltages, atol=1e-8)
    np.testing.assert_allclose(v2, v, atol=1e-8)
    np.testing.assert_allclose(gates2, gates, atol=1e-8)
    assert found.names[3] == "100 of cell 2"
    assert [len(s) for s in found.spikes] == [len(s) for s in expected.spikes]


def test_a_passive_ball_relaxes(tmp_path):
    path = tmp_path / "ball.swc"
    path.write_text("1 1 0 0 0 10 -1\n")
    ball = wale.Cable(path, membrane={"g": 0.001, "e": -70}, v_init=-50, dt=0.001, method="crank_nicolson")
    ball.probe()
    seen = ball.run(5)
    np.testing.assert_allclose(seen.voltages[:, 0], -70 + 20 * np.exp(-seen.times), atol=1e-5)
    assert ball.table["area"] == pytest.approx([400 * np.pi])


def test_sdirk2_has_order_2_and_does_not_ring(tmp_path):
    path = tmp_path / "ball.swc"
    path.write_text("1 1 0 0 0 10 -1  # soma\n")

    def run(dt, method):
        ball = wale.Cable(path, membrane={"g": 0.001, "e": -70}, v_init=-50, dt=dt, method=method)
        ball.probe()
        return ball.run(5 if dt < 1 else 40 * dt).voltages[:, 0]

    errors = [abs(run(dt, "sdirk2")[-1] + 70 - 20 * np.exp(-5)) for dt in (0.1, 0.05)]
    assert 3.7 < errors[0] / errors[1] < 4.3
    assert abs(run(50.0, "crank_nicolson")[-1] + 70) > 0.5  # tau is 1 ms
    assert abs(run(50.0, "sdirk2")[-1] + 70) < 1e-9
    with pytest.raises(wale.BadArgument, match="crank_nicolson, sdirk2"):
        run(0.1, "sdirk3")


def test_points_of_radius_0_warn(tmp_path):
    path = tmp_path / "thin.swc"
    path.write_text("1 1 0 0 0 10 -1\n2 3 10 0 0 1 1\n3 3 50 0 0 0 2\n")
    with pytest.warns(UserWarning, match=r"thin\.swc:3: radius 0, 1 such points"):
        cell = wale.Cable(path)
    assert cell.points == 3


def test_what_memory_cannot_hold(form):
    cell = wale.Cable(form)
    cell.probe()
    with pytest.raises(wale.OutOfMemory, match="40000000000000 samples") as caught:
        cell.run(1e12)
    assert caught.value.needed == 40000000000000 * 16
    assert 0 < caught.value.available < caught.value.needed
    assert not caught.value.on_device


def test_runs_go_on_and_start_anew(form):
    cell = wale.Cable(form, membrane="hh", sample_every=4)
    cell.clamp(1.5, delay=1)
    cell.probe()
    first, second = cell.run(5), cell.run(5)
    assert cell.time == 10
    with pytest.raises(wale.BadArgument, match="before the first run"):
        cell.probe()
    cell.reset()
    whole = cell.run(10)
    np.testing.assert_array_equal(np.concatenate([first.voltages, second.voltages]), whole.voltages)
    np.testing.assert_array_equal(np.concatenate([first.times, second.times]), whole.times)


def test_refusals(form, tmp_path):
    with pytest.raises(wale.BadArgument, match="expected 'passive' or 'hh'"):
        wale.Cable(form, membrane="squid")
    with pytest.raises(wale.BadArgument, match="membrane.gx: unknown word"):
        wale.Cable(form, membrane={"kind": "hh", "gx": 1})
    with pytest.raises(wale.BadArgument, match="options.dt"):
        wale.Cable(form, dt=-1)
    with pytest.raises(wale.BadArgument, match="method"):
        wale.Cable(form, method="euler")
    with pytest.raises(wale.BadArgument, match="point 100000"):
        wale.Cable(form).probe(100000)
    with pytest.raises(wale.BadArgument, match="one for each cell"):
        wale.Cable(form, cells=2).clamp([1, 2, 3])
    with pytest.raises(wale.CannotOpen):
        wale.Cable(tmp_path / "none.swc")
    damaged = tmp_path / "damaged.swc"
    damaged.write_text("1 1 0 0 0 10 -1\n2 3 1 0 0 1 7\n")
    with pytest.raises(wale.BadInput, match="damaged.swc:2: parent 7"):
        wale.Cable(damaged)


def test_a_clamp_that_is_refused_leaves_the_cable_as_it_was(form):
    cell = wale.Cable(form, cells=2)
    for words in ({"current": float("nan")}, {"current": [1, np.inf]}, {"delay": float("nan")}, {"duration": -1}, {"duration": "1"},
                  {"cell": 2}, {"cell": -1}):  # fmt: skip
        with pytest.raises((TypeError, ValueError), match=f"{next(iter(words))}"):
            cell.clamp(**{"current": 1.0, **words})
    for number in -1, 2:
        with pytest.raises(ValueError, match=f"cell: is {number}, expected 0 to 1"):
            cell.probe(cell=number)
    other = wale.Cable(form, cells=2)
    for one in cell, other:
        one.probe(cell=1)
    assert np.array_equal(cell.run(0.1).voltages, other.run(0.1).voltages)


def test_plot(form):
    pytest.importorskip("matplotlib").use("Agg")
    cell = wale.Cable(form)
    cell.clamp(0.2)
    cell.probe()
    cell.probe(50)
    ax = cell.run(2).plot()
    assert len(ax.lines) == 2 and ax.get_ylabel() == "voltage [mV]"


class Section:
    """What of MorphIO's sections is taken: points and diameters from the parent's last point on, type and children."""

    def __init__(self, kind, rows, children=()):
        self.points = np.array([row[:3] for row in rows], float)
        self.diameters = 2 * np.array([row[3] for row in rows], float)
        self.type, self.children = kind, list(children)


class Form:
    def __init__(self, kind, soma, roots):
        self.soma, self.soma_type, self.root_sections = Section(1, soma), f"SomaType.{kind}", roots


def test_a_form_of_morphio_is_that_of_its_file(tmp_path):
    tips = [Section(3, [(30, 0, 0, 1), (60, 9, 0, 0.5)]), Section(3, [(30, 0, 0, 1), (60, -9, 0, 0.5), (90, -9, 0, 0.4)])]
    roots = [Section(3, [(5, 0, 0, 2), (30, 0, 0, 1)], tips), Section(2, [(0, 5, 0, 1), (0, 40, 0, 1)])]
    branches = "{0} 3 5 0 0 2 1\n{1} 3 30 0 0 1 {0}\n{2} 3 60 9 0 .5 {1}\n{3} 3 60 -9 0 .5 {1}\n{4} 3 90 -9 0 .4 {3}\n{5} 2 0 5 0 1 1\n{6} 2 0 40 0 1 {5}\n"
    path = tmp_path / "cell.swc"
    contour = [(5, 0, 0, 0), (0, 5, 0, 0), (-5, 0, 0, 0), (0, -5, 0, 0)]
    for kind, soma, lines in [
        ("SOMA_SINGLE_POINT", [(0, 0, 0, 5)], "1 1 0 0 0 5 -1\n"),
        ("SOMA_NEUROMORPHO_THREE_POINT_CYLINDERS", [(0, 0, 0, 5), (0, -5, 0, 5), (0, 5, 0, 5)], "1 1 0 0 0 5 -1\n2 1 0 -5 0 5 1\n3 1 0 5 0 5 1\n"),
        ("SOMA_SIMPLE_CONTOUR", contour, "1 1 0 0 0 5 -1\n"),
    ]:  # fmt: skip
        first = lines.count("\n") + 1
        path.write_text(lines + branches.format(*range(first, first + 7)))
        made, read = wale.Cable(Form(kind, soma, roots)), wale.Cable(path)
        for name, values in read.table.items():
            np.testing.assert_array_equal(made.table[name], values)
        assert made.points == read.points
    with pytest.raises(wale.BadInput, match="morphology:1: has no|morphology: has no"):
        wale.Cable(Form("SOMA_UNDEFINED", np.empty((0, 4)), []))
    with pytest.raises(TypeError, match="path: is None, expected a path"):
        wale.Cable(None)


def test_morphio_reads_what_wale_grows(form):
    morphio = pytest.importorskip("morphio")
    made, read = wale.Cable(morphio.Morphology(form)), wale.Cable(form)
    assert made.points == read.points
    np.testing.assert_allclose(made.table["area"].sum(), read.table["area"].sum(), rtol=1e-5)  # MorphIO keeps float32


def test_habits_of_users_of_neuron_are_answered_by_name(tmp_path):
    cell = wale.Cable(wale.grow_neuron(tmp_path / "cell.swc", levels=1))
    with pytest.raises(TypeError, match="expected 'soma' or the number of a point"):
        cell.probe("dend")
    with pytest.raises(wale.BadArgument, match="duration: is -1, expected 0 or more"):
        cell.run(-1)
    for membrane in ({"basal": "hh"}, {"soma": "hh", "dend": {"g": 1e-4}}):
        with pytest.raises(wale.BadArgument, match="no region, expected one of soma, axon, dendrite, apical"):
            wale.Cable(tmp_path / "cell.swc", membrane=membrane)
    with pytest.raises(wale.BadArgument, match="membrane.gg: unknown word"):
        wale.Cable(tmp_path / "cell.swc", membrane={"kind": "hh", "gg": 1})
