"""Date formats of languages, which Django uses for dates that it formats itself."""
