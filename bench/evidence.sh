#!/usr/bin/env bash
# evidence - measures on this machine's GPU what the tuning tables and the documents quote and what no other file holds,
# in about six minutes. Needs wale_bench, tree_cuda, lu_cuda and lu_solve_cuda in BIN, and Python.
#   bench/evidence.sh OUT [BIN]              writes OUT/*.csv; BIN is build/cuda/bin
#   tools/check_evidence.py --merge OUT      takes the lines over into bench/results/<machine>, the newer one counts, and
#                                            cites them in the tuning tables; then tools/performance_tables.py
set -u
cd "$(dirname "$0")/.." || exit 2
out=${1:?usage: bench/evidence.sh OUT [BIN]}
bin=$(cd "${2:-build/cuda/bin}" && pwd) || exit 2
mkdir -p "$out" || exit 2
export LD_LIBRARY_PATH=$bin${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
WALE_MACHINE=${WALE_MACHINE:-$(python3 bench/machine.py)}
WALE_COMMIT=${WALE_COMMIT:-$(python3 bench/machine.py --commit)}
export WALE_MACHINE WALE_COMMIT
failures=0

# measure SECONDS COMMAND... - each line is written as soon as it is measured, so a step that is cut off loses little.
measure() {
    local limit=$1 begin=$SECONDS
    shift
    timeout -k 5 "$limit" "$@" || { echo "evidence: $* ended with $?"; failures=$((failures + 1)); }
    echo "evidence: $((SECONDS - begin)) s for $*"
}

measure 60 "$bin/wale_bench" "$out/wavefront.csv" wavefront/lcs_ cuda 00000
measure 30 "$bin/wale_bench" "$out/wavefront.csv" wavefront/edit_distance cuda
measure 40 "$bin/wale_bench" "$out/wavefront.csv" wavefront/fill/cuda/65536
measure 150 python3 bench/tune.py --bin "$bin" --out "$out/tuning.csv"
measure 35 "$bin/tree_cuda" "$out/tree.csv" hines/
measure 35 "$bin/lu_cuda" "$out/lu.csv" refined
measure 35 "$bin/lu_solve_cuda" "$out/lu_solve.csv" 4096 16384
echo "evidence: $SECONDS s, $failures failures"
[ "$failures" = 0 ]
