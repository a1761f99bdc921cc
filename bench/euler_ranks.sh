#!/bin/sh
# euler_ranks.sh - ranks of MPI beside one process: bench/euler_ranks.sh BIN_FOLDER [RANKS [CELLS [ITERATIONS]]]
# Appends to bench/results/<machine>/euler_ranks.csv. Wants a quiet machine with a processor for each rank.
set -eu
cd "$(dirname "$0")/.."
bin=$1
WALE_MACHINE=$(python3 bench/machine.py --cpu)
WALE_COMMIT=$(python3 bench/machine.py --commit)
export WALE_MACHINE WALE_COMMIT OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
mkdir -p "bench/results/$WALE_MACHINE"
mpirun -np "${2:-2}" --bind-to core "$bin/euler_ranks" "bench/results/$WALE_MACHINE/euler_ranks.csv" "${3:-97200}" "${4:-10}"
