#!/bin/sh
# wheel - installs the wheels of build/wheels on a bare Debian (debootstrap: Python and pip, nothing else), without
# network, and uses them: import, command, a solution, removal; and, where it was built, that of the CUDA backend, which a
# system without a driver finds and does without. As root. Prints sizes and times. WALE_BARE_SUITE=trixie in the
# environment takes Debian 13, whose Python asks for the wheel of the stable ABI.
set -eu
cd "$(dirname "$0")/../.."

wheels=build/wheels
suite=${WALE_BARE_SUITE:-bookworm}
root=${WALE_BARE_ROOT:-build/bare-$suite}
ls "$wheels"/wale-*.whl >/dev/null 2>&1 || sh tools/wheel.sh
if [ ! -x "$root/usr/bin/pip3" ]; then
    rm -rf "$root"
    debootstrap --variant=minbase --include=python3,python3-pip "$suite" "$root" >"$wheels/debootstrap.log" 2>&1
fi
mkdir -p "$root/wheels"
cp "$wheels"/*.whl "$root/wheels"
cp tests/install/first_answers.py "$root/tmp"
# What the package depends on, fetched here because the bare system has no network.
python=$(basename "$(readlink "$root/usr/bin/python3")")
build/venv/bin/python -m pip download --quiet --disable-pip-version-check --dest "$root/wheels" \
    --only-binary=:all: --python-version "${python#python}" numpy
# The loader finds libraries beside a program through /proc.
inside() {
    # shellcheck disable=SC2016  # the inner shell expands them
    unshare --net --pid --fork --mount sh -c 'mount -t proc proc "$1/proc" && exec chroot "$@"' sh "$root" \
        /usr/bin/env -i PATH=/usr/local/bin:/usr/bin:/bin HOME=/root "$@"
}

begin=$(date +%s)
inside pip3 install --quiet --break-system-packages --root-user-action=ignore --no-index --find-links /wheels wale
inside python3 /tmp/first_answers.py
echo "first answer $(($(date +%s) - begin)) s after the call of pip"
# The bills of materials: of what is compiled in, and of the shared libraries that auditwheel has put in.
inside python3 -c '
import importlib.metadata, json
bills = {f.name: json.loads(f.read_text()) for f in importlib.metadata.files("wale") if "sboms" in f.parts}
assert {"wale.cdx.json", "auditwheel.cdx.json"} <= set(bills), sorted(bills)
assert any(c["name"] == "highway" for c in bills["wale.cdx.json"]["components"])
assert bills["auditwheel.cdx.json"]["components"]
'
inside wale info
inside wale --help >/dev/null
printf '>a\nGATTACA\n' >"$root/tmp/a.fa"
printf '>b\nGCATGCA\n' >"$root/tmp/b.fa"
inside wale align --measure lcs /tmp/a.fa /tmp/b.fa
# What mpirun of Open MPI tells its ranks, where there is no MPI.
if inside env OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=0 wale align /tmp/a.fa /tmp/b.fa 2>"$root/tmp/said"; then
    echo "wheel: a rank computed without MPI" >&2
    exit 1
fi
grep 'MPI is not available: .*libmpi' "$root/tmp/said"

# The CUDA backend beside it. Its cuBLAS is a wheel of 400 MB: first it is absent, then the toolkit's lies in its place.
if ls "$wheels"/wale_cuda-*.whl >/dev/null 2>&1; then
    inside pip3 install --quiet --break-system-packages --root-user-action=ignore --no-index --no-deps --find-links /wheels wale-cuda
    solve='import numpy, wale; assert numpy.allclose(wale.solve(numpy.eye(9) * 2, numpy.ones(9)), 0.5)'
    expect_cuda() {
        inside python3 -c "$solve"
        inside wale info | grep '^cuda'
        inside wale info | grep -q "^cuda: not available: $1" || {
            echo "wheel: expected of wale info: cuda: not available: $1" >&2
            exit 1
        }
    }
    expect_cuda 'libwale_cuda does not load: libcublas.so.13'
    nvidia=$(find "$root" -type d -path '*-packages/wale_cuda' | sed 's|/wale_cuda$|/nvidia|')
    mkdir -p "$nvidia/cu13/lib"
    cp -L "$(dirname "$(command -v nvcc)")"/../lib64/libcublas*.so.13 "$nvidia/cu13/lib"
    expect_cuda 'no NVIDIA driver'
    rm -r "$nvidia"
    inside pip3 uninstall --quiet --yes --break-system-packages --root-user-action=ignore wale-cuda
    expect_cuda 'this build of Wale has no CUDA backend'
fi

inside pip3 uninstall --quiet --yes --break-system-packages --root-user-action=ignore wale
if inside sh -c 'find / -xdev \( -name "libwale*" -o -path "*/bin/wale" \) | grep .'; then
    echo "wheel: these files were left behind" >&2
    exit 1
fi
du -h "$wheels"/wale*.whl
