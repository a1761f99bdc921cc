#!/bin/sh
# threads.sh [BUILD_DIR] - runs, under ThreadSanitizer, the tests of what threads share: thread_tests.txt has their names.
# The other tests have no races to show and would take most of the time.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=${1:-build/tsan}

names=$(mktemp)
trap 'rm -f "$names"' EXIT
while read -r binary; do
    "$build/bin/$binary" --gtest_list_tests | awk '/^[^ ]/ { suite = $1; next } { print suite $1 }'
done <"$build/bin/thread_tests" >"$names"
# A name that selects nothing would end the test that it stands for without a word.
while read -r pattern; do
    while read -r name; do
        # shellcheck disable=SC2254  # a pattern
        case $name in $pattern) continue 2 ;; esac
    done <"$names"
    echo "tests/thread_tests.txt: $pattern selects no test of the binaries labelled threads" >&2
    exit 1
done <"$here/thread_tests.txt"

GTEST_FILTER=$(paste -sd : "$here/thread_tests.txt") \
    ctest --test-dir "$build" -L threads -j "$(nproc)" --no-tests=error --output-on-failure
