"""The Python of README.md and of the pages under docs runs as it stands, and gives the values that its comments say."""

import sys
from pathlib import Path

import matplotlib.pyplot
import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import pages  # noqa: E402

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
WITH_PYTHON = {str(page.relative_to(ROOT)): page for page in PAGES if list(pages.blocks(page, "python"))}


@pytest.fixture(autouse=True)
def nothing_is_shown():
    matplotlib.use("Agg")
    yield
    matplotlib.pyplot.close("all")


@pytest.mark.parametrize("name", WITH_PYTHON)
def test_python_of_page(name, tmp_path):
    compared = pages.run_page(WITH_PYTHON[name], tmp_path)
    for picture in pages.pictures(WITH_PYTHON[name]):
        if "tutorials" in name:  # such a page shows what its own code draws
            assert (tmp_path / picture).stat().st_size > 0
        assert (ROOT / "docs/pictures" / picture).stat().st_size > 0
    assert compared > 0 or "guide" in name, "no value of this page is compared"


def test_a_value_that_differs_is_found(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("text\n\n```python\nx = 2\nx + 2                # 5\n```\n")
    with pytest.raises(AssertionError, match=r"page.md:5: 4, the page says 5"):
        pages.run_page(page, tmp_path)
    page.write_text("```python\n[1, 2.0], True   # ([1, 2], False)\n```\n")
    with pytest.raises(AssertionError):
        pages.run_page(page, tmp_path)
