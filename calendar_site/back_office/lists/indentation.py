"""Removing the indentation of templates from pages with many rows."""

from __future__ import annotations

import re

from django.template.response import TemplateResponse

BETWEEN_TAGS = re.compile(rb">\s{2,}<")


def remove_indentation(response: TemplateResponse) -> None:
    """Replace the indentation between tags, a tenth of a list, by line breaks.

    One character stays, because it separates elements of a line.
    """
    response.content = BETWEEN_TAGS.sub(b">\n<", response.content)
