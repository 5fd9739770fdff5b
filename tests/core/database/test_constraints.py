"""Constraints that are validated in Python agree with the database."""

from datetime import UTC, datetime
from decimal import Decimal
from itertools import product

import pytest
from django.apps import apps
from django.core.exceptions import ValidationError
from django.db.models import Value

from calendar_site.core.database.conditions import evaluate
from calendar_site.core.database.constraints import CheckConstraint, UniqueConstraint
from events.models import Event
from tests.factories import VenueFactory
from venues.models import Venue

pytestmark = pytest.mark.django_db

CONSTRAINTS = [
    (model, constraint)
    for model in apps.get_models()
    for constraint in model._meta.constraints
    if isinstance(constraint, CheckConstraint | UniqueConstraint)
]
EARLY, LATE = datetime(2030, 1, 1, tzinfo=UTC), datetime(2030, 1, 2, tzinfo=UTC)
VALUES = {
    "BigAutoField": (1, 2),
    "CharField": ("draft", "trash", "lost"),
    "DateTimeField": (None, EARLY, LATE),
    "DecimalField": (None, Decimal(-1), Decimal(0), Decimal("0.5"), Decimal(91), Decimal(-181)),
    "FloatField": (None, -181.0, -90.0, 0.0, 0.5, 1.0, 90.5, 180.0),
    "ForeignKey": (None, 1, 2),
}


def rows_of(model, condition):
    """Every combination of values of the columns that the condition names."""
    fields = [
        model._meta.pk if name == "pk" else model._meta.get_field(name)
        for name in sorted(condition.referenced_base_fields)
    ]
    for values in product(*(VALUES[field.get_internal_type()] for field in fields)):
        yield fields, values


@pytest.mark.parametrize(("model", "constraint"), CONSTRAINTS, ids=lambda value: getattr(value, "name", None))
def test_conditions_are_evaluated_as_by_the_database(model, constraint):
    unlike = []

    for fields, values in rows_of(model, constraint.condition):
        row = model(**{field.attname: value for field, value in zip(fields, values, strict=True)})
        against = {field.name: Value(value, field) for field, value in zip(fields, values, strict=True)}
        if model._meta.pk in fields:
            against["pk"] = against[model._meta.pk.name]
        # Django lets an unknown outcome pass.
        if (evaluate(constraint.condition, row) is not False) != constraint.condition.check(against):
            unlike.append(values)

    assert unlike == []


def test_violated_check_has_its_own_message():
    event = Event(start=LATE, end=EARLY)

    with pytest.raises(ValidationError) as refusal:
        event.validate_constraints(exclude={"slug"})

    assert refusal.value.messages == ["An event cannot end before it starts."]


def test_check_of_an_excluded_field_is_left_out():
    Event(start=LATE, end=EARLY).validate_constraints(exclude={"slug", "start"})


@pytest.mark.parametrize(("status", "queries"), [("publish", 1), ("trash", 0)])
def test_unique_slug_is_asked_for_where_it_has_to_be(django_assert_num_queries, status, queries):
    with django_assert_num_queries(queries):
        Venue(title="Hall", slug="hall", status=status).validate_constraints()


def test_slug_of_another_record_is_refused():
    known = VenueFactory(title="Hall")

    known.validate_constraints()
    Venue(slug="hall", status="trash").validate_constraints()
    Venue(slug="hall").validate_constraints(exclude={"slug"})
    with pytest.raises(ValidationError) as refusal:
        Venue(slug="hall").validate_constraints()

    assert refusal.value.messages == ["This slug is already in use."]
