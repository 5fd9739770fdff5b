"""The database: its driver, settings and faults, constraints, conditions evaluated in Python, and the write lock."""
