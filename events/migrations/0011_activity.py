from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("events", "0010_series")]

    operations = [
        migrations.RemoveField("organizeractivity", "published_events"),
        migrations.RemoveField("venueactivity", "published_events"),
    ]
