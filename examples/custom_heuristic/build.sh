#!/usr/bin/env bash
# build.sh SOURCE.cc: builds a plugin SOURCE.so beside the source, against an installed Astrolabe alone.
# The prefix: $ASTROLABE_PREFIX, else the one that `astrolabe` in PATH belongs to, else build/prefix of this
# checkout (where examples/quickstart.sh installs).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
[ $# -eq 1 ] || { echo "usage: build.sh SOURCE.cc" >&2; exit 2; }
source=$1
[ -f "$source" ] || source=$here/$1
[ -f "$source" ] || { echo "build.sh: no file $1" >&2; exit 2; }

prefix=${ASTROLABE_PREFIX:-}
if [ -z "$prefix" ] && command -v astrolabe >/dev/null; then
  prefix=$(dirname "$(dirname "$(readlink -f "$(command -v astrolabe)")")")
fi
[ -n "$prefix" ] || prefix=$here/../../build/prefix
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
pkg-config --exists astrolabe-sdk || {
  echo "build.sh: no Astrolabe in $prefix; run examples/quickstart.sh, or set ASTROLABE_PREFIX" >&2
  exit 1
}

# Into a file of its own first: a running daemon must never see half a library.
library=${source%.cc}.so
${CXX:-g++} -std=c++20 -O3 -Wall -shared -fPIC "$source" -o "$library.new" $(pkg-config --cflags --libs astrolabe-sdk)
mv "$library.new" "$library"
echo "built $library"
echo "load it:   astrolabe plugin load $(realpath "$library")"
