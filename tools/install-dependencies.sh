#!/usr/bin/env bash
# install-dependencies.sh [run|test|check]: installs the Debian packages that are missing to build and run filum, to test it (default) or
# to check its code as well. docs/dependencies.md gives the reason for each.
set -euo pipefail

purpose=${1:-test}
packages=(
  build-essential cmake ninja-build ccache pkg-config
  libeigen3-dev libspectra-dev libsuitesparse-dev libmetis-dev liblapack-dev libblas-dev
  libtomlplusplus-dev libhdf5-dev libdeflate-dev nlohmann-json3-dev libcli11-dev
  libopenmpi-dev openmpi-bin
)
# These may come from elsewhere, and then Debian's packages would be in their way.
command -v npm >/dev/null || packages+=(nodejs npm)
if [[ $purpose != run ]]; then
  packages+=(python3-dev python3-numpy pybind11-dev python3-pytest python3-matplotlib python3-scipy python3-pandas python3-pip python3-venv mypy)
  packages+=(python3-nbconvert python3-ipykernel python3-numba)
  packages+=(libgtest-dev libgmock-dev librapidcheck-dev libboost-dev libbenchmark-dev python3-h5py hdf5-tools iproute2 clang-format)
  command -v chromium >/dev/null || packages+=(chromium)
fi
[[ $purpose != check ]] || packages+=(clang clang-tidy)

if ! command -v dpkg-query >/dev/null; then
  echo "This is not a Debian system: the packages of docs/dependencies.md have to be there already." >&2
  exit 0
fi

installed=$(dpkg-query -W -f='${Package} ${db:Status-Status}\n' "${packages[@]}" 2>/dev/null || true)
missing=()
for package in "${packages[@]}"; do
  grep -qx "$package installed" <<<"$installed" || missing+=("$package")
done
((${#missing[@]})) || exit 0

as_root=()
if ((EUID != 0)); then
  if ! command -v sudo >/dev/null; then
    echo "Missing packages, and neither root nor sudo to install them. Ask an administrator for:" >&2
    echo "  apt-get install ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi

echo "Installing ${missing[*]}" >&2
log=$(mktemp)
trap 'rm -f "$log"' EXIT
apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y)
if ! { "${apt[@]}" update && "${apt[@]}" install --no-install-recommends "${missing[@]}"; } >"$log" 2>&1 </dev/null; then
  cat "$log" >&2
  echo "Installing the packages failed; the messages of apt-get are above." >&2
  exit 1
fi
