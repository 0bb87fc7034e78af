#!/usr/bin/env bash
# Installs the Debian 12 packages that Astrolabe needs. Does nothing when they are there.
#   ./bootstrap.sh           to build
#   ./bootstrap.sh --tests   to build and run the tests as well
set -euo pipefail

packages=(
  build-essential cmake ninja-build pkg-config ca-certificates
  libgrpc++-dev libprotobuf-dev protobuf-compiler protobuf-compiler-grpc
  libabsl-dev libcli11-dev libspdlog-dev nlohmann-json3-dev prometheus-cpp-dev libssl-dev
)
test_packages=(
  ccache libgtest-dev libgmock-dev libbenchmark-dev python3 python3-grpcio python3-protobuf
  clang libclang-rt-14-dev valgrind
)

wanted=("${packages[@]}")
for argument in "$@"; do
  case "$argument" in
    --tests) wanted+=("${test_packages[@]}") ;;
    *) echo "bootstrap.sh: unknown argument '$argument'; expected nothing or --tests" >&2; exit 2 ;;
  esac
done

missing=()
for package in "${wanted[@]}"; do
  state=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$state" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

if ! command -v apt-get >/dev/null; then
  echo "bootstrap.sh: this is not Debian; install by hand: ${missing[*]}" >&2
  exit 1
fi
as_root=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || { echo "bootstrap.sh: run as root, or install: ${missing[*]}" >&2; exit 1; }
  as_root=(sudo)
fi
echo "Installing: ${missing[*]}"
"${as_root[@]}" apt-get update -q
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}"
