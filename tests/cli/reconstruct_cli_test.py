#!/usr/bin/env python3
"""`wale reconstruct`: operations, depths, colour, bad inputs, outputs. Environment: WALE, the program."""

import io
import json
import os
import random
import unittest
import zipfile
import zlib

from arrays import npy, read_npy
from harness import CliTest
from images import border, box, png, read_png, rebuild, zipped

RANDOM = random.Random(7)
GREY = [[RANDOM.randrange(256) for _ in range(19)] for _ in range(14)]
VERBS = ["reconstruct", "fill-holes", "clear-border", "depressions", "h-domes", "h-basins", "h-maxima-transform", "h-minima-transform",
         "regional-maxima", "regional-minima", "extended-maxima", "extended-minima", "opening", "closing",
         "impose-minima", "hysteresis", "select", "watershed"]


class ReconstructTest(CliTest):
    def setUp(self):
        super().setUp()
        self.out = self.folder / "out.png"

    def run_verb(self, verb, *words, out=None, **more):
        out = out or self.out
        done = self.wale("reconstruct", verb, *words, "-o", str(out), **more)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr.decode(), rf"^wale: {verb}, .* pixels \(\d+ %\) .*\n$")
        return out.read_bytes()

    def answer(self, verb, rows, *words, depth=8):
        return read_png(self.run_verb(verb, self.file("in.png", png(rows, depth)), *words))

    def bad(self, code, verb, *words, says="", **more):
        return self.refused(code, "reconstruct", verb, *words, "-o", str(self.out), says=says, **more)


