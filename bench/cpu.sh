#!/bin/sh
# cpu - runs a program of the CPU with what its measurements must name: bench/cpu.sh BIN_FOLDER PROGRAM [ARGUMENTS]
# Appends to bench/results/<machine>; euler_ranks and shared_work run in RANKS processes (2). Wants a quiet machine.
set -eu
cd "$(dirname "$0")/.."
bin=$1 program=$2
shift 2
WALE_MACHINE=$(python3 bench/machine.py --cpu)
WALE_COMMIT=$(python3 bench/machine.py --commit)
export WALE_MACHINE WALE_COMMIT OMP_WAIT_POLICY=passive
case $program in
    *_cpu) name=${program%_cpu}_peers ;;
    *) name=$program ;;
esac
if [ "$program" = euler_ranks ] || [ "$program" = shared_work ]; then
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    bin="mpirun -np ${RANKS:-2} --bind-to core $bin"
fi
mkdir -p "bench/results/$WALE_MACHINE"
# shellcheck disable=SC2086  # a list of words
exec $bin/"$program" "bench/results/$WALE_MACHINE/$name.csv" "$@"
