from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("events", "0009_event_status")]

    operations = [
        migrations.RemoveField("organizeractivity", "published_events"),
        migrations.RemoveField("venueactivity", "published_events"),
    ]
