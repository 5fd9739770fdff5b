"""Pictures: what is taken, what is refused, and how they are cut."""

import random
from contextlib import suppress

import pytest
from PIL import Image as Pillow

from calendar_site.content.pictures import Focus, NotAPicture, cuts, read_picture, renditions
from tests.pictures import animated, bomb, drawn, encoded, look, quartered, turned


@pytest.mark.parametrize("form", ["JPEG", "PNG", "GIF", "WEBP", "AVIF"])
def test_picture_without_metadata_stays_as_it_is(form):
    content = drawn(form)

    picture = read_picture(content)

    assert picture == (content, form, 40, 30)
    assert picture.media_type == f"image/{form.lower()}"


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP", "AVIF"])
def test_picture_is_set_upright_and_loses_what_it_says_about_its_place(form):
    picture = read_picture(turned(form))

    kept = look(picture.content)
    assert (picture.width, picture.height) == kept.size == (40, 60)
    assert dict(kept.getexif()) == {}


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"GIF89a",
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        b"\x89PNG\r\n\x1a\n",
        drawn("BMP"),
        drawn("TIFF"),
        drawn("ICO", (16, 16)),
        drawn("JPEG", (500, 500))[:-200],
        drawn("PNG", (500, 500))[:-30],
    ],
)
def test_what_is_no_whole_picture_is_refused(content):
    with pytest.raises(NotAPicture):
        read_picture(content)


@pytest.mark.parametrize(
    "content",
    [bomb(50_000, 50_000), bomb(8_000, 5_001), animated(1_000), animated(501), animated(100, (1_000, 401))],
    ids=["huge", "a-row-too-many", "1000-frames", "501-frames", "large-frames"],
)
def test_bomb_is_refused_before_it_is_decoded(content):
    with pytest.raises(NotAPicture, match="megapixels"):
        read_picture(content)


def test_file_over_the_limit_is_refused():
    with pytest.raises(NotAPicture, match="10 megabytes"):
        read_picture(drawn() + b"\0" * 10 * 1024 * 1024)


def sizes_of(content):
    made = renditions(read_picture(content), Focus())
    return {name: (size.width, size.height) for name, size in made.items()}


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        (
            (2000, 1000),
            {"thumbnail": (150, 150), "medium": (300, 150), "medium_large": (768, 384), "large": (1024, 512)},
        ),
        ((1024, 768), {"thumbnail": (150, 150), "medium": (300, 225), "medium_large": (768, 576)}),
        ((300, 300), {"thumbnail": (150, 150)}),
        ((301, 10), {"thumbnail": (150, 10), "medium": (300, 10)}),
        ((10, 1100), {"thumbnail": (10, 150), "medium": (3, 300), "large": (9, 1024)}),
        ((150, 150), {}),
        ((1, 1), {}),
    ],
)
def test_sizes_are_made_where_the_picture_is_larger_and_never_scaled_up(size, expected):
    assert sizes_of(drawn(size=size)) == expected


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP", "AVIF"])
def test_sizes_are_in_the_format_of_the_picture(form):
    made = renditions(read_picture(drawn(form, (400, 400))), Focus())

    assert {size.format for size in made.values()} == {form}
    assert {look(size.content).format for size in made.values()} == {form}


@pytest.mark.parametrize("cut", [renditions, cuts])
@pytest.mark.parametrize("form", ["PNG", "JPEG"])
@pytest.mark.parametrize(("focus", "colour"), [(Focus(0.1, 0.5), (255, 0, 0)), (Focus(0.9, 0.5), (0, 0, 255))])
def test_thumbnail_is_cut_around_the_focal_point(focus, colour, form, cut):
    thumbnail = look(cut(read_picture(quartered(form)), focus)["thumbnail"].content)

    shown = {thumbnail.getpixel(point) for point in ((20, 0), (130, 0), (20, 149), (130, 149))}
    assert thumbnail.size == (150, 150)
    # What JPEG keeps of a colour is nearly that.
    assert {tuple(round(part / 255) * 255 for part in colours) for colours in shown} == {colour}


def test_only_the_thumbnail_follows_the_focal_point():
    assert list(cuts(read_picture(quartered()), Focus(0.1, 0.5))) == ["thumbnail"]
    assert cuts(read_picture(drawn("JPEG", (150, 150))), Focus(0.1, 0.5)) == {}
    assert cuts(read_picture(drawn("JPEG", (151, 40))), Focus())["thumbnail"].width == 150


def test_first_frame_of_an_animation_is_cut():
    made = renditions(read_picture(animated(3, (400, 400))), Focus())

    assert {name: (size.format, size.width) for name, size in made.items()} == {
        "thumbnail": ("PNG", 150),
        "medium": ("PNG", 300),
    }


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGBA", "I;16"])
def test_pictures_of_every_kind_are_cut(mode):
    content = look(drawn(size=(200, 200))).convert(mode)

    assert renditions(read_picture(encoded(content, "PNG")), Focus())["thumbnail"].width == 150


@pytest.mark.parametrize("size", [(1286, 1646), (2990, 2422)])
def test_a_cut_never_leaves_the_picture_by_a_fraction_of_a_pixel(size):
    sizes = renditions(read_picture(drawn("JPEG", size)), Focus())

    assert [(cut.width, cut.height) for name, cut in sizes.items() if name == "thumbnail"] == [(150, 150)]


def test_the_first_of_several_pictures_in_one_file_is_kept_alone():
    second = look(turned())
    several = encoded(look(drawn("JPEG", (60, 40))), "MPO", save_all=True, append_images=[second])

    picture = read_picture(several)

    assert (picture.format, picture.width, picture.height) == ("JPEG", 60, 40)
    assert (look(picture.content).format, look(picture.content).getexif()) == ("JPEG", {})


@pytest.mark.parametrize(
    "content",
    [
        drawn("JPEG", comment=b"Taken at home"),
        drawn("JPEG") + b"Taken at home",
        drawn("PNG") + b"Taken at home",
        drawn("GIF", comment=b"Taken at home"),
        drawn("GIF") + b"Taken at home",
        drawn("JPEG").replace(b"\xff\xdb", b"\xff\xed\x00\x0fTaken at home\xff\xdb", 1),
    ],
)
def test_what_stands_beside_the_picture_is_dropped(content):
    picture = read_picture(content)
    files = [picture.content, *(cut.content for cut in renditions(picture, Focus()).values())]

    assert b"Taken at home" in content
    assert [b"Taken at home" in file for file in files] == [False] * len(files)


def test_sixteen_bits_of_grey_are_not_cut_white():
    grey = Pillow.new("I;16", (400, 300), 5000)

    thumbnail = renditions(read_picture(encoded(grey, "PNG")), Focus())["thumbnail"]

    assert look(thumbnail.content).getpixel((0, 0)) == 19


@pytest.mark.parametrize("form", ["JPEG", "PNG", "GIF", "WEBP", "AVIF"])
def test_damaged_bytes_are_refused_or_read_and_never_more(form):
    whole = drawn(form, (400, 300))
    chance = random.Random(7)

    for _ in range(60):
        damaged = bytearray(whole)
        for _ in range(3):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        with suppress(NotAPicture):
            renditions(read_picture(bytes(damaged)), Focus())
