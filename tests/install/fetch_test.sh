#!/bin/sh
# fetch_test SOURCE_DIR - a project takes Wale's sources by FetchContent: it is configured, its program is compiled against
# the target wale::wale, and the rules to link both are there. The library itself is not compiled a second time here.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake -S "$here/fetch" -B "$work" -G Ninja -DWALE_SOURCE="$1" -DWALE_CUDA=OFF >/dev/null
object=$(ninja -C "$work" -t targets all | sed -n 's/^\(CMakeFiles.*main.cpp.o\): .*/\1/p')
ninja -C "$work" "$object" >/dev/null
ninja -C "$work" -t query consumer | grep -q libwale.so
# Nothing of Wale is installed with the project.
DESTDIR=$work/installed cmake --install "$work" >/dev/null
if find "$work/installed" -type f 2>/dev/null | grep .; then exit 1; fi
echo "fetched, configured, compiled against"
