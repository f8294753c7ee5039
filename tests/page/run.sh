#!/usr/bin/env bash
# The report page in a browser: run.sh PROGRAM SOURCE_FOLDER SCREENSHOT_FOLDER
# Exit 77 where there is no browser.
set -euo pipefail
program=$1 source=$2 screenshots=$3

if ! command -v chromium >/dev/null; then
  echo "skipped: no chromium; scripts/install-dependencies --test installs it"
  exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

cd "$source/web"
[[ -d node_modules/puppeteer-core ]] || npm ci --no-audit --no-fund --loglevel=error

# All kinds of figures and cells, made up; then what the program makes of the records.
node test/example.mjs "$folder/example.json"
"$program" report "$source/results" --out "$folder/report" --quiet
node test/with_data.mjs "$folder/report/index.html" "$folder/example.json" "$folder/example.html"
mkdir -p "$screenshots"/{example,records}
node test/page_test.mjs "$folder/example.html" "$screenshots/example"
node test/page_test.mjs "$folder/report/index.html" "$screenshots/records"
