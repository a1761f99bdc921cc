#!/bin/sh
# case.sh - a terrain of 64 x 64 cells in 16 bits: its lakes, certified. Writes into the current folder.
set -eu
here=$(dirname "$0")
wale reconstruct depressions "$here/terrain.png" -o filled.png --compare lakes.png --verify
