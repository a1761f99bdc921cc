import wale


def rows_of(operation):
    """Names of an operation's variants that this machine can run."""
    return [
        v.name
        for v in wale.variants()
        if v.operation == operation and wale.why_unavailable(v.backend) == ""
    ]


def pytest_generate_tests(metafunc):
    """A test that asks for `fill_variant`, `lcs_length_variant`, ... runs once for every row of the table."""
    for name in metafunc.fixturenames:
        if name.endswith("_variant"):
            metafunc.parametrize(name, rows_of(name[: -len("_variant")]))
