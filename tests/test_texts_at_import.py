"""No string is translated while modules are imported: it would stay in the language of the first request."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Imports every module and prints each text that was translated meanwhile, with the line of ours that asked for it,
# itself or by one of Django's functions for texts. What Django asks for while it makes models is not kept.
IMPORTED = """
import importlib, pathlib, sys, traceback
import django
from django.utils import translation
from django.utils.translation import trans_real

OURS = [pathlib.Path(name).resolve() for name in sys.argv[1:]]
HELPERS = pathlib.Path(translation.__file__).parent.parent

def recording(name):
    translate = getattr(trans_real, name)
    def record(*arguments):
        frames = ((pathlib.Path(frame.f_code.co_filename), line) for frame, line in traceback.walk_stack(None))
        path, line = next(place for place in frames if place[0].name != "<string>" and HELPERS not in place[0].parents)
        if any(path.is_relative_to(folder) for folder in OURS):
            print(f"{path.name}:{line}: {arguments[0]}")
        return translate(*arguments)
    return record

for name in ("gettext", "ngettext", "pgettext", "npgettext"):
    setattr(translation._trans, name, recording(name))
django.setup()
for folder in OURS:
    for path in sorted(folder.rglob("*.py")):
        name = ".".join(path.relative_to(folder.parent).with_suffix("").parts)
        importlib.import_module(name.removesuffix(".__init__"))
"""
OURS = ("calendar_site", "events", "organizers", "taxonomy", "venues")
EARLY = """\
from django.utils.translation import gettext, gettext_lazy, ngettext

LATER = gettext_lazy("Event")
OFTEN = lambda: gettext("Events")

class Kind:
    name = gettext("Venue")
    title = str(gettext_lazy("organizer"))
    several = ngettext("%d tag", "%d tags", 2)
"""


def translated_while_importing(*folders):
    script = [sys.executable, "-c", IMPORTED, *map(str, folders)]
    done = subprocess.run(script, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)  # noqa: S603
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_nothing_is_translated_at_import():
    assert translated_while_importing(*(ROOT / name for name in OURS)) == []


def test_what_is_translated_at_import_would_be_seen(tmp_path, monkeypatch):
    package = tmp_path / "early"
    package.mkdir()
    (package / "__init__.py").write_text(EARLY)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))

    seen = translated_while_importing(package)

    assert seen == ["__init__.py:7: Venue", "__init__.py:8: organizer", "__init__.py:9: %d tag"]
