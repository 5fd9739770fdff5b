"""Parsing costs: from free text to the text, currency and values of the API."""

import re
from collections.abc import Iterable
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple, Protocol

from django.utils.translation import gettext as _

from calendar_site.core.text.html import strip_markup

MAX_COST_LENGTH = 200
MAX_AMOUNTS = 50

# The word of the contract; pages translate it.
FREE = "Free"
RANGE_SEPARATOR = " \N{EN DASH} "
_MAX_NUMBER = 10**MAX_COST_LENGTH


class Cost(NamedTuple):
    """The cost of an event: `cost` and the members of `cost_details` in the API."""

    text: str
    symbol: str
    code: str  # always "" in the contract
    position: str  # "prefix", "postfix", or "" without a symbol
    values: list[str]


class HasCost(Protocol):
    """An event or a revision of one."""

    @property
    def cost(self) -> str: ...
    @property
    def cost_symbol(self) -> str: ...
    @property
    def cost_position(self) -> str: ...
    @property
    def cost_values(self) -> list[str]: ...


def cost_of(event: HasCost) -> Cost:
    """Return the stored cost of an event or of a revision of one."""
    return Cost(event.cost, event.cost_symbol, "", event.cost_position, event.cost_values)


class _Amount(NamedTuple):
    """A number as written (`1.000,50`), its value (`1000.50`), and its currency."""

    written: str
    value: str
    symbol: str = ""
    position: str = ""


_FREE = _Amount(FREE, "0")
_CONTROL_CHARACTERS = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")

# A currency is a sign, optionally after letters (US$), three capitals, or one of these short names. Other letters
# are words, as in "Room 12" and "5 per person".
_SIGN = r"[$\u00a2-\u00a5\u058f\u060b\u09f3\u0e3f\u17db\u20a0-\u20cf\ufdfc]"
# The last two are lev and rouble.
_NAMES = "chf|din|eur|fr|ft|gbp|km|kr|kč|lei|rm|rp|rs|sfr|usd|zł|\u043b\u0432|\u0440\u0443\u0431"
_SYMBOL = rf"[^\W\d_]{{0,3}}{_SIGN}|[A-Z]{{3}}|(?i:{_NAMES})\.?"

_PLAIN = r"[0-9]+(?:\.[0-9]+|,[0-9]{1,2})?|\.[0-9]+"  # 10  10.50  12,50  .50
_THOUSANDS = r"[1-9][0-9]{0,2}(?:,[0-9]{3})+(?:\.[0-9]+)?"  # 1,000.50
_EUROPEAN = r"[1-9][0-9]{0,2}(?:(?:\.[0-9]{3})+,[0-9]{1,2}|(?:\.[0-9]{3}){2,})"  # 1.000,50  1.000.000
_SPACED = r"[1-9][0-9]{0,2}(?:[ '\u2019][0-9]{3})+(?:[.,][0-9]{1,2})?"  # 1 000,50  1'000
_NUMBER = rf"{_PLAIN}|{_THOUSANDS}|{_EUROPEAN}|{_SPACED}"
_ITEM = r"(?:0|[1-9][0-9]*)(?:\.[0-9]+)?"
_COMMA_LIST = rf"{_ITEM}(?:,{_ITEM})+"  # 10,20,30; a single number takes precedence

_DOT_THOUSANDS = re.compile(r"[1-9][0-9]{0,2}\.[0-9]{3}")  # 1.000

# Currencies whose prices have no decimals, in lower case and without a final dot: a dot before three digits groups
# thousands (D47). With other currencies, it may be a decimal point, as for the dinars of Kuwait and Bahrain.
_WITHOUT_DECIMALS = {
    "rp", "idr", "\u20ab", "vnd", "clp", "pyg", "\u20b2", "isk", "kr", "ft", "huf", "\u20a9", "krw", "\u00a5", "jpy",
    "ugx", "xaf", "xof", "xpf", "cfa", "rwf", "bif", "djf", "gnf", "kmf", "vuv",
}  # fmt: skip

_ONE_NUMBER = re.compile(_NUMBER)
_ENGLISH = re.compile(_THOUSANDS)
_BLANKS = re.compile(r"[ '\u2019]")
_SEPARATORS = re.compile(r" ?[-\u2212\u2013\u2014;] ?|(?i: to )|, |,(?![0-9])")


