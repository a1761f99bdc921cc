#!/bin/sh
# demo.sh BUILD_DIR - what Wale is for, on real sequences, images and equations, and a made-up neuron: about a minute on two cores.
# Data: Debian's sibelia-examples (two genomes of Helicobacter pylori), bowtie2-examples (phage lambda and reads) and
# python-matplotlib-data (an elevation model, a photograph), and out of r-cran-matrix, which is fetched but not installed,
# a matrix of a structure. Images to look at and a page with all of it, demo.html, are left in BUILD_DIR/../demo.
set -eu

demo=$(cd "$(dirname "$0")" && pwd)
wale=$(cd "${1:?usage: demo.sh BUILD_DIR}" && pwd)/bin/wale
strains=/usr/share/doc/sibelia/examples/Sibelia/Helicobacter_pylori/Helicobacter_pylori.fasta.gz
lambda=/usr/share/doc/bowtie2/examples/reference/lambda_virus.fa.gz
reads=/usr/share/doc/bowtie2/examples/reads/longreads.fq.gz
samples=/usr/share/matplotlib/mpl-data/sample_data
elevation=$samples/jacksboro_fault_dem.npz
photograph=$samples/grace_hopper.jpg

for file in "$wale" "$strains" "$lambda" "$reads" "$elevation" "$photograph"; do
    [ -e "$file" ] && continue
    echo "demo: $file is not there (./run demo installs bowtie2-examples, sibelia-examples, python-matplotlib-data)" >&2
    exit 66
done
mkdir -p "$1/../demo"
images=$(cd "$1/../demo" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
start=$(date +%s)
cd "$work"

if [ -t 1 ]; then bold=$(printf '\033[1m') plain=$(printf '\033[0m'); else bold= plain=; fi
. "$demo/page.sh"
# prefix COUNT FILE - the first COUNT letters of a FASTA file's only record.
prefix() { awk -v left="$1" '/^>/ { print; next } left > 0 { print substr($0, 1, left); left -= length($0) }' "$2"; }

zcat "$strains" | awk -v stem="strain" '/^>/ { n++ } { print > (stem n ".fa") }'

say "1. Two strains of Helicobacter pylori: every base of one against every base of the other"
# A quick rate decides how much of the genomes fits into about 12 s on this machine; all of it on most.
for n in 1 2; do prefix 250000 "strain$n.fa" >"short$n.fa"; done
seconds=$("$wale" align -m edit --json "short1.fa" "short2.fa" 2>/dev/null |
    awk -F'"compute_seconds":' 'NF > 1 { split($2, part, ","); print part[1] }')
letters=$(awk -v seconds="$seconds" 'BEGIN { n = 250000 * sqrt(12 / seconds); printf "%d", n < 2000000 ? n : 2000000 }')
if [ "$letters" -lt 1700000 ]; then
    tell "(this machine would take longer than 12 s for the whole: the first $letters bases of each)"
    for n in 1 2; do prefix "$letters" "strain$n.fa" >"part$n.fa" && mv "part$n.fa" "strain$n.fa"; done
fi
tell "The longest common subsequence: how many bases they share in the same order."
show align "strain1.fa" "strain2.fa"
tell "The edit distance: how many bases to replace, insert or delete to turn one into the other."
show align --measure edit "strain1.fa" "strain2.fa"

say "2. Where do reads of phage lambda come from? Each against every place of the genome, on both strands"
show map "$reads" "$lambda" --errors 0.3 -o "reads.paf"
tell "The first places, and the errors for each base (many letters of these reads are N):"
awk -F'\t' '
    { split($14, errors, ":"); rate = errors[3] / $2; sum += rate }
    NR <= 5 { printf "  %-6s %5d bases at %5d..%5d, strand %s, %.3f errors a base\n", $1, $2, $8, $9, $5, rate }
    END { printf "  %d reads: %.3f errors a base on average\n", NR, sum / NR }' "reads.paf" | keep
show map "$reads" "$lambda" --errors 0.3 --format sam -o "reads.sam"
tell "The first of these reads, letter by letter:"
zcat "$reads" | head -n 4 >"read.fq"
zcat "$lambda" >"lambda.fa"
show align -m score --mode infix -r --format text "read.fq" "lambda.fa" -o "read.txt"
head -n 10 "read.txt" | keep
tell "And 20,000 bases of both strains: the words that they share, and the path of their alignment:"
for n in 1 2; do prefix 20000 "strain$n.fa" >"part$n.fa"; done
show align -m score --match 2 --mismatch -3 --open 5 --extend 2 "part1.fa" "part2.fa" -o "parts.tsv" \
    --dot-plot "$images/dots.png"
picture "$images/dots.png" "Words that 20,000 bases of two strains share (one downwards, one across), and the path of their alignment"

say "3. The schedules of a table, each verified cell by cell, against the memory that takes it"
show study wavefront --sizes 2048,4096 --repeats 3

say "4. Where would water stand? Filling the depressions of a real elevation model"
tell "Jacksboro fault, Tennessee: 344 x 403 cells of 3 arc seconds, whole metres. Water runs off at the border only."
show reconstruct depressions "$elevation:elevation" -o "$images/filled.npy" --compare "$images/depressions.png" \
    --verify
"$wale" reconstruct depressions "$elevation:elevation" -o "filled.npy" --json >"depressions.json" 2>/dev/null
awk -F'[:,]' '
    /"changed"/ { cells = $2 }
    /"difference"/ { metres = $2 }
    END {
        side = 111320 / 1200  # metres in 3 arc seconds of latitude; a degree of longitude is shorter, at 36.6 degrees
        area = side * side * cos(36.6 * atan2(0, -1) / 180)
        printf "Water stands in %d cells, %.0f km2, up to %.0f million m3.\n", cells, cells * area / 1e6,
            metres * area / 1e6
    }' "depressions.json" | keep
picture "$images/depressions.png" "Before, after and the water"

say "5. What stands out of a photograph? Its domes: by up to 60 grey values above what surrounds them"
jpegtopnm -quiet "$photograph" | pnmtopng -quiet >"hopper.png"
show reconstruct h-domes "hopper.png" --gray --h 60 -o "$images/domes.png" --compare "$images/domes_compared.png" \
    --verify
picture "$images/domes_compared.png" "Before, the domes, and what is left"

say "6. The same by other schedules, on 16 megapixels: the photograph side by side with itself"
jpegtopnm -quiet "$photograph" | ppmtopgm -quiet | pnmtile -quiet 4096 4096 | pnmtopng -quiet -compression 1 >"large.png"
for variant in automatic cpu/hybrid cpu/raster; do
    show reconstruct h-domes "large.png" --h 60 --variant "$variant" -o "domes.npy"
done

say "7. Linear equations: the stiffness matrix of a structure, and 2048 equations in float64"
# R's package of matrices carries some of the Harwell-Boeing collection; only its archive is needed, not R.
stiffness=$images/lund_a.mtx
if [ ! -e "$stiffness" ] && apt-get download -qq r-cran-matrix >/dev/null 2>&1 &&
    dpkg-deb -x r-cran-matrix_*.deb unpacked 2>/dev/null; then
    cp unpacked/usr/lib/R/library/Matrix/external/lund_a.mtx "$stiffness" || true
fi
if [ -e "$stiffness" ]; then
    tell "LUND A of the Harwell-Boeing collection; its determinant is beyond float64, so that its logarithm is summed."
else
    tell "(the package r-cran-matrix, which has one, cannot be fetched: the 512 equations of Rodinia's lud instead)"
    stiffness=rodinia.mtx
    "$wale" lu generate 512 -o "$stiffness"
fi
show lu det "$stiffness"
show lu solve "$stiffness" -o "solution.npy"
"$wale" lu generate 2048 -o "equations.npy"
tell "2048 equations whose solution is all ones: 10 exp(-0.001 |i - j|), the matrix of Rodinia's lud."
show lu solve "equations.npy" -o "solution.npy"
tell "It needs no pivots: the growth of its elements stays 1."
show lu factor "equations.npy" --pivoting none -o "factors.npy"

say "8. A neuron: what its membrane does when current flows in"
show tree grow --seed 7 -o "neuron.swc"
show tree info "neuron.swc"
show tree cable "neuron.swc" --membrane hh --clamp 5,50,1.5 --tstop 60 -o "$images/soma.csv"
awk -F, 'NR > 1 {
        if (NR == 2 || $2 > most) most = $2
        if (NR == 2 || $2 < least) least = $2
    } END { printf "The soma went from %.1f to %.1f mV; every step: %s\n", least, most, file }' file="$images/soma.csv" \
    "$images/soma.csv" | keep
