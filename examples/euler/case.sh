#!/bin/sh
# case.sh - air at Mach 0.5 through a channel with a bump, to a steady state: bump.toml. Writes into the current folder.
set -eu
cp "$(dirname "$0")/bump.toml" .
wale euler bump.toml
