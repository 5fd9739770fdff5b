"""Tokens of opened forms, and the names of the inputs that contain them."""

from __future__ import annotations

import re
import secrets

from calendar_site.form_drafts.models import FormDraft

# The input with the token of the opened form, and the argument of a page that restores a draft.
DRAFT_INPUT = "_form_draft"
# The input with the token of the draft that the form was restored from.
REPLACED_INPUT = "_form_draft_replaced"
_VALID = re.compile(rf"[0-9a-f]{{{FormDraft.TOKEN_LENGTH}}}", re.ASCII)


def new_token() -> str:
    return secrets.token_hex(FormDraft.TOKEN_LENGTH // 2)


def clean_token(value: object) -> str:
    """Return the value if it is a valid token, and else an empty text."""
    return value if isinstance(value, str) and _VALID.fullmatch(value) else ""
