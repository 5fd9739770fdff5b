"""The language that a client prefers."""

from __future__ import annotations

from django.conf import settings
from django.utils.translation.trans_real import parse_accept_lang_header


def preferred_language(accept_language: str) -> str:
    """Return the language of the site that `Accept-Language` ranks highest, or the default one if it names none.

    `de-AT` counts as German. A malformed header names none.
    """
    languages = {code for code, _name in settings.LANGUAGES}
    for tag, quality in parse_accept_lang_header(accept_language):
        language = tag.partition("-")[0]
        if quality and language in languages:
            return language
        if tag == "*":
            break
    return settings.LANGUAGE_CODE
