"""Sample content: the calendar of Port Ellery, a city that does not exist, to look around in."""
