"""Delete the words of titles that no record has any more, so that searches are not corrected by them."""

from __future__ import annotations

from django.db import connection

from calendar_site.content.search_words import add_words, word_tables, words_of
from calendar_site.core import clock
from calendar_site.core.database.write_lock import write_lock
from calendar_site.derived.models import SearchWord

# How many words are deleted in one transaction.
BATCH_SIZE = 500


def delete_unused_words() -> None:
    """Delete the words that no title has any more.

    Titles are read without the write lock. A word that a write has used again meanwhile is added again.
    """
    for kind, table in word_tables.items():
        began = connection.ops.adapt_datetimefield_value(clock.now())
        unused = find_unused_words(kind, table)
        for first in range(0, len(unused), BATCH_SIZE):
            with write_lock(), connection.cursor() as cursor:
                SearchWord.objects.filter(kind=kind, word__in=unused[first : first + BATCH_SIZE]).delete()
                changed = f"(SELECT search_text FROM {table} WHERE modified_at >= %s) content"  # noqa: S608
                cursor.execute(add_words(kind, words_of("content", changed)), [began])


def find_unused_words(kind: str, table: str) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT word FROM derived_searchword WHERE kind = %s AND variant = word "  # noqa: S608
            f"EXCEPT {words_of('content', f'{table} content')}",
            [kind],
        )
        return [word for (word,) in cursor.fetchall()]
