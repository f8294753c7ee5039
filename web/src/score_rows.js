// The rows of a score table. A view says what to show:
// {make, table, index, missing, metric, sources}.
import {fixed, isNumber} from './format.js';
import {bestText, cellOf, explain, scoreOf, whyMissing} from './scores.js';

function scoreParts(make, score, runs, isBest) {
  var parts = [make.element(isBest ? 'b' : 'span', {'class': 'mean'}, [fixed(score.mean, 1)])];
  if (isNumber(score.deviation)) parts.push(' \u00b1 ' + fixed(score.deviation, 1));
  if (isNumber(runs)) parts.push(make.element('small', {}, [' (' + runs + ')']));
  return parts;
}

function scoreLine(view, model, dataset, source, best) {
  var score = scoreOf(view.index, model.name, dataset.name, source, view.metric.key);
  var attributes = {'class': 'line ' + source, 'data-source': source, 'data-dataset': dataset.name};
  if (!score) {
    attributes.title = whyMissing(view.missing, model.name, dataset.name, source);
    return view.make.element('span', attributes, []);
  }
  var cell = cellOf(view.index, model.name, dataset.name, source);
  var isBest = fixed(score.mean, 1) === best;
  attributes.title = explain(cell, score, model, dataset, view.metric);
  return view.make.element('span', attributes, scoreParts(view.make, score, cell.runs, isBest));
}

function captions(view) {
  return view.make.element('span', {'class': 'captions'}, view.sources.map(function (source) {
    return view.make.element('span', {'class': 'line ' + source}, [source]);
  }));
}

function rowHeader(view, model) {
  var make = view.make;
  var name = [make.element('span', {'class': 'name'}, [model.title])];
  if (view.sources.length > 1) name.push(captions(view));
  return make.element('th', {scope: 'row'}, [make.element('div', {}, name)]);
}

function bestOfColumns(view) {
  return view.table.datasets.map(function (dataset) {
    return view.sources.map(function (source) {
      return bestText(view.table, view.index, dataset.name, source, view.metric.key);
    });
  });
}

export function scoreRows(view, models) {
  var best = bestOfColumns(view);
  return models.map(function (model) {
    var cells = view.table.datasets.map(function (dataset, column) {
      return view.make.element('td', {}, view.sources.map(function (source, line) {
        return scoreLine(view, model, dataset, source, best[column][line]);
      }));
    });
    return view.make.element('tr', {'data-model': model.name},
      [rowHeader(view, model)].concat(cells));
  });
}

export function rowOfNothing(view) {
  var text = 'No ' + view.metric.title + ' from ' + (view.sources[0] || 'any source') + '.';
  return view.make.element('tr', {}, [view.make.element('td', {'class': 'nothing',
    colspan: view.table.datasets.length + 1}, [text])]);
}
