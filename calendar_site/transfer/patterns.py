"""Patterns of titles that an import skips: words with `*`, never regular expressions, which may take forever."""

from __future__ import annotations

import re

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

MAX_STARS = 5


def validate_pattern(text: str) -> None:
    """Raise ValidationError for a pattern that matches everything, or that is expensive to match."""
    for part in _parts(text):
        if not part.strip("* ") or part.count("*") > MAX_STARS:
            raise ValidationError(_("Enter words to look for, with at most five “*” in each."))


def matches(pattern: str, title: str) -> bool:
    """Return whether a part of the pattern is in the title, in any case."""
    return any(_compile(part).search(title) for part in _parts(pattern))


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _compile(part: str) -> re.Pattern[str]:
    return re.compile(".*?".join(map(re.escape, part.strip("*").split("*"))), re.IGNORECASE)
