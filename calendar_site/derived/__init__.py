"""Derived data: values that are stored to make reads fast, and that can be computed from other rows at any time.

An app registers its `DerivedData` when it starts. Triggers in the database keep it up to date, whatever changes the
rows: the API, the admin, commands, bulk updates or SQL. This package installs the triggers and rebuilds the data.
"""
