"""What an answer reads of a term."""

from collections import namedtuple

# `count` is computed: see TermQuerySet.counted().
CATEGORY_COLUMNS = ("id", "name", "slug", "description", "parent_id")
TAG_COLUMNS = ("id", "name", "slug", "description")
CategoryRow = namedtuple("CategoryRow", (*CATEGORY_COLUMNS, "count"))
TagRow = namedtuple("TagRow", (*TAG_COLUMNS, "count"))
