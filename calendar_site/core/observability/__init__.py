"""Observability: logs, metrics, and reports of errors."""
