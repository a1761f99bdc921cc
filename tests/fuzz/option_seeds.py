#!/usr/bin/env python3
"""option_seeds.py FOLDER - for each seed beside it some with options: see demand.hpp."""

import pathlib
import random
import sys

random.seed(1)
for seed in [p for p in sorted(pathlib.Path(sys.argv[1]).rglob("*")) if p.is_file()]:
    for k in range(4):
        options = bytes(random.randrange(256) if k else 1 for _ in range(8))
        seed.with_name(f"{seed.name}.opts{k}").write_bytes(seed.read_bytes() + options + b"opts")