class Operations(ReconstructTest):
    def test_help_has_an_example(self):
        text = self.wale("reconstruct", "--help").stdout.decode()
        for verb in VERBS:
            self.assertIn("\n  " + verb, text)
            done = self.wale("reconstruct", verb, "--help")
            self.assertEqual((done.returncode, done.stderr), (0, b""))
            self.assertIn("wale reconstruct " + verb + " ", done.stdout.decode())
        self.refused(2, "reconstruct", says="no verb, expected ")
        self.refused(2, "reconstruct", "nonsense")
        (error, hint) = self.refused(2, "reconstruct", "h-domes", "x.png", says="--h")
        self.assertIn("`wale reconstruct h-domes --help`", hint)

    def test_reconstruct(self):
        mask = self.file("mask.png", png(GREY))
        marker = [[v if (y * 19 + x) % 17 == 0 else 0 for x, v in enumerate(row)] for y, row in enumerate(GREY)]
        for words, reach in ([], 2), (["-c", "4"], 1), (["-c", "8", "--variant", "reference/plain"], 2):
            out = self.run_verb("reconstruct", self.file("marker.png", png(marker)), mask, "--verify", *words)
            self.assertEqual(read_png(out), (8, rebuild(marker, GREY, reach)))
        above = [[v if (y * 19 + x) % 17 == 0 else 255 for x, v in enumerate(row)] for y, row in enumerate(GREY)]
        out = self.run_verb("reconstruct", self.file("above.png", png(above)), mask, "--erosion", "--verify")
        self.assertEqual(read_png(out)[1], rebuild(above, GREY, rises=False))

    def test_holes_border_and_depressions(self):
        filled = rebuild(border(GREY, 255), GREY, rises=False)
        self.assertEqual(self.answer("fill-holes", GREY, "--verify")[1], filled)
        self.assertEqual(self.answer("depressions", GREY, "--verify")[1], filled)
        kept = rebuild(border(GREY, 0), GREY)
        self.assertEqual(self.answer("clear-border", GREY, "--verify")[1], zipped(lambda i, j: i - j, GREY, kept))
        holes = [[1, 1, 1, 0], [1, 0, 1, 0], [1, 1, 1, 1]]
        self.assertEqual(self.answer("fill-holes", holes, "--verify", depth=1),
                         (1, [[1, 1, 1, 0], [1, 1, 1, 0], [1, 1, 1, 1]]))

    def test_no_data_drains(self):
        dem = [[9, 9, 9, 9, 9], [9, 1, 9, 7, 9], [9, 9, 9, 9, 9]]
        self.assertEqual(self.answer("depressions", dem)[1], [[9] * 5] * 3)
        self.assertEqual(self.answer("depressions", dem, "--no-data", "7", "--verify")[1],
                         [[9] * 5, [9, 9, 9, 7, 9], [9] * 5])
        values = [float("nan") if v == 7 else float(v) for row in dem for v in row]
        path = self.file("dem.npy", npy("<f4", (3, 5), values))
        out = self.folder / "out.npy"
        kind, shape, filled = read_npy(self.run_verb("depressions", path, "--verify", out=out))
        self.assertEqual((kind, shape), ("<f4", [3, 5]))
        self.assertEqual([v for v in filled if v == v], [9.0] * 14)
        self.assertEqual(repr(filled[8]), "nan")

    def test_heights(self):
        low, high = zipped(lambda v: max(v - 40, 0), GREY), zipped(lambda v: min(v + 40, 255), GREY)
        cut, raised = rebuild(low, GREY), rebuild(high, GREY, rises=False)
        for verb, expected in [("h-maxima-transform", cut), ("h-domes", zipped(lambda i, j: i - j, GREY, cut)),
                               ("h-minima-transform", raised), ("h-basins", zipped(lambda i, j: j - i, GREY, raised))]:
            self.assertEqual(self.answer(verb, GREY, "--h", "40", "--verify"), (8, expected))
        self.assertEqual(self.answer("regional-maxima", GREY)[0], 1)
        rise = rebuild(zipped(lambda v: v - 1, GREY), GREY)
        self.assertEqual(self.answer("regional-maxima", GREY)[1], zipped(lambda i, j: int(i != j), GREY, rise))
        fall = rebuild(zipped(lambda v: v + 1, GREY), GREY, rises=False)
        self.assertEqual(self.answer("regional-minima", GREY)[1], zipped(lambda i, j: int(i != j), GREY, fall))
        again = rebuild(zipped(lambda v: v - 1, cut), cut)
        self.assertEqual(self.answer("extended-maxima", GREY, "--h", "40")[1],
                         zipped(lambda i, j: int(i != j), cut, again))
        again = rebuild(zipped(lambda v: v + 1, raised), raised, rises=False)
        self.assertEqual(self.answer("extended-minima", GREY, "--h", "40")[1],
                         zipped(lambda i, j: int(i != j), raised, again))

    def test_boxes(self):
        self.assertEqual(self.answer("opening", GREY, "--size", "3")[1], rebuild(box(GREY, 3, min), GREY))
        self.assertEqual(self.answer("closing", GREY, "--size", "3")[1], rebuild(box(GREY, 3, max), GREY, rises=False))

    def test_hysteresis_selection_and_imposed_minima(self):
        weak, strong = zipped(lambda v: int(v > 90), GREY), zipped(lambda v: int(v > 250), GREY)
        self.assertEqual(self.answer("hysteresis", GREY, "--low", "90", "--high", "250"), (1, rebuild(strong, weak)))
        parts = [[5, 5, 0, 9], [0, 0, 0, 9], [7, 0, 9, 9]]
        self.assertEqual(self.answer("select", parts, "--point", "3,0", "--point", "0,2"),
                         (8, [[0, 0, 0, 9], [0, 0, 0, 9], [7, 0, 9, 9]]))
        seeds = self.file("seeds.png", png([[int(v == 3) for v in row] for row in GREY[:5]] + [[1] * 19], 1))
        image = self.file("six.png", png(GREY[:6]))
        imposed = read_png(self.run_verb("impose-minima", image, seeds))[1]
        low = rebuild(zipped(lambda v: v + 1, imposed), imposed, rises=False)
        self.assertEqual(zipped(lambda i, j: int(i != j), imposed, low)[5], [1] * 19)
        for kind, least in ("|i1", -(2**7)), ("<i2", -(2**15)), ("<i4", -(2**31)):  # minima of the file's own type
            image = self.file("s.npy", npy(kind, (1, 5), [3, -4, 2, 0, 9]))
            imposed = self.run_verb("impose-minima", image, self.file("m.npy", npy("|u1", (1, 5), [0, 0, 0, 1, 0])),
                                    out=self.folder / "out.npy")  # fmt: skip
            self.assertEqual(read_npy(imposed)[0::2], (kind, [4, 3, 3, least, 10]))
        for point in "1", "1,2,3,4", "-1,0", "1,x", "":
            self.bad(2, "select", self.file("p.png", png(parts)), "--point", point)
        self.bad(2, "select", self.file("p.png", png(parts)), "--point", "4,0", says="points")

    def test_watershed(self):
        relief = self.file("relief.png", png([[0, 1, 5, 1, 0]] * 3))
        markers = self.file("markers.png", png([[7, 0, 0, 0, 9]] + [[0] * 5] * 2, 4))
        depth, labels = read_png(self.run_verb("watershed", relief, markers))
        self.assertEqual(depth, 4)
        self.assertTrue(all(row[:2] == [7, 7] and row[3:] == [9, 9] for row in labels), labels)
        lined = read_png(self.run_verb("watershed", relief, markers, "--line"))[1]
        self.assertEqual([row[2] for row in lined], [0, 0, 0])
        half = self.file("half.png", png([[1, 1, 0, 0, 0]] * 3, 1))
        self.assertEqual(read_png(self.run_verb("watershed", relief, markers, "--mask", half))[1], [[7, 7, 0, 0, 0]] * 3)
        self.bad(65, "watershed", relief, self.file("f.npy", npy("<f4", (3, 5), [0.5] * 15)), says="whole numbers")

    def test_stacks_are_volumes_or_batches(self):
        ring = [[1, 1, 1], [1, 0, 1], [1, 1, 1]]
        flat = [v for _ in range(2) for row in ring for v in row]
        path, out = self.file("two.npy", npy("|u1", (2, 3, 3), flat)), self.folder / "out.npy"
        self.assertEqual(read_npy(self.run_verb("fill-holes", path, out=out))[2], flat)  # open above and below
        self.assertEqual(read_npy(self.run_verb("fill-holes", path, "--batch", out=out)), ("|u1", [2, 3, 3], [1] * 18))
        one = self.file("one.npy", npy("|u1", (1, 3, 3), flat[:9]))
        self.assertEqual(read_npy(self.run_verb("fill-holes", one, "--batch", out=out)), ("|u1", [1, 3, 3], [1] * 9))
        maxima = read_npy(self.run_verb("regional-maxima", one, "--batch", out=out))
        self.assertEqual(maxima[:2], ("|b1", [1, 3, 3]))
        volumes = self.file("volumes.npy", npy("<u2", (1, 2, 3, 3), flat))
        self.assertEqual(read_npy(self.run_verb("fill-holes", volumes, out=out)), ("<u2", [1, 2, 3, 3], flat))
        tiff = self.folder / "two.tif"
        self.run_verb("fill-holes", path, out=tiff)
        self.assertEqual(read_npy(self.run_verb("fill-holes", str(tiff), out=out)), ("|u1", [2, 3, 3], flat))
        self.refused(2, "reconstruct", "fill-holes", path, "-c", "8", "-o", str(out), says="connectivity")
        self.bad(2, "fill-holes", path, says="2 planes, expected one flat image")


