"""How the documents become pages: `make docs`."""

import os
import sys
import tomllib
from pathlib import Path

import django

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
# Tables are read off the code.
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "calendar_site.settings")
django.setup()

project = "Event calendar"
version = release = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]

extensions = ["myst_parser", "docs._sphinx.tables", "docs._sphinx.examples"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_*"]
nitpicky = True
# What is quoted is quoted as it stands: `--dry-run` has no dash in it.
smartquotes = False

myst_heading_anchors = 3
myst_enable_extensions = ["colon_fence"]

html_theme = "furo"
html_title = project
html_static_path = ["_static"]
html_css_files = ["docs.css"]
html_js_files = ["docs.js"]
html_show_copyright = False
html_copy_source = html_show_sourcelink = False
pygments_style = "friendly"
pygments_dark_style = "monokai"