curve "$images/soma.csv" 1 2 "Voltage of the soma [mV]"
tell "A hundred such cells, each with a little more current than the one before:"
show tree cable "neuron.swc" --membrane hh --cells 100 --clamp 2,20,0.2:3 --tstop 25 --sample-every 1000 -o "cells.csv"

say "9. Air at Mach 1.2 round a wing-like body, to a steady state"
show mesh generate shell --size 20000 -o "wing.su2"
show mesh check "wing.su2"
cat >"wing.toml" <<END
[mesh]
file = "wing.su2"
order = "reverse_cuthill_mckee"
[stream]
mach = 1.2
alpha = 4.0
[scheme]
flux = "hllc"
order = 1
[run]
iterations = 2000
stop_decades = 3
check_every = 50
precision = "f32"
[output]
history = "$images/wing_history.csv"
flow = "$images/wing.vtu"
picture = "$images/wing.png"
END
show euler "wing.toml"
picture "$images/wing.png" "Mach numbers in the plane of symmetry"
curve "$images/wing_history.csv" 1 8 "Drag, by iteration"
tell "For ParaView: $images/wing.vtu; how it settled: $images/wing_history.csv"

say "10. Every schedule for 65536 chains of 64 unknowns, verified, against memory"
show study tree --operation chains_flat --sizes 64 --repeats 3

say "11. Everything that exists, in the order in which \`automatic\` prefers it"
show list

seconds=$(($(date +%s) - start))
printf '\n%sDone in %s s.%s\n' "$bold" "$seconds" "$plain"
finish "$seconds"
