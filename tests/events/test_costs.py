"""Costs: the contract's table, its corrections, and that services accept the costs that they return."""

from decimal import Decimal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from events.costs import Cost, parse_cost

DASH = "\N{EN DASH}"


def make_cost(text, symbol="", position="", values=()):
    return Cost(text, symbol, "", position, list(values))


def dollars(value):
    return parse_cost(value, "$", "prefix")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, make_cost("")),
        ("", make_cost("")),
        ("  ", make_cost("")),
        ([], make_cost("")),
        (["", None], make_cost("")),
        ("10", make_cost("$10", values=["10"])),
        (25, make_cost("$25", values=["25"])),
        ("10.50", make_cost("$10.50", values=["10.50"])),
        (7.25, make_cost("$7.25", values=["7.25"])),
        ("1000", make_cost("$1000", values=["1000"])),
        ("1,000", make_cost("$1,000", values=["1000"])),
        ("$10", make_cost("$10", "$", "prefix", ["10"])),
        ("$ 15", make_cost("$15", "$", "prefix", ["15"])),
        ("€25", make_cost("€25", "€", "prefix", ["25"])),
        ("£5", make_cost("£5", "£", "prefix", ["5"])),
        ("¥1000", make_cost("¥1000", "¥", "prefix", ["1000"])),
        ("10$", make_cost("10$", "$", "postfix", ["10"])),
        ("15 $", make_cost("15$", "$", "postfix", ["15"])),
        ("25€", make_cost("25€", "€", "postfix", ["25"])),
        ("EUR 25", make_cost("EUR25", "EUR", "prefix", ["25"])),
        ("25 CHF", make_cost("25CHF", "CHF", "postfix", ["25"])),
        ("Free", make_cost("Free", values=["free"])),
        ("free", make_cost("free", values=["free"])),
        (["Free"], make_cost("Free", values=["free"])),
        (" Donation ", make_cost("Donation", values=["donation"])),
        ("$0", make_cost("Free", "$", "prefix", ["0"])),
        ("0", make_cost("Free", values=["0"])),
        (0, make_cost("Free", values=["0"])),
        (0.0, make_cost("Free", values=["0"])),
        ("0.00", make_cost("Free", values=["0"])),
        ("10 - 30", make_cost(f"$10 {DASH} $30", values=["10", "30"])),
        ("5 to 9", make_cost(f"$5 {DASH} $9", values=["5", "9"])),
        ("$10 - $30", make_cost(f"$10 {DASH} $30", values=["10", "30"])),
        (["10", "20"], make_cost(f"$10 {DASH} $20", values=["10", "20"])),
        (["0$", "20$", "30$"], make_cost(f"Free {DASH} 30$", "$", "postfix", ["0", "20", "30"])),
    ],
)
def test_cost_follows_the_contract(value, expected):
    assert dollars(value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("$1,000.50", make_cost("$1,000.50", "$", "prefix", ["1000.50"])),
        ("1.000,50 €", make_cost("1.000,50€", "€", "postfix", ["1000.50"])),
        ("12,50 €", make_cost("12,50€", "€", "postfix", ["12.50"])),
        ("1.200,00", make_cost("$1.200,00", values=["1200.00"])),
        ("IDR 50.000", make_cost("IDR50.000", "IDR", "prefix", ["50000"])),
        ("50.000 \u20ab", make_cost("50.000\u20ab", "\u20ab", "postfix", ["50000"])),
        ("12.500.000 Rp", make_cost("12.500.000Rp", "Rp", "postfix", ["12500000"])),
        ("Rp 50.000 - 75.000", make_cost(f"Rp50.000 {DASH} Rp75.000", "Rp", "prefix", ["50000", "75000"])),
        ("1.500 kr", make_cost("1.500kr", "kr", "postfix", ["1500"])),
        ("¥1,500", make_cost("¥1,500", "¥", "prefix", ["1500"])),
        ("¥1500.50", make_cost("¥1500.50", "¥", "prefix", ["1500.50"])),
        ("KWD 1.500", make_cost("KWD1.500", "KWD", "prefix", ["1.500"])),
        ("€1.500", make_cost("€1.500", "€", "prefix", ["1.500"])),
        ("1.000.000", make_cost("$1.000.000", values=["1000000"])),
        ("1,000,000", make_cost("$1,000,000", values=["1000000"])),
        ("1 000,50 €", make_cost("1 000,50€", "€", "postfix", ["1000.50"])),
        ("CHF 1'000", make_cost("CHF1'000", "CHF", "prefix", ["1000"])),
        ("1.250", make_cost("$1.250", values=["1.250"])),  # a point is a thousands mark only beside other marks
        (".50", make_cost("$0.50", values=["0.50"])),
        ("Rs .50", make_cost("Rs0.50", "Rs", "prefix", ["0.50"])),
        ("007", make_cost("$007", values=["7"])),
        ("10,20,30", make_cost(f"$10 {DASH} $30", values=["10", "20", "30"])),
        ("30,10,20 €", make_cost(f"10€ {DASH} 30€", "€", "postfix", ["10", "20", "30"])),
        ("10, 20", make_cost(f"$10 {DASH} $20", values=["10", "20"])),
        ("$10,$20", make_cost(f"$10 {DASH} $20", values=["10", "20"])),
        ("1000,2000", make_cost(f"$1000 {DASH} $2000", values=["1000", "2000"])),
        ("10.50,20.50", make_cost(f"$10.50 {DASH} $20.50", values=["10.50", "20.50"])),
    ],
)
def test_commas_and_points_are_read_in_either_way(value, expected):
    assert dollars(value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("Free - $20", make_cost(f"Free {DASH} $20", values=["0", "20"])),
        (f"Free {DASH} 30$", make_cost(f"Free {DASH} 30$", "$", "postfix", ["0", "30"])),
        ("30 - 10", make_cost(f"$10 {DASH} $30", values=["10", "30"])),
        ("10-10.00", make_cost("$10", values=["10"])),
        ("€10 - 30", make_cost(f"€10 {DASH} €30", "€", "prefix", ["10", "30"])),
        ("10 - 30 €", make_cost(f"10€ {DASH} 30€", "€", "postfix", ["10", "30"])),
        ("1.000,50 € - 12,50 €", make_cost(f"12,50€ {DASH} 1.000,50€", "€", "postfix", ["12.50", "1000.50"])),
        ([10, 7.5, Decimal("8.20")], make_cost(f"$7.5 {DASH} $10", values=["7.5", "8.2", "10"])),
        (("9", "100"), make_cost(f"$9 {DASH} $100", values=["9", "100"])),
        (["$10", "$30"], make_cost(f"$10 {DASH} $30", values=["10", "30"])),
        (["Free", "20€"], make_cost(f"Free {DASH} 20€", "€", "postfix", ["0", "20"])),
        (["10 - 20", "5,50"], make_cost(f"$5,50 {DASH} $20", values=["5.50", "10", "20"])),
        (["10"], make_cost("$10", values=["10"])),
    ],
)
def test_several_amounts_answer_lowest_and_highest(value, expected):
    assert dollars(value) == expected


