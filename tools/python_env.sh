#!/bin/sh
# python_env - makes build/venv with the Python package and what its tests and the benchmarks need; run again, it
# rebuilds only what changed. WALE_CUDA=ON or OFF says whether the CUDA plugin is built into the package; by default
# it is where a device is, because compiling it a second time takes minutes.
set -eu
cd "$(dirname "$0")/.."

python=${PYTHON:-/usr/bin/python3}
venv=build/venv
requirements="nanobind scikit-build-core numpy pytest hypothesis rapidfuzz edlib parasail biopython pyarrow matplotlib scikit-image scipy meshio dask distributed mypy sphinx myst-parser furo breathe sphinx-design"

if [ ! -x "$venv/bin/python" ]; then
    mkdir -p build
    "$python" -m venv "$venv"
fi
installed=$venv/requirements.txt  # what an earlier run installed
if [ "$(cat "$installed" 2>/dev/null)" != "$requirements" ]; then
    # shellcheck disable=SC2086  # a list of words
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check $requirements
    printf '%s\n' "$requirements" >"$installed"
fi

package=${WALE_PACKAGE:-.}
if [ -z "${WALE_CUDA:-}" ]; then
    WALE_CUDA=OFF
    [ ! -e /dev/nvidia0 ] || WALE_CUDA=AUTO
fi
if [ "$package" = . ]; then
    set -- --config-settings "build-dir=$PWD/build/python" --config-settings "cmake.define.WALE_CUDA=$WALE_CUDA"
else
    set -- --config-settings "build-dir=$PWD/build/python_cuda"
    [ -z "${WALE_CUDA_ARCHITECTURES:-}" ] ||
        set -- "$@" --config-settings "cmake.define.WALE_CUDA_ARCHITECTURES=$WALE_CUDA_ARCHITECTURES"
fi
# With ccache, and with the compilers and the flags of the preset "dev", what ./run test has compiled is not compiled
# again. CMake takes cc and c++ by itself; scikit-build-core would name those that built Python, gcc and g++, which
# ccache counts as other compilers.
export CC="${CC:-cc}" CXX="${CXX:-c++}"
if command -v ccache >/dev/null 2>&1; then
    export CMAKE_CXX_COMPILER_LAUNCHER=ccache CMAKE_CUDA_COMPILER_LAUNCHER=ccache
    set -- "$@" --config-settings "cmake.define.CMAKE_CXX_FLAGS=-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"
fi
# WALE_PIP: what pip does with the package; WALE_PACKAGE: the folder of another one. tools/wheel.sh makes wheels.
# shellcheck disable=SC2086  # a list of words
"$venv/bin/python" -m pip ${WALE_PIP:-install} --quiet --disable-pip-version-check --no-build-isolation --no-deps "$@" "$package"
