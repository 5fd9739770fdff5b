"""Sanitized HTML, which is safe and otherwise unchanged, and plain text from HTML."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from calendar_site.core.text.html import html_to_text, sanitize_html, strip_markup
from calendar_site.core.text.html_lines import html_to_lines


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("  \n ", ""),
        ("One line", "<p>One line</p>"),
        ("One\nTwo", "<p>One<br>\nTwo</p>"),
        ("One\r\nTwo\rThree", "<p>One<br>\nTwo<br>\nThree</p>"),
        ("One\n\nTwo", "<p>One</p>\n<p>Two</p>"),
        ("One\n \t\n\n  Two\n\n", "<p>One</p>\n<p>Two</p>"),
        ("Fish & chips, 1 < 2, 3 > 2", "<p>Fish &amp; chips, 1 &lt; 2, 3 &gt; 2</p>"),
        ("if x<y then", "<p>if x&lt;y then</p>"),
        ("<img src=x onerror=alert(1)", "<p>&lt;img src=x onerror=alert(1)</p>"),
        ("Tom &amp; Jerry", "<p>Tom &amp; Jerry</p>"),
        ("<font>Hello</font>", "<p>Hello</p>"),
        ("“Quoted” – it's 10€", "<p>“Quoted” – it's 10€</p>"),
        ("a\x00b", "<p>ab</p>"),
    ],
)
def test_text_gets_paragraphs(text, expected):
    assert sanitize_html(text) == expected


@pytest.mark.parametrize(
    "markup",
    [
        "<p>One</p>",
        "<b>One</b>\n\nTwo",
        "<p>One</p>\n\n<p>Two</p>",
        "<h2>Programme</h2><ul><li>One</li><li>Two</li></ul>",
        '<p><a href="https://example.org/?a=1&amp;b=2" rel="noopener noreferrer">A</a></p>',
        '<a href="mailto:a@example.org" rel="noopener noreferrer">A</a>',
        '<a href="tel:+39 0471" rel="noopener noreferrer">A</a>',
        '<img src="https://example.org/a.png" alt="A" width="10" height="20">',
        '<table><tbody><tr><td colspan="2">One</td></tr></tbody></table>',
        '<figure><img src="https://example.org/a.png"><figcaption>A</figcaption></figure>',
        '<p lang="ar" dir="rtl">حفلة</p>',
        "<p>“Quoted” – it's &lt;b&gt; &amp; 10€</p>",
    ],
)
def test_safe_markup_is_unchanged(markup):
    assert sanitize_html(markup) == markup


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<script>alert(1)</script><p>A</p>", "<p>A</p>"),
        ("<style>p {color: red}</style><p>A</p>", "<p>A</p>"),
        ('<p onclick="x()" style="color: red" class="a" id="b">A</p>', "<p>A</p>"),
        ('<a href="javascript:alert(1)">A</a>', '<a rel="noopener noreferrer">A</a>'),
        ('<a href="JaVaScRiPt:alert(1)">A</a>', '<a rel="noopener noreferrer">A</a>'),
        ('<a href=" data:text/html,x">A</a>', '<a rel="noopener noreferrer">A</a>'),
        ('<img src="x" onerror="alert(1)">', '<img src="x">'),
        ('<img src="data:image/png;base64,AAAA" alt="A">', '<img alt="A">'),
        ('<iframe src="https://example.org/"></iframe><p>A</p>', "<p>A</p>"),
        ('<form action="/"><input name="a"><p>A</p></form>', "<p>A</p>"),
        ("<svg><script>alert(1)</script></svg><p>A</p>", "<p>A</p>"),
        ("<p>A", "<p>A</p>"),
        ("<!-- secret --><p>A</p>", "<p>A</p>"),
    ],
)
def test_unsafe_markup_is_removed(text, expected):
    assert sanitize_html(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Plain", "Plain"),
        ("  Blanks \n", "Blanks"),
        ("Two\nlines\tand a tab", "Two lines and a tab"),
        ("<b>Bold</b> & <i>free</i>", "Bold & free"),
        ("1 < 2 and 3 > 2", "1 < 2 and 3 > 2"),
        ("<3 music", "<3 music"),
        ("AT&T &amp; co", "AT&T &amp; co"),
        ("<script>alert(1)</script>Title", "Title"),
        ("<scr<b>ipt>Title", "Title"),
        ("a\x00b\x07c\x1bd", "abcd"),
        ("“Quoted” – it's 🎉", "“Quoted” – it's 🎉"),
        ("<p></p>", ""),
    ],
)
def test_plain_text_has_no_markup(text, expected):
    assert strip_markup(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<p>One</p><p>Two</p>", "One Two"),
        ("<p>One<br>Two</p>", "One Two"),
        ("<ul><li>One</li><li>Two</li></ul>", "One Two"),
        ("<p>Songs of <strong>spring</strong>, and <em>more</em>.</p>", "Songs of spring, and more."),
        ("<p><strong>O</strong>nce, H<sub>2</sub>O</p>", "Once, H2O"),
        ('<p><a href="https://example.org/" rel="noopener noreferrer">Here</a>!</p>', "Here!"),
        ('<p>A<img src="https://example.org/a.png" alt="B">C</p>', "A C"),
        ("<p>Fish &amp; chips &lt;3&nbsp;€</p>", "Fish & chips <3 €"),
        ("<address>A</address><section>B</section>", "A B"),
        ("1 < 2", "1 < 2"),
        ("", ""),
    ],
)
def test_html_to_text_returns_the_visible_text(text, expected):
    assert html_to_text(text) == expected


PIECES = [
    "<p>",
    "</p>",
    "<b>",
    "<a>",
    "</a>",
    "<h2>",
    "<ul>",
    "<li>",
    "<td>",
    "<svg>",
    "<!--",
    "<",
    "&",
    "&lt;",
    "\n",
    "x",
]


@given(st.text(max_size=60) | st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
@example("<h1><a><h1><a>")
@example("<\x01b>A")
def test_sanitizing_twice_changes_nothing(text):
    assert sanitize_html(sanitize_html(text)) == sanitize_html(text)
    assert strip_markup(strip_markup(text)) == strip_markup(text)


@pytest.mark.parametrize(
    ("markup", "lines"),
    [
        ("<p>One</p><p>Two<br>Three</p>", "One\nTwo\nThree"),
        ('<p>Tickets <a href="https://tickets.example.org/5">here</a>!</p>', "Tickets here (https://tickets.example.org/5)!"),
        ('<p><a href="https://example.org/?a=1&amp;b=2">A &amp; B</a></p>', "A & B (https://example.org/?a=1&b=2)"),
        ('<p><a href="https://example.org/">https://example.org</a></p>', "https://example.org"),
        ('<p><a href="https://www.example.org/">www.example.org</a></p>', "www.example.org"),
        ('<p>Write to <a href="mailto:a@example.org">Anna</a></p>', "Write to Anna (a@example.org)"),
        ('<p><a href="mailto:a@example.org">a@example.org</a></p>', "a@example.org"),
        ('<p><a rel="noopener">No URL</a></p>', "No URL"),
        ('<p><a href="https://example.org/x"><img src="a.png" alt="Poster"></a></p>', "Poster (https://example.org/x)"),
        ('<p><img src="a.png" alt="A poster"><img src="b.png" alt=""></p>', "A poster"),
        ("<ul><li>One</li><li>Two</li></ul><p>End</p>", "- One\n- Two\nEnd"),
        ("<ol><li>One</li><li>Two</li></ol>", "1. One\n2. Two"),
        (
            '<ol start="5"><li>Five</li><li>Six<ul><li>Inner</li></ul></li><li>Seven</li></ol>',
            "5. Five\n6. Six\n- Inner\n7. Seven",
        ),
        ("<p>1 &lt; 2 &amp; 3</p>", "1 < 2 & 3"),
        ("Plain", "Plain"),
    ],
)  # fmt: skip
def test_html_to_lines_writes_out_what_tags_say(markup, lines):
    assert html_to_lines(markup) == lines