def parse_cost(value: object, default_symbol: str, default_position: str) -> Cost:
    """Parse a string, a number, or a list of them (the contract, "Cost").

    Several amounts become a range from the lowest to the highest; 0 becomes `Free`; text without amounts is kept. A
    comma before three digits separates thousands, before one or two it is a decimal comma, otherwise it separates
    amounts.

    Parsing the resulting text again gives the same text, symbol and values. The exceptions are details that the text
    does not contain: the values inside a range, whether `Free` was `0` or `$0`, and whether a single number had a
    symbol (it gets the default one). Therefore, callers keep the stored cost if they receive its text. In a range, the
    default symbol counts as none.

    Raises ValueError for booleans, objects, negative and infinite numbers, several currencies in a list, and more than
    MAX_COST_LENGTH characters.
    """
    default = _Amount("", "", default_symbol.strip(), "postfix" if default_position == "postfix" else "prefix")
    if isinstance(value, list | tuple):
        return _parse_list(value, default)
    text = "" if value is None else _to_text(value)
    amounts = _parse_amounts(text, default.symbol)
    amounts = amounts and _group_thousands(amounts, default.symbol)
    currency = _common_currency(amounts or [])
    if not amounts or amounts == [_FREE] or currency is None:
        return Cost(text, "", "", "", [text.lower()] if text else [])
    return _cost_of_amounts(amounts, *currency, default)


def _parse_list(values: Iterable[object], default: _Amount) -> Cost:
    present = [value for value in values if value is not None and value != ""]
    # Counted first, because converting them takes time.
    if len(present) > MAX_AMOUNTS:
        raise ValueError(_("A list of costs can have at most %(limit)s amounts.") % {"limit": MAX_AMOUNTS})
    texts = [text for value in present if (text := _to_text(value))]
    if len(texts) < 2:
        return parse_cost("".join(texts), default.symbol, default.position)
    amounts: list[_Amount] = []
    for text in texts:
        found = _parse_amounts(text, default.symbol)
        if found is None:
            raise ValueError(_("Each item in a list of costs must be an amount, such as 10 or $10, or Free."))
        amounts += found
    amounts = _group_thousands(amounts, default.symbol)
    currency = _common_currency(amounts)
    if currency is None:
        raise ValueError(_("A list of costs must use a single currency, either before or after all amounts."))
    return _cost_of_amounts(amounts, *currency, default)


def _to_text(value: object) -> str:
    """Return a string or number as one line of text. Raises ValueError for other types and invalid values."""
    if isinstance(value, bool) or not isinstance(value, str | int | float | Decimal):
        raise ValueError(_("A cost must be a string, a number or an array of these."))
    text = value if isinstance(value, str) else _format_number(value)
    if len(text) > MAX_COST_LENGTH:
        raise _too_long_error()
    text = " ".join(text.split())
    if _CONTROL_CHARACTERS.search(text):
        raise ValueError(_("A cost cannot contain control characters."))
    # The values are shown as the text is, so markup must be removed before they are parsed (D28).
    return " ".join(strip_markup(text).split())


def _too_long_error() -> ValueError:
    return ValueError(_("A cost can have at most %(limit)s characters.") % {"limit": MAX_COST_LENGTH})


def _negative_error() -> ValueError:
    return ValueError(_("A cost cannot be negative."))


def _format_number(number: float | Decimal) -> str:
    exact = Decimal(str(number)) if isinstance(number, float) else number
    if isinstance(exact, Decimal) and not exact.is_finite():
        raise ValueError(_("A cost must be a finite number."))
    if exact < 0:
        raise _negative_error()
    if exact >= _MAX_NUMBER:
        raise _too_long_error()
    text = format(Decimal(exact).copy_abs(), "f")  # -0.0 is 0
    return text.rstrip("0").rstrip(".") if "." in text else text


