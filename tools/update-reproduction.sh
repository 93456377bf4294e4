#!/usr/bin/env bash
# Copies the pictures that docs/reproduction shows from the results of `filum study --all -o DIR`: update-reproduction.sh DIR
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
results=${1:?the folder of \`filum study --all\`}
images=$root/docs/reproduction/images
missing=0
for image in "$images"/*.svg; do
  name=$(basename "$image")
  found=""
  for study in "$root"/studies/*.toml; do
    stem=$(basename "$study" .toml)
    plot=$results/$stem/plots/${name#"$stem"-}
    [[ $name == "$stem"-* && -f $plot ]] && found=$plot
  done
  if [[ -n $found ]]; then
    cp "$found" "$image"
  else
    echo "no plot for $name" >&2
    missing=$((missing + 1))
  fi
done
exit $((missing > 0))
