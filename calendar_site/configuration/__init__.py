"""Reading settings from environment variables, with an error for each invalid value."""
