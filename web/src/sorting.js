import {isNumber} from './format.js';

function isMissing(key) {
  return key === null || key === undefined || key === '';
}

function compare(a, b) {
  if (isNumber(a) && isNumber(b)) return a - b;
  return String(a).localeCompare(String(b));
}

// A sorted copy; rows without a key come last in either direction, ties keep their order.
export function sorted(rows, keyOf, descending) {
  return rows.map(function (row, index) {
    return {row: row, key: keyOf(row), index: index};
  }).sort(function (a, b) {
    if (isMissing(a.key) || isMissing(b.key)) {
      return isMissing(a.key) - isMissing(b.key) || a.index - b.index;
    }
    return (descending ? compare(b.key, a.key) : compare(a.key, b.key)) || a.index - b.index;
  }).map(function (entry) { return entry.row; });
}

// Numbers start with the largest, words with A; the second click turns the order round.
export function nextOrder(order, column, isText) {
  if (order && order.column === column) return {column: column, descending: !order.descending};
  return {column: column, descending: !isText};
}

export function sortHeader(make, title, column, order, attributes, clicked) {
  var button = make.element('button', {type: 'button'}, [title]);
  button.addEventListener('click', clicked);
  var header = make.element('th', {scope: 'col', 'data-column': column}, [button]);
  Object.keys(attributes).forEach(function (key) { header.setAttribute(key, attributes[key]); });
  if (order && order.column === column) {
    header.setAttribute('aria-sort', order.descending ? 'descending' : 'ascending');
  }
  return header;
}

// A redrawn header loses the focus of the keyboard; this gives it back.
export function focusHeader(table, column) {
  var headers = table.querySelectorAll('th[data-column]');
  for (var i = 0; i < headers.length; i++) {
    if (headers[i].getAttribute('data-column') === column) headers[i].firstChild.focus();
  }
}
