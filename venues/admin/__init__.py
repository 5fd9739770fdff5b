"""Venues in the admin."""

from venues.admin.venue_admin import VenueAdmin

__all__ = ["VenueAdmin"]
