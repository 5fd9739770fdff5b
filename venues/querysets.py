"""The domain's words for sets of venues."""

from calendar_site.content.linked import LinkedQuerySet


class VenueQuerySet(LinkedQuerySet):
    link_field = "venue"
