"""Reading the history: differences between states, their labels, restoring an earlier state."""
