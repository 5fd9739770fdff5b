"""The pages on which visitors submit events and report mistakes."""
