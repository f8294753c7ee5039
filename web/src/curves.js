// Lines with a translucent band of one deviation to each side.
import {axis, deviationAt, frame, grid, legend, names, tooltip} from './frame.js';
import {escapeHtml, isNumber, plusMinus} from './format.js';

var MOST_MARKED_POINTS = 40;
// Together they tell twelve series apart without any colour.
var SYMBOLS = ['circle', 'rect', 'triangle', 'diamond'];
var STROKES = ['solid', 'dashed', 'dotted'];

// Steps such as 0.01, 0.1, 1, 10 would pile up at the left of an even scale.
function needsNamedSteps(xs) {
  if (xs.length < 2) return true;
  var gaps = [];
  for (var i = 1; i < xs.length; i++) gaps.push(xs[i] - xs[i - 1]);
  return xs.length <= MOST_MARKED_POINTS
    && Math.max.apply(null, gaps) > 3 * Math.min.apply(null, gaps);
}

function xAxis(figure, look) {
  var result = axis(figure.x, look, 28);
  var xs = figure.xs;
  if (needsNamedSteps(xs)) {
    result.type = 'category';
    result.data = xs.map(String);
    result.boundaryGap = xs.length < 2;
  } else {
    result.type = 'value';
    result.min = xs[0];
    result.max = xs[xs.length - 1];
    if (xs.every(function (x) { return x === Math.round(x); })) result.minInterval = 1;
  }
  result.splitLine = {show: false};
  return result;
}

function yAxis(figure, look) {
  var result = axis(figure.y, look, 44);
  result.type = 'value';
  result.scale = true;
  return result;
}

function positions(figure) {
  return needsNamedSteps(figure.xs) ? figure.xs.map(function (x, index) { return index; })
    : figure.xs;
}

function strokeOf(index) {
  return STROKES[Math.floor(index / SYMBOLS.length) % STROKES.length];
}

function lineSeries(series, index, figure, look) {
  var xs = positions(figure);
  return {name: series.name, type: 'line', silent: look.still, symbolSize: 8,
    data: series.mean.map(function (mean, point) { return [xs[point], mean]; }),
    showSymbol: xs.length <= MOST_MARKED_POINTS, symbol: SYMBOLS[index % SYMBOLS.length],
    lineStyle: {width: 2, type: strokeOf(index)},
    emphasis: {disabled: true}};
}

// [x, low, high] of each point; a missing value ends one piece of the band and starts the next.
function bandPieces(series, xs) {
  var pieces = [[]];
  series.mean.forEach(function (mean, index) {
    var deviation = deviationAt(series, index);
    if (!isNumber(mean) || deviation === null) pieces.push([]);
    else pieces[pieces.length - 1].push([xs[index], mean - deviation, mean + deviation]);
  });
  return pieces.filter(function (piece) { return piece.length > 1; });
}

function outline(piece, api) {
  var lower = piece.map(function (point) { return api.coord([point[0], point[1]]); });
  var upper = piece.map(function (point) { return api.coord([point[0], point[2]]); });
  return lower.concat(upper.reverse());
}

function bandSeries(series, index, figure, look) {
  var pieces = bandPieces(series, positions(figure));
  var colour = look.colours.series[index % look.colours.series.length];
  return {name: series.name, type: 'custom', silent: true, z: 1, clip: true,
    encode: {x: 0, y: [1, 2]}, emphasis: {disabled: true}, tooltip: {show: false},
    data: Array.prototype.concat.apply([], pieces),
    renderItem: function (params, api) {
      // All points are data, so that the axis covers them; the first one draws the whole band.
      if (params.dataIndex > 0) return null;
      return {type: 'group', silent: true, children: pieces.map(function (piece) {
        return {type: 'polygon', shape: {points: outline(piece, api)},
          style: {fill: colour, opacity: 0.16}};
      })};
    }};
}

function tooltipOf(figure, look) {
  return tooltip(look, function (shown) {
    var lines = shown.filter(function (one) {
      return one.seriesType === 'line' && isNumber(one.value[1]);
    });
    if (!lines.length) return '';
    var heading = escapeHtml(figure.x) + ': ' + figure.xs[lines[0].dataIndex];
    return heading + '<br>' + lines.map(function (one) {
      var series = figure.series[one.seriesIndex];
      return one.marker + escapeHtml(series.name) + ' <b>'
        + plusMinus(one.value[1], deviationAt(series, one.dataIndex), 2) + '</b>';
    }).join('<br>');
  });
}

export function curvesOption(figure, look) {
  var option = frame(look);
  option.xAxis = xAxis(figure, look);
  option.yAxis = yAxis(figure, look);
  option.legend = legend(names(figure), look);
  option.grid = grid(names(figure), look, 52);
  option.series = figure.series.map(function (series, index) {
    return lineSeries(series, index, figure, look);
  }).concat(figure.series.map(function (series, index) {
    return bandSeries(series, index, figure, look);
  }));
  if (!look.still) option.tooltip = tooltipOf(figure, look);
  return option;
}
