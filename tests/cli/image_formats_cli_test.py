#!/usr/bin/env python3
"""`wale reconstruct` on JPEG and GeoTIFF. Environment: WALE, the program."""

import struct
import unittest

from images import read_png, tiff
from reconstruct_cli_test import ReconstructTest

# 4 x 3 of 0, 65, 128, 255 in each row.
JPEG = bytes.fromhex(
    "ffd8ffe000104a46494600010100000100010000ffdb0043000201010101010201010102020202020403020202020504"
    "040304060506060605060606070908060709070606080b08090a0a0a0a0a06080b0c0b0a0c090a0a0affc0000b080003"
    "000401011100ffc40014000100000000000000000000000000000008ffc4001b10000007010000000000000000000000"
    "00000304060a3976b4ffda0008010100003f006f4566a3db7a03f9118fffd9"
)


class ImageFormats(ReconstructTest):
    def test_a_tiff_keeps_its_place_on_the_earth_and_its_value_of_no_data(self):
        dem = [[9, 9, 9, 9, 9], [9, 1, 9, 7, 9], [9, 9, 9, 9, 9]]
        scale, keys = struct.pack("<3d", 30, 30, 0), struct.pack("<8H", 1, 1, 0, 1, 3072, 0, 1, 32611)
        path = self.file("dem.tif", tiff(dem, tags=[(33550, 12, 3, scale), (34735, 3, 8, keys), (42113, 2, 2, b"7\0")]))
        out = self.folder / "filled.tif"
        written = self.run_verb("depressions", path, "--verify", out=out)
        self.assertIn(scale, written)
        self.assertIn(keys, written)
        self.assertIn(struct.pack("<HHI", 42113, 2, 2) + b"7\0", written)
        self.assertEqual(read_png(self.run_verb("depressions", path, out=self.folder / "f.png"))[1],
                         [[9] * 5, [9, 9, 9, 7, 9], [9] * 5])
        self.assertEqual(read_png(self.run_verb("depressions", path, "--no-data", "1", out=self.folder / "f.png"))[1],
                         [[9] * 5, [9, 1, 9, 9, 9], [9] * 5])
        self.assertNotIn(struct.pack("<HH", 42113, 2), self.run_verb("regional-maxima", path, out=out))
        odd = self.file("odd.tif", tiff(dem, tags=[(42113, 2, 2, b"x\0")]))
        self.bad(65, "depressions", odd, says="its value of no data is 'x', expected a number")

    def test_pages_that_are_channels_or_times_are_no_volume(self):
        pages = [[[9, 9, 9], [9, k, 9], [9, 9, 9]] for k in (1, 2, 3)]
        ome = '<?xml version="1.0"?><OME><Pixels DimensionOrder="XYCZT" SizeX="3" SizeY="3" SizeC="%d" SizeZ="%d" SizeT="%d"/></OME>'
        imagej = "ImageJ=1.54\nimages=3\n%s=3\nhyperstack=true\n"
        for text, axes in ((ome % (3, 1, 1), "3 channels by OME"), (ome % (1, 1, 3), "3 times by OME"),
                           (imagej % "channels", "3 channels by ImageJ"), (imagej % "frames", "3 times by ImageJ"),
                           (ome % (1, 3, 1), ""), (imagej % "slices", ""), ("a photograph", "")):  # fmt: skip
            tag = text.encode() + b"\0"
            path = self.file("stack.tif", tiff(*pages, tags=[(270, 2, len(tag), tag)]))
            if axes:
                self.bad(65, "fill-holes", path, says=f"its pages are {axes}, expected planes of one volume")
            else:
                self.assertIn("3 x 3 x 3 uint8", self.said("fill-holes", path))
            self.assertIn("3 x 3 x 3 uint8", self.said("fill-holes", path, "--batch"))

    def said(self, *words):
        done = self.wale("reconstruct", *words, "-o", str(self.folder / "out.tif"))
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stderr.decode()

    def test_jpeg_is_read_and_not_written(self):
        path = self.file("p.jpg", JPEG)
        self.assertEqual(read_png(self.run_verb("fill-holes", path, out=self.folder / "p.png"))[1], [[0, 65, 128, 255]] * 3)
        self.assertEqual(self.wale("reconstruct", "fill-holes", path, "-o", "-").stdout[:4], b"\x89PNG")
        self.refused(2, "reconstruct", "fill-holes", path, "-o", str(self.folder / "q.jpg"), says="JPEG is only read")
        cut = self.file("cut.jpg", JPEG[:-20])
        self.bad(65, "fill-holes", cut, says="damaged JPEG: the file ends too early")


if __name__ == "__main__":
    unittest.main()
