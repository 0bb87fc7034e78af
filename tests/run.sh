#!/usr/bin/env bash
# Installs what is needed, builds, and runs all tests, fast ones first. Every step runs even when an earlier one failed;
# the exit code tells.
#   tests/run.sh            all of them
#   tests/run.sh STEP...    some: release   the whole suite
#                                 asan      thinned, under AddressSanitizer and UndefinedBehaviorSanitizer
#                                 tsan      what has threads, under ThreadSanitizer
#                                 fuzz      ten seconds of each fuzz target (of the same build as asan)
set -uo pipefail
cd "$(dirname "$0")/.."
steps=("$@")
[ ${#steps[@]} -gt 0 ] || steps=(release asan tsan fuzz)

./bootstrap.sh --tests || exit 1
jobs=$(nproc)
tests=$((jobs + 1))  # many wait more than they compute
failed=()
logs=()
launcher=()

# Configures and builds a preset (or one target of it); says what went wrong.
build() {
  local preset=$1 target=${2:-all}
  mkdir -p build
  cmake --preset "$preset" >"build/$preset.configure.log" 2>&1 || { cat "build/$preset.configure.log"; return 1; }
  cmake --build "build/$preset" -j "$jobs" --target "$target" || return 1
}

# run STEP PRESET ARGUMENTS...: the tests of a preset that ctest's arguments choose.
run() {
  local step=$1 preset=$2
  shift 2
  local log="build/${step// /-}.log"
  "${launcher[@]}" ctest --test-dir "build/$preset" --output-on-failure --no-tests=error --timeout 600 --output-log "$PWD/$log" "$@" &&
    return
  failed+=("$step")
  logs+=("$log")
}

# What failed in a log of ctest, with the last lines of what it printed.
show_failures() {
  awk '
    function show(  i) { for (i = 1; i <= count; ++i) if (i == 1 || i > count - 60) print lines[i]; count = 0 }
    /^ *[0-9]+\/[0-9]+ +Test +#/ { show(); failing = /\*\*\*(Failed|Timeout|Exception|Not Run)/ }
    /^ +Start +[0-9]+:/ { next }
    /tests passed, .* tests failed out of/ { show(); failing = 1 }
    failing { lines[++count] = $0 }
    END { show() }' "$1"
}

for step in "${steps[@]}"; do
  echo "== $step"
  case "$step" in
    release)
      build release || { failed+=(release); continue; }
      run "release unit" release -j "$tests" -L unit
      run "release exhaustive" release -j "$jobs" -R Exhaustive
      run "release e2e" release -j "$tests" -LE 'unit|fuzz' -E Exhaustive
      ;;
    asan)
      build asan || { failed+=(asan); continue; }
      run asan asan -j "$tests" -LE 'slow|fuzz'
      ;;
    tsan)
      build tsan || { failed+=(tsan); continue; }
      # Some kernels place mappings where ThreadSanitizer cannot follow.
      if setarch "$(uname -m)" -R true 2>/dev/null; then launcher=(setarch "$(uname -m)" -R); fi
      run tsan tsan -j "$tests" -LE 'slow|fuzz'
      launcher=()
      ;;
    fuzz)
      build asan fuzz_targets || { failed+=(fuzz); continue; }
      run fuzz asan -j "$jobs" -L fuzz
      ;;
    *)
      echo "tests/run.sh: unknown step '$step'; expected release, asan, tsan or fuzz" >&2
      exit 2
      ;;
  esac
done

if [ ${#failed[@]} -gt 0 ]; then
  for log in "${logs[@]}"; do
    echo "== what failed: $log"
    show_failures "$log"
  done
  echo "FAILED: ${failed[*]}" >&2
  exit 1
fi
