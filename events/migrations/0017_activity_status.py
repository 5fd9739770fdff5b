from datetime import UTC, datetime

from django.db import migrations, models

# A placeholder. `migrate` rebuilds the rows at its end, because their triggers have changed.
PUBLISHED_AT = datetime(1970, 1, 1, tzinfo=UTC)


class Migration(migrations.Migration):
    dependencies = [("events", "0016_tallies_of_links")]

    operations = [
        migrations.AddField(
            model_name="organizeractivity",
            name="published_at",
            field=models.DateTimeField(db_default=PUBLISHED_AT),
        ),
        migrations.AddField(
            model_name="organizeractivity",
            name="status",
            field=models.CharField(db_default="", max_length=10),
        ),
        migrations.AddField(
            model_name="venueactivity",
            name="published_at",
            field=models.DateTimeField(db_default=PUBLISHED_AT),
        ),
        migrations.AddField(
            model_name="venueactivity",
            name="status",
            field=models.CharField(db_default="", max_length=10),
        ),
        migrations.AddIndex(
            model_name="organizeractivity",
            index=models.Index(fields=["status", "last_end", "published_at"], name="organizeractivity_upcoming"),
        ),
        migrations.AddIndex(
            model_name="venueactivity",
            index=models.Index(fields=["status", "last_end", "published_at"], name="venueactivity_upcoming"),
        ),
    ]
