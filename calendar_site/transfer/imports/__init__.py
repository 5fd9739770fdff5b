"""The engine of imports: it matches the records of a source, saves them, remembers where they came from, and undoes."""
