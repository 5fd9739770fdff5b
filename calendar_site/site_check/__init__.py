"""A check of everything that the service needs, and finding duplicates: for the person who runs it."""
