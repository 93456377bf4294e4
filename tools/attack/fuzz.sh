#!/usr/bin/env bash
# libFuzzer with ASan and UBSan on what reads files.
# usage: tools/attack/fuzz.sh TARGET [SECONDS, default 600]      TARGET: formula, scenario, study, checkpoint, report
# Needs clang with libclang-rt-14-dev (not needed for ./test.sh) and a release build (./test.sh), whose libraries are used for all layers
# that the target does not exercise: only the layers under attack are instrumented. New inputs are kept in build/fuzz/TARGET-corpus; a
# finding is a file crash-*, timeout-* or oom-* there. Worth keeping: tests/fuzz/corpus/TARGET, after -merge=1.
set -euo pipefail
cd "$(dirname "$0")/../.."
target=${1:?TARGET: formula, scenario, study, checkpoint or report} seconds=${2:-600}
release=build/release out=build/fuzz/$target corpus=build/fuzz/$target-corpus
compiler=${CXX:-clang++}

sources=(tests/fuzz/${target}_fuzz.cpp)
seeds=(tests/fuzz/corpus/$target)
case $target in
  formula) sources+=(src/config/*.cpp) ;;
  scenario)
    sources+=(src/config/*.cpp src/scenario/*.cpp src/scenario/tables/*.cpp)
    sources+=($(find $release/src/scenario -name table_kinds.cpp))
    seeds+=(scenarios)
    ;;
  study)
    sources+=(src/config/*.cpp src/study/{read,check_study,cases,words}.cpp)
    seeds+=(studies)
    ;;
  checkpoint) sources+=(src/record/{checkpoint,hdf5_file,hdf5_check,hdf5_driver,write_journal}.cpp) ;;
  report) sources+=(src/record/{report,report_run,report_arrays,run_reader,facts_json,facts_check,drawing_json,hdf5_file,hdf5_check,hdf5_driver,write_journal}.cpp) ;;
  *) echo "unknown target $target" >&2; exit 2 ;;
esac
[[ -f $release/src/libfilum_study.a ]] || { echo "no release build: ./test.sh makes one" >&2; exit 2; }

# The flags of the release build decide how memory is laid out, so they are the same here.
includes=(-Isrc -Itests)
for layer in "$release"/layers/*; do includes+=("-I$layer"); done
includes+=($(grep -oE -- '-(I|isystem) ?[^ ]*(eigen3|hdf5/serial|tomlplusplus)[^ "]*' $release/compile_commands.json | sort -u))
flags=(-std=c++20 -O1 -g -march=native -fno-math-errno -fno-trapping-math -DEIGEN_MAX_ALIGN_BYTES=32 -DEIGEN_MAX_STATIC_ALIGN_BYTES=32
  -DFILUM_BUILD_DIR="\"$PWD/$release\"" -DFILUM_SHARE_DIR="\"$PWD/$release\""
  -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)

mkdir -p "$out" "$corpus"
objects=()
compile=()
for source in "${sources[@]}"; do
  object=$out/$(tr / _ <<<"${source%.cpp}").o
  objects+=("$object")
  [[ $object -nt $source && $object -nt tools/attack/fuzz.sh ]] || compile+=("$source" "$object")
done
compile_one() { echo "  $1"; "$compiler" "${flags[@]}" "${includes[@]}" -I"$(dirname "$1")" -I"src/$(cut -d/ -f2 <<<"$1")" -c "$1" -o "$2"; }
for ((i = 0; i < ${#compile[@]}; i += 2)); do compile_one "${compile[i]}" "${compile[i + 1]}"; done

libraries=()
for layer in study scenario record model analysis integrate parts mechanics lie linalg config; do
  [[ -f $release/src/libfilum_$layer.a ]] && libraries+=("$release/src/libfilum_$layer.a")
done
mpi=$(grep -oE '[^ ]*libmpi[^ ]*\.so' $release/build.ninja | sort -u | head -n 2 | tr '\n' ' ')
# The libraries are compiled in batches (FILUM_UNITY), so that they may bring a source along that is instrumented here: the first one counts.
"$compiler" -fsanitize=fuzzer,address,undefined -Wl,--allow-multiple-definition "${objects[@]}" -Wl,--start-group "${libraries[@]}" -Wl,--end-group \
  -lhdf5_serial -lz -lamd -lsuitesparseconfig -llapack -lblas $mpi -lpthread -ldl -o "$out/$target"

# Results of a small run are the seeds of what reads result files.
if [[ $target == checkpoint || $target == report ]]; then
  $release/filum run pendulum --set time.end=0.05 --set time.output_every=0.01 --quiet --no-report --force -o "$out/run"
  [[ $target == checkpoint ]] && cp "$out/run/checkpoint.h5" "$corpus/seed" || cp "$out/run/result.h5" "$corpus/seed"
fi
leaks=1
if [[ $target == checkpoint || $target == report ]]; then leaks=0; fi  # HDF5 loses some hundred bytes over every damaged file
cd "$corpus"
nice -n 19 "../$target/$target" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 -max_len=20000 -detect_leaks=$leaks -print_final_stats=1 \
  -artifact_prefix=./ . "${seeds[@]/#/../../../}"
