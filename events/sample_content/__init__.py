"""Sample content to explore: the calendar of Port Ellery, a fictional city. Loading and removing it."""
