"""The links in the documentation have existing targets."""

import re

import pytest
from django.core.management import get_commands

from tests.support.programs import ROOT

DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
TEXTS = {str(document.relative_to(ROOT)): document.read_text(encoding="utf-8") for document in DOCUMENTS}


@pytest.mark.parametrize("name", TEXTS)
def test_links_lead_somewhere(name):
    links = re.findall(r"\]\((?!https?:|#)([^)#]+)", TEXTS[name])

    assert [link for link in links if not ((ROOT / name).parent / link).exists()] == []


@pytest.mark.parametrize("name", TEXTS)
def test_commands_exist(name):
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    # In code only: people make things in prose, too.
    code = "\n".join(re.findall(r"```.*?```|`[^`\n]+`", TEXTS[name], re.DOTALL))
    made = set(re.findall(r"(?:^|`|\$ )make ([a-z-]+)", code, re.MULTILINE))
    managed = set(re.findall(r"manage\.py (\w+)", code))

    assert made - targets == set()
    assert managed - set(get_commands()) == set()
