"""The atlas: random cells of every solver agree with their reference, whatever the seed."""

import hypothesis
import hypothesis.strategies as st
import pytest

import wale

SOLVERS = ["euler", "lu", "reconstruction", "tree", "wavefront"]


@hypothesis.settings(max_examples=40, deadline=None)
@hypothesis.given(
    solver=st.sampled_from(SOLVERS),
    seed=st.integers(0, 2**64 - 1),
    first=st.integers(0, 10**6),
    threads=st.integers(1, 3),
)
def test_every_variant_agrees_with_the_reference(solver, seed, first, threads):
    found = wale.study(
        solver, atlas=True, seed=seed, first=first, cells=4, threads=threads, largest_seconds=5e-5, timed=False
    )
    assert found.failed == [] and found.skipped == []
    assert [c.number for c in found.cells] == list(range(first, first + 4))
    for cell in found.cells:
        assert all(t.verified in ("certificate", "reference", "agreement") for t in cell.times)
        assert {"automatic", cell.chosen} <= {t.variant for t in cell.times}


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
