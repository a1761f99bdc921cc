#!/usr/bin/env python3
"""What users of other programs type by habit: names of outputs, words, orders of files. Environment: WALE, the program."""

import bz2
import lzma
import unittest

from arrays import mtx, npy
from harness import CliTest, dna
from images import png

READ = dna(150, 1)


class Names(CliTest):
    """The ending of the output's name says the format, or is refused."""

    def setUp(self):
        super().setUp()
        self.genome = self.file("genome.fa", f">chr1\n{dna(300, 2)}{READ}\n")
        self.reads = self.file("reads.fa", f">r\n{READ}\n")
        self.protein = self.file("p.fa", ">p\nMKVLATWQ\n")

    def written(self, name, *words):
        done = self.wale(*words, "-o", str(self.folder / name))
        self.assertEqual(done.returncode, 0, done.stderr)
        return (self.folder / name).read_text()

    def test_formats_by_ending(self):
        map_reads, align = ["map", self.reads, self.genome], ["align", self.reads, self.reads]
        self.assertTrue(self.written("x.sam", *map_reads).startswith("@HD"))
        self.assertTrue(self.written("x.SAM", *map_reads).startswith("@HD"))
        self.assertTrue(self.written("x.tsv", *map_reads).startswith("read\t"))
        for name in "x.paf", "x.txt", "x":
            self.assertTrue(self.written(name, *map_reads).startswith("r\t150"), name)
        self.assertTrue(self.written("y.sam", *align).startswith("@HD"))
        self.assertIn("cg:Z:150=", self.written("y.paf", *align))
        self.assertIn("\tlcs\t", self.written("y.tsv", *align))
        self.assertIn("\tdistance\t", self.written("z.tsv", *align, "-m", "edit"))
        self.assertIn("cg:Z:", self.written("s.paf", "search", self.protein, self.protein))
        # A format that is asked for is written, whatever the name.
        self.assertTrue(self.written("x.dat.sam", *map_reads, "--format", "tsv").startswith("read\t"))
        self.assertTrue(self.written("x.json", *map_reads, "--json").startswith('{"schema_version"'))

    def test_names_that_would_mislead(self):
        swc = self.file("n.swc", "1 1 0 0 0 10 -1\n")
        for words, written in ((["map", self.reads, self.genome], "paf"), (["align", self.reads, self.reads], "tsv"),
                               (["search", self.protein, self.protein], "tsv"), (["tree", "cable", swc], "csv"),
                               (["tree", "grow"], "swc"),
                               (["warp", "--all", self.file("s.csv", "1,2\n2,3\n")], "csv")):  # fmt: skip
            for name, hint in (("x.png", ""), ("x.h5", ""), ("x.tsv.gz", "gzip"), ("x.bam", "samtools")):
                path = self.folder / name
                self.refused(2, *words, "-o", str(path), says=f"{name}', expected a name for {written}, which is what is written")
                self.assertIn(hint, self.wale(*words, "-o", str(path)).stderr.decode())
                self.assertFalse(path.exists())
        done = self.wale("map", self.reads, self.genome, "--json", "-o", str(self.folder / "x.sam"))
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"expected a name for json", done.stderr)
        self.refused(2, "tree", "cable", swc, "-o", str(self.folder / "soma.npy"), says="a name for csv")


