#!/usr/bin/env python3
"""image_seeds.py FOLDER - small PNG, TIFF, JPEG, NPY and NPZ files from which the fuzzers start."""

import io
import pathlib
import re
import struct
import sys
import zipfile
import zlib


def png(width, height, depth, colour, lines, interlace=0, chunks=()):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    out = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, interlace))
    out += b"".join(chunk(kind, data) for kind, data in chunks)
    return out + chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b"")


def tiff(tags, data, big_endian=False):
    """One page; strips or tiles start at `data`, whose offset and size the tags name as -1 and -2."""
    order = ">" if big_endian else "<"
    start = 8 + 2 + 12 * len(tags) + 4
    out = (b"MM" if big_endian else b"II") + struct.pack(order + "HI", 42, 8) + struct.pack(order + "H", len(tags))
    for number, value in sorted(tags.items()):
        value = start if value == -1 else len(data) if value == -2 else value
        out += struct.pack(order + "HHII", number, 4, 1, value)
    return out + struct.pack(order + "I", 0) + data


def grey(columns, rows, bits, compression=1, sample_format=1, photometric=1, **more):
    tags = {256: columns, 257: rows, 258: bits, 259: compression, 262: photometric, 273: -1, 277: 1, 278: rows,
            279: -2, 339: sample_format}
    tags.update({int(key[1:]): value for key, value in more.items()})
    return tags


def npy(descr, shape, data, fortran=False, version=1):
    header = str({"descr": descr, "fortran_order": fortran, "shape": shape}).encode()
    size = struct.pack("<H" if version == 1 else "<I", len(header))
    return b"\x93NUMPY" + bytes([version, 0]) + size + header + data


def npz(compression, **arrays):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", compression) as archive:
        for name, data in arrays.items():
            archive.writestr(name + ".npy", data)
    return out.getvalue()


def jpegs():
    """The files of hexadecimal digits in tests/unit/image_bytes.hpp: what the tests decode, the fuzzer starts from."""
    source = (pathlib.Path(__file__).parents[1] / "unit/image_bytes.hpp").read_text()
    for digits in re.findall(r'= bytes_of_hex\(([^)]*)\);', source):
        yield bytes.fromhex("".join(re.findall(r'"([0-9a-f]*)"', digits)))


SEEDS = {
    "png/bit": png(3, 1, 1, 0, b"\0\xa0"),
    "png/four": png(3, 2, 4, 0, b"\0\x0f\x70\1\x0f\x70"),
    "png/byte": png(2, 2, 8, 0, b"\0\1\2\4\3\4"),
    "png/short": png(2, 1, 16, 0, b"\2\1\2\3\4"),
    "png/rgb": png(2, 1, 8, 2, b"\0" + bytes(range(6))),
    "png/rgba": png(1, 1, 16, 6, b"\0" + bytes(range(8))),
    "png/palette": png(2, 1, 8, 3, b"\0\1\0", chunks=[(b"PLTE", bytes(range(6))), (b"tRNS", b"\x80")]),
    "png/rgb_key": png(2, 1, 16, 2, b"\0" + bytes(range(12)), chunks=[(b"tRNS", bytes(range(6)))]),
    "png/grey_key": png(3, 1, 2, 0, b"\0\x6c", chunks=[(b"tRNS", b"\0\1")]),
    "png/interlaced": png(2, 2, 8, 0, b"\0\1\0\2\0\3\4", 1),
    "tiff/byte": tiff(grey(3, 2, 8), b"abcdef"),
    "tiff/bit": tiff(grey(9, 2, 1, photometric=0), b"\xaa\x80\x55\0"),
    "tiff/short": tiff(grey(2, 2, 16), b"abcdefgh", big_endian=True),
    "tiff/signed": tiff(grey(2, 1, 16, sample_format=2), b"\xff\xff\1\0"),
    "tiff/float": tiff(grey(2, 1, 32, sample_format=3), struct.pack("<2f", 1.5, -2)),
    "tiff/half": tiff(grey(2, 1, 16, sample_format=3), struct.pack("<2e", 1.5, -2)),
    "tiff/double": tiff(grey(1, 1, 64, sample_format=3), struct.pack("<d", 1.5)),
    "tiff/deflate": tiff(grey(4, 4, 8, compression=8, t317=2), zlib.compress(bytes(range(16)))),
    "tiff/packbits": tiff(grey(4, 1, 8, compression=32773), b"\xfd\x07"),
    "tiff/rgb": tiff(grey(1, 1, 8, photometric=2, t277=3), b"\1\2\3"),
    "tiff/rgba": tiff(grey(2, 1, 16, photometric=2, t277=4, t338=2), bytes(range(16))),
    "tiff/white_alpha": tiff(grey(2, 1, 8, photometric=0, t277=2, t338=0), b"abcd"),
    "tiff/fax": tiff(grey(524291, 2, 8, compression=3, t277=23809), b"\0\1\2"),
    "tiff/tiles": tiff({256: 5, 257: 5, 258: 8, 259: 1, 262: 1, 277: 1, 322: 16, 323: 16, 324: -1, 325: -2},
                       bytes(range(256))),
    **dict(zip(("jpeg/grey", "jpeg/progressive"), jpegs())),
    "npy/byte": npy("|u1", (2, 3), b"abcdef"),
    "npy/bool": npy("|b1", (2, 1), b"\0\1"),
    "npy/short": npy(">i2", (2, 1), b"\0\1\xff\xff", fortran=True),
    "npy/float": npy("<f4", (1, 2), struct.pack("<2f", 1, 2), version=2),
    "npy/half": npy("<f2", (2, 2), struct.pack("<4e", 0, 1.875, -2, float("inf"))),
    "npy/volume": npy("<f8", (2, 1, 1), struct.pack("<2d", 1, 2), version=3),
    "npy/batch": npy("|u1", (2, 1, 2, 1), b"abcd"),
    "npy/stored.npz": npz(zipfile.ZIP_STORED, a=npy("|u1", (1, 2), b"ab")),
    "npy/deflated.npz": npz(zipfile.ZIP_DEFLATED, a=npy("|u1", (4, 64), b"a" * 256)),
}


def write(seeds):
    folder = pathlib.Path(sys.argv[1])
    for name, data in seeds.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


if __name__ == "__main__":
    write(SEEDS)
