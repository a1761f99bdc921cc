#!/bin/sh
# processors.sh [BUILD_DIR] - repeats, as older processors would run them, the tests whose arithmetic depends on the processor:
# tests labelled `blas` with each kernel set of OpenBLAS that this processor can run, and tests labelled `vectors` with each
# instruction set of the vector code. The library itself prefers the best set of each, which the ordinary tests cover.
set -eu
build=${1:-build/dev}
others='*reference_*:*cuda_*'           # tests of rows that call neither
plain='*cpu_thomas*:*cpu_sweep*:*cpu_downhill*:*cpu_fifo*:*cpu_hybrid*:*cpu_raster*:*cpu_rows*:*cpu_tiles*:*cpu_bit_vector*:*cpu_automatic*:HinesPlan.*'
need_vectors='*euler_lanes*:*cable_*'  # tests of rows that refuse a processor without vectors

log=$(mktemp)
trap 'rm -f "$log"' EXIT
failed=0

# repeat LABEL VARIABLE=VALUE
repeat() {
    printf '%s, tests labelled %s: ' "$2" "$1"
    if env "$2" GTEST_FILTER="-$others" ctest --test-dir "$build" -L "$1" -j "$(nproc)" --no-tests=error \
        --output-on-failure >"$log" 2>&1; then
        grep 'tests passed' "$log"
    else
        cat "$log"
        failed=1
    fi
}

# has FLAG... - whether the processor has all of these features.
has() {
    for flag in "$@"; do
        grep -m 1 '^flags' /proc/cpuinfo | grep -qw "$flag" || return 1
    done
}

kernels() {
    if has pni; then echo Prescott; fi
    if has avx2 fma; then echo Haswell Zen; fi
    if has avx512f avx512cd avx512dq avx512bw avx512vl; then echo SkylakeX; fi
}

for kernel in $(kernels); do
    repeat blas "OPENBLAS_CORETYPE=$kernel"
done
info=$("$build/bin/wale" info)
others="$others:$plain"  # tests of rows without vector code
for set in $(printf '%s\n' "$info" | sed -n 's/^cpu instruction sets: [^,]*,*//p' | tr -d ,); do
    [ "$set" != scalar ] || others="$others:$need_vectors"
    repeat vectors "WALE_INSTRUCTION_SET=$set"
done
exit "$failed"
