from django.db import migrations
from django.db.models import Count, OuterRef, Subquery
from django.db.models.functions import Coalesce


def count_events(apps, schema_editor):
    """Count only the events that anonymous visitors find by a category or tag."""
    event = apps.get_model("events", "Event")
    for name in ("category", "tag"):
        field = {"category": "categories", "tag": "tags"}[name]
        links = event._meta.get_field(field).remote_field.through.objects.filter(
            event__status="publish",
            event__password="",
            event__hide_from_listings=False,
            **{name: OuterRef("pk")},
        )
        counts = links.order_by().values(name).annotate(count=Count("pk")).values("count")
        terms = apps.get_model("taxonomy", name).objects
        terms.update(event_count=Coalesce(Subquery(counts), 0))


class Migration(migrations.Migration):
    dependencies = [("events", "0002_normalize_typography")]

    operations = [migrations.RunPython(count_events, migrations.RunPython.noop, elidable=True)]
