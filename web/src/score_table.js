// Models as rows, datasets as columns, one score per source in each cell.
import {rowOfNothing, scoreRows} from './score_rows.js';
import {indexCells, scoreOf, SOURCES, sourcesWithValues} from './scores.js';
import {redrawTable, scrollBox, section} from './section.js';
import {nextOrder, sorted, sortHeader} from './sorting.js';

var SIDE_BY_SIDE = 'all';
var MODEL_COLUMN = 'model';
var DATASET_COLUMN = 'dataset ';

function sourceChoices() {
  return [{value: SIDE_BY_SIDE, title: 'side by side'}].concat(SOURCES.map(function (source) {
    return {value: source, title: source};
  }));
}

function metricChoices(metrics) {
  return metrics.map(function (metric) { return {value: metric.key, title: metric.title}; });
}

// Side by side, the first source that has a value in this column decides, for all rows alike.
function sortingSource(view, dataset) {
  return view.sources.filter(function (source) {
    return view.table.models.some(function (model) {
      return scoreOf(view.index, model.name, dataset, source, view.metric.key);
    });
  })[0];
}

function sortedModels(view, order) {
  var models = view.table.models;
  if (!order) return models;
  if (order.column === MODEL_COLUMN) {
    return sorted(models, function (model) { return model.title; }, order.descending);
  }
  var dataset = order.column.slice(DATASET_COLUMN.length);
  var source = sortingSource(view, dataset);
  return sorted(models, function (model) {
    var score = scoreOf(view.index, model.name, dataset, source, view.metric.key);
    return score ? score.mean : null;
  }, order.descending);
}

function body(view, order) {
  var filled = sourcesWithValues(view.table, view.metric.key);
  var anyShown = view.sources.some(function (source) { return filled.indexOf(source) >= 0; });
  return anyShown ? scoreRows(view, sortedModels(view, order)) : [rowOfNothing(view)];
}

function headerRow(view, order, clicked) {
  function header(title, column) {
    return sortHeader(view.make, title, column, order, {}, function () { clicked(column); });
  }
  return view.make.element('tr', {}, [header('Model', MODEL_COLUMN)].concat(
    view.table.datasets.map(function (dataset) {
      return header(dataset.title, DATASET_COLUMN + dataset.name);
    })));
}

export function scoreTableSection(make, table, data) {
  var order = null;
  var source = SIDE_BY_SIDE;
  var view = {make: make, table: table, index: indexCells(table.cells), missing: data.missing,
    metric: data.metrics[0], sources: []};
  var shown = make.element('table', {'class': 'scores'});

  function sortBy(column) {
    order = nextOrder(order, column, column === MODEL_COLUMN);
    redraw(column);
  }
  function redraw(focusedColumn) {
    view.sources = source === SIDE_BY_SIDE ? sourcesWithValues(table, view.metric.key) : [source];
    redrawTable(make, shown, [headerRow(view, order, sortBy)], body(view, order), focusedColumn);
  }
  function chooseSource(value) {
    source = value;
    redraw(null);
  }
  function chooseMetric(key) {
    view.metric = data.metrics.filter(function (metric) { return metric.key === key; })[0];
    redraw(null);
  }

  redraw(null);
  return section(make, table.id, table.title, table.note, [
    make.element('div', {'class': 'controls'}, [
      make.choice('Source', 'source', sourceChoices(), source, chooseSource),
      make.choice('Metric', 'metric', metricChoices(data.metrics), view.metric.key, chooseMetric)
    ]),
    scrollBox(make, table.title, shown)]);
}
