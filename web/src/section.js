import {empty} from './elements.js';
import {focusHeader} from './sorting.js';

export function section(make, id, title, note, parts) {
  var children = [make.element('h3', {}, [title])];
  if (note) children.push(make.element('p', {'class': 'note'}, [note]));
  return make.element('section', {id: id, 'aria-label': title}, children.concat(parts));
}

// A box that scrolls sideways by itself, also with the keyboard.
export function scrollBox(make, label, content) {
  return make.element('div', {'class': 'scroll', tabindex: '0', role: 'region',
    'aria-label': label}, [content]);
}

export function redrawTable(make, table, head, body, focusedColumn) {
  empty(table);
  table.appendChild(make.element('thead', {}, head));
  table.appendChild(make.element('tbody', {}, body));
  if (focusedColumn) focusHeader(table, focusedColumn);
}
