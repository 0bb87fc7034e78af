#!/usr/bin/env bash
# Prints the table of speeds: every program prints a figure, the goal it is held against and, where there is one, the
# ratio to a baseline of the same run. Absolute figures depend on the machine and on who else uses it; the ratios,
# of runs made in turn, are what to compare. Builds the release preset first.
#   tests/bench/run.sh              all of it; meant to take less than 15 minutes once it is built
#   tests/bench/run.sh PROGRAM...   some: engine_bench bench_inlined bench_ida ...
set -euo pipefail
cd "$(dirname "$0")/../.."
programs=(engine_bench bench_inlined bench_astar bench_construct bench_ida bench_threads bench_pdb bench_korf100 bench_encode bench_events bench_latency)
if [ $# -gt 0 ]; then
  for program in "$@"; do
    [[ " ${programs[*]} " == *" $program "* ]] || {
      echo "tests/bench/run.sh: unknown program '$program'; expected some of ${programs[*]}" >&2
      exit 2
    }
  done
  programs=("$@")
fi

./bootstrap.sh --tests
mkdir -p build
cmake --preset release >build/release.configure.log
cmake --build build/release --target "${programs[@]}"

load() { echo "load average $(cut -d' ' -f1-3 /proc/loadavg), $(nproc) processors"; }
grep -m1 'model name' /proc/cpuinfo || true
state=$(mktemp -u)
trap 'rm -f "$state"' EXIT
failed=()
for program in "${programs[@]}"; do
  echo "== $program ($(load))"
  arguments=()
  [ "$program" != bench_korf100 ] || arguments=(--state "$state")  # from the beginning, every time
  "build/release/bin/$program" "${arguments[@]}" || failed+=("$program")
done
echo "== done in $SECONDS s with the build ($(load))"
if [ ${#failed[@]} -gt 0 ]; then
  echo "FAILED: ${failed[*]}" >&2
  exit 1
fi
