"""The translation catalogs: complete, without fuzzy entries, and with the placeholders of their source strings."""

import re
from collections import Counter
from functools import cache
from gettext import GNUTranslations
from itertools import zip_longest
from pathlib import Path

import django
import pytest
import unfold
from babel.messages.pofile import read_po
from django.apps import apps
from django.conf import settings
from django.utils.translation import gettext, ngettext, npgettext, override, pgettext
from django.utils.translation.trans_real import translation

from tests.support.catalogs import COMPLETE, Text, texts_in
from tests.support.html_page import parse_page

(LOCALE,) = settings.LOCALE_PATHS
LANGUAGES = [code for code, _name in settings.LANGUAGES if code != "en"]

PLURALS = {
    **dict.fromkeys(("de", "es", "it", "nl", "pt"), "nplurals=2; plural=(n != 1);"),
    "fr": "nplurals=2; plural=(n > 1);",
    "pl": "nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);",
}
# What a text is filled in with, and its markup.
FILLED_IN = re.compile(r"%\(\w+\)[a-z]|%[a-z%]|\{\w*\}|<[^>]*>")

in_every_language = pytest.mark.parametrize("code", LANGUAGES)
in_complete_languages = pytest.mark.parametrize("code", COMPLETE)


def catalog_folder(code):
    return LOCALE / code / "LC_MESSAGES"


def catalog_of(code):
    with (catalog_folder(code) / "django.po").open("rb") as file:
        return read_po(file, locale=code)


def entries(code):
    """The translated entries: each with what is said, and with all the forms in which the language says it."""
    for entry in catalog_of(code):
        said, forms = (text if isinstance(text, tuple) else (text,) for text in (entry.id, entry.string))
        if entry.id and any(forms):
            yield entry, said, forms


def test_every_language_has_a_catalog():
    assert sorted(path.name for path in LOCALE.iterdir()) == sorted(["en", *LANGUAGES])
    assert sorted(LANGUAGES) == sorted(PLURALS)


def test_english_catalog_replaces_only_texts_that_other_languages_translate():
    replaced = {entry.id for entry in catalog_of("en") if entry.id}

    assert len(replaced) > 10
    assert [(code, replaced - {entry.id for entry in catalog_of(code)}) for code in LANGUAGES] == [
        (code, set()) for code in LANGUAGES
    ]


def test_english_texts_of_other_packages_are_replaced(client, db):
    text = " ".join(parse_page(client.get("/en/admin/login/")).text.split())

    assert ("Welcome back to" in text, "Sign in to" in text) == (False, True)


@in_complete_languages
def test_nothing_is_left_untranslated_or_uncertain(code):
    catalog = catalog_of(code)

    assert [entry.id for entry in catalog if entry.fuzzy] == []
    assert [entry.id for entry in catalog if entry.id and not all(_forms(entry))] == []
    assert list(catalog.obsolete) == []


def _forms(entry):
    return entry.string if isinstance(entry.string, tuple) else (entry.string,)


@in_every_language
def test_plural_has_the_forms_of_its_language(code):
    catalog = catalog_of(code)

    assert dict(catalog.mime_headers)["Plural-Forms"] == PLURALS[code]
    number = {True: catalog.num_plurals, False: 1}
    assert [said for entry, said, forms in entries(code) if len(forms) != number[bool(entry.pluralizable)]] == []


@in_every_language
def test_translation_is_filled_in_with_what_its_text_is(code):
    wrong = [
        (text, form)
        for _entry, said, forms in entries(code)
        # All forms but the one for a single thing are those of the plural.
        for text, form in zip_longest(said[:1], forms, fillvalue=said[-1])
        if Counter(FILLED_IN.findall(form)) != Counter(FILLED_IN.findall(text))
    ]

    assert wrong == []


@in_every_language
def test_translation_begins_and_ends_as_its_text_does(code):
    def edges(text):
        return text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]

    assert [form for _entry, said, forms in entries(code) for form in forms if edges(form) != edges(said[0])] == []


@in_every_language
def test_compiled_catalog_is_the_written_one(code):
    with (catalog_folder(code) / "django.mo").open("rb") as file:
        compiled = GNUTranslations(file)._catalog
    written = {}
    for entry, said, forms in entries(code):
        key = f"{entry.context}\x04{said[0]}" if entry.context else said[0]
        if not entry.fuzzy:
            written |= (
                {(key, place): form for place, form in enumerate(forms)} if entry.pluralizable else {key: forms[0]}
            )

    assert {key: text for key, text in compiled.items() if key} == written


@in_every_language
def test_our_words_go_before_those_of_other_packages(code):
    with override(code):
        shown = {(entry.context, said): _shown(entry, said) for entry, said, _forms in entries(code) if not entry.fuzzy}

    assert shown == {(entry.context, said): forms[0] for entry, said, forms in entries(code) if not entry.fuzzy}


def _shown(entry, said):
    if entry.pluralizable:
        return npgettext(entry.context, *said, 1) if entry.context else ngettext(*said, 1)
    return pgettext(entry.context, said[0]) if entry.context else gettext(said[0])


# --- Packages below ours

OURS = {"calendar_site", "events", "venues", "organizers", "taxonomy"}
# Nobody reads these: our own messages report the errors that they find, and they have no pages.
SILENT = {"rest_framework", "django_filters", "axes", "django_otp", "django_altcha"}
# Forms and columns that there are none of, mail that is not sent, and errors of whoever writes programs.
NEVER_SHOWN = {
    "%(datetime)s couldn’t be interpreted in time zone %(current_timezone)s; it may be ambiguous or it may not exist.",
    "Add row",
    "Dataset not found. No action performed.",
    "Ensure this value is a multiple of step size %(limit_value)s, starting from %(offset)s, e.g. %(offset)s, "
    "%(valid_value1)s, %(valid_value2)s, and so on.",
    "Ensure this value is a multiple of step size %(limit_value)s.",
    "In case you’ve forgotten, you are:",
    "Positive big integer",
    "Select currency",
    "Task Result",
    "Task Results",
    "You can not create nested object without parent",
    "args kwargs",
    "backend name",
    "priority",
    "queue name",
    "return value",
    "run after",
    "worker id",
    "“%(value)s” is not a valid UUID.",
    "“%(value)s” value has an invalid format. It must be in HH:MM[:ss[.uuuuuu]] format.",
    "“%(value)s” value has an invalid format. It must be in [DD] [[HH:]MM:]ss[.uuuuuu] format.",
    "“%(value)s” value has the correct format (HH:MM[:ss[.uuuuuu]]) but it is an invalid time.",
}


@cache
def texts_of_packages() -> set[Text]:
    others = [app for app in apps.get_app_configs() if app.name.partition(".")[0] not in OURS | SILENT]
    folders = {Path(app.path) for app in others}
    folders |= {Path(django.__file__).parent / part for part in ("forms", "core", "db", "utils")}
    # Parts of Unfold are apps of their own.
    without = [path for path in Path(unfold.__file__).parent.glob("contrib/*") if path not in folders]
    return {text for path in folders for text in texts_in(path, without) if text.single not in NEVER_SHOWN}


@in_complete_languages
def test_other_packages_say_nothing_in_english(code):
    known = translation(code)._catalog

    missing = [text for text in texts_of_packages() if not known.get((_key(text), 0) if text.plural else _key(text))]

    # They belong into calendar_site/localization/third_party_strings.py.
    assert missing == []


def _key(text):
    return f"{text.context}\x04{text.single}" if text.context else text.single
