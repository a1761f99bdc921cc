"""What is written is read as it was: random contents of awkward sizes through every format, beside the libraries whose formats
they are. A command hands its input on where its answer is its input: a reconstruction from the mask itself, a system of ones on
the diagonal, the longest common subsequence of a text with itself."""

import gzip
import pathlib
import subprocess
import tempfile

import meshio
import numpy as np
import scipy.io
import tifffile
import wale
import wale.euler
from Bio import SeqIO
from PIL import Image
from plan import must

SIZES = (1, 1, 2, 3, 7, 8, 9, 31, 33, 64, 65, 100)
INTEGERS = ("u1", "u2", "i1", "i2", "i4")
HELD = {".npy": ("?", *INTEGERS, "f4", "f8"), ".npz": ("u1", "i4", "f8"), ".tif": (*INTEGERS, "f4", "f8"), ".png": ("u1", "u2"), ".jpg": ("u1",)}


def ask(plan, folder, *words):
    done = subprocess.run([plan.command(), *words], cwd=folder, capture_output=True)
    must(done.returncode == 0, f"wale {' '.join(words)}: exit {done.returncode}", done.stderr.decode(errors="replace")[-400:])
    return done.stdout.decode()


def numbers(plan, shape, dtype):
    """Any bits that are a finite number."""
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return plan.rng.random(shape) < 0.5
    array = np.frombuffer(plan.rng.bytes(int(np.prod(shape)) * dtype.itemsize), dtype).reshape(shape).copy()
    if dtype.kind in "fc":
        part = array.view(array.real.dtype)
        part[~np.isfinite(part)] = 0.1
    return array


def image(plan, folder):
    """From every format that peers write into every format that holds the same type."""
    source = plan.draw.choice(list(HELD))
    dtype = plan.draw.choice(HELD[source])
    target = plan.draw.choice([name for name in (".npy", ".tif", ".png") if dtype in HELD[name]])
    pages = (plan.draw.choice((1, 2, 5)),) if source in (".npy", ".tif") and target != ".png" and plan.draw.random() < 0.3 else ()
    picture = numbers(plan, (*pages, plan.draw.choice(SIZES), plan.draw.choice(SIZES)), dtype)
    given, answer = folder / f"in{source}", folder / f"out{target}"
    name = str(given)
    if source == ".npy":
        np.save(given, plan.draw.choice((np.ascontiguousarray, np.asfortranarray))(picture))
    elif source == ".npz":
        plan.draw.choice((np.savez, np.savez_compressed))(given, other=np.arange(9), a=picture)
        name += ":a"
    elif source == ".tif":
        how = {"compression": plan.draw.choice((None, "zlib")), "byteorder": plan.draw.choice("<>"), "bigtiff": plan.draw.random() < 0.3}
        tile = (16, 16) if plan.draw.random() < 0.3 and not pages else None
        tifffile.imwrite(given, picture, photometric="minisblack", tile=tile, metadata=None, **how)
    else:
        Image.fromarray(picture).save(given, quality=75)
    ask(plan, folder, "reconstruct", "reconstruct", name, name, "-o", answer.name)
    found = np.load(answer) if target == ".npy" else tifffile.imread(answer) if target == ".tif" else np.asarray(Image.open(answer))
    wanted = np.asarray(Image.open(given)) if source == ".jpg" else picture
    must(found.dtype == wanted.dtype and np.array_equal(found.reshape(wanted.shape), wanted), f"{source} {wanted.dtype} {wanted.shape} to {target}")


def matrix(plan, folder):
    """Right-hand sides through systems of ones on the diagonal, every format to every other."""
    dtype, shape = plan.draw.choice(["f4", "f8", "c8", "c16"]), (plan.draw.choice(SIZES), plan.draw.choice(SIZES))
    b = numbers(plan, shape, dtype)
    with np.errstate(over="ignore"):
        b[~np.isfinite(np.abs(b))] = 1
    suffixes = (".npy", ".mtx") if b.dtype.kind == "c" else (".npy", ".mtx", ".csv", ".txt")
    source, target = plan.draw.choice(suffixes), plan.draw.choice(suffixes)
    if source == ".npy":
        np.save(folder / "b.npy", plan.draw.choice((np.ascontiguousarray, np.asfortranarray))(b))
    elif source == ".mtx":
        scipy.io.mmwrite(folder / "b.mtx", b)
    else:
        np.savetxt(folder / f"b{source}", b, delimiter="," if source == ".csv" else " ", fmt="%.17g")
    np.save(folder / "off.npy", np.zeros_like(b))
    np.save(folder / "on.npy", np.ones_like(b))
    ask(plan, folder, "tree", "solve", "--lower", "off.npy", "--diagonal", "on.npy", "--upper", "off.npy", "--rhs", f"b{source}",
        "--type", {"f4": "float32", "f8": "float64", "c8": "complex64", "c16": "complex128"}[dtype], "-o", f"x{target}")  # fmt: skip
    file = folder / f"x{target}"
    found = (np.load(file) if target == ".npy" else scipy.io.mmread(file) if target == ".mtx"
             else np.loadtxt(file, delimiter="," if target == ".csv" else None, ndmin=2))  # fmt: skip
    must(np.array_equal(np.asarray(found, dtype).reshape(shape), b), f"{source} {dtype} {shape} to {target}")


