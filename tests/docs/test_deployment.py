"""The commands of docs/deployment.md, compared with the code."""

import re

from django.apps import apps

from tests.support.programs import ROOT

DEPLOYMENT = (ROOT / "docs" / "deployment.md").read_text(encoding="utf-8")


def test_move_to_postgresql_leaves_out_all_derived_tables():
    """Triggers compute them while the other rows are loaded. PostgreSQL would count loaded tallies in addition."""
    excluded = set(re.search(r'^derived="([^"]+)"', DEPLOYMENT, re.MULTILINE)[1].split())

    derived = {model._meta.label_lower for model in apps.get_models() if model.__module__.endswith(".index_models")}
    assert derived
    assert excluded == derived | {"derived", "media.embeddedimage", "media.imagefile"}
