#!/usr/bin/env bash
# Installs what is missing, builds, and runs `filum ARGS...`, or without arguments the flying spaghetti.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$root/build/release

"$root/tools/install-dependencies.sh" run >&2
"$root/tools/build-release.sh" filum_app
(($#)) || set -- run flying-spaghetti
exec "$build/filum" "$@"
