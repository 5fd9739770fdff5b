"""Responses: loading relations, representing rows, selecting keys, and encoding JSON, also of long lists."""
