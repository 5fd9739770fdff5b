"""What monitoring systems ask the service: whether it works, and its metrics."""
