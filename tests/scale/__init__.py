"""Tests of the service on several machines: `make scale-test`."""
