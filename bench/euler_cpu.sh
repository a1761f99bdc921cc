#!/bin/sh
# euler_cpu.sh - flows on the CPU beside the published loops: bench/euler_cpu.sh BIN_FOLDER [CASES]
# Appends to bench/results/<machine>/euler_peers.csv. Wants a quiet machine; some five minutes for all cases.
set -eu
cd "$(dirname "$0")/.."
bin=$1
WALE_MACHINE=$(python3 bench/machine.py --cpu)
WALE_COMMIT=$(python3 bench/machine.py --commit)
export WALE_MACHINE WALE_COMMIT OMP_WAIT_POLICY=passive
mkdir -p "bench/results/$WALE_MACHINE"
"$bin/euler_cpu" "bench/results/$WALE_MACHINE/euler_peers.csv" "${2:-}"
