"""The towns that visitors choose events near: those with public venues whose coordinates are known."""

from __future__ import annotations

from typing import NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.db.models import Avg, Count
from django.utils.translation import gettext as _

from events.filtersets import DEFAULT_RADIUS
from events.public_filters import parse_place
from venues.models import Venue

# Towns with the most venues. Others are near one of them, or visitors use their position.
MAX_TOWNS = 100
# So many venues are grouped, the newest.
MAX_VENUES = 5000


class Town(NamedTuple):
    """A town with venues. `near` is the middle of the venues as the parameter `near`, to about a kilometer."""

    name: str
    near: str


def load_towns() -> list[Town]:
    """Return the towns by name. One query."""
    located = Venue.objects.visible_to(AnonymousUser()).exclude(city="").filter(geo_lat__isnull=False)
    newest = located.order_by("-pk").values("pk")[:MAX_VENUES]
    rows = (
        Venue.objects.filter(pk__in=newest)
        .order_by()
        .values("city", "province", "state", "state_province", "country")
        .annotate(latitude=Avg("geo_lat"), longitude=Avg("geo_lng"), venues=Count("pk"))
        .order_by("-venues", "city")[:MAX_TOWNS]
    )
    towns = [Town(row["city"], f"{row['latitude']:.2f},{row['longitude']:.2f}") for row in rows]
    return sorted(towns, key=lambda town: town.name.casefold())


def format_near(near: str, towns: list[Town]) -> str:
    """Return the label of the filter `near`. Raises InvalidFilter."""
    names = {town.near: town.name for town in towns}
    values = {"distance": DEFAULT_RADIUS, "place": names.get(near, ", ".join(parse_place(near)))}
    return _("Within %(distance)d km of %(place)s") % values
