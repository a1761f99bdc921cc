"""The recurrences as plain Python loops: what every variant is held to."""

import numpy as np


def table(a, b, corner, top, left, cell):
    """All cells; cell(diagonal, up, left, i, j) sees the border through corner, top(j), left(i)."""
    rows = [[corner] + [top(j) for j in range(len(b))]]
    for i in range(len(a)):
        row = [left(i)]
        for j in range(len(b)):
            row.append(cell(rows[-1][j], rows[-1][j + 1], row[j], i, j))
        rows.append(row)
    return rows


def lcs(a, b):
    return table(a, b, 0, lambda j: 0, lambda i: 0, lambda d, u, l, i, j: max(d + (a[i] == b[j]), u, l))


def edit(a, b):
    def cell(d, u, l, i, j):  # as in a dict: an object is equal to itself
        return min(d + (a[i] is not b[j] and a[i] != b[j]), u + 1, l + 1)

    return table(a, b, 0, lambda j: j + 1, lambda i: i + 1, cell)


def alignment(a, b, match, mismatch, gap):
    return table(
        a,
        b,
        0,
        lambda j: gap * (j + 1),
        lambda i: gap * (i + 1),
        lambda d, u, l, i, j: max(d + (match if a[i] == b[j] else mismatch), u + gap, l + gap),
    )


def dtw(a, b, squared):
    number = np.result_type(a, b).type
    infinity = number(np.inf)

    def cost(i, j):
        difference = a[i] - b[j]
        return difference * difference if squared else abs(difference)

    return table(
        a,
        b,
        number(0),
        lambda j: infinity,
        lambda i: infinity,
        lambda d, u, l, i, j: cost(i, j) + min(d, u, l),
    )


def cells(rows, dtype):
    """Without the border, as an array."""
    m, n = len(rows) - 1, len(rows[0]) - 1
    return np.array([row[1:] for row in rows[1:]], dtype).reshape(m, n)
