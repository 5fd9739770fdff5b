"""Single rights, in the reader's language: the database names them in English."""

from django.utils.translation import pgettext_lazy

WORDS = {
    "add": pgettext_lazy("a right", "add"),
    "change": pgettext_lazy("a right", "change"),
    "delete": pgettext_lazy("a right", "delete"),
    "view": pgettext_lazy("a right", "view"),
    "publish": pgettext_lazy("a right", "publish"),
    "change_others": pgettext_lazy("a right", "change those of others"),
    "delete_others": pgettext_lazy("a right", "delete those of others"),
}


def right_in_words(permission):
    """`Events | event | change`"""
    action = permission.codename.removesuffix(f"_{permission.content_type.model}")
    return f"{permission.content_type} | {WORDS.get(action, permission.name)}"
