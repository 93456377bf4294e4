#!/usr/bin/env bash
# Ctrl-C before anything is integrated: the program ends, with exit code 130. usage: ctrl_c_test.sh FILUM
set -euo pipefail
filum=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# A study whose expansion takes minutes, and a model that takes seconds to build.
values=$(seq -s , 1 300)
cat >study.toml <<END
schema = 1
scenario = "pendulum"
[[vary]]
key = "gravity.0"
values = [$values]
[[vary]]
key = "gravity.1"
values = [$values]
END
cat >beam.toml <<'END'
schema = 1
[time]
end = 1
step = 0.01
[[beam]]
from = [0, 0, 0]
to = [1, 0, 0]
segments = 200000
section = { shape = "circle", radius = 0.01, E = 1e9, nu = 0.3, rho = 1000 }
END

# The program has said what it wants to do about SIGINT, so that it is neither before its first line nor over.
listens() { [[ $(awk '/SigCgt/ {print $2}' "/proc/$1/status" 2>/dev/null) =~ [2367abefABEF]$ ]]; }

interrupt() {
  # Job control gives the program its own signals; without it SIGINT is ignored in the background.
  set -m
  "$filum" "$@" >out 2>err &
  local child=$!
  set +m
  until listens "$child"; do
    [[ $(awk '/State/ {print $2}' "/proc/$child/status" 2>/dev/null) =~ [^Z] ]] || break
    sleep 0.01
  done
  sleep 0.2
  kill -INT "$child"
  wait "$child"
}

# On a busy machine the program may be over before it is interrupted: then once more.
interrupted() {
  local code=0
  while ((code == 0)); do
    rm -rf study run
    interrupt "$@" || code=$?
  done
  if ((code != 130)); then
    echo "filum $*: exit code $code instead of 130" >&2
    cat err >&2
    exit 1
  fi
}
interrupted study study.toml -o study
interrupted check beam.toml
interrupted run beam.toml -o run --no-report
[[ ! -e study/study.csv ]]
echo "ended three times"
