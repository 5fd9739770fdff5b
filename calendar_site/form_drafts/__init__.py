"""Drafts of admin forms: unsaved input, which is stored so that its user can restore it."""
