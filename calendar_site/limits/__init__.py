"""Counters of requests and of wrong passwords, most of which all processes share."""
