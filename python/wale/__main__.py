"""`python -m wale` is the command `wale`."""

from __future__ import annotations

from ._command import main

if __name__ == "__main__":
    main()