@pytest.mark.parametrize(
    "word",
    [
        "Pay what you can",
        "Pay-what-you-can",
        "5 per person",
        "Room 12",
        "$10 USD",
        "$10 - 20€",
        "10 -",
        "Free - Donation",
        "10 / 15",
        "1,000,20",
        "Gratis für Kinder",
    ],
)
def test_what_is_no_amount_stays_a_word(word):
    assert dollars(word) == make_cost(word, values=[word.lower()])


@pytest.mark.parametrize(
    "value",
    [
        True,
        False,
        {},
        {"cost": 10},
        object(),
        -5,
        -0.5,
        "-5",
        "-$5",
        "$-5",
        "-5 - 10",
        ["-5", "10"],
        float("nan"),
        float("inf"),
        float("-inf"),
        Decimal("nan"),
        pytest.param(10**5000, id="huge"),
        1e300,
        "x" * 201,
        "9" * 201,
        "a\x00b",
        "\ud800",
        ["10", "Donation"],
        ["$10", "20€"],
        ["$10", "20$"],
        [True],
        [["10"]],
        list(range(60)),
    ],
)
def test_what_can_be_no_cost_is_refused(value):
    with pytest.raises(ValueError, match=r"^[A-Z][^\n]+\.$"):
        dollars(value)


