"""The names of countries, by which venues without coordinates get their time zone.

`write` generates `venues/country_names.json` from the Common Locale Data Repository, as Babel contains it: the names of
each country in the languages of the admin and in its own. `check` fails if the file differs.
"""

import json
import sys
from pathlib import Path

from babel import Locale, UnknownLocaleError
from babel.languages import get_official_languages

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "venues/country_names.json"
# Of the admin; Portuguese has two spellings of some names.
LANGUAGES = ("en", "de", "fr", "es", "it", "nl", "pt", "pt_PT", "pl")
# The parts of the repository that are no countries.
NO_COUNTRIES = {"EU", "EZ", "UN", "XA", "XB", "ZZ"}


def main() -> int:
    if sys.argv[1:] == ["write"]:
        TARGET.write_text(generate())
        return 0
    if sys.argv[1:] != ["check"]:
        sys.exit(__doc__)
    if TARGET.read_text() != generate():
        print(f"{TARGET} is out of date. Run: make country-names", file=sys.stderr)
        return 1
    return 0


def generate() -> str:
    """Return the JSON document: lists of names by the codes of countries."""
    codes = sorted(code for code in Locale("en").territories if len(code) == 2 and code not in NO_COUNTRIES)
    lines = [f"{json.dumps(code)}: {json.dumps(names_of(code), ensure_ascii=False)}" for code in codes]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def names_of(code: str) -> list[str]:
    """Return the names of a country, without duplicates, in the order of the languages."""
    names = {}
    for language in (*LANGUAGES, *sorted(get_official_languages(code, de_facto=True))):
        try:
            name = Locale.parse(language).territories.get(code)
        except UnknownLocaleError:
            continue
        if name:
            names[name] = None
    return list(names)


if __name__ == "__main__":
    sys.exit(main())
