// Looks up what a score table shows; knows nothing about the page.
import {countOfRuns, fixed, isNumber, plusMinus} from './format.js';

export var SOURCES = ['strict', 'published', 'paper'];

function key(model, dataset, source) {
  return [model, dataset, source].join('\n');
}

export function indexCells(cells) {
  var index = {};
  cells.forEach(function (cell) { index[key(cell.model, cell.dataset, cell.source)] = cell; });
  return index;
}

export function cellOf(index, model, dataset, source) {
  return index[key(model, dataset, source)] || null;
}

export function scoreOf(index, model, dataset, source, metric) {
  var cell = cellOf(index, model, dataset, source);
  var score = cell && cell.scores[metric];
  return score && isNumber(score.mean) ? score : null;
}

function hasValue(table, source, metric) {
  return table.cells.some(function (cell) {
    return cell.source === source && cell.scores[metric] && isNumber(cell.scores[metric].mean);
  });
}

export function sourcesWithValues(table, metric) {
  return SOURCES.filter(function (source) { return hasValue(table, source, metric); });
}

// The best mean as it is shown, so that two equal numbers are both bold.
export function bestText(table, index, dataset, source, metric) {
  var means = table.models.map(function (model) {
    return scoreOf(index, model.name, dataset, source, metric);
  }).filter(Boolean).map(function (score) { return score.mean; });
  return means.length ? fixed(Math.max.apply(null, means), 1) : null;
}

export function whyMissing(missing, model, dataset, source) {
  var told = ((missing && missing.cells) || []).filter(function (one) {
    return one.model === model && one.dataset === dataset && one.source === source;
  });
  if (told.length) return told[0].why;
  if (source === 'paper') return 'not in the paper';
  return (missing && missing.text) || 'not run yet';
}

export function explain(cell, score, model, dataset, metric) {
  var text = model.title + ' on ' + dataset.title + ', ' + cell.source + ': ' + metric.title + ' '
    + plusMinus(score.mean, score.deviation, 2);
  if (isNumber(cell.runs)) text += ', ' + countOfRuns(cell.runs);
  if (isNumber(cell.leak)) {
    text += ', ' + fixed(cell.leak, 1) + ' % of the test links can be looked up';
  }
  return text;
}
