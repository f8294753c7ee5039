export function isNumber(value) {
  return typeof value === 'number' && isFinite(value);
}

export function fixed(value, digits) {
  return isNumber(value) ? value.toFixed(digits) : '';
}

export function plusMinus(mean, deviation, digits) {
  if (!isNumber(mean)) return '';
  return fixed(mean, digits) + (isNumber(deviation) ? ' \u00b1 ' + fixed(deviation, digits) : '');
}

export function countOfRuns(runs) {
  return runs + (runs === 1 ? ' run' : ' runs');
}

export function escapeHtml(text) {
  return String(text).replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;');
}
