#!/usr/bin/env bash
# gpu - everything that needs a GPU, in one script: tests, compute-sanitizer, study, benchmarks. Each program
# is bounded in time. Runs prebuilt binaries too, on a machine without compilers, headers or ctest.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)

usage() {
    cat <<'END'
usage: bench/gpu.sh [--bin DIR] [--out DIR] [--steps LIST] [--seconds N] [--solvers LIST]
       bench/gpu.sh --collect DIR

  --bin DIR      binaries that are built already (build/cuda/bin); without it the preset "cuda" is built here
  --out DIR      where CSV and logs go; default bench/results/<machine>, and build/gpu_logs
  --steps LIST   of tests,sanitizer,study,bench (all of them)
  --solvers LIST of wavefront,reconstruction,lu,tree,euler (all); WALE_IMAGE names a real image
  --seconds N    limit for one program (120); a benchmark may take ten times that
  --collect DIR  copies the libraries that the binaries need and a bare machine lacks into DIR, and ends

Exit code: 0 if everything that ran was right, 1 if a test, a sanitizer or a verification failed,
69 without a usable GPU.
END
}

bin="" out="" logs="" steps=tests,sanitizer,study,bench seconds=120 failures=0 solvers=wavefront,reconstruction,lu,tree,euler
collect() {
    for library in libhwy libmetis libpng libtiff libwebp libzstd liblzma libLerc libjbig libjpeg libdeflate libopenblas libgomp \
        libgfortran libquadmath; do
        ldd "$1"/*.so "$1"/*_bench 2>/dev/null | awk -v l="$library" 'index($1, l) && $3 ~ /^\// {print $3}' |
            sort -u | xargs -r cp -Lt "$1"
    done
}
while [ $# -gt 0 ]; do
    case $1 in
        --bin | --out | --steps | --seconds | --solvers | --collect)
            [ $# -gt 1 ] || { usage >&2; exit 2; } ;;&
        --bin) bin=$2; shift ;;
        --out) out=$2; shift ;;
        --steps) steps=$2; shift ;;
        --seconds) seconds=$2; shift ;;
        --solvers) solvers=$2; shift ;;
        --collect) collect "$2"; exit ;;
        -h | --help) usage; exit 0 ;;
        *) usage >&2; exit 2 ;;
    esac
    shift
done

say() { printf '\n== %s\n' "$*"; }
wanted() { case ,$steps, in *",$1,"*) return 0 ;; *) return 1 ;; esac; }

# step NAME SECONDS COMMAND... - runs, keeps the log, says how it went; a failure is counted, not fatal.
step() {
    local name=$1 limit=$2 log=$logs/$1.log begin=$SECONDS rc
    shift 2
    timeout -k 5 "$limit" "$@" >"$log" 2>&1
    rc=$?
    case $rc in
        0) printf '  %-44s ok       %4d s\n' "$name" $((SECONDS - begin)) ;;
        124 | 137)
            printf '  %-44s ran out of its %d s: %s\n' "$name" "$limit" "$log"
            failures=$((failures + 1)) ;;
        *)
            printf '  %-44s FAILED (exit code %d): %s\n' "$name" "$rc" "$log"
            tail -n 15 "$log" | sed 's/^/    | /'
            failures=$((failures + 1)) ;;
    esac
    return $rc
}

if [ -z "$bin" ]; then
    say "build"
    (cd "$root" && cmake --preset cuda >/dev/null && cmake --build build/cuda) || exit 1
    bin=$root/build/cuda/bin
fi
bin=$(cd "$bin" && pwd) || exit 2
export LD_LIBRARY_PATH=$bin${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
if ! command -v nvidia-smi >/dev/null || ! nvidia-smi -L 2>/dev/null | grep -q GPU; then
    echo "bench/gpu.sh: there is no GPU here" >&2
    exit 69
fi
# "NVIDIA H200" -> "h200", as bench/machine.py has it; Python need not be here.
machine=$(nvidia-smi --query-gpu=name --format=csv,noheader | head -n 1 | tr '[:upper:]' '[:lower:]' |
    sed 's/nvidia//; s/[^a-z0-9][^a-z0-9]*/_/g; s/^_//; s/_$//')
[ -n "$out" ] || logs=$root/build/gpu_logs  # results are committed, logs are not
out=${out:-$root/bench/results/$machine}
logs=${logs:-$out/logs}
mkdir -p "$out" "$logs" || exit 2
export WALE_MACHINE=$machine
WALE_COMMIT=${WALE_COMMIT:-$(git -C "$root" rev-parse --short=10 HEAD 2>/dev/null || echo unknown)}
export WALE_COMMIT
nvidia-smi --query-gpu=name,driver_version,clocks.max.sm,memory.total --format=csv,noheader |
    tee "$logs/device.txt"
# Tests skip themselves where CUDA cannot be used, so that must be known before they are believed.
if [ -x "$bin/wale" ] && ! "$bin/wale" info | grep -q '^cuda device'; then
    "$bin/wale" info | grep '^cuda' >&2
    exit 69
fi

# What a device is not needed for: rows of the CPU and of the reference, whose names stand in their tests.
others='*/cpu_*:*/reference_*'
mapfile -t tests <"$bin/gpu_tests"

if wanted tests; then
    say "tests of every CUDA row"
    [ ${#tests[@]} -gt 0 ] || { echo "  $bin/gpu_tests lists no test"; failures=$((failures + 1)); }
    for test in "${tests[@]}"; do
        step "$test" "$((2 * seconds))" "$bin/$test" --gtest_filter="-$others" --gtest_brief=1
        grep -h -E 'SKIPPED|PASSED|FAILED' "$logs/$test.log" | tail -n 3 | sed 's/^/    /'
        if grep -q 'PASSED  \] 0 tests' "$logs/$test.log"; then
            echo "    every test was skipped"
            failures=$((failures + 1))
        fi
    done
fi

if wanted sanitizer; then
    say "compute-sanitizer, small sizes"
    sanitizer=$(command -v compute-sanitizer || ls /usr/local/cuda/bin/compute-sanitizer 2>/dev/null)
    small="-$others:"'*arge*:*hundred*:*repeats*:*reads*:*very_pair*:*EveryPair*:*all_short*:*Tiles*'
    small=$small:'*resident*:*similar*:*Thousand*:*CannotEnd*:*ManyMore*:*Large*'
    small=$small:'*Corridor*:*Chains*:*SameBits*:*Smooth*:*_row_?:*_row_*_blocks_?:*_blocks_2:*_jitter_1:*FullMemory*:*Withheld*:*AHog*:*WorkBeyond*'
    if [ -z "$sanitizer" ]; then
        echo "  skipped: compute-sanitizer is not here"
    else
        for test in "${tests[@]}"; do
            for tool in memcheck racecheck synccheck initcheck; do
                step "${tool}_$test" "$seconds" env WALE_DEVICE_RUNS=1 "$sanitizer" --tool "$tool" --error-exitcode 99 \
                    "$bin/$test" --gtest_filter="$small" --gtest_brief=1
            done
        done
    fi
fi

if wanted study && [ -x "$bin/wale" ]; then
    say "study: every schedule on one input, beside the claims of the literature"
    for solver in ${solvers//,/ }; do
        sizes=4096,16384,32768
        [ "$solver" = reconstruction ] && sizes=1024,4096
        [ "$solver" = lu ] && sizes=512,2048
        [ "$solver" = tree ] && sizes=64,1024,65536,33554432
        [ "$solver" = euler ] && sizes=97200,1008600
        step "study_$solver" "$((2 * seconds))" "$bin/wale" study "$solver" \
            --sizes "$sizes" --backend cuda -o "$logs/study_$solver.txt"
        [ ! -f "$logs/study_$solver.txt" ] || sed 's/^/  /' "$logs/study_$solver.txt"
    done
fi

if wanted bench; then
    say "benchmarks"
    # Chains and trees beside cuSPARSE, LU beside cuSOLVER and cuBLAS, flows beside Rodinia's schedule, cuda/one_pass.
    for solver in ${solvers//,/ }; do
        case $solver in
            lu | tree | euler) command=("$bin/${solver}_cuda" "$out/$solver.csv") ;;
            *) command=("$bin/wale_bench" "$out/$solver.csv" "$solver/" /cuda/) ;;
        esac
        if [ -x "${command[0]}" ]; then
            step "bench_$solver" "$((10 * seconds))" "${command[@]}"
            sed 's/^/  /' "$logs/bench_$solver.log"
        else
            echo "  skipped: ${command[0]} is not here (WALE_BENCH=ON builds it)"
        fi
    done
fi

say "$failures failures"
[ "$failures" = 0 ]
