#!/usr/bin/env python3
"""Writes tests/data/stills: one small picture as HEIC and AVIF in all the ways that cameras use.

    pip install pillow pillow-heif && scripts/stills.py

libheif and libavif encode the pixels; what they have no options for (grids, turns, clean apertures,
derived items, Exif that contradicts the container) is put together here from their coded pictures,
after ISO/IEC 23008-12. source.png is the picture that all of them show.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pillow_heif
from PIL import Image, ImageCms

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "tests/data/stills"
DEMO = ROOT / "datasets/samples/demo.jpg"
SECRET = b"GPS 52.5200 N SERIAL 4711"
QUALITY = 80

pillow_heif.register_heif_opener()


def box(kind: Any, *parts: bytes):
    data = b"".join(parts)
    return struct.pack(">I", 8 + len(data)) + kind + data


def full_box(kind: Any, version: int, flags: int, *parts: bytes):
    return box(kind, struct.pack(">I", version << 24 | flags), *parts)


def boxes(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = 0
    while at + 8 <= len(data):
        length = struct.unpack(">I", data[at : at + 4])[0]
        yield data[at + 4 : at + 8], data[at + 8 : at + length]
        at += length


def coded(file: bytes) -> tuple[bytes, bytes, bytes]:
    """Kind and payload of the configuration, and the coded primary picture, of a simple file."""
    meta = dict(boxes(dict(boxes(file))[b"meta"][4:]))
    properties = dict(boxes(dict(boxes(meta[b"iprp"]))[b"ipco"]))
    primary = struct.unpack(">H", meta[b"pitm"][4:6])[0]
    iloc = meta[b"iloc"]
    offset, length, base = iloc[4] >> 4, iloc[4] & 15, iloc[5] >> 4
    at = 8

    def number(size: Any):
        nonlocal at
        at += size
        return int.from_bytes(iloc[at - size : at], "big")

    for _ in range(struct.unpack(">H", iloc[6:8])[0]):
        item = number(2)
        number(4 if iloc[0] else 2)
        start, data = number(base), b""
        for _ in range(number(2)):
            place = start + number(offset)
            data += file[place : place + number(length)]
        if item == primary:
            found = data
    kind = b"hvcC" if b"hvcC" in properties else b"av1C"
    return kind, properties[kind], found


def encode(image: Image.Image, kind: Any, quality: int = QUALITY, **options: Any) -> tuple[bytes, bytes, bytes]:
    file = io.BytesIO()
    image.save(file, kind, quality=quality, **options)
    return coded(file.getvalue())


def ispe(size: Any):
    return full_box(b"ispe", 0, 0, struct.pack(">II", *size))


def container(items: Any, primary: int, ftyp: bytes, references: Any = (), inside: bytes = b""):
    """A file of items: (type, properties as (box, essential), data, whether it is in `idat`)."""
    properties, lists = [], []
    for _, wanted, _, _ in items:
        indices = []
        for one, essential in wanted:
            if one not in properties:
                properties.append(one)
            indices.append(properties.index(one) + 1 | (0x80 if essential else 0))
        lists.append(bytes(indices))
    ipma = [struct.pack(">HB", at + 1, len(one)) + one for at, one in enumerate(lists)]
    infe = [
        full_box(b"infe", 2, 0, struct.pack(">HH", at + 1, 0), kind, b"\0") for at, (kind, _, _, _) in enumerate(items)
    ]

    def meta(offset: int):
        places, inner = [], 0
        for at, (_, _, data, is_inside) in enumerate(items):
            place = inner if is_inside else offset
            places.append(struct.pack(">HHHHII", at + 1, int(is_inside), 0, 1, place, len(data)))
            if is_inside:
                inner += len(data)
            else:
                offset += len(data)
        return full_box(
            b"meta", 0, 0,
            full_box(b"hdlr", 0, 0, b"\0\0\0\0pict" + bytes(13)),
            full_box(b"pitm", 0, 0, struct.pack(">H", primary)),
            full_box(b"iloc", 1, 0, b"\x44\0", struct.pack(">H", len(places)), *places),
            full_box(b"iinf", 0, 0, struct.pack(">H", len(infe)), *infe),
            full_box(b"iref", 0, 0, *references) if references else b"",
            box(b"iprp", box(b"ipco", *properties),
                full_box(b"ipma", 0, 0, struct.pack(">I", len(ipma)), *ipma)),
            box(b"idat", *[data for _, _, data, is_inside in items if is_inside]),
        )  # fmt: skip

    head = box(b"ftyp", ftyp)
    offset = len(head) + len(meta(0)) + 8
    return head + meta(offset) + box(b"mdat", *[item[2] for item in items if not item[3]])


def reference(kind: Any, item: int, targets: list[int]):
    numbers = struct.pack(f">HH{len(targets)}H", item, len(targets), *targets)
    return box(kind, numbers)


HEIC, AVIF = b"heic\0\0\0\0mif1heic", b"avif\0\0\0\0mif1avifmiaf"


def single(
    image: Image.Image,
    kind: Any = "HEIF",
    steps: Any = (),
    more: Any = (),
    references: Any = (),
    colour: Any = (),
    **options: Any,
):
    """A picture that is coded as a whole, with properties of our own and further items."""
    which, configuration, data = encode(image, kind, **options)
    is_hevc = which == b"hvcC"
    properties = [(box(which, configuration), True), (ispe(image.size), False)]
    properties += [(one, False) for one in colour] + [(one, True) for one in steps]
    items = [(b"hvc1" if is_hevc else b"av01", properties, data, False), *more]
    return container(items, 1, HEIC if is_hevc else AVIF, references)


def grid(image: Image.Image, tile: Any, kind: Any = "HEIF", steps: Any = (), **options: Any):
    """Tiles of a square size, as phones write them; the last ones reach beyond the picture."""
    columns, rows = -(-image.width // tile), -(-image.height // tile)
    # Beyond the picture its last column and row go on.
    whole = Image.new("RGB", (columns * tile, rows * tile))
    for x in range(0, whole.width, image.width):
        for y in range(0, whole.height, image.height):
            whole.paste(image, (x, y))
    items = []
    for y in range(rows):
        for x in range(columns):
            part = whole.crop((x * tile, y * tile, (x + 1) * tile, (y + 1) * tile))
            which, configuration, data = encode(part, kind, **options)
            properties = [(box(which, configuration), True), (ispe((tile, tile)), False)]
            items.append((b"hvc1" if which == b"hvcC" else b"av01", properties, data, False))
    layout = struct.pack(">BBBBHH", 0, 0, rows - 1, columns - 1, *image.size)
    number = len(items) + 1
    tiles = list(range(1, number))
    exif = struct.pack(">I", 6) + b"Exif\0\0" + orientation(6)
    properties = [(ispe(image.size), False)] + [(one, True) for one in steps]
    items += [(b"grid", properties, layout, True), (b"Exif", [], exif, False)]
    references = [reference(b"dimg", number, tiles), reference(b"cdsc", number + 1, [number])]
    return container(items, number, HEIC if which == b"hvcC" else AVIF, references)


def orientation(value: Any) -> bytes:
    """A TIFF block with an orientation, which readers of HEIC must not apply, and a place."""
    return b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01" + bytes([0, value, 0, 0, 0, 0, 0, 0]) + SECRET


def nclx(primaries: int, transfer: int, matrix: Any = 6, full: bool = True):
    return box(b"colr", b"nclx", struct.pack(">HHHB", primaries, transfer, matrix, full << 7))


def turned(quarters: int):
    return box(b"irot", bytes([quarters]))


def mirrored(axis: int):
    return box(b"imir", bytes([axis]))


def aperture(width: Any, height: Any, right: Any, down: Any):
    """A clean aperture whose centre lies so many pixels right of and below the picture's."""
    return box(b"clap", struct.pack(">IIIIiIiI", width, 1, height, 1, right, 1, down, 1))


