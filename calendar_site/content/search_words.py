"""The words of titles, from which a search without results is corrected; see decision 0053."""

from __future__ import annotations

from django.db import connection
from django.db.models import Model

from calendar_site.derived.registry import DerivedData, register
from calendar_site.derived.triggers import Trigger

# In characters. Shorter words have too many similar ones.
MIN_WORD_LENGTH = 4
MAX_WORD_LENGTH = 30
# Cut from the ends of words.
PUNCTUATION = ".,;:!?()[]{}\"''…¿¡&/|*#+-_<>=~@"

# The first line of a search text is the title, whose words are separated by single spaces.
TITLES = {
    "sqlite": "substr({0}.search_text, 1, instr({0}.search_text || char(10), char(10)) - 1)",
    "postgresql": "split_part({0}.search_text, chr(10), 1)",
}
# The words of a title as JSON, and the parts of a title as rows.
JSON = """'["' || replace(replace(replace({0}, '\\', '\\\\'), '"', '\\"'), ' ', '","') || '"]'"""
PARTS = {
    "sqlite": f"json_each(CASE WHEN json_valid({JSON}) THEN {JSON} ELSE '[]' END) part",
    "postgresql": "unnest(string_to_array({0}, ' ')) part(value)",
}
POSITIONS = ", ".join(f"({position})" for position in range(MAX_WORD_LENGTH + 1))


def variants_of(word: str) -> set[str]:
    """Return the word, and the word without each of its characters."""
    return {word, *(word[:position] + word[position + 1 :] for position in range(len(word)))}


def words_of(row: str, source: str = "") -> str:
    """Return the query for the words in titles: of the row of a trigger, or of all rows of the `source`."""
    title = TITLES[connection.vendor].format(row)
    tables = ", ".join(filter(None, [source, PARTS[connection.vendor].format(title)]))
    return (
        f"SELECT DISTINCT word FROM (SELECT trim(value, '{PUNCTUATION}') AS word FROM {tables}) parts "  # noqa: S608
        f"WHERE length(word) BETWEEN {MIN_WORD_LENGTH} AND {MAX_WORD_LENGTH}"
    )


def add_words(kind: str, words: str) -> str:
    """Return the statement that adds the words that a query returns, unless they are known."""
    return (
        "INSERT INTO derived_searchword (kind, variant, word) "  # noqa: S608
        f"SELECT DISTINCT '{kind}', CASE column1 WHEN 0 THEN word "
        "ELSE substr(word, 1, column1 - 1) || substr(word, column1 + 1) END AS variant, word "
        f"FROM ({words}) added, (VALUES {POSITIONS}) positions WHERE column1 <= length(word) AND NOT EXISTS "
        f"(SELECT 1 FROM derived_searchword known WHERE known.kind = '{kind}' AND known.variant = added.word "
        # In order, so that two writes at the same time never wait for each other.
        "AND known.word = added.word) ORDER BY word, variant ON CONFLICT DO NOTHING"
    )


# The tables with titles, by kind.
word_tables: dict[str, str] = {}


def register_search_words(model: type[Model]) -> None:
    """Register the words in the titles of a model."""
    kind, table = str(model._meta.model_name), model._meta.db_table
    word_tables[kind] = table

    def triggers() -> list[Trigger]:
        add = add_words(kind, words_of("NEW")) + ";"
        return [
            Trigger(f"{kind}_words_added", table, "INSERT", add),
            Trigger(f"{kind}_words_changed", table, "UPDATE OF search_text", add, "NEW.search_text <> OLD.search_text"),
        ]

    def rebuild() -> None:
        with connection.cursor() as cursor:
            cursor.execute("DELETE FROM derived_searchword WHERE kind = %s", [kind])
            cursor.execute(add_words(kind, words_of("content", f"{table} content")))

    def count_differences() -> int:
        with connection.cursor() as cursor:
            cursor.execute(
                f"SELECT COUNT(*) FROM ({words_of('content', f'{table} content')} EXCEPT "  # noqa: S608
                f"SELECT word FROM derived_searchword WHERE kind = '{kind}' AND variant = word) missing"
            )
            return int(cursor.fetchone()[0])

    register(DerivedData(f"words of {kind}s", triggers, rebuild, count_differences))
