"""Inputs that several tests pass, and a folder for their files."""

import atexit
import shutil
import tempfile
from pathlib import Path

import numpy as np
import wale
import wale.euler

MASKED = np.ma.array([1, 2, 3], mask=[0, 1, 0])
GREY = np.array([[1, 9, 1, 4, 1]], np.uint8)
A = np.array([[1.0, 2.0], [3.0, 4.0]])
SWAPPED = A.astype(">f8")
LU, PIV = wale.lu_factor(A)
B = [1.0, 2.0]
X = [0.0, 0.5]
SQUARE = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], float)
FOLDER = Path(tempfile.mkdtemp(prefix="wale_habits_"))
GRID = wale.euler.generate_mesh("shell", size=200)
atexit.register(shutil.rmtree, FOLDER)
