"""Costs: from what people write to the text, currency and values that an event answers."""

import re
from collections.abc import Iterable
from decimal import Decimal
from functools import lru_cache
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

LONGEST_COST = 200
MOST_COSTS = 50

# In the contract's words; pages say it in the reader's language.
FREE = "Free"
TO = " \N{EN DASH} "
_LARGEST = 10**LONGEST_COST


class Cost(NamedTuple):
    """What an event costs: `cost` and the members of `cost_details` in the contract."""

    text: str
    symbol: str
    code: str  # the contract names it and leaves it empty
    position: str  # "prefix", "postfix", or "" where no symbol was given
    values: list[str]


def cost_of(event: Any) -> Cost:
    """The cost of an event, or of a state of one, as it is kept."""
    return Cost(event.cost, event.cost_symbol, "", event.cost_position, event.cost_values)


class _Amount(NamedTuple):
    """A number as it was written (`1.000,50`), as a value (`1000.50`), and the currency beside it."""

    written: str
    value: str
    symbol: str = ""
    position: str = ""


_FREE = _Amount(FREE, "0")
_NOT_IN_LINE = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")

# A currency is a sign, with letters before it or not (US$), three capitals, or one of these short names.
# Other letters are none: "Room 12" and "5 per person" are words.
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
_COMMA_LIST = rf"{_ITEM}(?:,{_ITEM})+"  # 10,20,30: what is one number is not a list

_ONE_NUMBER = re.compile(_NUMBER)
_ENGLISH = re.compile(_THOUSANDS)
_BLANKS = re.compile(r"[ '\u2019]")
_BETWEEN = re.compile(r" ?[-\u2212\u2013\u2014;] ?|(?i: to )|, |,(?![0-9])")


def parse_cost(given: Any, default_symbol: str, default_position: str) -> Cost:
    """The cost that `given` says (the contract, "Cost"): a text, a number, or a list of them.

    Several amounts answer the lowest and the highest; 0 is `Free`; a text that is no amount stays a word.
    A comma with three digits behind it parts thousands, with one or two decimals, otherwise amounts.

    The text is stable: given back, it answers itself, with the same symbol and values. Three things it cannot
    say: the values between the lowest and the highest; that `Free` was `0` or `$0`; that a single number came
    without a symbol (it has the default one now). So a caller that is given the very text that is stored
    keeps what is stored. In a range the default symbol always counts as not given.

    Raises ValueError for booleans, objects, numbers that are negative or not finite, several currencies in a
    list, and more than 200 characters.
    """
    default = _Amount("", "", default_symbol.strip(), "postfix" if default_position == "postfix" else "prefix")
    if isinstance(given, list | tuple):
        return _cost_of_list(given, default)
    text = "" if given is None else _as_text(given)
    amounts = _amounts(text, default.symbol)
    currency = _currency(amounts or [])
    if not amounts or amounts == [_FREE] or currency is None:
        return Cost(text, "", "", "", [text.lower()] if text else [])
    return _cost_of_amounts(amounts, *currency, default)


def _cost_of_list(given: Iterable[Any], default: _Amount) -> Cost:
    texts = [text for one in given if one is not None and (text := _as_text(one))]
    if len(texts) > MOST_COSTS:
        raise ValueError(_("A cost has at most %(limit)s amounts.") % {"limit": MOST_COSTS})
    if len(texts) < 2:
        return parse_cost("".join(texts), default.symbol, default.position)
    amounts: list[_Amount] = []
    for text in texts:
        found = _amounts(text, default.symbol)
        if found is None:
            raise ValueError(_("In a list of costs each one is an amount, such as 10 or $10, or Free."))
        amounts += found
    currency = _currency(amounts)
    if currency is None:
        raise ValueError(_("A list of costs has one currency, in front of each amount or behind it."))
    return _cost_of_amounts(amounts, *currency, default)


def _as_text(given: Any) -> str:
    """`given` on one line. Raises ValueError for what can be no cost."""
    if isinstance(given, bool) or not isinstance(given, str | int | float | Decimal):
        raise ValueError(_("A cost is a text, a number, or a list of them."))
    text = given if isinstance(given, str) else _number_text(given)
    if len(text) > LONGEST_COST:
        raise _too_long()
    text = " ".join(text.split())
    if _NOT_IN_LINE.search(text):
        raise ValueError(_("A cost has no control characters."))
    return text


