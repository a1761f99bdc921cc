#!/bin/sh
# run.sh SECONDS [BUILD_DIR] - builds the fuzz targets with clang and runs them for SECONDS of a processor,
# each from a fresh seed corpus. A crash is kept as BUILD_DIR/crash-*, and the exit status is not 0.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
seconds=${1:?usage: run.sh SECONDS [BUILD_DIR]}
build=${2:-$here/../../build/fuzz}

cmake -S "$here/../.." -B "$build" -G Ninja -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_BUILD_TYPE=RelWithDebInfo \
    -DWALE_FUZZ=ON -DWALE_CUDA=OFF -DWALE_CLI=OFF >/dev/null
cmake --build "$build" --target fuzzers
cd "$build"
rm -rf corpus  # what a longer run found would make a short one read all of it first

# seed FOLDER/NAME TEXT - TEXT as printf understands it.
seed() {
    mkdir -p "corpus/${1%/*}"
    # shellcheck disable=SC2059
    printf "$2" >"corpus/$1"
}
seed fasta/plain '>a one\nACGT\nacgt\n>b\n'
seed fasta/windows '\357\273\277>a\r\nAC GT\r\n\r\n'
seed fasta/fastq '@r1\nACGT\n+r1\nIIII\n@r2\n\n+\n\n'
seed fasta/lines '@r 1\nAC\nGT\n+r 1\nII\n@+\n@s\n+\n'
seed fasta/titles '>gi|1 one\001gi|2 two\nACGT\n'
seed fasta/cut '@r1\nACGT\n+'
seed fasta/nul '>a\nAC\000GT\n'
seed fasta/return '>a\rAC\r'
gzip -c corpus/fasta/plain >corpus/fasta/member.gz
cat corpus/fasta/member.gz corpus/fasta/member.gz >corpus/fasta/members.gz
head -c 20 corpus/fasta/member.gz >corpus/fasta/cut.gz

mm='%%%%MatrixMarket matrix'
seed matrix_market/array "$mm array real general\n2 3\n1\n-2.5e-3\n3\n4\n5\n6\n"
seed matrix_market/symmetric "$mm array integer symmetric\n%% comment\n2 2\n1\n2\n3\n"
seed matrix_market/skew "$mm array real skew-symmetric\n3 3\n1\n2\n3\n"
seed matrix_market/coordinate "$mm coordinate real general\r\n3 2 2\r\n\r\n1 1 4.5\r\n3 2 -1\r\n"
seed matrix_market/half "$mm coordinate real symmetric\n2 2 2\n1 1 1\n2 1 3\n"
seed matrix_market/huge "$mm coordinate real general\n99999999 99999999 1\n1 1 1\n"
seed matrix_text/two '2\n1.000000 2.5\n3 4e-310\n'
seed matrix_text/none '0\n'
seed matrix_text/cut '3\n1 2 3\n4'
seed tree_file/three '3\n0 0 0 1.5 4 -1\n1 -1 2.5e-3 0 3 0\n2 1 1 -1 2 1\n'
seed tree_file/any_order '3\r\n2 1 1 1 2 0\r\n\r\n0 0 0 1 4 -1\r\n1 1 1 0 3 2\r\n'
seed tree_file/two_roots '2\n0 0 0 1 4 -1\n1 0 0 1 4 -1\n'
seed tree_file/cycle '3\n0 0 0 1 4 -1\n1 1 1 0 3 2\n2 1 1 0 3 1\n'
seed tree_file/twice '2\n0 0 0 1 4 -1\n0 1 1 1 4 0\n'
seed tree_file/huge '99999999\n0 0 0 1 4 -1\n'

# A cube of one cell: points, faces, owner, neighbour, boundary.
head='FoamFile { version 2.0; format ascii; class list; }\n'
seed mesh_foam/cube "${head}8((0 0 0)(1 0 0)(1 1 0)(0 1 0)(0 0 1)(1 0 1)(1 1 1)(0 1 1))\377${head}6(4(0 3 2 1)4(4 5 6 7)4(0 1 5 4)4(1 2 6 5)4(2 3 7 6)4(3 0 4 7))\377${head}6(0 0 0 0 0 0)\377${head}0()\377${head}1(walls { type wall; nFaces 6; startFace 0; })"
seed mesh_foam/cut "${head}8((0 0 0)(1 0 0)\377${head}6(4(0 3"