def in_colours(image: Image.Image, matrix: Any):
    """The picture with the code values of other primaries, sRGB's curve kept; rows of a matrix."""

    def light(value: Any):
        value /= 255
        return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4

    def code(value: Any):
        value = min(1, max(0, value))
        value = value * 12.92 if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055
        return round(value * 255)

    values = [light(value) for value in image.tobytes()]
    pixels = zip(values[::3], values[1::3], values[2::3])
    codes = [code(sum(weight * value for weight, value in zip(row, pixel))) for pixel in pixels for row in matrix]
    return Image.frombytes("RGB", image.size, bytes(codes))


# From linear sRGB to linear Display P3 and BT.2020, both with the white of D65 (ITU-R BT.2087,
# SMPTE EG 432-1).
TO_P3 = [(0.8224622, 0.1775378, 0.0), (0.0331942, 0.9668058, 0.0), (0.0170826, 0.0723974, 0.9105199)]
TO_2020 = [(0.6274039, 0.3292830, 0.0433131), (0.0690973, 0.9195404, 0.0113623), (0.0163914, 0.0880133, 0.8955953)]


def p3_profile() -> bytes:
    """A profile with the primaries of Display P3 and the curve of sRGB, as phones carry it."""
    srgb = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    primaries = {
        b"rXYZ": (0.515121, 0.241196, -0.001053),
        b"gXYZ": (0.291977, 0.692245, 0.041885),
        b"bXYZ": (0.157104, 0.066574, 0.784073),
    }
    profile = bytearray(srgb)
    for at in range(132, 132 + 12 * struct.unpack(">I", srgb[128:132])[0], 12):
        kind, offset, _ = struct.unpack(">4sII", srgb[at : at + 12])
        if kind in primaries:
            numbers = [round(value * 65536) for value in primaries[kind]]
            profile[offset + 8 : offset + 20] = struct.pack(">iii", *numbers)
    return bytes(profile)


