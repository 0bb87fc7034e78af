#!/usr/bin/env bash
# From a fresh checkout to a solved puzzle: installs the packages, builds, installs into build/prefix and
# solves an 8-puzzle file with a daemon that is started for you. Arguments are passed to `astrolabe solve`
# in place of the default file.
set -euo pipefail
cd "$(dirname "$0")/.."

./bootstrap.sh
mkdir -p build
cmake --preset release -DASTROLABE_TESTS=OFF -DASTROLABE_BENCH=OFF -B build/quickstart >build/quickstart.log 2>&1 || {
  cat build/quickstart.log >&2
  exit 1
}
cmake --build build/quickstart
cmake --install build/quickstart --prefix build/prefix >>build/quickstart.log

export PATH="$PWD/build/prefix/bin:$PATH"
if [ $# -eq 0 ]; then
  set -- examples/instances/8puzzle-4.txt
fi
echo
echo "\$ astrolabe solve $*"
astrolabe solve "$@"
echo
echo "The daemon goes on running and leaves after 15 idle minutes; 'astrolabe server stop' ends it now."
echo "To go on:  export PATH=\"$PWD/build/prefix/bin:\$PATH\""
