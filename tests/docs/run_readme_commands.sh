#!/usr/bin/env bash
# run_readme_commands.sh PROGRAM LIBRARY_FOLDER DOCUMENT...: runs what the documents tell users to
# type, each document in a temporary folder of its own, and fails when a command does.
#
#   ```sh        is run; lines that begin with scripts/ are left out
#   ```sh data   the same, but needs the real datasets: skipped, visibly, where they are absent
#   ```cpp       is compiled against the library and run, when it has a main()
#
# A command that ends in "# exit code 1" must end with that code.
set -euo pipefail
program=$(realpath "$1") library=$(realpath "$2")
shift 2
documents=()
for document in "$@"; do
  documents+=("$(realpath "$document")")
done
project=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
mkdir "$place/bin"
ln -s "$program" "$place/bin/disenlink"
export PATH=$place/bin:$PATH

data=${DISENLINK_DATA:-$project/../shared/data}
has_data=no
if [[ -d $data ]]; then
  has_data=yes
  DISENLINK_DATA=$(realpath "$data")
  export DISENLINK_DATA
else
  unset DISENLINK_DATA
fi

failed=0 ran=0 skipped=0

# extract DOCUMENT FOLDER: one file a block, named LINE.KIND.
extract() {
  awk -v folder="$2" '
    /^```/ {
      if (file != "") { close(file); file = ""; next }
      if (inside) { inside = 0; next }
      inside = 1
      kind = substr($0, 4)
      gsub(/ /, "-", kind)
      if (kind == "sh" || kind == "sh-data" || kind == "cpp") {
        file = sprintf("%s/%05d.%s", folder, NR + 1, kind)
        printf "" > file
        inside = 0
      }
      next
    }
    file != "" { print > file }' "$1"
}

run_shell() {
  {
    cat <<'FUNCTIONS'
set -euo pipefail
expect() {
  local wanted=$1 code=0
  shift
  "$@" || code=$?
  ((code == wanted)) || { echo "exit code $code, expected $wanted: $*" >&2; exit 1; }
}
FUNCTIONS
    sed -E '/^scripts\//d; s/^(.*[^ ]) +# exit code ([0-9]+).*$/expect \2 \1/' "$1"
  } | bash
}

run_cpp() {
  grep -q 'int main' "$1" || return 0
  c++ -std=c++20 -x c++ -I "$project/include" "$1" -x none -L "$library" -ldisenlink \
    -Wl,-rpath,"$library" -o "$1.program" && "$1.program"
}

run_block() {
  case $1 in
    *.cpp) run_cpp "$1" ;;
    *) run_shell "$1" ;;
  esac
}

run_document() {
  local name block where
  name=${1#"$project"/}
  local blocks=$place/blocks/$name work=$place/work/$name
  mkdir -p "$blocks" "$work"
  extract "$1" "$blocks"
  cd "$work"
  for block in "$blocks"/*; do
    [[ -e $block ]] || continue
    where=$name:$((10#$(basename "$block" | cut -d. -f1)))
    if [[ $block == *.sh-data && $has_data == no ]]; then
      echo "[  SKIPPED ] docs.$where (needs the real datasets; set DISENLINK_DATA)"
      skipped=$((skipped + 1))
    elif ! grep -qvE '^(scripts/.*)?$' "$block"; then
      echo "left    $where (a script of the project)"
    elif run_block "$block" >"$place/output" 2>&1; then
      echo "ok      $where"
      ran=$((ran + 1))
    else
      echo "FAILED  $where"
      sed 's/^/        | /' "$block" "$place/output"
      failed=$((failed + 1))
    fi
  done
}

for document in "${documents[@]}"; do
  run_document "$document"
done
echo "docs: $ran blocks ran, $skipped skipped, $failed failed"
((failed == 0 && ran > 0))
