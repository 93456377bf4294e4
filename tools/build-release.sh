#!/usr/bin/env bash
# Installs what is missing, then configures build/release if needed and builds the given targets (default: everything).
# Says one line when it starts to work, and shows its log when it fails. Stdout is left to the caller.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$root/build/release
log=$build/build.log
configured=$build/.configured

"$root/tools/install-dependencies.sh" >&2
mkdir -p "$build"

fail() {
  cat "$log" >&2
  echo "$1 failed; the messages above are in $log." >&2
  exit 1
}

# Ninja configures again when a CMakeLists.txt changes; only a new preset has to be noticed here.
if [[ ! -f $configured || $root/CMakePresets.json -nt $configured ]]; then
  echo "Configuring build/release" >&2
  (cd "$root" && cmake --preset release) >"$log" 2>&1 || fail "Configuring"
  touch "$configured"
fi

# One line for the reader: it appears with the first step that is real work, and counts on a terminal.
announce() {
  local step said=no
  while IFS= read -r step; do
    [[ $step =~ ^(\[[0-9]+/[0-9]+\])\ (Building|Linking) ]] || continue
    if [[ -t 2 ]]; then
      printf '\rBuilding build/release %s ' "${BASH_REMATCH[1]}" >&2
    elif [[ $said == no ]]; then
      echo "Building build/release" >&2
    fi
    said=yes
  done
  [[ $said == no || ! -t 2 ]] || echo >&2
}
NINJA_STATUS='[%f/%t] ' ninja -C "$build" -j "$(nproc)" "${@:-all}" 2>&1 | tee "$log" | announce || fail "The build"
