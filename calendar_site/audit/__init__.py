"""Recording who changed what, when and through which channel: a table of revisions beside each tracked model."""
