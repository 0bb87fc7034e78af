#!/usr/bin/env bash
# Prints the table of speeds. Builds the release preset first. Every program prints a figure, the goal it is
# held against and, where there is one, the ratio to a baseline of the same run. Absolute figures depend on
# the machine and vary between runs; the ratios are what to compare.
set -euo pipefail
cd "$(dirname "$0")/../.."
./bootstrap.sh --tests
mkdir -p build
cmake --preset release >build/release.configure.log
cmake --build build/release
grep -m1 'model name' /proc/cpuinfo || true
state=$(mktemp -u)
trap 'rm -f "$state"' EXIT
for program in build/release/bin/engine_bench build/release/bin/bench_*; do
  echo "== $(basename "$program")"
  case "$program" in
    *_korf100) "$program" --state "$state" ;;  # from the beginning, every time
    *) "$program" ;;
  esac
done
