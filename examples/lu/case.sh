#!/bin/sh
# case.sh - a chain of springs as MatrixMarket: solved, and its determinant, which is 41. Writes into the current folder.
set -eu
here=$(dirname "$0")
wale lu solve "$here/chain.mtx" --rhs "$here/load.mtx" -o depth.mtx
wale lu det "$here/chain.mtx"
