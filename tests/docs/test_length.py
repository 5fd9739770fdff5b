"""The web pages of the documentation are short enough to be read: each word has to earn its place."""

import re
from pathlib import PurePath

from docs import conf
from tests.support.programs import ROOT

MAX_WORDS = 40_000
# Examples are shown for one client at a time.
OTHER_CLIENTS = re.compile(r"^```(?:python|javascript)\n.*?^```$", re.MULTILINE | re.DOTALL)


def is_web_page(path):
    name = path.relative_to(ROOT / "docs").as_posix()
    return not any(PurePath(name).match(pattern.replace("**", "*")) for pattern in conf.exclude_patterns)


def test_readers_see_at_most_forty_thousand_words():
    pages = [path for path in (ROOT / "docs").rglob("*.md") if is_web_page(path)]
    words = {path: len(OTHER_CLIENTS.sub("", path.read_text(encoding="utf-8")).split()) for path in pages}

    assert len(pages) > 40
    assert ROOT / "docs" / "decisions" / "README.md" not in words
    assert sum(words.values()) <= MAX_WORDS
