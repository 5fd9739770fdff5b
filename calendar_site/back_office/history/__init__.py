"""Admin pages that show and restore the history of records."""
