#!/usr/bin/env bash
# Configures build/release if needed and builds the given targets (default: everything). Says how far it is while it works and how long
# it took, and shows its log when it fails. Stdout is left to the caller.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$root/build/release
log=$build/build.log
configured=$build/.configured
mkdir -p "$build"

fail() {
  cat "$log" >&2
  echo "$1 failed; the messages above are in $log." >&2
  exit 1
}

# Ninja configures again when a CMakeLists.txt changes. Noticed here: a new preset, and packages that were installed since, as by test.sh
# after run.sh, which may add what was left out before (Python, MPI).
packages=/var/lib/dpkg/status
if [[ ! -f $configured || $root/CMakePresets.json -nt $configured || $packages -nt $configured ]]; then
  echo "Configuring build/release" >&2
  (cd "$root" && cmake --preset release) >"$log" 2>&1 || fail "Configuring"
  touch "$configured"
fi

# One line that counts on a terminal; elsewhere a line every ten seconds. Silent while no step is real work.
show_progress() {
  local step said=no next=0 begin=$SECONDS
  while IFS= read -r step; do
    [[ $step =~ ^\[([0-9]+)/([0-9]+)\]\ (Building|Linking) ]] || continue
    local line="Building build/release: ${BASH_REMATCH[1]} of ${BASH_REMATCH[2]} steps, $((SECONDS - begin)) s"
    if [[ -t 2 ]]; then
      printf '\r%s ' "$line" >&2
    elif ((SECONDS >= next)); then
      echo "$line" >&2
      next=$((SECONDS + 10))
    fi
    said=yes
  done
  [[ $said == no ]] && return
  [[ -t 2 ]] && echo >&2
  echo "Built in $(((SECONDS - begin) / 60)) min $(((SECONDS - begin) % 60)) s" >&2
}
NINJA_STATUS='[%f/%t] ' ninja -C "$build" -j "$(nproc)" "${@:-all}" 2>&1 | tee "$log" | show_progress || fail "The build"
