"""Reading the history: differences between revisions, their labels, restoring an earlier revision."""