class Depth(ReconstructTest):
    def test_stays(self):
        for depth in 1, 2, 4, 8, 16:
            rows = [[RANDOM.randrange(1 << depth) for _ in range(13)] for _ in range(7)]
            expected = rebuild(border(rows, (1 << depth) - 1), rows, rises=False)
            self.assertEqual(self.answer("fill-holes", rows, "--verify", depth=depth), (depth, expected))
            tiff = self.folder / "way.tif"
            self.run_verb("fill-holes", self.file("in.png", png(rows, depth)), out=tiff)
            self.assertEqual(read_png(self.run_verb("fill-holes", str(tiff)))[1], expected)
        for kind, low, high in [("|b1", 0, 1), ("|u1", 0, 255), ("|i1", -128, 127), ("<u2", 0, 65535),
                                ("<i2", -32768, 32767), ("<i4", -2 ** 31, 2 ** 31 - 1)]:
            values = [RANDOM.randrange(low, high + 1) for _ in range(63)]
            rows = [values[y * 9:y * 9 + 9] for y in range(7)]
            expected = [v for row in rebuild(border(rows, high), rows, rises=False) for v in row]
            for name in "way.npy", "way.tif":
                way, out = self.folder / name, self.folder / "out.npy"
                self.run_verb("fill-holes", self.file("in.npy", npy(kind, (7, 9), values)), "--verify", out=way)
                # int8 and int16 are int32 on the way and become themselves again.
                self.assertEqual(read_npy(self.run_verb("fill-holes", str(way), out=out)), (kind, [7, 9], expected))

    def test_a_format_that_cannot_hold_it_is_refused_before_the_work(self):
        path = self.file("in.npy", npy("<f4", (1, 2), [1.5, 2.5]))
        self.bad(2, "fill-holes", path, says="float32, expected bool, uint8 or uint16")
        self.refused(2, "reconstruct", "fill-holes", path, "-o", str(self.folder / "out.jpg"), says="expected .png")
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["in.npy"])

    def test_differences_that_int16_cannot_hold_are_widened(self):
        path, out = self.file("in.npy", npy("<i2", (3, 3), [30000] + [-30000] * 7 + [30000])), self.folder / "out.npy"
        kind, _, values = read_npy(self.run_verb("h-domes", path, "--h", "60000", out=out))
        self.assertEqual((kind, max(values)), ("<i4", 60000))