seed pairs/columns 'x,cp\n0.0,1\n0.5 -2e-1\n# end\n1\t3\n'
seed pairs/cut '0 1\n2'

seed series/table 'time;x\n0;1.5 # one\n1;-2e-3\r\n'
seed series/ragged '1,2,3\n4\n\n5\t6\n'
seed series/empty_field '1,,2\n'

aa='A R N D C Q E G H I L K M F P S T W Y V'
row='1 2 -3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 10'
seed scores/matrix '# m\n  A C\nA 1 -2\nC 3 4\n'
seed scores/table 'A C G\n1 a 1 2 3\n2 C -4 5 6\n'
seed scores/plain 'A C\n1 2\n3 x\n'
seed scores/psiblast "\nLast position-specific scoring matrix\n $aa $aa\n 1 M $row $row 0.5 inf\n\n K Lambda\nStandard Gapped 0.0410 0.2670\n"

seed swc/fork '# a fork\n1 1 0 0 0 10 -1\r\n2 3 10 0 0 1 1\n3 3 1e2 -.5 +0 1 2\n4 3 9 5 0 0.5 2\n'
seed swc/backwards '3 3 1 0 0 1 2\n2 3 1 0 0 1 1\n1 1 0 0 0 1 -1'
seed swc/cycle '1 1 0 0 0 1 -1\n2 3 0 0 0 1 3\n3 3 0 0 0 1 2\n'
seed swc/cut '1 1 0 0 0 1\n'
seed swc/radius_0 '1 1 0 0 0 0 -1\n2 3 9 0 0 0 1\n3 3 12 0 0 0.5 2\n4 3 15 0 0 0 3\n'
seed swc/comments '1 1 0 0 0 1 -1 # soma\n2 3 1 0 0 1 1#a\n3 3 2 0 0 1 2 7 8 # b\n'
seed swc/floats '1.0\t1.0\t0\t0\t0\t1\t-1.0\r\n2.0\t9.\t1\t0\t0\t1\t1.0\r\n'

seed euler_setup/shell '[mesh]\ngenerate = "shell"\nsize = 20\n[stream]\nmach = 1.2\nalpha = 2\n[scheme]\nname = "rodinia"\n'
seed euler_setup/file '[mesh]\nfile = "a.su2"\norder = "hilbert"\n[boundary]\nperiodic = [["a", "b"]]\n[boundary.c]\nkind = "inflow"\nvelocity = [1, 0, 0]\n'
seed euler_setup/run '[mesh]\nfile = "a"\n[run]\niterations = 5\nprecision = "f32"\nstart = "sod"\n[output]\nhistory = "h"\npicture_of = "mach"\n'
seed euler_setup/bad '[mesh]\nfile = [1, "x"]\n[scheme]\ncfl = nan\n'

# Images of a few pixels: every depth, colour, compression and stack.
python3 "$here/image_seeds.py" corpus
mkdir -p corpus/matrix_npy
cp corpus/npy/* corpus/matrix_npy/
cp corpus/npy/* corpus/series/
python3 "$here/mesh_seeds.py" corpus
python3 "$here/option_seeds.py" corpus

# What rows are asked: any bytes say.
for name in wavefront reconstruction lu tree euler; do
    mkdir -p "corpus/$name"
    for bytes in 40 400 4000; do head -c "$bytes" "$here/run.sh" >"corpus/$name/$bytes"; done
done

# A target for each processor at a time, from one seed of the generator: a second run on the same sources asks
# the same, so that a finding belongs to a change. WALE_FUZZ_SEED=0 draws another seed each time. A target's words are shown where the target failed: the crash as base64 among them.
set -- bin/*_fuzz
share=$((seconds / $# + 1))
# shellcheck disable=SC2016  # the inner shell expands them
printf '%s\n' "$@" | xargs -P "$(nproc)" -I{} sh -c '
    name=$(basename "$1" _fuzz)
    if "./$1" -seed="${WALE_FUZZ_SEED:-1}" -max_total_time="$2" -max_len=4096 -timeout=20 \
        -rss_limit_mb=4096 -artifact_prefix="crash-$name-" \
        -print_final_stats=1 "corpus/$name" >"$name.log" 2>&1; then
        echo "$name: $(sed -n "s/^Done //p" "$name.log")"
    else
        { grep -v -e REDUCE -e NEW -e pulse "$name.log"; echo "$name: FAILED"; } >"$name.failed"
        cat "$name.failed"
        exit 1
    fi' sh {} "$share"
