#!/usr/bin/env bash
# Installs what is missing, builds, and runs: `filum ARGS...`, or without arguments a first example.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$root/build/release

if [[ -f $root/app/CMakeLists.txt ]]; then
  "$root/tools/build-release.sh" filum_app
  exec "$build/filum" "$@"
fi
if (($#)); then
  echo "run.sh: expected no arguments, found '$*': this version has no filum program yet. Try ./run.sh alone." >&2
  exit 2
fi
"$root/tools/build-release.sh" free_body
exec "$build/examples/free_body"
