#!/usr/bin/env bash
# libFuzzer with ASan and UBSan on what reads files.
# usage: tools/attack/fuzz.sh TARGET [SECONDS, default 600]      TARGET: formula, scenario, study, checkpoint, report, blocks
# Needs clang with libclang-rt-14-dev (not needed for ./test.sh) and a release build (./test.sh), whose libraries are used for all layers
# that the target does not exercise: only the layers under attack are instrumented. New inputs are kept in build/fuzz/TARGET-corpus; a
# finding is a file crash-*, timeout-* or oom-* there. Worth keeping: tests/fuzz/corpus/TARGET, after -merge=1.
set -euo pipefail
cd "$(dirname "$0")/../.."
target=${1:?TARGET: formula, scenario, study, checkpoint, report or blocks} seconds=${2:-600}
release=build/release out=build/fuzz/$target corpus=build/fuzz/$target-corpus
compiler=${CXX:-clang++}

# One batch for each layer, as in the release build.
batches=() config=(src/config/*.cpp)
hdf5=(src/record/hdf5_{file,blocks,check,driver,heap,index,message}.cpp src/record/{packing,write_journal}.cpp)
seeds=(tests/fuzz/corpus/$target)
case $target in
  formula) batches+=("${config[*]}") ;;
  scenario)
    tables=$(find $release/src/scenario -name table_kinds.cpp)
    batches+=("${config[*]}" "$(echo src/scenario/*.cpp src/scenario/tables/*.cpp) ${tables#"$PWD/"}")
    seeds+=(scenarios)
    ;;
  study)
    batches+=("${config[*]}" "$(echo src/study/{read,check_study,cases,words}.cpp)")
    seeds+=(studies)
    ;;
  checkpoint) batches+=("${hdf5[*]} src/record/checkpoint.cpp") ;;
  report) batches+=("${hdf5[*]} $(echo src/record/{report,report_run,report_arrays,run_reader,facts_json,facts_check,drawing_json,base64}.cpp)") ;;
  blocks) batches+=("${hdf5[*]}") ;;
  *) echo "unknown target $target" >&2; exit 2 ;;
esac
batches+=("tests/fuzz/${target}_fuzz.cpp")
[[ $target != report && $target != checkpoint ]] || batches[-1]+=" tests/fuzz/any_checksum.cpp"
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
for batch in "${batches[@]}"; do
  folder=$(dirname "${batch%% *}")
  source=$out/$(tr / _ <<<"$folder").cpp object=$out/$(tr / _ <<<"$folder").o
  printf '#include "%s"\n' $(realpath $batch) >"$source.new"
  cmp -s "$source.new" "$source" || cp "$source.new" "$source"
  objects+=("$object")
  newer=$(find "$source" $batch tools/attack/fuzz.sh -newer "$object" 2>/dev/null
    find include/ src/ tests/fuzz/ -name "*.hpp" -newer "$object" 2>/dev/null) || true
  [[ -e $object && -z $newer ]] && continue
  echo "  $folder"
  "$compiler" "${flags[@]}" "${includes[@]}" -I"$folder" -Isrc/study -Isrc/scenario -Isrc/record -c "$source" -o "$object"
done

libraries=()
for layer in study chart scenario record model analysis integrate parts mechanics lie linalg config; do
  [[ -f $release/src/libfilum_$layer.a ]] && libraries+=("$release/src/libfilum_$layer.a")
done
mpi=$(grep -oE '[^ ]*libmpi[^ ]*\.so' $release/build.ninja | sort -u | head -n 2 | tr '\n' ' ')
# The libraries are compiled in batches (FILUM_UNITY), so that they may bring a source along that is instrumented here: the first one counts.
"$compiler" -fsanitize=fuzzer,address,undefined -Wl,--allow-multiple-definition "${objects[@]}" -Wl,--start-group "${libraries[@]}" -Wl,--end-group \
  -l:libhdf5_serial.a -lsz -laec -ldeflate -lz -lmetis -ltomlplusplus -lamd -lsuitesparseconfig -llapack -lblas $mpi -lpthread -ldl -o "$out/$target"

# Results of a small run are the seeds of what reads result files.
if [[ $target == checkpoint || $target == report ]]; then
  $release/filum run pendulum --set time.end=0.03 --set time.output_every=0.01 --quiet --no-report --force -o "$out/run"
  [[ $target == checkpoint ]] && cp "$out/run/checkpoint.h5" "$corpus/seed" || cp "$out/run/result.h5" "$corpus/seed"
fi
leaks=1 limits=()
if [[ $target == checkpoint || $target == report || $target == blocks ]]; then
  leaks=0                                # HDF5 loses some hundred bytes over every damaged file
  limits=(-malloc_limit_mb=1000000000)   # asks for the memory that a file speaks of, and says so if there is not as much
fi
export ASAN_OPTIONS=detect_leaks=$leaks:allocator_may_return_null=1
cd "$corpus"
nice -n 19 "../$target/$target" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 -max_len=40000 -detect_leaks=$leaks "${limits[@]}" -print_final_stats=1 \
  -artifact_prefix=./ . "${seeds[@]/#/../../../}"
