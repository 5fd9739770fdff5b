"""Sphinx configuration of the documentation: `make docs`."""

import os
import sys
import tomllib
from pathlib import Path

import django
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
# Tables are generated from the code.
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "calendar_site.settings")
django.setup()

project = "Event calendar"
version = release = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]

extensions = ["myst_parser", "docs._sphinx.tables", "docs._sphinx.examples"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_*"]
nitpicky = True
# Do not replace quotation marks and dashes: `--dry-run` must stay as it is.
smartquotes = False

myst_heading_anchors = 3
myst_enable_extensions = ["colon_fence"]

html_theme = "furo"
html_title = project
templates_path = ["_templates"]
html_sidebars = {
    "**": [
        "sidebar/brand.html",
        "sidebar/search.html",
        "sidebar/scroll-start.html",
        "sidebar/navigation.html",
        "sidebar/single-page.html",
        "sidebar/scroll-end.html",
    ]
}
html_static_path = ["_static"]
html_css_files = ["docs.css"]
html_js_files = ["docs.js"]
html_show_copyright = False
html_copy_source = html_show_sourcelink = False
# With enough contrast for all readers.
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"


def exclude_decisions_from_search(app: Sphinx, env: BuildEnvironment) -> None:
    """Exclude decision records from the search: they would hide the pages that readers look for."""
    for page in env.found_docs:
        if page.startswith("decisions/"):
            env.metadata[page]["nosearch"] = "true"


def setup(app: Sphinx) -> None:
    app.connect("env-updated", exclude_decisions_from_search)
