"""Search: the grammar of queries, full-text search, its index, and distances."""
