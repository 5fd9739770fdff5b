"""Images: accepted and rejected files, and their renditions."""

import random
import time
from contextlib import suppress

import pytest
from PIL import Image as Pillow

from calendar_site.media.image_process import InvalidImage, crop_image, process_image
from calendar_site.media.processing import FocalPoint
from tests.support.image_files import (
    animated_gif,
    decompression_bomb,
    encode_image,
    open_image,
    plain_image,
    red_blue_image,
    rotated_image,
)


def read_image(content):
    """Return the image as it is stored."""
    return process_image(content, FocalPoint(), deadline=time.monotonic() + 15).original


def make_renditions(content, focal_point=FocalPoint()):  # noqa: B008
    return process_image(content, focal_point, deadline=time.monotonic() + 15).renditions


def make_crops(content, focal_point):
    return crop_image(content, focal_point, deadline=time.monotonic() + 15)


@pytest.mark.parametrize("format_name", ["JPEG", "PNG", "GIF", "WEBP"])
def test_image_without_metadata_is_unchanged(format_name):
    content = plain_image(format_name)

    image = read_image(content)

    assert image == (content, format_name, 40, 30)
    assert image.media_type == f"image/{format_name.lower()}"


@pytest.mark.parametrize("format_name", ["JPEG", "PNG", "WEBP", "AVIF"])
def test_rotated_image_is_set_upright_without_metadata(format_name):
    image = read_image(rotated_image(format_name))

    kept = open_image(image.content)
    assert (image.width, image.height) == kept.size == (40, 60)
    assert dict(kept.getexif()) == {}


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"GIF89a",
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        b"\x89PNG\r\n\x1a\n",
        plain_image("BMP"),
        plain_image("TIFF"),
        plain_image("ICO", (16, 16)),
        plain_image("JPEG", (500, 500))[:-200],
        plain_image("PNG", (500, 500))[:-30],
    ],
)
def test_invalid_image_is_refused(content):
    with pytest.raises(InvalidImage):
        read_image(content)


@pytest.mark.parametrize(
    ("draw", "size"),
    [
        (decompression_bomb, (50_000, 50_000)),
        (decompression_bomb, (8_000, 5_001)),
        (animated_gif, (1_000,)),
        (animated_gif, (501,)),
        (animated_gif, (100, (1_000, 401))),
    ],
    ids=["huge", "a-row-too-many", "1000-frames", "501-frames", "large-frames"],
)
def test_bomb_is_refused_before_it_is_decoded(draw, size):
    content = draw(*size)

    with pytest.raises(InvalidImage, match="megapixels"):
        read_image(content)


def test_file_over_the_limit_is_refused():
    with pytest.raises(InvalidImage, match=r"^The file is larger than 10 MB\.$"):
        read_image(plain_image() + b"\0" * 10 * 1024 * 1024)


def rendition_sizes(content):
    renditions = make_renditions(content)
    return {name: (size.width, size.height) for name, size in renditions.items()}


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
def test_renditions_are_never_larger_than_the_image(size, expected):
    assert rendition_sizes(plain_image(size=size)) == expected


@pytest.mark.parametrize("format_name", ["JPEG", "PNG", "WEBP", "AVIF"])
def test_renditions_have_the_format_of_the_image(format_name):
    renditions = make_renditions(plain_image(format_name, (400, 400)))

    assert {size.format for size in renditions.values()} == {format_name}
    assert {open_image(size.content).format for size in renditions.values()} == {format_name}


@pytest.mark.parametrize("make", [make_renditions, make_crops])
@pytest.mark.parametrize("format_name", ["PNG", "JPEG"])
@pytest.mark.parametrize(
    ("focus", "colour"), [(FocalPoint(0.1, 0.5), (255, 0, 0)), (FocalPoint(0.9, 0.5), (0, 0, 255))]
)
def test_thumbnail_is_cropped_around_the_focal_point(focus, colour, format_name, make):
    thumbnail = open_image(make(red_blue_image(format_name), focus)["thumbnail"].content)

    shown = {thumbnail.getpixel(point) for point in ((20, 0), (130, 0), (20, 149), (130, 149))}
    assert thumbnail.size == (150, 150)
    # What JPEG keeps of a colour is nearly that.
    assert {tuple(round(part / 255) * 255 for part in colours) for colours in shown} == {colour}


def test_only_the_thumbnail_follows_the_focal_point():
    assert list(make_crops(red_blue_image(), FocalPoint(0.1, 0.5))) == ["thumbnail"]
    assert make_crops(plain_image("JPEG", (150, 150)), FocalPoint(0.1, 0.5)) == {}
    assert make_crops(plain_image("JPEG", (151, 40)), FocalPoint())["thumbnail"].width == 150


def test_renditions_of_an_animation_show_its_first_frame():
    renditions = make_renditions(animated_gif(3, (400, 400)))

    assert {name: (size.format, size.width) for name, size in renditions.items()} == {
        "thumbnail": ("PNG", 150),
        "medium": ("PNG", 300),
    }


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGBA", "I;16"])
def test_renditions_are_made_in_every_mode(mode):
    content = open_image(plain_image(size=(200, 200))).convert(mode)

    assert make_renditions(encode_image(content, "PNG"))["thumbnail"].width == 150


@pytest.mark.parametrize("size", [(1286, 1646), (2990, 2422)])
def test_crop_never_exceeds_the_image_by_a_fraction_of_a_pixel(size):
    sizes = make_renditions(plain_image("JPEG", size))

    assert [(cut.width, cut.height) for name, cut in sizes.items() if name == "thumbnail"] == [(150, 150)]


def test_only_the_first_of_several_images_in_a_file_is_kept():
    second = open_image(rotated_image())
    several = encode_image(open_image(plain_image("JPEG", (60, 40))), "MPO", save_all=True, append_images=[second])

    image = read_image(several)

    assert (image.format, image.width, image.height) == ("JPEG", 60, 40)
    assert (open_image(image.content).format, open_image(image.content).getexif()) == ("JPEG", {})


@pytest.mark.parametrize(
    "content",
    [
        plain_image("JPEG", comment=b"Taken at home"),
        plain_image("JPEG") + b"Taken at home",
        plain_image("PNG") + b"Taken at home",
        plain_image("GIF", comment=b"Taken at home"),
        plain_image("GIF") + b"Taken at home",
        plain_image("JPEG").replace(b"\xff\xdb", b"\xff\xed\x00\x0fTaken at home\xff\xdb", 1),
    ],
)
def test_bytes_beside_the_image_are_dropped(content):
    image = read_image(content)
    files = [image.content, *(cut.content for cut in make_renditions(content).values())]

    assert b"Taken at home" in content
    assert [b"Taken at home" in file for file in files] == [False] * len(files)


def test_16_bit_greyscale_is_not_clipped_to_white():
    grey = Pillow.new("I;16", (400, 300), 5000)

    thumbnail = make_renditions(encode_image(grey, "PNG"))["thumbnail"]

    assert open_image(thumbnail.content).getpixel((0, 0)) == 19


@pytest.mark.parametrize("format_name", ["JPEG", "PNG", "GIF", "WEBP", "AVIF"])
def test_damaged_image_is_read_or_refused(format_name):
    whole = plain_image(format_name, (400, 300))
    chance = random.Random(7)

    for _ in range(20):
        damaged = bytearray(whole)
        for _ in range(3):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        with suppress(InvalidImage):
            make_renditions(bytes(damaged))
