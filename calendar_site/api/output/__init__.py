"""Responses: the records of rows, the keys that a request selects, and their JSON."""
