#!/usr/bin/env bash
# Installs what is needed, builds, and runs all tests, fast ones first. Every step runs even when an earlier one failed;
# the exit code tells.
#   tests/run.sh            all of them
#   tests/run.sh STEP...    some: release   the whole suite
#                                 asan      thinned, under AddressSanitizer and UndefinedBehaviorSanitizer
#                                 tsan      what has threads, under ThreadSanitizer
#                                 fuzz      ten seconds of each fuzz target
set -uo pipefail
cd "$(dirname "$0")/.."
steps=("$@")
[ ${#steps[@]} -gt 0 ] || steps=(release asan tsan fuzz)

./bootstrap.sh --tests || exit 1
jobs=$(nproc)
failed=()

# Configures and builds a preset (or one target of it); says what went wrong.
build() {
  local preset=$1 target=${2:-all}
  mkdir -p build
  cmake --preset "$preset" >"build/$preset.configure.log" 2>&1 || { cat "build/$preset.configure.log"; return 1; }
  cmake --build "build/$preset" -j "$jobs" --target "$target" || return 1
}

run() {
  local preset=$1
  shift
  ctest --test-dir "build/$preset" --output-on-failure --no-tests=error --timeout 600 "$@"
}

for step in "${steps[@]}"; do
  echo "== $step"
  case "$step" in
    release)
      build release || { failed+=(release); continue; }
      run release -j "$jobs" -L unit || failed+=("release unit")
      run release -j "$jobs" -R Exhaustive || failed+=("release exhaustive")
      run release -LE 'unit|fuzz' -E Exhaustive || failed+=("release e2e")
      ;;
    asan)
      build asan || { failed+=(asan); continue; }
      run asan -j "$jobs" -LE 'slow|fuzz|nosanitize' || failed+=(asan)
      ;;
    tsan)
      build tsan || { failed+=(tsan); continue; }
      # Some kernels place mappings where ThreadSanitizer cannot follow.
      fixed=()
      if setarch "$(uname -m)" -R true 2>/dev/null; then fixed=(setarch "$(uname -m)" -R); fi
      "${fixed[@]}" ctest --test-dir build/tsan --output-on-failure --no-tests=error -j "$jobs" -LE 'slow|fuzz|nosanitize' || failed+=(tsan)
      ;;
    fuzz)
      build fuzz fuzz_targets || { failed+=(fuzz); continue; }
      run fuzz -L fuzz || failed+=(fuzz)
      ;;
    *)
      echo "tests/run.sh: unknown step '$step'; expected release, asan, tsan or fuzz" >&2
      exit 2
      ;;
  esac
done

if [ ${#failed[@]} -gt 0 ]; then
  echo "FAILED: ${failed[*]}" >&2
  exit 1
fi
