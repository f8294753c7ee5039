#!/usr/bin/env bash
# run.sh SOURCE_FOLDER BUILD_FOLDER: installs to a temporary prefix, builds a project against it
# and runs both its program and ours.
set -euo pipefail
source_folder=$1 build_folder=$2
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
prefix=$place/prefix consumer=$place/consumer

fail() {
  echo "install_test: $1" >&2
  exit 1
}

for header in "$source_folder"/include/disenlink/*.h; do
  name=disenlink/$(basename "$header")
  [[ $name == disenlink/disenlink.h ]] ||
    grep -qF "#include \"$name\"" "$source_folder/include/disenlink/disenlink.h" ||
    fail "disenlink/disenlink.h does not include $name"
done

cmake --install "$build_folder" --prefix "$prefix"
cmake -S "$source_folder/tests/install/consumer" -B "$consumer" -G Ninja -DCMAKE_PREFIX_PATH="$prefix"
cmake --build "$consumer"
if grep -niE 'torch|fmt|nlohmann' "$consumer/compile_commands.json" "$consumer/build.ninja"; then
  fail "a user of the library is handed what it is built with"
fi

said=$("$consumer/consumer")
[[ $said == "3 links, AUC 0.625" ]] || fail "the consumer said '$said', expected '3 links, AUC 0.625'"
"$prefix/bin/disenlink" --help >/dev/null || fail "the installed program does not run"

# A moved prefix still works: nothing in it names the place it was built or installed.
mv "$prefix" "$place/moved"
"$place/moved/bin/disenlink" --help >/dev/null || fail "the installed program does not run once moved"
echo "install_test: passed"
