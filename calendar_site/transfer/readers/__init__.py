"""The readers of sources: each yields the records of one format."""
