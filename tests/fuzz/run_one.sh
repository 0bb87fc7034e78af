#!/usr/bin/env bash
# run_one.sh TARGET CORPUS SECONDS: fuzzes from a copy of the corpus, so that the source tree stays as it is.
# A finding is left beside the target.
set -euo pipefail
target=$1 corpus=$2 seconds=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ ! -d "$corpus" ] || cp -r "$corpus/." "$work/"
"$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=0 -verbosity=0 \
  -artifact_prefix="$target-finding-" "$work"
