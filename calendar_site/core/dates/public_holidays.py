"""Public holidays of the country of the site, for warnings: nothing depends on them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from functools import lru_cache
from importlib import import_module
from typing import Any

from django.conf import settings
from django.utils.translation import get_language

# Each year is computed when it is first asked for.
MAX_YEARS = 15


def validate_country(code: str) -> str:
    """Return the code of a country in upper case. Raises ValueError if its holidays are unknown."""
    country = code.upper()
    if country not in _library().list_supported_countries():
        raise ValueError
    return country


def validate_subdivision(country: str, code: str) -> str:
    """Return the code of a part of the country. Raises ValueError with the codes if it is unknown."""
    known = _library().list_supported_countries().get(country, [])
    if code not in known:
        raise ValueError(f"Those of {country} are: {', '.join(known)}." if known else "Set HOLIDAYS_COUNTRY as well.")
    return code


def find_holidays(days: Iterable[date]) -> dict[date, str]:
    """Return the names of the public holidays among the days, in the language of the user if the library has them.

    Empty if the setting HOLIDAYS_COUNTRY is. Later years than the first `MAX_YEARS` are left out.
    """
    if not settings.HOLIDAYS_COUNTRY:
        return {}
    wanted = sorted(set(days))
    years = sorted({day.year for day in wanted})[:MAX_YEARS]
    country, subdivision = settings.HOLIDAYS_COUNTRY, settings.HOLIDAYS_SUBDIVISION
    names: dict[date, str] = {}
    for year in years:
        names |= _holidays_of_year(country, subdivision, year, get_language() or "en")
    return {day: names[day] for day in wanted if day in names}


@lru_cache(maxsize=128)
def _holidays_of_year(country: str, subdivision: str, year: int, language: str) -> dict[date, str]:
    options: dict[str, Any] = {"subdiv": subdivision or None, "years": year}
    holidays = _library().country_holidays(country, **options)
    translated = next((code for code in holidays.supported_languages if code.startswith(language)), None)
    if translated:
        holidays = _library().country_holidays(country, language=translated, **options)
    return dict(holidays)


def _library() -> Any:
    # Imported when it is needed: most sites do not set a country, and the import takes a quarter of a second.
    return import_module("holidays")
