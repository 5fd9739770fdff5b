"""The records that an event links to, as far as the user may see them."""

from django.db.models import Prefetch

from calendar_site.content.querysets import visible_q
from taxonomy.models import Category

# As many colours there are for categories.
HUES = 8


def seen_links(link, column, user):
    """The links to records that the user may see, as `seen_venues` or `seen_organizers` of the event."""
    model = link._meta.get_field(column).related_model
    links = link.objects.filter(visible_q(user, model, f"{column}__")).select_related(column)
    return Prefetch(f"event{column}_set", links, f"seen_{column}s")


def named_categories():
    """The categories of an event by name, the first of which gives it its colour."""
    return Prefetch("categories", Category.objects.only("name").order_by("name_key", "pk"))


def hue_of(category):
    return category.pk % HUES
