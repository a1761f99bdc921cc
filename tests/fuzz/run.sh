#!/bin/sh
# run.sh SECONDS [BUILD_DIR] - builds the fuzz targets with clang and runs each for SECONDS from a fresh seed corpus.
# A crash is kept as BUILD_DIR/crash-*, and the exit status is not 0.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
seconds=${1:?usage: run.sh SECONDS [BUILD_DIR]}
build=${2:-$here/../../build/fuzz}

cmake -S "$here/../.." -B "$build" -G Ninja -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_BUILD_TYPE=RelWithDebInfo \
    -DWALE_FUZZ=ON -DWALE_CUDA=OFF -DWALE_CLI=OFF >/dev/null
cmake --build "$build" --target fasta_fuzz

corpus=$build/corpus
mkdir -p "$corpus"
seed() { printf "$2" >"$corpus/$1"; }
seed plain '>a one\nACGT\nacgt\n>b\n'
seed windows '\357\273\277>a\r\nAC GT\r\n\r\n'
seed fastq '@r1\nACGT\n+r1\nIIII\n@r2\n\n+\n\n'
seed cut '@r1\nACGT\n+'
seed nul '>a\nAC\000GT\n'
seed return '>a\rAC\r'
gzip -c "$corpus/plain" >"$corpus/member.gz"
cat "$corpus/member.gz" "$corpus/member.gz" >"$corpus/members.gz"
head -c 20 "$corpus/member.gz" >"$corpus/cut.gz"

cd "$build"
exec ./bin/fasta_fuzz -max_total_time="$seconds" -max_len=4096 -print_final_stats=1 "$corpus"
