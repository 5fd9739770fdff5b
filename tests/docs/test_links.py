"""The links in the documentation have existing targets."""

import re

from django.core.management import get_commands

from tests.support.programs import ROOT

DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
TEXTS = {str(document.relative_to(ROOT)): document.read_text(encoding="utf-8") for document in DOCUMENTS}


def test_links_lead_somewhere():
    links = [(name, link) for name, text in TEXTS.items() for link in re.findall(r"\]\((?!https?:|#)([^)#]+)", text)]

    assert [(name, link) for name, link in links if not ((ROOT / name).parent / link).exists()] == []
    assert len(links) > 400


def test_commands_exist():
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    made, managed = set(), set()
    for name, text in TEXTS.items():
        # In code only: people make things in prose, too.
        code = "\n".join(re.findall(r"```.*?```|`[^`\n]+`", text, re.DOTALL))
        made |= {(name, target) for target in re.findall(r"(?:^|`|\$ )make ([a-z-]+)", code, re.MULTILINE)}
        managed |= {(name, command) for command in re.findall(r"manage\.py (\w+)", code)}

    assert {(name, target) for name, target in made if target not in targets} == set()
    # Django tells its version before it looks for commands, and manage.py that of the service.
    known = {*get_commands(), "version"}
    assert {(name, command) for name, command in managed if command not in known} == set()
    assert len(made) > 10
    assert len(managed) > 10