class Colour(ReconstructTest):
    def test_only_as_told(self):
        rgb = self.file("rgb.png", png([[100, 200, 50, 9, 9, 9]], 8, 2))
        (error, hint) = self.bad(65, "fill-holes", rgb, says="8-bit RGB, expected grey values")
        self.assertIn("--gray", hint)
        self.assertEqual(read_png(self.run_verb("fill-holes", rgb, "--gray")), (8, [[168, 9]]))
        self.assertEqual(read_png(self.run_verb("fill-holes", rgb, "--channel", "1")), (8, [[200, 9]]))
        self.bad(65, "fill-holes", rgb, "--channel", "3", says="no channel 3, expected 0..2")
        self.bad(2, "fill-holes", rgb, "--gray", "--channel", "1")
        alpha = self.file("alpha.png", png([[500, 65535, 600, 0]], 16, 4))
        (error, hint) = self.bad(65, "fill-holes", alpha, says="expected no alpha channel")
        self.assertIn("--drop-alpha", hint)
        self.assertEqual(read_png(self.run_verb("fill-holes", alpha, "--drop-alpha")), (16, [[500, 600]]))


class Inputs(ReconstructTest):
    def setUp(self):
        super().setUp()
        self.good = self.file("good.png", png(GREY))

    def test_what_cannot_be_opened(self):
        self.bad(66, "fill-holes", str(self.folder / "missing.png"), says="missing.png: No such file")
        self.bad(66, "fill-holes", str(self.folder), says="directory")
        if os.geteuid() != 0:
            os.chmod(self.good, 0)
            self.bad(66, "fill-holes", self.good, says="Permission")

    def test_arrays_of_every_type_that_python_takes(self):
        for kind, answer, top in [("<u4", "<i4", 9), ("<u8", "<i4", 9), ("<i8", "<i4", 9), (">i8", "<i4", 9), ("<f2", "<f4", 9),
                                  ("<u4", "<f8", 4294967295), ("<i8", "<f8", 2**53)]:  # fmt: skip
            with self.subTest(kind=kind, top=top):
                source = self.file("in.npy", npy(kind, (3, 4), [top] * 5 + [1] + [top] * 6))
                out = self.folder / "out.npy"
                found, shape, values = read_npy(self.run_verb("fill-holes", source, out=out))
                self.assertEqual((found, shape, set(values)), (answer, [3, 4], {top}))
        labels = npy("<i8", (1, 5), [70000, 0, 0, 0, -2])
        grey = self.file("grey.npy", npy("|u1", (1, 5), [0, 1, 5, 1, 0]))
        basins = read_npy(self.run_verb("watershed", grey, self.file("seeds.npy", labels), out=out))
        self.assertEqual(basins, ("<i4", [1, 5], [70000, 70000, 70000, -2, -2]))

    def test_bad_data(self):
        whole = png(GREY)
        array = npy("|u1", (2, 3), range(6))
        for name, content, says in [
            ("empty.png", b"", "an empty file, expected a PNG"),
            ("text.png", b"GIF89a", "starts with 'G'"),
            ("cut.png", whole[:-20], "damaged PNG"),
            ("long.png", whole + b"x", "1 bytes after the end of the image"),
            ("crc.png", whole[:60] + bytes([whole[60] ^ 1]) + whole[61:], "damaged PNG"),
            ("cut.npy", array[:-1], "5 bytes of elements, expected 6"),
            ("long.npy", array + b"x", "7 bytes of elements, expected 6"),
            ("half.npy", npy("|u1", (2, 3), range(6)).replace(b"|u1", b"<c8"), "elements '<c8'"),
            ("wide.npy", npy("<i8", (1, 2), [2**53 + 1, 0]), "values from 0 to 9007199254740993, expected within"),
            ("line.npy", npy("|u1", (6,), range(6)), "1 axes, expected 2, 3 or 4"),
            ("bomb.npy", npy("|u1", (1 << 31, 1 << 31), []), "0 bytes of elements"),
            ("bomb.tif", b"II*\0\xff\xff\xff\x7f", "damaged TIFF"),
            ("nan.npy", npy("<f4", (1, 2), [1, float("nan")]), "NaN at row 0, column 1"),
            ("a\x1b[31m.png", b"", "a\\x1b[31m.png: "),
            ("b\x1b[31m.npy", npy("<f4", (1, 1), [float("nan")]), "b\\x1b[31m.npy: NaN"),
        ]:
            out = self.folder / "out.npy"
            self.refused(65, "reconstruct", "h-domes", self.file(name, content), "--h", "1", "-o", str(out), says=says)
            self.assertFalse(out.exists())
        self.bad(65, "fill-holes", "/dev/zero", says="byte 0x00")
        self.bad(65, "fill-holes", "-", says="standard input: an empty file", stdin=b"")
        self.bad(2, "reconstruct", "-", "-", says="standard input")

    def test_a_hostile_size_costs_nothing(self):
        header = bytearray(png([[1]]))
        body = b"IHDR" + b"\x7f\xff\xff\xff" * 2 + bytes(header[24:29])
        bomb = bytes(header[:12]) + body + zlib.crc32(body).to_bytes(4, "big") + bytes(header[33:])
        self.bad(65, "fill-holes", self.file("bomb.png", bomb), says="cannot hold")

    def test_standard_input_and_output(self):
        for name in "in.png", "in.npy":
            data = png(GREY) if name == "in.png" else npy("|u1", (14, 19), [v for row in GREY for v in row])
            expected = self.wale("reconstruct", "fill-holes", self.file(name, data))
            self.assertEqual(expected.returncode, 0, expected.stderr)
            self.assertEqual(self.wale("reconstruct", "fill-holes", "-", stdin=data).stdout, expected.stdout)
            self.assertEqual(expected.stdout[:5], data[:5])  # the input's format

    def test_members_of_an_archive(self):
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as z:
            z.writestr("elevation.npy", npy("<i2", (3, 3), [9, 9, 9, 9, 1, 9, 9, 9, 9]))
            z.writestr("other.npy", npy("<i2", (1, 1), [5]))
        path, out = self.file("dem.npz", archive.getvalue()), self.folder / "out.npy"
        self.assertEqual(read_npy(self.run_verb("depressions", path + ":elevation", out=out)), ("<i2", [3, 3], [9] * 9))
        self.bad(65, "depressions", path, says="one of elevation, other")
        self.bad(65, "depressions", path + ":height", says="no member 'height'")

    def test_shapes_types_and_markers(self):
        small = self.file("small.png", png([row[:5] for row in GREY]))
        message, *_ = self.bad(65, "reconstruct", small, self.good)
        self.assertRegex(message, r"small\.png: .*14 x 5 uint8, expected .*14 x 19 uint8")
        deep = self.file("deep.png", png(GREY, 16))
        self.bad(65, "reconstruct", deep, self.good, says="uint16")
        above = zipped(lambda v: min(v + 1, 255), GREY)
        marker = self.file("above.png", png(above))
        (error, hint) = self.bad(65, "reconstruct", marker, self.good)
        count = sum(v < 255 for row in GREY for v in row)
        self.assertRegex(error, rf"above\.png: .*{count} of 266 pixels, first at row 0, column 0")
        self.assertIn("--clamp", hint)
        self.assertEqual(read_png(self.run_verb("reconstruct", marker, self.good, "--clamp"))[1], GREY)

    def test_options_out_of_range(self):
        for words in (["--h", "0"], ["--h", "-3"], ["--h", "1.5"], ["--h", "256"], ["--h", "nan"], ["--h", "x"],
                      ["--h", "3", "-c", "5"], ["--h", "3", "-c", "6"], ["--h", "3", "--variant", "nonsense"],
                      ["--h", "3", "--threads", "-1"], ["--h", "3", "--channel", "-1"]):
            self.bad(2, "h-domes", self.good, *words)
        for size in "0", "2", "-3", "15":
            self.bad(2, "opening", self.good, "--size", size)
        self.bad(2, "hysteresis", self.good, "--low", "5", "--high", "4")
        self.bad(2, "opening", self.good, "--size", "3", "--verify")
        self.bad(65, "h-domes", self.file("bits.png", png([[1, 0]], 1)), "--h", "1", says="bits.png: ")

    def test_cuda_is_never_replaced_silently(self):
        rows = json.loads(self.wale("list", "--json").stdout)["variants"]
        if any(r["backend"] == "cuda" and r["available"] for r in rows):
            self.skipTest("this machine has a CUDA device")
        self.assertEqual(len(self.bad(69, "fill-holes", self.good, "--backend", "cuda", says="CUDA")), 2)
        self.bad(69, "fill-holes", self.good, "--variant", "cuda/tiles", says="CUDA")


