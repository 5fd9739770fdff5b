"""Codes of the second factor, as an authenticator app shows them."""

from base64 import b32decode

from django_otp.oath import totp


def totp_code(key: str, step: int = 0) -> str:
    """Return the code for a key, `step` times half a minute from now."""
    return f"{totp(b32decode(key.replace(' ', '')), drift=step):06}"
