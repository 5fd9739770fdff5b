"""The admin of records with a status: events, venues and organizers."""
