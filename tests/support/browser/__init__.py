"""Shared code of the browser tests: steps in the admin, and checks of pages."""
