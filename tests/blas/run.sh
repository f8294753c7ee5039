#!/usr/bin/env bash
# run.sh SOURCE_FOLDER BLAS: configuring is refused on the reference BLAS and goes through on BLAS,
# the library that this build uses. Exit 77, a skipped test, where there is no reference BLAS.
set -euo pipefail
source_folder=$1 blas=$2
reference=$(dirname "$blas")/blas/libblas.so.3
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

fail() {
  echo "blas_test: $1; CMake said:" >&2
  cat "$place/log" >&2
  exit 1
}

check() {
  cmake -S "$source_folder/tests/blas" -B "$place/build" -G Ninja -DDISENLINK_BLAS="$1" \
    >"$place/log" 2>&1
}

if [[ ! -f $reference ]]; then
  echo "blas_test: SKIPPED, no reference BLAS at $reference (Debian package libblas3)"
  exit 77
fi

# Twice: a refusal that is forgotten the second time would be none.
for time in first second; do
  ! check "$reference" || fail "$reference was accepted the $time time"
  for text in "slow reference BLAS" "$(realpath "$reference")" \
    "apt-get install libopenblas-openmp-dev" "update-alternatives --config libblas.so.3-"; do
    grep -qF -- "$text" "$place/log" || fail "'$text' is missing in what the user reads"
  done
done
check "$blas" || fail "$blas was refused"
grep -qF "BLAS of libtorch: " "$place/log" || fail "$blas was not named"
! check "$reference" || fail "$reference was accepted after another one had been selected"

echo "no library" >"$place/libblas.so.3"
check "$place/libblas.so.3" || fail "a file that cannot be loaded stopped the configuration"
grep -qF "Cannot look into" "$place/log" || fail "a file that cannot be loaded was not mentioned"
echo "blas_test: passed"
