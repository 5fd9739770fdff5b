"""The countries that people name in addresses, by their ISO 3166 codes."""

from __future__ import annotations

import json
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

from calendar_site.core.text.plain_text import normalize_for_search

# In the languages of the admin, and in those of the country (`make country-names`).
NAMES_FILE = Path(__file__).with_name("country_names.json")
# Other names in use, which `country_names.json` does not contain.
OTHER_NAMES = {
    "AE": "UAE, Emirates",
    "AL": "Shqipëria",
    "AT": "Oesterreich",
    "BA": "Bosnia and Herzegovina, Bosnia, Bosnien",
    "BY": "Weißrussland, Wit-Rusland",
    "CH": "Svizra",
    "CI": "Ivory Coast, Elfenbeinküste",
    "CZ": "Czech Republic, Tschechische Republik, República Checa, République tchèque, Repubblica Ceca, "
    "Česká republika",
    "DE": "Federal Republic of Germany, Bundesrepublik Deutschland, BRD",
    "GB": "UK, Great Britain, Britain, England, Scotland, Wales, Northern Ireland, Großbritannien, Schottland, Gran "
    "Bretaña, Inglaterra, Escocia, Grande-Bretagne, Angleterre, Écosse, Gran Bretagna, Inghilterra, Scozia, "
    "Groot-Brittannië, Engeland, Schotland, Zjednoczone Królestwo, Anglia, Szkocja, Grã-Bretanha",
    "GR": "Hellas",
    "IE": "Republic of Ireland",
    "IN": "Bharat",
    "LI": "Fürstentum Liechtenstein",
    "MD": "Moldau",
    "NL": "The Netherlands, Holland, Holanda, Olanda, Niderlandy",
    "TR": "Turkey",
    "VA": "Holy See, Vatikan, Vaticano, Vatican",
}


def country_key(name: str) -> str:
    """Return the letters of a country's name without case and accents, by which spellings are compared."""
    return "".join(filter(str.isalpha, normalize_for_search(name)))


def country_code(name: str) -> str:
    """Return the ISO 3166 code of the country with this code or name; "" if the name is unknown."""
    return _codes().get(country_key(name), "")


@lru_cache(maxsize=1)
def _codes() -> dict[str, str]:
    """Return codes by the keys of the countries' codes and names."""
    codes = {country_key(name): code for code, name in read_zone_table("iso3166.tab")}
    for code, names in json.loads(NAMES_FILE.read_text(encoding="utf-8")).items():
        codes |= {country_key(name): code for name in (code, *names)}
    for code, text in OTHER_NAMES.items():
        codes |= {country_key(name): code for name in text.split(", ")}
    return codes


def read_zone_table(name: str) -> list[list[str]]:
    """Return the columns of the lines of a table of the zone database, such as `zone.tab`."""
    text = files("tzdata").joinpath("zoneinfo", name).read_text(encoding="utf-8")
    return [line.split("\t") for line in text.splitlines() if not line.startswith("#")]
