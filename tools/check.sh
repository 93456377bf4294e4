#!/usr/bin/env bash
# check.sh [CHECK...]: the rules of CONTRIBUTING.md. Without arguments all of them, an hour on two cores; test.sh runs the short ones.
#   format   clang-format would change nothing                        (short)
#   stems    headers, sources and tests of a layer are called alike    (short)
#   clang    Clang builds everything without a warning, and all tests pass
#   tidy     clang-tidy finds nothing in library, program and tests
#   dev      the preset dev: assertions, every header on its own, no precompiled headers; all tests pass
#   asan     the preset asan: no finding of the address, undefined behaviour and leak sanitizers in any test
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
jobs=$(nproc)

# Without git, in an unpacked archive, the folders that hold code.
our_files() { git ls-files '*.cpp' '*.hpp' 2>/dev/null || find app benchmarks examples include src tests -name '*.[ch]pp'; }

check_format() { our_files | xargs clang-format --dry-run --Werror; }
check_stems() { cmake -D SOURCE_DIR="$root" -P tools/check-stems.cmake; }

# build_and_test FOLDER CMAKE-ARGUMENTS...
build_and_test() {
  local build=build/$1
  shift
  cmake -B "$build" "$@" >/dev/null
  cmake --build "$build" -j "$jobs"
  ctest --test-dir "$build" -j "$jobs" --output-on-failure --progress
}
check_clang() { build_and_test clang --preset ci -DCMAKE_CXX_COMPILER=clang++ -DFILUM_NATIVE=OFF; }
check_dev() { build_and_test dev --preset dev; }
check_asan() { build_and_test asan --preset asan; }
check_tidy() {
  cmake -B build/tidy --preset dev -DCMAKE_CXX_COMPILER=clang++ -DFILUM_CHECK_HEADERS=OFF >/dev/null
  our_files | grep '\.cpp$' | grep -v '^tests/consumer/' | xargs -P "$jobs" -n 4 clang-tidy -p build/tidy --quiet --warnings-as-errors='*'
}

(($#)) || set -- format stems clang tidy dev asan
# Tests run the short checks at the same time as others: nothing is installed for them.
[[ ! $* =~ clang|tidy|dev|asan ]] || tools/install-dependencies.sh check
for check in "$@"; do
  echo "== $check"
  "check_$check"
done
echo "all checks passed: $*"
