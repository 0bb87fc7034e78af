#!/bin/sh
# Makes golden_rows_v1.so from golden_rows.c and the headers as they are now. See golden_rows.c for when.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../..
${CC:-gcc} -std=c11 -O2 -Wall -Wextra -shared -fPIC -fvisibility=hidden \
  -I"$root/plugins/abi/include" -I"$root/plugins/sliding_tile/include" "$here/golden_rows.c" \
  -Wl,--version-script="$root/plugins/sdk/cmake/astrolabe_plugin.map" \
  -Wl,-z,defs -Wl,-z,now -Wl,-z,relro -Wl,-Bsymbolic -Wl,-z,noseparate-code -s -o "$here/golden_rows_v1.so"
ls -l "$here/golden_rows_v1.so"
