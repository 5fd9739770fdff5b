"""Tests that break what the service depends on: `make fault-test`."""
