# Sourced by the other scripts: goes to the top of the project and gives step().
# shellcheck shell=bash
cd "$(dirname "${BASH_SOURCE[0]}")/.."
mkdir -p build/logs

# step TEXT COMMAND...: one line of output. The details go to build/logs/TEXT.log and are shown on
# failure; STEP_LOG names that file.
step() {
  local text=$1 began=$SECONDS
  shift
  STEP_LOG=build/logs/${text//[^a-zA-Z0-9]/-}.log
  printf '%s ... ' "$text"
  if "$@" >"$STEP_LOG" 2>&1; then
    printf 'ok (%d s)\n' $((SECONDS - began))
  else
    printf 'FAILED (%d s); %s:\n' $((SECONDS - began)) "$STEP_LOG"
    tail -n 200 "$STEP_LOG"
    return 1
  fi
}

# configure PRESET: only when there is no build folder yet; afterwards the build does it by itself.
configure() {
  [[ -f build/$1/build.ninja ]] || step "configure $1" cmake --preset "$1"
}

build() {
  step "build $1" cmake --build --preset "$1" --parallel "${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}"
}
