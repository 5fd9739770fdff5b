"""Sphinx configuration of the documentation: `make docs`."""

import os
import sys
import tomllib
from pathlib import Path

import django

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
# Tables are generated from the code.
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "calendar_site.settings")
django.setup()

project = "Event calendar"
version = release = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]

extensions = ["myst_parser", "docs._sphinx.tables", "docs._sphinx.examples"]
source_suffix = {".md": "markdown"}
# For developers, who read them in the repository.
REPOSITORY_ONLY = [
    "decisions/**",
    "contributing.md",
    "architecture.md",
    "lists.md",
    "speed.md",
    "security-tests.md",
]
exclude_patterns = ["_*", "glossary.md", *REPOSITORY_ONLY]
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