def sequences(plan, folder):
    """FASTA and FASTQ with lines of any width and either end, plain or gzip."""
    records = {f"r{k}": "".join(plan.draw.choices("ACGTN", k=plan.draw.choice((0, *SIZES)))) for k in range(plan.draw.choice((1, 2, 5)))}
    end, width, kind = plan.draw.choice(("\n", "\r\n")), plan.draw.choice((1, 7, 60, 1000)), plan.draw.choice(("fasta", "fastq"))
    text = ""
    for name, letters in records.items():
        lines = [letters[k : k + width] for k in range(0, len(letters), width)] or [""]
        text += (f"@{name} x{end}{letters}{end}+{end}{'I' * len(letters)}{end}" if kind == "fastq"
                 else f">{name} x{end}" + "".join(line + end for line in lines))  # fmt: skip
    (folder / "a").write_bytes(gzip.compress(text.encode()) if plan.draw.random() < 0.4 else text.encode())
    ask(plan, folder, "align", "a", "a", "--pairs", "--string", "-o", "x.fa")
    found = {record.id.split("|")[0]: str(record.seq) for record in SeqIO.parse(folder / "x.fa", "fasta")}
    must(found == records, f"{kind}, lines of {width}, {end!r}: {records} became {found}")


def mapping(plan, folder):
    """SAM and PAF say the same: the path leads through the read and the place, and has as many edits as are said."""
    genome = "".join(plan.draw.choices("ACGT", k=plan.draw.choice((90, 200, 1000))))
    reads = {}
    for k in range(5):
        begin = plan.draw.randrange(len(genome) - 40)
        read = list(genome[begin : begin + plan.draw.randrange(20, 60)])
        read[plan.draw.randrange(len(read))] = plan.draw.choice(("A", "", "GT"))
        reads[f"r{k}"] = "".join(read)
    (folder / "g.fa").write_text(f">g\n{genome}\n")
    (folder / "r.fq").write_text("".join(f"@{name}\n{read}\n+\n{'I' * len(read)}\n" for name, read in reads.items()))
    sam = [line.split("\t") for line in ask(plan, folder, "map", "r.fq", "g.fa", "--forward", "-f", "sam").splitlines() if line[0] != "@"]
    paf = {line.split("\t")[0]: line.split("\t") for line in ask(plan, folder, "map", "r.fq", "g.fa", "--forward", "-f", "paf").splitlines()}
    must([line[0] for line in sam] == list(reads), "reads that SAM has")
    for name, flag, _, place, _, cigar, *rest in sam:
        read = reads[name]
        must(rest[3] == read, "the read in SAM", name)
        if int(flag) & 4:
            must(name not in paf, "mapped in PAF alone", name)
            continue
        line, at, taken, edits = paf[name], int(place) - 1, 0, 0
        for step in cigar.replace("=", "= ").replace("X", "X ").replace("I", "I ").replace("D", "D ").split():
            size, letter = int(step[:-1]), step[-1]
            if letter == "=":
                must(read[taken : taken + size] == genome[at : at + size], "letters that are said to be equal", name, cigar)
            edits += size * (letter != "=")
            taken, at = taken + size * (letter != "D"), at + size * (letter != "I")
        said = next(int(field[5:]) for field in rest if field.startswith("NM:i:"))
        must(taken == len(read) and said == edits, "the path in SAM", name, cigar, said)
        must((int(line[7]), int(line[8])) == (int(place) - 1, at), "the place in PAF", line, place)


