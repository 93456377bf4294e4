#!/usr/bin/env bash
# package_test.sh BUILD WORK: makes the Debian package of a build, unpacks it into an empty root and uses what is there.
set -euo pipefail
build=$1 work=$2
fail() { echo "$*" >&2 && exit 1; }

rm -rf "$work"
mkdir -p "$work/root"
cd "$work"
cpack --config "$build/CPackConfig.cmake" -D CPACK_DEBIAN_COMPRESSION_TYPE=gzip -B "$work/package" >cpack.log 2>&1 || { cat cpack.log >&2 && fail "cpack failed"; }
packages=("$work"/package/*.deb)
[[ ${#packages[@]} == 1 && -f ${packages[0]} ]] || fail "expected one package, found ${packages[*]}"
depends=$(dpkg-deb -f "${packages[0]}" Depends)
[[ $depends == *libhdf5* && $depends == *libc6* ]] || fail "the package does not say what it needs: '$depends'"
dpkg-deb -x "${packages[0]}" root

program=$work/root/usr/bin/filum
[[ $("$program" --version) == filum\ * ]] || fail "the program does not tell its version"
"$program" run heavy-top-fast --set time.end=0.01 -o results --quiet
grep -q '"status": "done"' results/summary.json || fail "the scenario did not run to its end"
# Where npm is missing there is no page to install.
if [[ -f $build/report-template.html ]]; then
  [[ -s results/report.html ]] || fail "the installed program made no report page"
fi
for file in usr/include/filum/model/model.hpp usr/share/filum/scenarios/roll-up.toml usr/share/bash-completion/completions/filum; do
  [[ -f root/$file ]] || fail "$file is not in the package"
done
for file in filumConfig.cmake libfilum_model.a; do
  [[ -n $(find root/usr/lib -name $file) ]] || fail "$file is not in the package"
done
# What find_package reads must not lead back to where the package was made.
! grep -rF --include='*.cmake' --include='*.hpp' "$build" root || fail "the package names the folder it was built in"

PATH=$work/root/usr/bin:$PATH
source root/usr/share/bash-completion/completions/filum
# complete_as "filum ru": the words that bash would offer.
complete_as() {
  read -ra COMP_WORDS <<<"$1"
  [[ $1 == *' ' ]] && COMP_WORDS+=("")
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
  _filum 2>/dev/null
  echo " ${COMPREPLY[*]} "
}
expect() { [[ $(complete_as "$1") == *" $2 "* ]] || fail "'$1' is not completed to $2, but to:$(complete_as "$1")"; }
reject() { [[ $(complete_as "$1") != *" $2 "* ]] || fail "'$1' should not be completed to $2"; }
expect "filum ru" run
expect "filum " study
expect "filum run fly" flying-spaghetti
expect "filum run --no" --no-report
expect "filum study work" work-precision-spaghetti
reject "filum run work" work-precision-spaghetti
echo "package $(basename "${packages[0]}"): $(du -k "${packages[0]}" | cut -f1) kB, depends on $depends"
