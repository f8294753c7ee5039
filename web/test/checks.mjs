// Counts what passed and what failed.
let passed = 0;
let failed = 0;

export function check(what, holds, details) {
  if (holds) {
    passed++;
    return;
  }
  failed++;
  console.log(`FAILED: ${what}${details === undefined ? '' : `: ${details}`}`);
}

export function checkEqual(what, found, expected) {
  const [a, b] = [JSON.stringify(found), JSON.stringify(expected)];
  check(what, a === b, `found ${a}, expected ${b}`);
}

export function summary() {
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0;
}