class Outputs(ReconstructTest):
    def setUp(self):
        super().setUp()
        self.good = self.file("good.png", png(GREY))

    def test_json_says_what_ran_and_changed(self):
        done = self.wale("reconstruct", "fill-holes", self.good, "-o", str(self.out), "--json", "--verify",
                         "--backend", "reference")
        facts = json.loads(done.stdout)
        filled = rebuild(border(GREY, 255), GREY, rises=False)
        self.assertEqual(facts["changed"], sum(a != b for r, s in zip(GREY, filled) for a, b in zip(r, s)))
        self.assertEqual(facts["difference"], sum(map(sum, filled)) - sum(map(sum, GREY)))
        self.assertEqual((facts["type"], facts["bits"], facts["shape"], facts["verified"], facts["variant"]),
                         ("uint8", 8, [1, 1, 14, 19], True, "reference/plain"))
        self.assertGreater(facts["compute_seconds"], 0)
        done = self.wale("reconstruct", "fill-holes", self.good, "--json")
        self.assertEqual((done.returncode, done.stdout, json.loads(done.stderr)["where"]), (2, b"", "--json"))
        done = self.wale("reconstruct", "fill-holes", self.file("bad", b"x"), "--json", "-o", str(self.out))
        self.assertEqual(json.loads(done.stderr)["code"], 65)

    def test_comparison(self):
        see = self.folder / "see.png"
        self.run_verb("fill-holes", self.good, "--compare", str(see))
        depth, rows = read_png(see.read_bytes())
        self.assertEqual((depth, len(rows), {len(row) for row in rows}), (8, 14, {3 * 19 + 16}))
        self.assertEqual({v for row in rows for v in row[19:27]}, {255})
        flat = [v for row in GREY for v in row]
        darkest, brightest = flat.index(min(flat)), flat.index(max(flat))
        self.assertEqual(rows[darkest // 19][darkest % 19], 0)
        self.assertEqual(rows[brightest // 19][brightest % 19], 255)
        filled = rebuild(border(GREY, 255), GREY, rises=False)
        for y, x in ((y, x) for y in range(14) for x in range(19)):
            if filled[y][x] == GREY[y][x]:
                self.assertEqual((rows[y][x], rows[y][54 + x]), (rows[y][27 + x], 0))
        wide = self.file("wide.npy", npy("<f8", (2, 5000), [x / 7 for x in range(10000)]))
        self.run_verb("regional-maxima", wide, "--compare", str(see))
        depth, rows = read_png(see.read_bytes())
        self.assertEqual((len(rows), len(rows[0])), (1, 3 * 1000 + 16))
        self.bad(2, "fill-holes", self.good, "--compare", str(self.folder / "see.tif"), says="--compare")
        self.bad(2, "fill-holes", self.good, "--compare", str(self.out), says="expected two files")

    def test_a_comparison_that_cannot_be_written_leaves_the_old_file(self):
        self.out.write_text("old")
        self.bad(73, "fill-holes", self.good, "--compare", self.good, says="is an input")
        self.bad(73, "fill-holes", self.good, "--compare", str(self.folder / "no" / "see.png"))
        self.assertEqual(self.out.read_text(), "old")
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["good.png", "out.png"])


if __name__ == "__main__":
    unittest.main()
