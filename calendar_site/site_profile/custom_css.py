"""Cleaning the style sheet of the site's owner: it can change how pages look, and nothing else."""

from __future__ import annotations

from typing import Any

import tinycss2
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

MAX_LENGTH = 20_000
# Rules that load nothing.
ALLOWED_RULES = ("media", "supports", "layer", "container")
# Properties with which old browsers run scripts.
SCRIPTS = ("behavior", "-moz-binding")
# Functions that load files, which would tell another site about visitors, or run scripts in old browsers.
FORBIDDEN_FUNCTIONS = ("url", "image", "image-set", "-webkit-image-set", "src", "expression", "element", "attr")


def clean_css(text: str) -> str:
    """Return the style sheet without comments. Raises ValidationError for invalid CSS and for what loads files."""
    if len(text) > MAX_LENGTH:
        raise ValidationError(_("A style sheet can have at most %(limit)s characters.") % {"limit": MAX_LENGTH})
    rules = tinycss2.parse_stylesheet(text, skip_comments=True, skip_whitespace=True)
    _check_rules(rules)
    cleaned = tinycss2.serialize(rules)
    # It is inside of a <style> element.
    if "<" in cleaned:
        raise _refused("<", 1)
    return str(cleaned)


def _check_rules(rules: list[Any]) -> None:
    for rule in rules:
        if rule.type == "error":
            raise _invalid(rule)
        if rule.type == "at-rule":
            if rule.lower_at_keyword not in ALLOWED_RULES:
                raise _refused(f"@{rule.at_keyword}", rule.source_line)
            _check_values(rule.prelude)
            _check_rules(tinycss2.parse_blocks_contents(rule.content or [], skip_comments=True, skip_whitespace=True))
        elif rule.type == "qualified-rule":
            _check_values(rule.prelude)
            _check_rules(tinycss2.parse_blocks_contents(rule.content, skip_comments=True, skip_whitespace=True))
        elif rule.type == "declaration":
            if rule.lower_name in SCRIPTS:
                raise _refused(rule.name, rule.source_line)
            _check_values(rule.value)


def _check_values(values: list[Any]) -> None:
    for value in values:
        if value.type == "error":
            raise _invalid(value)
        if value.type == "url":
            raise _refused("url()", value.source_line)
        if value.type == "function":
            if value.lower_name in FORBIDDEN_FUNCTIONS:
                raise _refused(f"{value.name}()", value.source_line)
            _check_values(value.arguments)
        elif hasattr(value, "content") and isinstance(value.content, list):
            _check_values(value.content)


def _invalid(node: Any) -> ValidationError:
    return ValidationError(_("Line %(line)s is not valid CSS.") % {"line": node.source_line})


def _refused(what: str, line: int) -> ValidationError:
    text = _("Line %(line)s: %(what)s is not allowed. A style sheet can load no files, and run no scripts.")
    return ValidationError(text % {"line": line, "what": what})
