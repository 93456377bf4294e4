#!/usr/bin/env bash
# [JOBS=n] check.sh [CHECK...]: the rules of CONTRIBUTING.md. Without CHECKs all of them, an hour and a half on two cores; test.sh runs the short
# ones.
#   format   clang-format would change nothing                        (short)
#   stems    headers, sources and tests of a layer are called alike    (short)
#   alone    every source and every public header on its own: Clang has no warning; asks again only about files that changed
#   tidy     clang-tidy and Clang find nothing in library, program, tests and benchmarks; asks again only about files that changed
#   dev      the preset dev with Clang, in batches: no warning, assertions; all tests pass
#   asan     the preset asan with Clang, in batches: no warning, no finding of the address, undefined behaviour and leak sanitizers in any test
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
check_dev() {
  build_and_test dev-clang --preset dev -DCMAKE_CXX_COMPILER=clang++ -DFILUM_UNITY=ON -DFILUM_PRECOMPILE=ON -DFILUM_CHECK_HEADERS=OFF
}
# GCC takes several times as long to compile with sanitizers: more than six minutes for the batch of mechanics alone.
check_asan() { build_and_test asan --preset asan -DCMAKE_CXX_COMPILER=clang++; }

# ask_about_files BUILD: runs the lines 'FILE<tab>COMMAND' of stdin, where DEPENDENCIES in a command is the file that it writes its headers to,
# but for those that passed already. Ninja remembers them, and which headers they include.
ask_about_files() {
  local build=$1 file command out
  {
    echo "builddir = $build/passed"
    echo "rule ask"
    echo "  command = \$ask && touch \$out"
    echo "  description = \$in"
    echo "  depfile = \$out.d"
    echo "  deps = gcc"
    while IFS=$'\t' read -r file command; do
      out=$build/passed/${file//\//_}
      echo "build $out: ask $file | .clang-tidy"
      echo "  ask = ${command//DEPENDENCIES/$root/$out.d}"
    done
  } >"$build/ask.ninja"
  ninja -f "$build/ask.ninja" -j "$jobs" -k 0
}

# Each file of a build folder, with a command that compiles it.
files_and_commands() {
  paste <(grep -oP "^ *\"file\": \"$root/\K[^\"]+" "$1") <(grep -oP '^ *"command": "\K.*(?=",$)' "$1" | sed 's/\\"/"/g; s/\\\\/\\/g') | sort -u -t $'\t' -k 1,1
}
check_alone() {
  local build=build/alone
  cmake -B "$build" --preset dev -DCMAKE_CXX_COMPILER=clang++ -DFILUM_BENCHMARKS=ON >/dev/null
  files_and_commands "$build/compile_commands.json" | sed 's/ -o [^ ]* -c / -fsyntax-only -MMD -MF DEPENDENCIES /' | ask_about_files "$build"
}

# Warnings of Clang itself are among the findings. Batches of sources (FILUM_UNITY) save the time for the headers they share.
check_tidy() {
  local build=build/tidy
  cmake -B "$build" --preset dev -DCMAKE_CXX_COMPILER=clang++ -DFILUM_CHECK_HEADERS=OFF -DFILUM_BENCHMARKS=ON \
    -DFILUM_UNITY=ON >/dev/null
  cp tests/.clang-tidy "$build/tests"  # the options of a batch are those of its folder
  files_and_commands "$build/compile_commands.json" |
    sed -E "s|^([^\t]*)\t.*|\1\tclang-tidy -p $build --quiet --warnings-as-errors='*' --extra-arg=-Wp,-MD,DEPENDENCIES \1|" |
    ask_about_files "$build"
}

(($#)) || set -- format stems alone tidy dev asan
# Tests run the short checks at the same time as others: nothing is installed for them.
[[ ! $* =~ alone|tidy|dev|asan ]] || tools/install-dependencies.sh check
for check in "$@"; do
  echo "== $check"
  "check_$check"
done
echo "all checks passed: $*"