def _too_long() -> ValueError:
    return ValueError(_("A cost has at most %(limit)s characters.") % {"limit": LONGEST_COST})


def _negative() -> ValueError:
    return ValueError(_("A cost is not negative."))


def _number_text(number: float | Decimal) -> str:
    exact = Decimal(str(number)) if isinstance(number, float) else number
    if isinstance(exact, Decimal) and not exact.is_finite():
        raise ValueError(_("A cost is a finite number."))
    if exact < 0:
        raise _negative()
    if exact >= _LARGEST:
        raise _too_long()
    text = format(Decimal(exact).copy_abs(), "f")  # -0.0 is 0
    return text.rstrip("0").rstrip(".") if "." in text else text


def _amounts(text: str, default_symbol: str) -> list[_Amount] | None:
    """The amounts in `text`; None where anything in it is no amount. Raises ValueError for negative ones."""
    symbol, amount = _patterns(default_symbol)
    first, *others = _BETWEEN.split(text)
    is_negative = bool(others) and (not first or symbol.fullmatch(first) is not None)
    amounts: list[_Amount] = []
    for piece in others if is_negative else (first, *others):
        if piece.lower() == "free":
            amounts.append(_FREE)
        elif (match := amount.fullmatch(piece)) and not (match["before"] and match["after"]):
            amounts += _amounts_of_piece(match)
        else:
            return None
    if is_negative:
        raise _negative()
    return amounts


@lru_cache(maxsize=8)
def _patterns(default_symbol: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """A currency, and an amount that may have one. The site's own currency may be anything, so it leads."""
    symbol = rf"(?:{re.escape(default_symbol)}|{_SYMBOL})" if default_symbol else rf"(?:{_SYMBOL})"
    before, after = rf"(?:(?P<before>{symbol}) ?)?", rf"(?: ?(?P<after>{symbol}))?"
    return re.compile(symbol), re.compile(rf"{before}(?P<number>{_NUMBER}|{_COMMA_LIST}){after}")


def _amounts_of_piece(match: re.Match[str]) -> list[_Amount]:
    before, after = match["before"], match["after"]
    position = "prefix" if before else "postfix" if after else ""
    number = match["number"]
    numbers = [number] if _ONE_NUMBER.fullmatch(number) else number.split(",")
    return [_Amount(_written(one), _value(one), before or after or "", position) for one in numbers]


def _written(number: str) -> str:
    # "Rs .50" without its blank would read as fifty.
    return f"0{number}" if number.startswith(".") else number


def _value(number: str) -> str:
    """`number` with a point before the decimals, and nothing between the thousands."""
    digits = _BLANKS.sub("", number)
    if _ENGLISH.fullmatch(digits):
        digits = digits.replace(",", "")
    elif "," in digits or digits.count(".") > 1:
        digits = digits.replace(".", "").replace(",", ".")
    whole, point, decimals = digits.partition(".")
    value = f"{whole.lstrip('0') or '0'}{point}{decimals}"
    return value if Decimal(value) else "0"


def _currency(amounts: list[_Amount]) -> tuple[str, str] | None:
    """The symbol and position that are given; two empty texts where none is, None where they differ."""
    given = {(amount.symbol, amount.position) for amount in amounts if amount.symbol}
    if len(given) > 1:
        return None
    return given.pop() if given else ("", "")


def _cost_of_amounts(amounts: list[_Amount], symbol: str, position: str, default: _Amount) -> Cost:
    by_number = {Decimal(amount.value): amount for amount in reversed(amounts)}  # the first spelling stays
    ascending = [by_number[number] for number in sorted(by_number)]
    shown = (symbol, position) if symbol else (default.symbol, default.position)
    ends = ascending if len(ascending) == 1 else [ascending[0], ascending[-1]]
    text = TO.join(_shown(amount, *shown) for amount in ends)
    if len(text) > LONGEST_COST:
        raise _too_long()
    if len(ascending) > 1 and (symbol, position) == (default.symbol, default.position):
        # `10 - 30` answers a range with `$`, which has to answer the same when it is given back.
        symbol = position = ""
    return Cost(text, symbol, "", position, [amount.value for amount in ascending])


def _shown(amount: _Amount, symbol: str, position: str) -> str:
    if amount.value == "0":
        return FREE
    return f"{amount.written}{symbol}" if position == "postfix" else f"{symbol}{amount.written}"
