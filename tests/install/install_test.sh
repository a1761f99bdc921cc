#!/bin/sh
# install_test BUILD_DIR - installs into a fresh prefix, then builds and runs a consumer through find_package and
# through pkg-config, and checks that the installed command line works.
set -eu
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --prefix "$work/prefix" >/dev/null
sed -i "s|^prefix=.*|prefix=$work/prefix|" "$(find "$work/prefix" -name wale.pc)"
libraries=$(dirname "$(find "$work/prefix" -name libwale.so)")
flags=$(grep '^CMAKE_CXX_FLAGS:' "$build/CMakeCache.txt" | cut -d= -f2- | tr ' ' '\n' | grep '^-fsanitize=' || true)

cmake -S "$here/consumer" -B "$work/found" -DCMAKE_PREFIX_PATH="$work/prefix" \
    -DCMAKE_CXX_FLAGS="$flags" >/dev/null
cmake --build "$work/found" >/dev/null
[ "$("$work/found/consumer" | cut -d' ' -f1)" = 4 ]

PKG_CONFIG_PATH=$libraries/pkgconfig
export PKG_CONFIG_PATH
# shellcheck disable=SC2046,SC2086  # words are meant to split
c++ $flags $(pkg-config --cflags wale) "$here/consumer/main.cpp" -o "$work/by_pc" \
    $(pkg-config --libs wale) -Wl,-rpath,"$libraries"
[ "$("$work/by_pc" | cut -d' ' -f1)" = 4 ]

# The line that examples/README.md gives.
cp -r "$here/../../examples/lu" "$work"
line=$(sed -n "s|^    c++ \\(.*\\)|c++ $flags \\1|p" "$here/../../examples/README.md")
(cd "$work" && LD_LIBRARY_PATH=$libraries sh -ec "${line:?}")

# Man pages and completion, where there was a Python to make them.
if [ -d "$build/help" ]; then
    [ -s "$work/prefix/share/man/man1/wale-lu.1" ]
    bash -c '. "$1"; COMP_WORDS=(wale lu so) COMP_CWORD=2; _wale; [ "${COMPREPLY[0]}" = solve ]' - \
        "$work/prefix/share/bash-completion/completions/wale"
fi

"$work/prefix/bin/wale" list --json >/dev/null
"$work/prefix/bin/wale" lu generate 300 -o "$work/a.npy"
"$work/prefix/bin/wale" lu solve "$work/a.npy" --refined f32 -o "$work/x.npy"
echo "installed, found by CMake and pkg-config, run"