def _parse_amounts(text: str, default_symbol: str) -> list[_Amount] | None:
    """Parse the amounts of a text; None if any part is not an amount. Raises ValueError for negative amounts."""
    symbol, amount = _patterns(default_symbol)
    first, *others = _SEPARATORS.split(text)
    # A minus sign is parsed as a separator with nothing or a currency before it.
    is_negative = bool(others) and (not first or symbol.fullmatch(first) is not None)
    amounts: list[_Amount] = []
    for part in others if is_negative else (first, *others):
        if part.lower() == "free":
            amounts.append(_FREE)
        elif (match := amount.fullmatch(part)) and not (match["before"] and match["after"]):
            amounts += _amounts_in(match)
        else:
            return None
    if is_negative:
        raise _negative_error()
    return amounts


@lru_cache(maxsize=8)
def _patterns(default_symbol: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return patterns of a currency and of an amount. The default currency, which may be any text, comes first."""
    symbol = rf"(?:{re.escape(default_symbol)}|{_SYMBOL})" if default_symbol else rf"(?:{_SYMBOL})"
    before, after = rf"(?:(?P<before>{symbol}) ?)?", rf"(?: ?(?P<after>{symbol}))?"
    return re.compile(symbol), re.compile(rf"{before}(?P<number>{_NUMBER}|{_COMMA_LIST}){after}")


def _amounts_in(match: re.Match[str]) -> list[_Amount]:
    before, after = match["before"], match["after"]
    position = "prefix" if before else "postfix" if after else ""
    number = match["number"]
    numbers = [number] if _ONE_NUMBER.fullmatch(number) else number.split(",")
    return [
        _Amount(_with_leading_zero(one), _normalize_number(one), before or after or "", position) for one in numbers
    ]


def _group_thousands(amounts: list[_Amount], default_symbol: str) -> list[_Amount]:
    """Return the amounts with dots before three digits as separators of thousands, if the currency has no decimals.

    In a range such as `Rp 50.000 - 75.000`, only one amount names the currency.
    """
    symbol = next((amount.symbol for amount in amounts if amount.symbol), default_symbol)
    if symbol.lower().rstrip(".") not in _WITHOUT_DECIMALS:
        return amounts
    return [
        amount._replace(value=amount.written.replace(".", "")) if _DOT_THOUSANDS.fullmatch(amount.written) else amount
        for amount in amounts
    ]


def _with_leading_zero(number: str) -> str:
    # "Rs .50" without the space would look like fifty.
    return f"0{number}" if number.startswith(".") else number


def _normalize_number(number: str) -> str:
    """Return the number with a decimal point and without separators of thousands."""
    digits = _BLANKS.sub("", number)
    if _ENGLISH.fullmatch(digits):
        digits = digits.replace(",", "")
    elif "," in digits or digits.count(".") > 1:
        digits = digits.replace(".", "").replace(",", ".")
    whole, point, decimals = digits.partition(".")
    value = f"{whole.lstrip('0') or '0'}{point}{decimals}"
    return value if Decimal(value) else "0"


def _common_currency(amounts: list[_Amount]) -> tuple[str, str] | None:
    """Return the symbol and position of the amounts, ("", "") if they have none, None if they differ."""
    currencies = {(amount.symbol, amount.position) for amount in amounts if amount.symbol}
    if len(currencies) > 1:
        return None
    return currencies.pop() if currencies else ("", "")


def _cost_of_amounts(amounts: list[_Amount], symbol: str, position: str, default: _Amount) -> Cost:
    by_number = {Decimal(amount.value): amount for amount in reversed(amounts)}  # the first spelling wins
    ascending = [by_number[number] for number in sorted(by_number)]
    shown = (symbol, position) if symbol else (default.symbol, default.position)
    ends = ascending if len(ascending) == 1 else [ascending[0], ascending[-1]]
    text = RANGE_SEPARATOR.join(_format_amount(amount, *shown) for amount in ends)
    if len(text) > MAX_COST_LENGTH:
        raise _too_long_error()
    if len(ascending) > 1 and (symbol, position) == (default.symbol, default.position):
        # `10 - 30` becomes a range with `$`, which must give the same result when it is parsed again.
        symbol = position = ""
    return Cost(text, symbol, "", position, [amount.value for amount in ascending])


def _format_amount(amount: _Amount, symbol: str, position: str) -> str:
    if amount.value == "0":
        return FREE
    return f"{amount.written}{symbol}" if position == "postfix" else f"{symbol}{amount.written}"
