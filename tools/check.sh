#!/usr/bin/env bash
# [JOBS=n] check.sh [CHECK...]: the rules of CONTRIBUTING.md. Without CHECKs all of them, an hour and a half on two cores; test.sh runs the short
# ones.
#   format   clang-format would change nothing                        (short)
#   stems    headers, sources and tests of a layer are called alike    (short)
#   tidy     clang-tidy and Clang find nothing in library, program, tests and benchmarks; asks again only about files that changed
#   dev      the preset dev with Clang: no warning, every file and header on its own, assertions; all tests pass
#   asan     the preset asan with GCC: no warning, no finding of the address, undefined behaviour and leak sanitizers in any test
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
jobs=${JOBS:-$(nproc)}

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
check_dev() { build_and_test dev-clang --preset dev -DCMAKE_CXX_COMPILER=clang++; }
check_asan() { build_and_test asan --preset asan; }

# Warnings of Clang itself are among the findings. Batches of sources (FILUM_UNITY) save the time for the headers they share; ninja remembers
# which passed and which files they include.
check_tidy() {
  local build=build/tidy file
  cmake -B "$build" --preset dev -DCMAKE_CXX_COMPILER=clang++ -DFILUM_CHECK_HEADERS=OFF -DFILUM_BENCHMARKS=ON \
    -DFILUM_UNITY=ON >/dev/null
  cp tests/.clang-tidy "$build/tests"  # the options of a batch are those of its folder
  {
    echo "builddir = $build/passed"
    echo "rule tidy"
    echo "  command = clang-tidy -p $build --quiet --warnings-as-errors='*' --extra-arg=-Wp,-MD,$root/\$out.d \$in && touch \$out"
    echo "  description = \$in"
    echo "  depfile = \$out.d"
    echo "  deps = gcc"
    grep -oP "^ *\"file\": \"$root/\K[^\"]+" $build/compile_commands.json | sort -u | while read -r file; do
      echo "build $build/passed/${file//\//_}: tidy $file | .clang-tidy"
    done
  } >$build/tidy.ninja
  ninja -f $build/tidy.ninja -j "$jobs" -k 0
}

(($#)) || set -- format stems tidy dev asan
# Tests run the short checks at the same time as others: nothing is installed for them.
[[ ! $* =~ tidy|dev|asan ]] || tools/install-dependencies.sh check
for check in "$@"; do
  echo "== $check"
  "check_$check"
done
echo "all checks passed: $*"
