"""Labels of the admin that the documentation quotes exist in the admin."""

import re
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from django.contrib import admin

from tests.support.programs import ROOT

CATALOGS = (
    ROOT / "calendar_site" / "locale" / "de" / "LC_MESSAGES" / "django.po",
    Path(admin.__file__).parent / "locale" / "en" / "LC_MESSAGES" / "django.po",
)


@pytest.fixture(scope="module")
def interface_texts():
    texts = set()
    for catalog in CATALOGS:
        with catalog.open("rb") as file:
            texts |= {message.id.casefold() for message in read_po(file) if isinstance(message.id, str)}
    return texts


PAGES = sorted([*(ROOT / "docs" / "editing").glob("*.md"), ROOT / "docs" / "administration.md"])


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_quoted_labels_are_those_of_the_admin(interface_texts, path):
    page = path.read_text(encoding="utf-8")
    labels = {" ".join(label.split()) for label in re.findall(r"(?<!\*)\*([^*]+)\*(?!\*)", page)}

    assert {label for label in labels if label.casefold() not in interface_texts} == set()
