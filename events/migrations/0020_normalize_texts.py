import re
import unicodedata

from django.db import migrations

# As in `normalize_for_search()` and `name_key()` when this migration was written.
POINTS = (
    "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"
    "\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u08d3-\u08e1\u08e3-\u08ff"
    "\u0711\u0730-\u074a"
)
MARKS = f"\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f{POINTS}"
INVISIBLE = (
    "\u00ad\u034f\u061c\u0640\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff"
)
ARABIC_LETTERS = str.maketrans("یىکةہھ", "ييكههه")
# What search texts contain that is normalized in another way now.
AFFECTED = f"[{INVISIBLE}\u0590-\u074f\u08a0-\u08ff\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]"
SEARCHED = (
    ("events", "Event"),
    ("venues", "Venue"),
    ("organizers", "Organizer"),
    ("taxonomy", "Category"),
    ("taxonomy", "Tag"),
    ("media", "Image"),
)
NAMED = (("venues", "Venue", "title"), ("organizers", "Organizer", "title"), ("taxonomy", "Category", "name"),
         ("taxonomy", "Tag", "name"))  # fmt: skip


def searchable(text):
    decomposed = unicodedata.normalize("NFKD", re.sub(f"[{INVISIBLE}]+", "", text))
    return unicodedata.normalize("NFC", re.sub(f"[{MARKS}{INVISIBLE}]+", "", decomposed).translate(ARABIC_LETTERS))


def key_of(name, length):
    composed = unicodedata.normalize("NFC", name.casefold())
    visible = unicodedata.normalize("NFC", re.sub(f"[{POINTS}{INVISIBLE}]+", "", composed))
    return " ".join(visible.casefold().split())[:length]


def normalize(apps, schema_editor):
    """Write search texts and keys of names as searches and comparisons expect them now (D45)."""
    for app, name in SEARCHED:
        rows = apps.get_model(app, name).objects.filter(search_text__regex=AFFECTED)
        for pk, text in rows.values_list("pk", "search_text").iterator():
            rows.model.objects.filter(pk=pk).update(search_text=searchable(text))
    for app, model, column in NAMED:
        rows = apps.get_model(app, model).objects.filter(**{f"{column}__regex": "[^\x01-\x7f]"})
        length = rows.model._meta.get_field("name_key").max_length
        for pk, name, known in rows.values_list("pk", column, "name_key").iterator():
            if (key := key_of(name, length)) != known:
                rows.model.objects.filter(pk=pk).update(name_key=key)


class Migration(migrations.Migration):
    dependencies = [
        ("events", "0019_long_event_end"),
        ("venues", "0007_places"),
        ("organizers", "0004_growth"),
        ("taxonomy", "0004_category_color"),
        ("media", "0006_embedded_images"),
    ]

    operations = [migrations.RunPython(normalize, migrations.RunPython.noop, elidable=True)]
