#!/usr/bin/env bash
# Runs every fuzz target for MINUTES (default 10). Not part of tests/run.sh.
set -euo pipefail
cd "$(dirname "$0")/../.."
minutes=${1:-10}
cmake --preset asan >/dev/null
cmake --build build/asan --target fuzz_targets
for target in build/asan/fuzz/*; do
  [ -x "$target" ] && [ -f "$target" ] || continue
  echo "== $(basename "$target"), $minutes minutes"
  tests/fuzz/run_one.sh "$target" "tests/fuzz/corpus/$(basename "$target")" $((minutes * 60))
done
