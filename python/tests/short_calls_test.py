"""Short calls take a short way: with it and without it answers are the same, whatever the caller passes."""

import numpy as np
import pytest

import wale

KEYWORDS = [{}, {"threads": 1}, {"threads": 2}, {"backend": "cpu"}, {"variant": "automatic"}, {"where": wale.cpu(1)}]


class Key:
    """Equal to others of its name; of few hashes."""

    def __init__(self, name):
        self.name = name

    def __hash__(self):
        return len(self.name)

    def __eq__(self, other):
        return isinstance(other, Key) and self.name == other.name


def plain_distance(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a):
        before, row[0] = row[0], i + 1
        for j, y in enumerate(b):
            before, row[j + 1] = row[j + 1], min(row[j] + 1, row[j + 1] + 1, before + (x is not y and x != y))
    return row[-1]


@pytest.mark.parametrize("run", KEYWORDS)
def test_keywords_of_the_cpu_change_nothing(run):
    rng = np.random.default_rng(1)
    for kind in ("f4", "f8", "c8", "c16"):
        a = rng.normal(size=(9, 5, 5)).astype(kind)
        a = a + (1j * rng.normal(size=a.shape)).astype(kind) if kind[0] == "c" else a
        b = a[:, :, :2].copy()
        assert np.array_equal(wale.solve(a, b, **run), wale.solve(a, b))
        assert np.array_equal(wale.inv(a, **run), wale.inv(a))
        assert np.array_equal(wale.det(a, **run), wale.det(a))
        assert np.array_equal(wale.slogdet(a, **run)[1], wale.slogdet(a)[1])
        assert np.allclose(wale.det(a), np.linalg.det(a), rtol=1e-4)
    assert wale.edit_distance("kitten", "sitting", **run) == 3
    assert wale.lcs_length("kitten", "sitting", **run) == 4
    assert wale.edit_distances(["ab", ""], ["b", "c"], **run).tolist() == [1, 1]
    assert wale.cdist(["ab", ""], ["b", "c"], **run).tolist() == [[1, 2], [1, 1]]


@pytest.mark.parametrize("word", [{"threads": -1}, {"threads": 1.5}, {"threads": True}, {"backend": "gpu"}, {"speed": 1}])
def test_wrong_keywords_are_refused_on_the_short_way_too(word):
    for call in (lambda: wale.inv(np.eye(2), **word), lambda: wale.edit_distance("a", "b", **word)):
        with pytest.raises((wale.BadArgument, TypeError)):
            call()


def test_objects_are_equal_as_in_a_dict():
    nan = float("nan")
    a = [[1, True, "x", nan, (1, 2), Key("ab"), None], [], [b"x", "x", 2**70]]
    b = [[1.0, 1, "x", nan, (1, 2), Key("ab"), 0], ["y"], ["x", b"x", 2.0**70]]
    wanted = [plain_distance(x, y) for x, y in zip(a, b)]
    assert wanted == [1, 1, 2]
    assert wale.edit_distances(a, b).tolist() == wanted
    assert [wale.edit_distance(x, y) for x, y in zip(a, b)] == wanted
    assert wale.cdist(a, b).tolist() == [[plain_distance(x, y) for y in b] for x in a]
    many = [Key("abcdefghij"[: k % 10] + str(k % 37)) for k in range(500)]
    assert wale.edit_distance(many, many[3:]) == 3
    with pytest.raises(TypeError):
        wale.edit_distance([[1]], [[1]])
    with pytest.raises(TypeError):
        wale.edit_distances([[[1]]], [[[1]]])


def test_texts_beyond_ascii_and_their_mixture():
    a, b = ["abc", "döner", "\U0001f600x", "", "zz"], ["äbc", "doner", "x", "é", "zz"]
    wanted = [plain_distance(x, y) for x, y in zip(a, b)]
    assert wale.edit_distances(a, b).tolist() == wanted
    assert wale.edit_distances(tuple(a), b).tolist() == wanted
    assert wale.edit_distances(np.array(a), np.array(b, object)).tolist() == wanted
    assert wale.cdist(["abc"], a).tolist() == [[plain_distance("abc", y) for y in a]]
    with pytest.raises(TypeError):
        wale.edit_distances(["a", b"a"], ["a", "a"])


@pytest.mark.parametrize("kind", ["i4", "u1", "f2", "?", ">f8"])
def test_other_numbers_are_converted(kind):
    a = np.array([[3, 1], [0, 2]]).astype(kind)
    wide = a.astype("f4" if kind == "f2" else "f8")
    assert np.array_equal(wale.inv(a), wale.inv(wide)) and wale.inv(a).dtype == wide.dtype
    assert np.array_equal(wale.solve(a, a), wale.solve(wide, wide))
    assert wale.det(a) == wale.det(wide) and wale.slogdet(a) == wale.slogdet(wide)
    kept = a.copy()
    wale.inv(np.asfortranarray(a)), wale.solve(a, a)
    assert np.array_equal(a, kept)


def test_systems_in_parts_have_the_bits_of_each():
    rng = np.random.default_rng(2)
    a, b = rng.normal(size=(2000, 24, 24)), rng.normal(size=(2000, 24, 1))
    x = wale.solve(a, b)
    assert np.array_equal(x[500:600], wale.solve(a[500:600], b[500:600]))
    a[1234] = 0
    with pytest.raises(np.linalg.LinAlgError, match="matrix 1234"):
        wale.solve(a, b)
