"""Why a backup cannot be made, checked or restored, as a sentence for the person at the terminal."""


class BackupError(Exception):
    pass
