"""Files of numbers that the tests of the command line write and read: NPY, and matrices in every format."""

import ast
import random
import struct

BANNER = "%%MatrixMarket matrix array real general\n"
LETTERS = {"b1": "?", "u1": "B", "i1": "b", "u2": "H", "i2": "h", "u4": "I", "i4": "i", "u8": "Q", "i8": "q", "f2": "e", "f4": "f",
           "f8": "d", "c8": "f", "c16": "d"}  # fmt: skip


def npy_head(kind, shape, fortran=False):
    """What precedes the elements; the kind is NumPy's, such as "<f8"."""
    header = f"{{'descr': '{kind}', 'fortran_order': {fortran}, 'shape': {tuple(shape)}, }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\0" + struct.pack("<H", len(header)) + header.encode()


def packing(kind, count):
    return f"{'>' if kind[0] == '>' else '<'}{count}{LETTERS[kind[1:]]}"


def npy(kind, shape, values, fortran=False):
    """Elements in the order of the file; of complex ones the parts."""
    values = list(values)
    return npy_head(kind, shape, fortran) + struct.pack(packing(kind, len(values)), *values)


def npy_rows(rows, kind="<f8"):
    """A matrix by rows."""
    return npy(kind, (len(rows), len(rows[0])), (v for row in rows for v in row))


def read_npy(data):
    """(kind, shape, values)"""
    assert data[:8] == b"\x93NUMPY\x01\0"
    (size,) = struct.unpack("<H", data[8:10])
    assert (size + 10) % 64 == 0
    header, cells = ast.literal_eval(data[10:10 + size].decode()), data[10 + size:]
    kind, shape = header["descr"], list(header["shape"])
    values = list(struct.unpack(packing(kind, len(cells) // struct.calcsize(LETTERS[kind[1:]])), cells))
    if header["fortran_order"] and len(shape) == 2:
        values = [values[j * shape[0] + i] for i in range(shape[0]) for j in range(shape[1])]
    return kind, shape, values


def mtx(rows):
    numbers = "".join(f"{row[j]!r}\n" for j in range(len(rows[0]) if rows else 0) for row in rows)
    return f"{BANNER}{len(rows)} {len(rows[0]) if rows else 0}\n{numbers}"


def dat(rows):
    return f"{len(rows)}\n" + "".join(" ".join(repr(v) for v in row) + "\n" for row in rows)


def csv(rows):
    return "".join(",".join(repr(v) for v in row) + "\n" for row in rows)


def txt(rows):
    return "# rows of numbers\n" + csv(rows).replace(",", " ")


def read_mtx(text):
    lines = text.split("\n")
    assert lines[0] + "\n" == BANNER, lines[0]
    rows, columns = map(int, lines[1].split())
    flat = [float(word) for word in lines[2:] if word]
    return [[flat[j * rows + i] for j in range(columns)] for i in range(rows)]


def read_lines(text):
    return [[float(word) for word in line.replace(",", " ").split()] for line in text.splitlines()]


def read(path):
    """A matrix as a list of rows, or an NPY of one axis as a list, by the name's end."""
    data = path.read_bytes()
    if path.suffix == ".npy":
        _, shape, values = read_npy(data)
        return values if len(shape) == 1 else [values[i * shape[1]:(i + 1) * shape[1]] for i in range(shape[0])]
    if path.suffix == ".mtx":
        return read_mtx(data.decode())
    return read_lines(data.decode())[path.suffix == ".dat":]


def matrix(rows, columns, seed):
    source = random.Random(seed)
    return [[source.uniform(-1, 1) for _ in range(columns)] for _ in range(rows)]


def transposed(a):
    return [list(column) for column in zip(*a)]
