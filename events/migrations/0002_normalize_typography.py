from django.db import migrations

# As in `normalize_for_search` when this migration was written.
TYPOGRAPHY = str.maketrans(
    dict.fromkeys("‘’‚‛′ʹʼ´`", "'") | dict.fromkeys("“”„‟″«»", '"') | dict.fromkeys("‐‑‒–—―−", "-")
)
MARKS = "[" + "".join(map(chr, TYPOGRAPHY)) + "]"
SEARCHED = (
    ("events", "Event"),
    ("venues", "Venue"),
    ("organizers", "Organizer"),
    ("taxonomy", "Category"),
    ("taxonomy", "Tag"),
    ("media", "Image"),
)


def normalize(apps, schema_editor):
    """Write search texts with ASCII quotes and dashes, as searches expect them now."""
    for app, name in SEARCHED:
        rows = apps.get_model(app, name).objects.filter(search_text__regex=MARKS)
        for pk, text in rows.values_list("pk", "search_text").iterator():
            rows.model.objects.filter(pk=pk).update(search_text=text.translate(TYPOGRAPHY))


class Migration(migrations.Migration):
    dependencies = [
        ("events", "0001_initial"),
        ("venues", "0001_initial"),
        ("organizers", "0001_initial"),
        ("taxonomy", "0002_category_cycles"),
        ("media", "0001_initial"),
    ]

    operations = [migrations.RunPython(normalize, migrations.RunPython.noop, elidable=True)]
