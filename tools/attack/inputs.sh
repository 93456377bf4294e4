#!/usr/bin/env bash
# Attacks on what people write: mutated scenarios and studies, random formulas, every scenario with every method and group.
# usage: tools/attack/inputs.sh [SECONDS per campaign, default 900] [SEED, default 1] [CAMPAIGN...]
# Needs ./test.sh to have built filum_attack. Findings go to attack-findings/. The table is in docs/reliability.md.
set -euo pipefail
cd "$(dirname "$0")/../.."
seconds=${1:-900} seed=${2:-1}
shift $(($# < 2 ? $# : 2))
campaigns=("$@")
((${#campaigns[@]})) || campaigns=(scenarios studies formulas combinations)
program=$(find build/release -name filum_attack -type f -perm -u+x | head -n 1)
[[ $program ]] || { echo "filum_attack is missing: cmake --preset release && ninja -C build/release filum_attack" >&2; exit 2; }
failed=0
for campaign in "${campaigns[@]}"; do
  nice -n 19 "$program" "$campaign" --seconds "$seconds" --seed "$seed" --keep "attack-findings/$campaign" || failed=1
done
exit $failed
