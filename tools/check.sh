#!/usr/bin/env bash
# [JOBS=n] check.sh [CHECK...]: the rules of CONTRIBUTING.md. Without CHECKs all of them, two hours on two cores; test.sh runs the short
# ones.
#   format   clang-format would change nothing                        (short)
#   stems    headers, sources and tests of a layer are called alike    (short)
#   tidy     clang-tidy and Clang find nothing in library, program, tests and benchmarks; asks again only about files that changed
#   clang    Clang builds everything without a warning, and all tests pass
#   dev      the preset dev: assertions, every header on its own, no precompiled headers; all tests pass
#   asan     the preset asan: no finding of the address, undefined behaviour and leak sanitizers in any test
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
check_clang() { build_and_test clang --preset ci -DCMAKE_CXX_COMPILER=clang++ -DFILUM_NATIVE=OFF; }
check_dev() { build_and_test dev --preset dev; }
check_asan() { build_and_test asan --preset asan; }

# Warnings of Clang itself are among the findings. Files are looked at in batches, since most of the time goes into the headers they share;
# ninja remembers which batches passed and which files they include.
check_tidy() {
  local build=build/tidy file
  cmake -B "$build" --preset dev -DCMAKE_CXX_COMPILER=clang++ -DFILUM_CHECK_HEADERS=OFF -DFILUM_BENCHMARKS=ON \
    -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=10 >/dev/null
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

(($#)) || set -- format stems tidy clang dev asan
# Tests run the short checks at the same time as others: nothing is installed for them.
[[ ! $* =~ clang|tidy|dev|asan ]] || tools/install-dependencies.sh check
for check in "$@"; do
  echo "== $check"
  "check_$check"
done
echo "all checks passed: $*"
