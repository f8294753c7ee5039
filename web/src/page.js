// Builds the page from the data document.
import {makerFor} from './elements.js';
import {figuresPart} from './figures.js';
import {scoreTableSection} from './score_table.js';
import {tableSection} from './table.js';

function header(make, data) {
  return make.element('header', {}, [make.element('h1', {}, [data.title]),
    make.element('p', {'class': 'note'}, ['Made by disenlink ' + data.version + '.'])]);
}

function contents(make, data) {
  var entries = data.score_tables.concat(data.tables);
  if (data.figures.length) entries = entries.concat([{id: 'figures', title: 'Figures'}]);
  return make.element('nav', {'aria-label': 'Contents'}, [make.element('ul', {},
    entries.map(function (entry) {
      return make.element('li', {}, [make.element('a', {href: '#' + entry.id}, [entry.title])]);
    }))]);
}

function chapter(make, id, title, parts) {
  return make.element('section', {id: id, 'class': 'chapter', 'aria-label': title},
    [make.element('h2', {}, [title])].concat(parts));
}

function findings(make, data) {
  return chapter(make, 'findings', 'Findings', [make.element('ul', {},
    data.findings.map(function (finding) { return make.element('li', {}, [finding]); }))]);
}

function scores(make, data) {
  var note = make.element('p', {'class': 'note'}, ['Mean \u00b1 deviation in percent, number of '
    + 'runs in brackets. Bold is the best of a column. Click a heading to sort; point at a number '
    + 'for details, at an empty place for the reason.']);
  return chapter(make, 'scores', 'Scores', [note].concat(data.score_tables.map(function (table) {
    return scoreTableSection(make, table, data);
  })));
}

function tables(make, data) {
  return chapter(make, 'tables', 'Tables', data.tables.map(function (table) {
    return tableSection(make, table);
  }));
}

export function start(document, data) {
  var make = makerFor(document);
  var figures = figuresPart(make, data);
  var parts = [header(make, data), contents(make, data)];
  if (data.findings.length) parts.push(findings(make, data));
  if (data.score_tables.length) parts.push(scores(make, data));
  if (data.tables.length) parts.push(tables(make, data));
  if (data.figures.length) parts.push(chapter(make, 'figures', 'Figures', [figures.node]));
  document.title = data.title;
  document.body.appendChild(make.element('main', {}, parts));
  figures.draw();
}
