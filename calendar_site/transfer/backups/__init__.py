"""Backups of the database and of the images in one file, which can be checked and restored (decision 0091)."""
