"""Each column of events is in every place that the recipe in docs/contributing.md names, or is known not to be.

A new field that was forgotten somewhere is listed with the place.
"""

from django.contrib.admin.utils import flatten_fieldsets

from events.admin.event_admin import EventAdmin
from events.admin.forms import EventForm
from events.changes import EventChanges
from events.models import Event
from events.serializers import EventSerializer

# Computed from others, or set by the service: nobody enters them.
COMPUTED = {
    "id", "author", "created_at", "modified_at", "search_text", "start_local", "end_local", "is_long", "cost_symbol",
    "cost_position", "cost_values", "uid", "preview_version", "series", "series_occurrence",
}  # fmt: skip
FORM_FIELDS = {EventForm.model_names.get(name, name) for name in flatten_fieldsets(EventAdmin.fieldsets) if name != ""}
# In the API under other names, by the contract.
API_NAMES = {
    "published_at": "date", "start": "start_date", "end": "end_date", "time_zone": "timezone",
    "custom_values": "custom_fields", "parent": "post_parent", "password": "post_password",
    "previous_start": "previous_start_date",
}  # fmt: skip
PLACES = {
    "EventChanges in events/changes.py": (set(EventChanges.__annotations__), set()),
    "fieldsets of EventAdmin": (FORM_FIELDS, {"custom_values"}),
    # It records only whether there is a password.
    "the history of events": ({field.name for field in Event.history.model._meta.concrete_fields}, {"password"}),
    "EventSerializer": (set(EventSerializer().fields), set()),
}


def test_no_place_lacks_a_column():
    columns = {field.name for field in Event._meta.concrete_fields} - COMPUTED

    missing = {
        place: sorted(name for name in columns - exempt if not {name, API_NAMES.get(name)} & known)
        for place, (known, exempt) in PLACES.items()
    }

    assert missing == {place: [] for place in PLACES}


def test_exemptions_are_columns():
    columns = {field.name for field in Event._meta.concrete_fields}

    assert columns >= COMPUTED | set(API_NAMES)
    assert all(columns >= exempt for _known, exempt in PLACES.values())
