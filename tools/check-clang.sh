#!/usr/bin/env bash
# Builds everything with Clang, warnings as errors, into build/clang, and runs the tests. Arguments go to ctest.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$root/build/clang
command -v clang++ >/dev/null || { echo "clang++ is missing: apt-get install clang" >&2; exit 1; }
cd "$root"
cmake --preset ci -B "$build" -DCMAKE_CXX_COMPILER=clang++
cmake --build "$build" -j "$(nproc)"
ctest --test-dir "$build" -j "$(nproc)" --output-on-failure "$@"
