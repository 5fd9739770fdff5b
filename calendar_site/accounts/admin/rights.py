"""Single rights, in the reader's language: the database names them in English."""

from calendar_site.accounts.told import RIGHTS


def right_in_words(permission):
    """`Events | event | change`"""
    action = permission.codename.removesuffix(f"_{permission.content_type.model}")
    return f"{permission.content_type} | {RIGHTS.get(action, permission.name)}"
