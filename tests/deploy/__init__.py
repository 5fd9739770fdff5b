"""Tests of the files in `deploy/`, as far as the programs that read them are installed."""
