"""Responses to writes with an `Idempotency-Key`, which are stored to be replayed to a client that repeats the write."""
