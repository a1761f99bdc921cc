#!/bin/sh
# processors.sh [BUILD_DIR] - repeats, as older processors would run them, the tests whose arithmetic depends on the processor:
# tests labelled `vectors`, with each instruction set of the vector code, one question in eight (thinned.hpp). The library itself
# prefers the best one, which the ordinary tests cover by all questions.
set -eu
build=${1:-build/dev}
others='*reference_*:*cuda_*'          # tests of rows without vector code
plain='*cpu_thomas*:*cpu_sweep*:*cpu_downhill*:*cpu_fifo*:*cpu_hybrid*:*cpu_raster*:*cpu_rows*:*cpu_tiles*:*cpu_bit_vector*:*cpu_automatic*:HinesPlan.*'
need_vectors='*euler_lanes*:*cable_*'  # tests of rows that refuse a processor without vectors

log=$(mktemp)
trap 'rm -f "$log"' EXIT
failed=0

# repeat VARIABLE=VALUE
repeat() {
    printf '%s: ' "$1"
    if env "$1" WALE_ONE_QUESTION_IN=8 GTEST_FILTER="-$others" ctest --test-dir "$build" -L vectors -j "$(nproc)" --no-tests=error \
        --output-on-failure >"$log" 2>&1; then
        grep 'tests passed' "$log"
    else
        cat "$log"
        failed=1
    fi
}

info=$("$build/bin/wale" info)
others="$others:$plain"
for set in $(printf '%s\n' "$info" | sed -n 's/^cpu instruction sets: [^,]*,*//p' | tr -d ,); do
    [ "$set" != scalar ] || others="$others:$need_vectors"
    repeat "WALE_INSTRUCTION_SET=$set"
done
exit "$failed"
