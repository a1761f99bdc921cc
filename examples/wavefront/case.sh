#!/bin/sh
# case.sh - two strains, base by base: how far apart they are, and what they share. Writes into the current folder.
set -eu
here=$(dirname "$0")
wale align "$here/strain1.fa" "$here/strain2.fa" --measure edit -o distance.tsv
wale align "$here/strain1.fa" "$here/strain2.fa" --measure lcs --string -o common.fa
cat distance.tsv
