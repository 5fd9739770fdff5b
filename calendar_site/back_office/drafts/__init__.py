"""Drafts of forms: storing them while a form is filled in, offering them when it is opened, and restoring them."""
