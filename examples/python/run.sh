#!/usr/bin/env bash
# Makes Python stubs from the protos and streams a solve from a running daemon.
#   run.sh [FILE [ADDRESS]]     default: an easy 8-puzzle, and the address of the user's own daemon
# Needs Debian's python3-grpcio, python3-protobuf, protobuf-compiler and protobuf-compiler-grpc.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
file=${1:-$here/../instances/8puzzle-4.txt}
folder=${XDG_RUNTIME_DIR:+$XDG_RUNTIME_DIR/astrolabe}
address=${2:-unix:${folder:-/tmp/astrolabe-$(id -u)}/astrolabed.sock}
python=${PYTHON:-/usr/bin/python3}

stubs=$(mktemp -d)
trap 'rm -rf "$stubs"' EXIT
protoc -I"$here/../../proto" --python_out="$stubs" --grpc_out="$stubs" \
  --plugin=protoc-gen-grpc="$(command -v grpc_python_plugin)" \
  "$here"/../../proto/astrolabe/v1/*.proto
PYTHONPATH="$stubs" "$python" "$here/solve.py" "$address" "$file"
