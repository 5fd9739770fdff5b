"""Querysets of organizers."""

from calendar_site.content.linked_querysets import LinkedQuerySet


class OrganizerQuerySet(LinkedQuerySet):
    link_field = "organizer"
