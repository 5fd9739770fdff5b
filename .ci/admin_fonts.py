"""The fonts of the admin: subsets of Unfold's fonts with the icons and letters in use.

`write` generates the subsets; `check` fails and names the icons that the templates, scripts and modules use, but the
subset does not contain.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import unfold
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

ROOT = Path(__file__).resolve().parent.parent
UNFOLD = Path(unfold.__file__).parent
SOURCE = UNFOLD / "static/unfold/fonts"
TARGET = ROOT / "calendar_site/static/back_office/fonts"
ICONS = "icons.woff2"
WEIGHTS = ("Regular", "Medium", "SemiBold", "Bold")
# The languages of the admin, with typography, currencies and arrows. `fonts.css` names the same ranges.
LETTERS = ((0x20, 0x7E), (0xA0, 0x17F), (0x2000, 0x206F), (0x20A0, 0x20BF), (0x2190, 0x2193), (0x2212, 0x2212))
FEATURES = ["kern", "mark", "mkmk", "ccmp", "locl", "calt", "tnum"]

# The content of an element with the class of icons, which may contain template tags.
ICON_ELEMENT = re.compile(r"material-symbols-outlined[^>]*>(.*?)</", re.DOTALL)
ICON_IN_STYLE = re.compile(r"""content:\s*["']([a-z0-9_]+)["']""")
ICON_ARGUMENT = re.compile(r"""icon(?:=|:\s*)["']([a-z0-9_]+)["']""")
WORD = re.compile(r"[a-z0-9_]+")
QUOTED = re.compile(r"""["']([a-z0-9_]+)["']""")
# Directories whose templates the pages of the admin use.
TEMPLATES = (ROOT / "templates", UNFOLD / "templates")
STYLES = (ROOT / "calendar_site/static/back_office", UNFOLD / "static/unfold/css")
CODE = ("calendar_site", "events", "venues", "organizers", "taxonomy")


def main() -> int:
    if sys.argv[1:] == ["write"]:
        write()
        return 0
    if sys.argv[1:] != ["check"]:
        sys.exit(__doc__)
    missing = sorted(used_icons() - ligatures(TTFont(TARGET / ICONS)))
    if missing:
        print(f"{TARGET / ICONS} does not contain: {', '.join(missing)}. Run: make admin-fonts", file=sys.stderr)
    return 1 if missing else 0


def write() -> None:
    TARGET.mkdir(exist_ok=True)
    names = sorted(used_icons())
    # The letters of the names, which the ligatures replace.
    letters = set(map(ord, "".join(names)))
    _subset(SOURCE / "material-symbols/Material-Symbols-Outlined.woff2", TARGET / ICONS, letters, names)
    for weight in WEIGHTS:
        codes = {code for first, last in LETTERS for code in range(first, last + 1)}
        _subset(SOURCE / f"inter/Inter-{weight}.woff2", TARGET / f"inter-{weight.lower()}.woff2", codes)


def _subset(source: Path, target: Path, codes: set[int], icons: list[str] | None = None) -> None:
    # The time of the change would differ with each run.
    font = TTFont(source, recalcTimestamp=False)
    options = Options()
    options.flavor = "woff2"
    options.hinting = False
    options.drop_tables += ["FFTM"]
    options.name_IDs = [0, 1, 2, 13, 14]
    # Ligatures of icons would otherwise add all icons that letters can spell.
    options.layout_closure = icons is None
    options.layout_features = ["*"] if icons else FEATURES
    subsetter = Subsetter(options)
    glyphs = [glyph for name, glyph in _ligature_glyphs(font) if name in icons] if icons else []
    subsetter.populate(unicodes=codes, glyphs=glyphs)
    subsetter.subset(font)
    font.flavor = "woff2"
    font.save(target)


def used_icons() -> set[str]:
    """Return the icons that pages may show.

    In modules and scripts every quoted word counts that is the name of an icon, so that none is missing.
    """
    available = ligatures(TTFont(SOURCE / "material-symbols/Material-Symbols-Outlined.woff2"))
    return {word for word in _words() if word in available}


def _words() -> Iterator[str]:
    for folder in TEMPLATES:
        for file in folder.rglob("*.html"):
            text = file.read_text()
            for content in ICON_ELEMENT.findall(text):
                yield from WORD.findall(content)
            yield from ICON_ARGUMENT.findall(text)
    for folder in STYLES:
        for file in folder.rglob("*.css"):
            yield from ICON_IN_STYLE.findall(file.read_text())
    files = [ROOT / "calendar_site/settings.py", *(ROOT / "calendar_site/static/back_office").glob("*.js")]
    for package in CODE:
        files += [file for file in (ROOT / package).rglob("*.py") if _may_name_icons(file)]
    for file in files:
        text = file.read_text()
        yield from QUOTED.findall(text)
        for content in ICON_ELEMENT.findall(text):
            yield from WORD.findall(content)


def _may_name_icons(file: Path) -> bool:
    folders = set(file.relative_to(ROOT).parts)
    return file.name == "apps.py" or bool({"back_office", "admin", "accounts"} & folders) or "admin" in file.stem


def ligatures(font: TTFont) -> set[str]:
    """Return the names that the font replaces with icons."""
    return {name for name, _glyph in _ligature_glyphs(font)}


def _ligature_glyphs(font: TTFont) -> Iterator[tuple[str, str]]:
    letters = {glyph: chr(code) for code, glyph in font.getBestCmap().items()}
    for lookup in font["GSUB"].table.LookupList.Lookup:
        for subtable in lookup.SubTable:
            for first, rest in getattr(getattr(subtable, "ExtSubTable", subtable), "ligatures", {}).items():
                for ligature in rest:
                    yield "".join(letters.get(part, "") for part in (first, *ligature.Component)), ligature.LigGlyph


if __name__ == "__main__":
    sys.exit(main())
