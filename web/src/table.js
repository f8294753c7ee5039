// A plain table that can be sorted by any column.
import {fixed, isNumber, plusMinus} from './format.js';
import {redrawTable, scrollBox, section} from './section.js';
import {nextOrder, sorted, sortHeader} from './sorting.js';

function sortKey(column, value) {
  return column.kind === 'score' && value ? value.mean : value;
}

function cellContent(make, column, value) {
  if (value === null || value === undefined) return [];
  if (column.kind === 'number') return [isNumber(value) ? fixed(value, column.digits || 0) : value];
  if (column.kind !== 'score') return [String(value)];
  var text = plusMinus(value.mean, value.deviation, 1);
  if (!text || !value.runs) return [text];
  return [text, make.element('small', {}, [' (' + value.runs + ')'])];
}

function row(make, table, values) {
  return make.element('tr', {}, table.columns.map(function (column, index) {
    var content = cellContent(make, column, values[index]);
    if (index === 0) return make.element('th', {scope: 'row', 'class': column.kind}, content);
    return make.element('td', {'class': column.kind}, content);
  }));
}

function sortedRows(table, order) {
  if (!order) return table.rows;
  return sorted(table.rows, function (values) {
    return sortKey(table.columns[order.column], values[order.column]);
  }, order.descending);
}

export function tableSection(make, table) {
  var order = null;
  var shown = make.element('table', {});

  function header(column, index) {
    var name = String(index);
    return sortHeader(make, column.title, name, order, {'class': column.kind}, function () {
      order = nextOrder(order, name, column.kind === 'text');
      redraw(name);
    });
  }
  function redraw(focusedColumn) {
    redrawTable(make, shown, [make.element('tr', {}, table.columns.map(header))],
      sortedRows(table, order).map(function (values) { return row(make, table, values); }),
      focusedColumn);
  }

  redraw(null);
  return section(make, table.id, table.title, table.note, [scrollBox(make, table.title, shown)]);
}
