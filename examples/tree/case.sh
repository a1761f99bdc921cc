#!/bin/sh
# case.sh - a made-up neuron that fires while current flows in. Writes into the current folder.
set -eu
here=$(dirname "$0")
wale tree cable "$here/neuron.swc" --membrane hh --clamp 5,50,1.5 --tstop 60 -o soma.csv
