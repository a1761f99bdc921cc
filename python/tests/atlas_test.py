"""The atlas as objects of Python; tests/unit/atlas_test asks whether its cells agree."""

import pytest

import wale

def test_the_seed_draws_the_cells():
    def traits(seed):
        found = wale.study("tree", atlas=True, seed=seed, cells=5, largest_seconds=1e-5, timed=False)
        return [c.traits for c in found.cells]

    assert traits(3) == traits(3) != traits(4)


def test_regret_worst_csv_and_map():
    heard = []
    found = wale.study(
        "lu", atlas=True, operation="solve", cells=6, largest_seconds=1e-5, cuda=False, progress=heard.append
    )
    assert len(heard) == len(found.cells) == 6
    assert {c.operation for c in found.cells} == {"solve"}
    regrets = sorted(c.regret for c in found.cells)
    assert found.regret_at(1) == regrets[-1] and found.worst(1)[0].regret == regrets[-1]
    lines = found.csv().splitlines()
    assert len(lines) == 1 + sum(len(c.times) for c in found.cells)
    assert all(line.count(",") == lines[0].count(",") for line in lines)
    assert "6 cells of lu" in repr(found)
    pyplot = pytest.importorskip("matplotlib.pyplot")
    pyplot.switch_backend("agg")
    assert found.plot().get_images()


def test_an_atlas_is_interrupted_and_refuses():
    def interrupt(text):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        wale.study("lu", atlas=True, cells=2, progress=interrupt)
    with pytest.raises(wale.BadArgument, match="operation: is 'fill', expected one of factor, solve, inverse"):
        wale.study("lu", atlas=True, operation="fill")
    with pytest.raises(TypeError, match="sizes"):
        wale.study("lu", atlas=True, sizes=[4])