def test_longest_texts_are_accepted():
    assert dollars("x" * 200).text == "x" * 200
    assert dollars("9" * 199).text == "$" + "9" * 199


def test_answer_longer_than_a_cost_is_refused():
    with pytest.raises(ValueError, match="at most 200"):
        dollars("9" * 200)


@pytest.mark.parametrize(
    ("symbol", "position", "expected"),
    [
        ("€", "postfix", make_cost(f"10€ {DASH} 20€", values=["10", "20"])),
        ("Taler", "prefix", make_cost(f"Taler10 {DASH} Taler20", values=["10", "20"])),
        ("S/.", "prefix", make_cost(f"S/.10 {DASH} S/.20", values=["10", "20"])),
        ("", "prefix", make_cost(f"10 {DASH} 20", values=["10", "20"])),
    ],
)
def test_default_currency_is_shown_and_read_back(symbol, position, expected):
    answered = parse_cost("10 - 20", symbol, position)

    assert answered == expected
    assert parse_cost(answered.text, symbol, position) == expected


def test_time_grows_with_the_text_only():
    for text in ("1," * 100, "1 000" * 40, "- " * 100, "$" * 200, "1,000," * 33, "1.000" * 40, "kr" * 100):
        try:
            dollars(text)
        except ValueError:
            continue


numbers = st.one_of(
    st.decimals(0, 10**6, places=2).map(str),
    st.integers(0, 10**7).map(lambda number: f"{number:,}"),
    st.integers(0, 10**7).map(lambda number: f"{number:,}".replace(",", ".") + ",50"),
)
symbols = st.sampled_from(["$", "€", "kr.", "Rs", "EUR", "US$", "zł", "Fr.", "Taler"])
amounts = st.builds(
    lambda number, symbol, blank, shape: shape.format(n=number, s=symbol, b=blank),
    numbers,
    symbols,
    st.sampled_from(["", " "]),
    st.sampled_from(["{n}", "{s}{b}{n}", "{n}{b}{s}", "Free"]),
)
texts = st.one_of(
    st.text(max_size=210),
    st.text("0123456789.,-$€ Frekto;'\N{EN DASH}", max_size=30),
    st.lists(amounts, min_size=1, max_size=4).flatmap(
        lambda parts: st.sampled_from([" - ", "-", ", ", " to ", "; ", ",", " "]).map(
            lambda between: between.join(parts)
        )
    ),
)
givens = st.one_of(
    texts,
    st.none() | st.booleans() | st.integers() | st.floats() | st.decimals(),
    st.lists(amounts | st.integers(0, 99) | st.floats(0, 99) | st.text(max_size=5), max_size=5),
    st.dictionaries(st.text(), st.text()),
)
defaults = st.sampled_from([("$", "prefix"), ("€", "postfix"), ("kr.", "postfix"), ("Taler", "prefix"), ("", "prefix")])


@given(givens, defaults)
@example("Rs .50", ("$", "prefix"))
@example("10. 000", ("$", "prefix"))
def test_answered_cost_answers_itself(given_cost, default):
    try:
        answered = parse_cost(given_cost, *default)
    except ValueError:
        return

    again = parse_cost(answered.text, *default)

    assert again.text == answered.text
    assert parse_cost(again.text, *default) == again
    if answered.text != "Free":
        shown = answered.values if len(answered.values) < 3 else [answered.values[0], answered.values[-1]]
        assert again.values == shown
        # A single number without a symbol has the default one now.
        assert (again.symbol, again.position) in (
            (answered.symbol, answered.position),
            default if len(shown) == 1 and not answered.symbol else None,
        )
