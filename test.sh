#!/usr/bin/env bash
# Installs what is missing, builds, and runs every test, or those that ctest's own options select, such as -L lie.
# Shows what failing tests print. The last line is 'N passed, N failed'; the exit code is 0 if some passed, none failed.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$root/build/release
results=$build/test-results.xml

if ! { "$root/tools/install-dependencies.sh" test >&2 && "$root/tools/build-release.sh"; }; then
  echo "0 passed, 1 failed"
  exit 1
fi

# On a terminal ctest keeps one line of progress; elsewhere the lines of tests that pass are left out.
without_passed() { grep --line-buffered -vE '^ *(Start +[0-9]+: |[0-9]+/[0-9]+ Test +#.* Passed )' || true; }
rm -f "$results"
options=(--test-dir "$build" --parallel "$(nproc)" --output-on-failure --progress --output-junit "$results" "$@")
status=0
if [[ -t 1 ]]; then
  ctest "${options[@]}" || status=$?
else
  ctest "${options[@]}" 2>&1 | without_passed || status=${PIPESTATUS[0]}
fi

# ctest leaves the results of a run as <testsuite tests="5" failures="1" disabled="0" skipped="1" ...>.
count() { grep -m1 -oP "^\s*$1=\"\K[0-9]+" "$results" 2>/dev/null || echo 0; }
failed=$(count failures)
skipped=$(($(count skipped) + $(count disabled)))
passed=$(($(count tests) - failed - skipped))
((status == 0 || failed > 0)) || failed=1
((skipped == 0)) || echo "$skipped skipped"
echo "$passed passed, $failed failed"
((passed > 0 && failed == 0))
