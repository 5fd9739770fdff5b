"""The models whose records have values of custom fields: each app registers its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django.db.models import Model

    from calendar_site.custom_fields.models import CustomField

_models: dict[str, type[Model]] = {}


def register_resource(resource: str, model: type[Model]) -> None:
    """Let custom fields be declared for the model. `resource` is one of `CustomField.Resource`."""
    _models[resource] = model


def is_registered(field: CustomField) -> bool:
    """Return whether a model is registered for the resource of the field; a form may name any resource."""
    return field.resource in _models


def model_for(field: CustomField) -> type[Model]:
    """Return the model of the records that the field is for."""
    return _models[field.resource]