def deep(image: Image.Image, bits: int) -> bytes:
    """A HEIC of 10 or 12 bits a sample."""
    pillow_heif.options.SAVE_HDR_TO_12_BIT = bits == 12
    words = b"".join(struct.pack("<H", value * 257) for value in image.tobytes())
    file, bytes_ = pillow_heif.HeifFile(), io.BytesIO()
    file.add_frombytes("RGB;16", image.size, words)
    file.save(bytes_, quality=QUALITY)
    return bytes_.getvalue()


def saved(image: Image.Image, kind: Any, **options: Any) -> bytes:
    file = io.BytesIO()
    image.save(file, kind, quality=QUALITY, **options)
    return file.getvalue()


def sequence(image: Image.Image) -> bytes:
    """A film of two pictures without a primary item: only its track tells where the first one
    is."""
    return bytes(saved(image, "AVIF", save_all=True, append_images=[image.rotate(180)])).replace(b"pitm", b"free")


def derived(image: Image.Image):
    """A tone map over an identity of a picture that is turned."""
    which, configuration, data = encode(image, "HEIF")
    picture = [(box(which, configuration), True), (ispe(image.size), False), (turned(1), True)]
    items = [
        (b"hvc1", picture, data, False),
        (b"iden", [(ispe(image.size[::-1]), False), (mirrored(1), True)], b"", True),
        (b"tmap", [(ispe(image.size[::-1]), False)], b"\0", True),
    ]
    return container(items, 3, HEIC, [reference(b"dimg", 2, [1]), reference(b"dimg", 3, [2, 1])])


def main() -> None:
    OUT.mkdir(parents=True, exist_ok=True)
    demo = Image.open(DEMO).convert("RGB")
    source = demo.crop((320, 240, 960, 720)).resize((128, 96), Image.LANCZOS)
    source.save(OUT / "source.png", optimize=True)
    p3, bt2020 = in_colours(source, TO_P3), in_colours(source, TO_2020)
    clear = source.convert("RGBA")
    clear.putalpha(128)
    exif = orientation(1)
    files = {
        "plain.heic": saved(source, "HEIF", exif=b"Exif\0\0" + exif),
        "half.heic": saved(source, "HEIF", chroma=422),
        "full.heic": saved(source, "HEIF", chroma=444),
        "grey.heic": saved(source.convert("L"), "HEIF"),
        "alpha.heic": saved(clear, "HEIF"),
        "ten.heic": deep(source, 10),
        "twelve.heic": deep(source, 12),
        "odd.heic": saved(source.crop((0, 0, 127, 95)), "HEIF"),
        "grid.heic": grid(source, 64),
        "turned.heic": grid(source, 64, steps=[turned(3)]),
        "turned-mirrored.heic": grid(source, 64, steps=[turned(1), mirrored(1)]),
        "upside-down.heic": single(source, steps=[turned(2)]),
        "mirrored-rows.heic": single(source, steps=[mirrored(0)]),
        "cut.heic": single(source, steps=[aperture(96, 64, 8, -4)]),
        "p3-named.heic": single(p3, colour=[nclx(12, 13)]),
        "p3-profile.heic": single(p3, colour=[box(b"colr", b"prof", p3_profile()), nclx(2, 2)]),
        "bt2020.heic": single(bt2020, colour=[nclx(9, 13)]),
        "derived.heic": derived(source),
        "plain.avif": saved(source, "AVIF", exif=exif),
        "half.avif": saved(source, "AVIF", subsampling="4:2:2"),
        "full.avif": saved(source, "AVIF", subsampling="4:4:4"),
        "grey.avif": saved(source.convert("L"), "AVIF"),
        "alpha.avif": saved(clear, "AVIF"),
        "odd.avif": saved(source.crop((0, 0, 127, 95)), "AVIF"),
        "grid.avif": grid(source, 64, "AVIF", steps=[turned(1)]),
        "sequence.avif": sequence(source),
        "p3-named.avif": single(p3, "AVIF", colour=[nclx(12, 13)]),
    }
    for name, data in files.items():
        (OUT / name).write_bytes(data)
    # A white picture of 49 megapixels in a thousand bytes: decoding it takes seconds.
    (OUT.parent / "flat.avif").write_bytes(saved(Image.new("RGB", (8064, 6048), "white"), "AVIF", quality=75, speed=8))
    samples = DEMO.parent
    (samples / "demo.heic").write_bytes(grid(demo.rotate(90, expand=True), 512, steps=[turned(3)], quality=65))
    (samples / "demo.avif").write_bytes(saved(demo, "AVIF"))


if __name__ == "__main__":
    main()
