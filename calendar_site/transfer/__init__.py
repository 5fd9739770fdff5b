"""The content of a calendar as a whole: backups, exports, and imports from elsewhere."""
