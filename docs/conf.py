"""Sphinx's settings; tools/make_site.py gathers the pages and runs it."""

import re

import wale

project = "Wale"
author = "The developers of Wale"
copyright = author  # noqa: A001  # Sphinx's name
release = version = wale.__version__

extensions = [
    "myst_parser",
    "sphinx_design",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "breathe",
]
source_suffix = {".md": "markdown"}
exclude_patterns = ["Doxyfile", "**.ipynb"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
suppress_warnings = [
    "duplicate_declaration.cpp",  # each header opens the namespace wale anew
    "ref.python",  # a word that is a member of several classes
]

breathe_projects = {"wale": "../doxygen/xml"}
breathe_default_project = "wale"
breathe_default_members = ("members", "undoc-members")
cpp_id_attributes = ["__host__", "__device__"]

autodoc_typehints = "none"  # parameters are described in words; the stubs have the types
autodoc_member_order = "bysource"
napoleon_google_docstring = False
napoleon_use_ivar = True


def keep_bars(app, what, name, obj, options, lines):
    """Docstrings write |x| for a magnitude, which reStructuredText would take for a substitution."""
    for k, line in enumerate(lines):
        if not line.lstrip().startswith((">>>", "...")):
            pieces = re.split("(``.*?``)", line)  # odd ones are code
            pieces[::2] = [text.replace("|", r"\|") for text in pieces[::2]]
            lines[k] = "".join(pieces)


def setup(app):
    app.connect("autodoc-process-docstring", keep_bars)


html_theme = "furo"
html_title = f"Wale {release}"
html_static_path = ["style.css"]
html_css_files = ["style.css"]
html_theme_options = {"source_view_link": ""}
html_show_copyright = False
