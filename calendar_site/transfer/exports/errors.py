"""Errors of exports and imports, with a sentence for the person at the terminal."""


class ExportError(Exception):
    pass