def mesh(plan, folder):
    """Chains of Wale's own formats keep every bit; SU2 and Gmsh that meshio writes have the cells of the picture for ParaView."""
    kind, shapes = plan.draw.choice((("shell", ["tetrahedron"]), ("box", ["triangle", "quadrilateral", "tetrahedron", "prism", "hexahedron"])))
    shape = plan.draw.choice(shapes)
    m = wale.euler.generate_mesh(kind, size=plan.draw.choice((20, 50, 300)), shape=shape, distortion=plan.draw.choice((0.0, 0.1)))
    m.save(folder / "m0.su2")
    chain = [plan.draw.choice(("su2", "wmesh")) for _ in range(3)] + plan.draw.choice(([], ["sac"] if kind == "shell" else []))
    before = "m0.su2"
    for k, suffix in enumerate(chain, 1):
        ask(plan, folder, "mesh", "convert", before, f"m{k}.{suffix}")
        before = f"m{k}.{suffix}"
    found = wale.euler.read_mesh(folder / before)
    for name in ("volume", "first_face", "neighbour", "normal") + (("points", "centre") if before[-3:] != "sac" else ()):
        must(np.array_equal(getattr(found, name), getattr(m, name)), f"{kind} of {m.cells} cells by {chain}: {name}")
    must(found.patches == m.patches, f"{kind} by {chain}: patches {found.patches}")
    m.save(folder / "m.vtu")
    picture = meshio.read(folder / "m.vtu")
    must(np.array_equal(picture.points, m.points), "points of the VTU")
    tags = {f"gmsh:{name}": [np.zeros(len(block.data), int) for block in picture.cells] for name in ("physical", "geometrical")}
    for form in ("gmsh22", "gmsh"):
        meshio.write(folder / "m.msh", meshio.Mesh(picture.points, picture.cells, cell_data=tags), file_format=form, binary=plan.draw.random() < 0.5)
        other = wale.euler.read_mesh(folder / "m.msh")
        must(np.array_equal(other.volume, m.volume) and np.array_equal(other.neighbour >= 0, m.neighbour >= 0), f"{kind} of {m.cells} cells by {form}")


def flow(plan, folder):
    """A run that stops and goes on from its checkpoint has the bits of one that does not stop."""
    scheme = f'order = {plan.draw.choice((1, 2))}\ntime = "{plan.draw.choice(("jameson", "ssp_rk3"))}"\n'
    text = f'[mesh]\ngenerate = "shell"\nsize = {plan.draw.choice((100, 500))}\n[scheme]\ncfl = 0.3\n{scheme}[run]\nprecision = "{plan.draw.choice(("f32", "f64"))}"\niterations = '
    first, then = plan.draw.randrange(1, 7), plan.draw.randrange(1, 7)
    for name, iterations, words in (("whole", first + then, ()), ("first", first, ()), ("second", then, ("--restart", "first.checkpoint"))):
        (folder / f"{name}.toml").write_text(f'{text}{iterations}\n[output]\ncheckpoint = "{name}.checkpoint"\nflow = "{name}.vtu"\n')
        ask(plan, folder, "euler", f"{name}.toml", *words)
    whole, second = ((folder / f"{name}.vtu").read_bytes() for name in ("whole", "second"))
    must(whole == second, f"{first} and {then} iterations: {text!r}")


def neuron(plan, folder):
    """SWC that is grown, rewritten by another hand, and read: the same cable."""
    wale.grow_neuron(folder / "cell.swc", seed=plan.draw.randrange(99), stems=plan.draw.randrange(1, 5), levels=plan.draw.randrange(1, 5))
    lines = [line.split() for line in (folder / "cell.swc").read_text().splitlines() if line and line[0] != "#"]
    end = plan.draw.choice(("\n", "\r\n"))
    (folder / "other.swc").write_bytes(("# other" + end + "".join("\t".join([*(w if k not in (2, 3, 4, 5) else repr(float(w)) for k, w in enumerate(words))]) + end for words in lines)).encode())
    one, other = (wale.Cable(folder / name, membrane="hh") for name in ("cell.swc", "other.swc"))
    must(np.array_equal(one.run(1).voltages, other.run(1).voltages), "cables of one form in two files")


AREAS = (image, image, matrix, sequences, mapping, mesh, flow, neuron)


def round_trips(plan):
    """Random contents of every format."""
    for number in range(plan.count(6, 300)):
        for area in AREAS:
            with tempfile.TemporaryDirectory(prefix="wale_trust_") as name:
                try:
                    area(plan, pathlib.Path(name))
                except Exception as error:
                    raise type(error)(f"{area.__name__} {number} (seed {plan.seed}): {error}") from error
    return f"{plan.count(6, 300) * len(AREAS)} files and chains of files as they were"


ROWS = (round_trips,)