class Words(CliTest):
    def test_words_out_of_lists(self):
        a = self.file("a.fa", ">a\nACGT\n")
        self.refused(2, "align", a, a, "--mode", "HW", says="--mode: is 'HW', expected global, infix, prefix, overlap or local")
        self.refused(2, "map", a, a, "--format", "samm", says="--format: is 'samm', expected paf, sam or tsv; did you mean sam?")
        self.refused(2, "mesh", "generate", "naca0012", "-o", "x.su2", says="kind: is 'naca0012', expected shell, wedge")
        self.refused(2, "study", "lus", says="solver: is 'lus', expected euler, lu,")
        self.refused(2, "list", "align", says="'align' is no solver, expected euler, lu, reconstruction, tree or wavefront")

    def test_an_output_without_its_option(self):
        image = self.file("a.png", png([[1, 2], [3, 4]]))
        self.refused(2, "reconstruct", "fill-holes", image, "o.png", says="'o.png' is one argument too many; -o FILE names the output")
        self.refused(2, "lu", "det", self.file("a.mtx", mtx([[1.0]])), "b", says="'b' is one argument too many")

        self.refused(2, "lu", "solve", "a.npy", "b.npy", says="'b.npy' is one argument too many; --rhs FILE has the right")

    def test_a_height_is_no_call_for_help(self):
        self.refused(2, "reconstruct", "h-domes", "a.png", "-h", "20", says="-h: is --help, and '20' follows")
        self.assertIn(b"Usage: ", self.wale("reconstruct", "h-domes", "-h", "a.png").stdout)

    def test_names_of_python(self):
        image = self.file("a.npy", npy("|u1", (3, 3), [9, 9, 9, 9, 1, 9, 9, 9, 9]))
        answers = [self.wale("reconstruct", verb, image, "-o", "-").stdout for verb in ("fill-holes", "fill_holes")]
        self.assertTrue(answers[0])
        self.assertEqual(*answers)

    def test_version(self):
        for word in "-V", "version":
            self.assertEqual(self.wale(word).stdout, self.wale("--version").stdout)

    def test_options_before_the_verb(self):
        self.refused(2, "--threads", "2", "info", says="'--threads' is no option, expected --help or --version")
        self.refused(2, "lu", "--type", "f32", "det", "a.mtx", says="'--type' is no option, expected --help")

    def test_a_mesh_is_written_where_o_says(self):
        for words in (["convert", "a.su2", "-o", "b.wmesh"], ["convert", "a.su2", "b.wmesh"]):
            self.wale("mesh", "generate", "box", "--size", "30", "-o", "a.su2", cwd=self.folder)
            done = self.wale("mesh", *words, cwd=self.folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            (self.folder / "b.wmesh").unlink()

    def test_what_is_no_case(self):
        for name in "wing.su2", "wing.msh", "wing.CGNS":
            self.refused(2, "euler", name, says=f"'{name}', a mesh, expected a case that names it: [mesh] file = \"{name}\"")
        self.refused(2, "euler", "inv_NACA0012.cfg", says="as SU2's configurations are called, expected a name that ends in .toml")


class Files(CliTest):
    def test_files_in_the_other_order(self):
        reads, genome = self.file("r.fa", f">r\n{READ}\n"), self.file("g.fa", f">g\n{dna(1000, 3)}{READ}\n")
        done = self.wale("map", genome, reads)
        self.assertEqual((done.returncode, done.stdout), (0, b""))
        self.assertIn(b"wale: note: ", done.stderr)
        self.assertIn(b"the reads come first, then the genome", done.stderr)
        self.assertNotIn(b"note", self.wale("map", reads, genome).stderr)

    def test_nucleotides_scored_as_amino_acids(self):
        dna_file, protein = self.file("d.fa", f">d\n{READ}\n"), self.file("p.fa", ">p\nMKVLATWQHHGGTACGTAACCG\n")
        said = self.wale("search", dna_file, dna_file).stderr
        self.assertIn(b"the queries look like nucleotides, and blosum62 scores them as amino acids", said)
        for words in ([dna_file, dna_file, "--match", "2", "--mismatch", "-3"], [dna_file, dna_file, "--matrix", "pam30"],
                      [protein, protein]):  # fmt: skip
            self.assertNotIn(b"note", self.wale("search", *words).stderr)

    def test_local_without_scores(self):
        words = ["align", "--strings", "ACGT", "CG", "--mode", "local"]
        self.assertIn(b"nothing scores above 0 with --match 0", self.wale(*words).stderr)
        for more in (["--match", "2"], ["--matrix", "blosum62"]):
            self.assertNotIn(b"note", self.wale(*words, *more).stderr)

    def test_text_without_quotes(self):
        for line in "file = wing.su2", "file = f.su2":
            self.refused(65, "euler", self.file("c.toml", f"[mesh]\n{line}\n"), says="; text stands in quotes")

    def test_other_compressors(self):
        for name, pack, program in (("r.fa.bz2", bz2.compress, "bzip2"), ("r.fa.xz", lzma.compress, "xz")):
            path = self.file(name, pack(f">r\n{READ}\n".encode()))
            for words in (["map", path, path], ["lu", "det", path], ["reconstruct", "fill-holes", path], ["tree", "cable", path],
                          ["tree", "solve", path], ["mesh", "check", path], ["warp", path, path], ["euler", path]):  # fmt: skip
                self.refused(65, *words, says=f"is compressed by {program}, which is not read (`{program} -dc` decompresses")

        for text in "BZh", "BZh9", "BZh91":  # as bzip2 begins, and shorter than what tells its files
            path = self.file("short.fa", text)
            self.refused(65, "map", path, path, says="expected '>'")

    def test_sequences_in_the_place_of_files(self):
        done = self.wale("align", "GATTACA", "TACGACA")
        self.assertEqual(done.returncode, 66)
        self.assertIn(b"wale: hint: `wale align --strings A B` takes sequences", done.stderr)
        self.assertNotIn(b"--strings", self.wale("align", "none.fa", "none.fa").stderr)


if __name__ == "__main__":
    unittest.main()
