"""Queries that are compiled once and run many times, and the statements that insert rows."""
