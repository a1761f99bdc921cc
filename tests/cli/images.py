"""Tiny readers and writers of PNG and TIFF, and the plain definition of reconstruction, for the tests."""

import itertools
import struct
import zlib


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(rows, depth=8, colour=0, chunks=b""):
    """Rows of samples, several a pixel where there is colour."""
    lines = b""
    for row in rows:
        bits = "".join(format(v, f"0{depth}b") for v in row)
        bits += "0" * (-len(bits) % 8)
        lines += b"\0" + int(bits or "0", 2).to_bytes(len(bits) // 8, "big")
    width = len(rows[0]) // {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[colour]
    header = struct.pack(">IIBBBBB", width, len(rows), depth, colour, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunks + chunk(b"IDAT", zlib.compress(lines))
            + chunk(b"IEND", b""))


def tiff(*pages, tags=()):
    """Pages of rows of bytes; tags of the first page are (number, type, count, bytes of the values)."""
    file = b"II*\0" + struct.pack("<I", 8)
    for k, rows in enumerate(pages):
        file += _page(rows, tags if k == 0 else (), len(file), k + 1 == len(pages))
    return file


def _page(rows, tags, begin, last):
    pixels = b"".join(map(bytes, rows))
    own = [(256, len(rows[0])), (257, len(rows)), (258, 8), (259, 1), (262, 1), (277, 1), (278, len(rows)),
           (279, len(pixels))]
    entries = [(number, 4, 1, struct.pack("<I", value)) for number, value in own] + list(tags)
    at = begin + 2 + 12 * (len(entries) + 1) + 4
    entries.append((273, 4, 1, struct.pack("<I", at)))
    head, tail = b"", pixels
    for number, kind, count, values in sorted(entries):
        if len(values) > 4:
            values, tail = struct.pack("<I", at + len(tail)), tail + values
        head += struct.pack("<HHI", number, kind, count) + values.ljust(4, b"\0")
    return struct.pack("<H", len(entries)) + head + struct.pack("<I", 0 if last else at + len(tail)) + tail


def read_png(data):
    """(depth, rows) of a grey PNG that is not interlaced."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed = 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        assert struct.unpack(">I", data[at + 8 + size:at + 12 + size])[0] == zlib.crc32(kind + body)
        if kind == b"IHDR":
            width, height, depth, colour, _, _, interlace = struct.unpack(">IIBBBBB", body)
            assert (colour, interlace) == (0, 0)
        packed += body if kind == b"IDAT" else b""
        at += 12 + size
    plain = zlib.decompress(packed)
    step, line = max(1, depth // 8), (width * depth + 7) // 8
    rows, above = [], bytes(line)
    for y in range(height):
        kind, raw = plain[y * (line + 1)], bytearray(plain[y * (line + 1) + 1:(y + 1) * (line + 1)])
        for x in range(line):
            a, b, c = (raw[x - step] if x >= step else 0), above[x], (above[x - step] if x >= step else 0)
            p = a + b - c
            paeth = min((abs(p - v), k, v) for k, v in enumerate((a, b, c)))[2]
            raw[x] = (raw[x] + (0, a, b, (a + b) // 2, paeth)[kind]) & 255
        above = bytes(raw)
        bits = "".join(format(v, "08b") for v in raw)
        rows.append([int(bits[x * depth:(x + 1) * depth], 2) for x in range(width)])
    return depth, rows


def neighbours(rows, y, x, reach):
    for v, u in itertools.product((-1, 0, 1), repeat=2):
        if 0 < abs(v) + abs(u) <= reach and 0 <= y + v < len(rows) and 0 <= x + u < len(rows[0]):
            yield rows[y + v][x + u]


def rebuild(marker, mask, reach=2, rises=True):
    """Elementary dilations under the mask (or erosions above it) until nothing changes."""
    pick, bound = (max, min) if rises else (min, max)
    now = [[bound(m, i) for m, i in zip(*pair)] for pair in zip(marker, mask)]
    while True:
        after = [[bound(pick([now[y][x], *neighbours(now, y, x, reach)]), mask[y][x]) for x in range(len(mask[0]))]
                 for y in range(len(mask))]
        if after == now:
            return now
        now = after


def border(rows, inside):
    """The image where it ends, `inside` elsewhere."""
    last_y, last_x = len(rows) - 1, len(rows[0]) - 1
    return [[v if y in (0, last_y) or x in (0, last_x) else inside for x, v in enumerate(row)]
            for y, row in enumerate(rows)]


def zipped(f, *images):
    return [[f(*values) for values in zip(*rows)] for rows in zip(*images)]


def box(rows, size, pick):
    """Erosion (min) or dilation (max) by a box; the image goes on with nothing."""
    half = size // 2
    return [[pick(rows[v][u] for v in range(max(0, y - half), min(len(rows), y + half + 1))
                  for u in range(max(0, x - half), min(len(rows[0]), x + half + 1)))
             for x in range(len(rows[0]))] for y in range(len(rows))]
