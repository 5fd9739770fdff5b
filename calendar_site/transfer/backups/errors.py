"""Errors of backups, with a sentence for the person at the terminal."""


class BackupError(Exception):
    pass
