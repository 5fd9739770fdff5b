"""Why content cannot be exported or imported, as a sentence for the person at the terminal."""


class ExportError(Exception):
    pass
