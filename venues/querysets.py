"""Querysets of venues."""

from calendar_site.content.linked_querysets import LinkedQuerySet


class VenueQuerySet(LinkedQuerySet):
    link_field = "venue"
