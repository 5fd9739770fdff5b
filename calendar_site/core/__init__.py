"""The foundation: dates, slugs, text, HTML, permissions, HTTP client, write lock. Imports no upper package."""
