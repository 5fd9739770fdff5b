"""The bundles of the admin's styles and scripts: what is in them, and which pages name them."""

import re

import pytest
from django.conf import settings
from django.contrib.staticfiles.finders import find
from django.forms import Media
from django.test import override_settings

from calendar_site.back_office.bundled_media import bundled
from calendar_site.configuration.bundles import LANGUAGES, SCRIPTS, STYLES, pipeline_settings

SOURCES = [path for paths in (*STYLES.values(), *SCRIPTS.values()) for path in paths]
OWN_SCRIPTS = sorted((settings.BASE_DIR / "calendar_site/static/back_office").glob("*.js"))
# These are loaded as modules, whose names are their own.
MODULES = re.compile("html_editor")


def test_files_of_bundles_exist_and_are_in_one_bundle():
    assert [path for path in SOURCES if not find(path)] == []
    assert len(SOURCES) == len(set(SOURCES))


def test_bundles_have_the_texts_of_all_languages():
    assert set(LANGUAGES) == {code for code, _name in settings.LANGUAGES}


@pytest.mark.parametrize("script", [path for path in OWN_SCRIPTS if not MODULES.match(path.name)], ids=lambda p: p.name)
def test_names_of_a_script_do_not_reach_the_others_of_a_page(script):
    assert re.findall(r"^(?:const|let|class|function) .*", script.read_text(), re.MULTILINE) == []


@override_settings(PIPELINE=pipeline_settings(are_bundled=True))
def test_media_name_each_bundle_once_and_what_is_in_none():
    media = Media(
        js=["admin/js/core.js", "back_office/image_views.js", "back_office/forms.js", "admin/js/inlines.js"],
        css={"all": ["back_office/forms.css", "back_office/account.css"]},
    )

    found = bundled(media)

    assert found._js == ["bundles/admin_records.js", "back_office/image_views.js", "bundles/admin_inputs.js"]
    assert found._css == {"all": ["back_office/account.css"]}


def test_pages_name_the_files_themselves_in_development():
    media = Media(js=["admin/js/core.js"])

    assert bundled(media) is media
