"""Data that is derived from events and the records they link to; one module for each kind."""
