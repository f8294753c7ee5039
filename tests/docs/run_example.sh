#!/usr/bin/env bash
# run_example.sh SOURCE PROGRAM ARGUMENTS...: runs an example and compares what it prints with the
# lines below "Expected result:" at the top of its source.
set -euo pipefail
source_file=$1
shift

expected=$(sed -n '/^\/\/ Expected result:$/,/^\/\/$/s|^//   ||p' "$source_file")
[[ -n $expected ]] || {
  echo "$source_file has no lines below 'Expected result:'" >&2
  exit 1
}
diff <(echo "$expected") <("$@")
echo "$(basename "$source_file"): prints what it promises"
