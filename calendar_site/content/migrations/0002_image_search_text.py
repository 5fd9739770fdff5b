from typing import Any

from django.db import migrations, models

from calendar_site.content.text import fold


def fill(apps: Any, schema_editor: Any) -> None:
    Image = apps.get_model("content", "Image")
    for image in Image.objects.iterator(chunk_size=500):
        # Without a new moment of change: nobody wrote it.
        text = "\n".join(map(fold, (image.name, image.alt, image.credit)))
        Image.objects.filter(pk=image.pk).update(search_text=text)


class Migration(migrations.Migration):
    dependencies = [("content", "0001_initial")]

    operations = [
        migrations.AddField("image", "search_text", models.TextField(blank=True, editable=False)),
        migrations.RunPython(fill, migrations.RunPython.noop, elidable=True),
    ]
