"""The abstract Content model of events, venues and organizers: status, author, slug and dates, and its services."""
