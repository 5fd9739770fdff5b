"""S17 and S18: no accepted request takes more than 2 s of CPU time or 200 MB of memory, or is answered with over 10 MB.

`benchmarks/worst_requests.py` sends the requests, and converts their CPU time to that of a processor of fixed speed.
Here, every write field of every endpoint has a row with its limit, so a field without one fails.
"""

import os
import subprocess
import sys

import pytest
from django.db import models

from calendar_site.content.models import Content
from calendar_site.core.fields import HTMLField
from events.models import Event, Ticket
from events.serializers import EventSerializer, TicketSerializer
from organizers.models import Organizer
from organizers.serializers import OrganizerSerializer
from taxonomy.models import Category, Tag
from taxonomy.serializers import CategorySerializer, TagSerializer
from tests.support.api_client import API, invalid_params
from tests.support.api_writes import event_data
from tests.support.databases import copy_database, temporary_database
from tests.support.preparation import migrated_database
from tests.support.programs import ROOT
from venues.models import Venue
from venues.serializers import VenueSerializer

CONTENT_SERIALIZERS = (EventSerializer, TicketSerializer, VenueSerializer, OrganizerSerializer)
SERIALIZERS = (*CONTENT_SERIALIZERS, CategorySerializer, TagSerializer)
MODELS = (Event, Ticket, Venue, Organizer, Category, Tag)

# A value beyond the limit of each write field, by its class: too long, too many, or too large.
TOO_MUCH = {
    "TextField": "x" * 10_000,
    "MarkupField": "x" * 64_001,
    "SlugField": "x" * 1001,
    "URLField": "http://x.example/" + "y" * 10_000,
    "WebsiteField": "http://x.example/" + "y" * 10_000,
    "PasswordField": "x" * 10_000,
    "BooleanField": "true" * 10_000,
    "UserField": 10**30,
    "ParentEventField": 10**30,
    "ParentCategoryField": 10**30,
    "StatusField": "publish" * 10_000,
    "DateTimeField": "next " * 10_000,
    "UTCDateTimeField": "next " * 10_000,
    "EventDateTimeField": "next " * 10_000,
    "TicketDateTimeField": "next " * 10_000,
    "ZoneNameField": "UTC+" * 10_000,
    "NumberField": 10**300,
    "PriceField": "9" * 10_000,
    "CurrencyField": "EUR" * 10_000,
    "CostField": "1" * 10_000,
    "ChoiceField": "x" * 10_000,
    "AccessibilityInput": ["x"] * 1000,
    "ImageField": {"id": "9" * 10_000},
    "CustomFieldsField": {str(number): "x" for number in range(1000)},
    "TermsField": [{"name": f"x{number}"} for number in range(1000)],
    "LinkedContentField": [{"venue": f"x{number}", "organizer": f"x{number}"} for number in range(1000)],
    "TicketsField": [{"name": "x", "price": 1, "currency": "EUR"}] * 1000,
}
# Fields that accept any text, because they only compare it, and store none of it.
COMPARED = {"SwitchField"}
# Text columns without a length of their own.
UNLIMITED_COLUMNS = {
    "description": "Content.MAX_DESCRIPTION_LENGTH and MAX_HTML_LENGTH",
    "excerpt": "Content.MAX_EXCERPT_LENGTH and MAX_HTML_LENGTH",
    "search_text": "MAX_SEARCH_TEXT_LENGTH for each searched field",
}


def fields_of(serializer_class):
    return {name: type(field).__name__ for name, field in serializer_class().fields.items()}


@pytest.mark.parametrize("serializer_class", SERIALIZERS, ids=lambda one: one.__name__)
def test_every_write_field_has_a_value_beyond_its_limit(serializer_class):
    kinds = set(fields_of(serializer_class).values())

    assert kinds - COMPARED <= set(TOO_MUCH)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("collection", "serializer_class", "required"),
    [
        ("events", EventSerializer, event_data()),
        ("venues", VenueSerializer, {"venue": "Hall"}),
        ("organizers", OrganizerSerializer, {"organizer": "Club"}),
        ("categories", CategorySerializer, {"name": "Music"}),
        ("tags", TagSerializer, {"name": "Jazz"}),
    ],
)
def test_value_beyond_the_limit_of_any_field_is_refused(editor_api, collection, serializer_class, required):
    for name, kind in fields_of(serializer_class).items():
        if kind not in COMPARED:
            response = editor_api.post(f"{API}/{collection}", {**required, name: TOO_MUCH[kind]})

            assert name in invalid_params(response), name
            assert len(response.content) < 300_000, name


@pytest.mark.django_db
def test_value_beyond_the_limit_of_any_field_of_a_ticket_is_refused(editor_api):
    ticket = {"name": "Adult", "price": 10, "currency": "EUR"}
    for name, kind in fields_of(TicketSerializer).items():
        body = event_data(tickets=[{**ticket, name: TOO_MUCH[kind]}])

        assert f"tickets[0].{name}" in invalid_params(editor_api.post(f"{API}/events", body)), name


def test_every_text_column_has_a_limit():
    unlimited = {
        field.name
        for model in MODELS
        for field in model._meta.concrete_fields
        if isinstance(field, models.CharField | models.TextField) and field.max_length is None
    }

    assert unlimited == set(UNLIMITED_COLUMNS)
    assert {field.name for field in Event._meta.fields if isinstance(field, HTMLField)} == {"description", "excerpt"}
    assert Content.MAX_DESCRIPTION_LENGTH == 64_000


def test_worst_requests_stay_within_their_limits(tmp_path, shared_folder):
    url = os.environ.get("DATABASE_URL", "")
    with temporary_database(url, "worst", tmp_path) as database:
        copy_database(migrated_database(url, shared_folder), database)
        done = subprocess.run(
            [sys.executable, "benchmarks/worst_requests.py"],
            cwd=ROOT,
            env={**os.environ, "DATABASE_URL": database, "DATA_DIR": str(tmp_path)},
            capture_output=True,
            text=True,
            check=False,
        )

    assert done.returncode == 0, f"{done.stdout}\n{done.stderr[-3000:]}"
