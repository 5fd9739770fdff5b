"""Admin pages for reviewing submissions."""
