"""The content of a calendar as a whole: backups."""
