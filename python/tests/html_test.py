"""Results show themselves in notebooks: a row for each field, nothing of a value taken for markup."""

from html.parser import HTMLParser

import pytest
import wale
import wale.euler


class Rows(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.open, self.names, self.values = [], [], []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        {"th": self.names, "td": self.values}.get(self.open[-1], []).append(data)


def lcs_report():
    wale.lcs_length("wavefront", "waterfront")
    return wale.last_report()


def lu_outcome():
    return wale.lu_factor([[2.0, 1.0], [1.0, 3.0]], growth=True).outcome


def tridiagonal():
    return wale.TridiagonalFactors([1.0], [4.0, 4.0], [1.0])


def flow():
    return wale.euler.Case(wale.euler.generate_mesh("shell", size=200))


@pytest.mark.parametrize("make, shown", [
    (lambda: wale.lu_factor([[2.0]]), ["lu", "piv", "outcome"]), (tridiagonal, ["shape", "nbytes", "outcome"]),
    (flow, ["iteration", "time", "decades", "mesh"]), (lambda: flow().mesh, ["cells", "dimensions", "patches"]),
])  # fmt: skip
def test_objects_of_python_are_tables(make, shown):
    rows = Rows(make()._repr_html_())
    assert [name for name in rows.names if name in shown] == shown
    assert type(make()).__name__ in make()._repr_html_()


@pytest.mark.parametrize("make", [lcs_report, lu_outcome])
def test_a_result_is_a_table(make):
    result = make()
    rows = Rows(result._repr_html_())
    public = {name for name in dir(result) if not name.startswith("_")}
    assert public <= set(rows.names)
    assert type(result).__name__ in result._repr_html_()
    assert lcs_report().variant in Rows(lcs_report()._repr_html_()).values


def test_what_is_no_markup_is_escaped():
    text = lcs_report()._repr_html_()
    assert "&quot;cpu/rows&quot;" in text and any('"cpu/rows"' in value for value in Rows(text).values)


def test_the_prompt_shows_what_objects_hold(tmp_path):
    assert repr(tridiagonal()) == "<wale.TridiagonalFactors of diagonals of shape (2,)>"
    cell = wale.Cable(wale.grow_neuron(tmp_path / "cell.swc", levels=1), cells=3)
    cell.run(0.5)
    assert repr(cell) == f"<wale.Cable: 3 cells of {cell.compartments} compartments, at 0.5 ms>"
