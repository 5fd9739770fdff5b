"""The domain's words for sets of organizers."""

from calendar_site.content.linked_querysets import LinkedQuerySet


class OrganizerQuerySet(LinkedQuerySet):
    link_field = "organizer"
