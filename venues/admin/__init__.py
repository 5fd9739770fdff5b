"""Venues in the admin."""

from venues.admin.venues import VenueAdmin

__all__ = ["VenueAdmin"]
