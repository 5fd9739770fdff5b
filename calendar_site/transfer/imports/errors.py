"""The errors of imports."""

from __future__ import annotations


class SourceError(Exception):
    """A source cannot be read as a whole. The message is for people. Nothing was changed."""


class NotModified(Exception):
    """The source has not changed since it was read last."""
