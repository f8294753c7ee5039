// Grouped bars with error bars.
import {axis, deviationAt, extent, frame, grid, legend, names, tooltip} from './frame.js';
import {escapeHtml, isNumber, plusMinus} from './format.js';

var GAP_BETWEEN_BARS = '6%';
var GAP_BETWEEN_GROUPS = '22%';
var FLOORS_OF_AUC = [50, 40];

// A coin scores AUC 50: bars from zero would hide the differences that matter.
function floorOf(figure, range) {
  if (!range || !/auc/i.test(figure.y)) return 0;
  var fitting = FLOORS_OF_AUC.filter(function (floor) { return range.low > floor; });
  return fitting.length ? fitting[0] : 0;
}

function ceilingOf(figure, range) {
  var tens = range ? Math.ceil(range.high / 10) * 10 : 100;
  return /%/.test(figure.y) ? Math.min(tens, 100) : tens;
}

function valueAxis(figure, look) {
  var range = extent(figure.series);
  var floor = floorOf(figure, range);
  var name = floor > 0 ? figure.y + ' (axis starts at ' + floor + ')' : figure.y;
  var result = axis(name, look, 42);
  result.type = 'value';
  result.min = floor;
  if (range && range.high > 1) result.max = ceilingOf(figure, range);
  return result;
}

function categoryAxis(figure, look) {
  var result = axis('', look, 0);
  var room = look.width / Math.max(figure.categories.length, 1);
  var lengths = figure.categories.map(function (name) { return name.length; });
  result.type = 'category';
  result.data = figure.categories;
  result.axisLabel.interval = 0;
  result.axisLabel.rotate = Math.max.apply(null, lengths) * 6.6 + 8 > room ? 35 : 0;
  result.splitLine = {show: false};
  return result;
}

function barSeries(series, look) {
  return {name: series.name, type: 'bar', data: series.mean, silent: look.still,
    barGap: GAP_BETWEEN_BARS, barCategoryGap: GAP_BETWEEN_GROUPS,
    emphasis: {disabled: true}};
}

function line(x1, y1, x2, y2, colour) {
  return {type: 'line', shape: {x1: x1, y1: y1, x2: x2, y2: y2},
    style: {stroke: colour, lineWidth: 1}};
}

function whisker(center, width, low, high, area, colour) {
  var bottom = Math.min(low, area.y + area.height);
  var top = Math.max(high, area.y);
  var half = Math.min(width * 0.3, 4);
  var parts = [line(center, top, center, bottom, colour)];
  if (top === high) parts.push(line(center - half, top, center + half, top, colour));
  if (bottom === low) parts.push(line(center - half, bottom, center + half, bottom, colour));
  return {type: 'group', silent: true, children: parts};
}

// The legend can hide series; the rest move together, so the place is asked for each time.
function placeAmongShown(api, index, count) {
  var shown = api.currentSeriesIndices().filter(function (series) { return series < count; });
  var layout = api.barLayout({barGap: GAP_BETWEEN_BARS, barCategoryGap: GAP_BETWEEN_GROUPS,
    count: shown.length});
  return layout[shown.indexOf(index)];
}

function whiskerSeries(series, index, count, look) {
  var data = [];
  series.mean.forEach(function (mean, category) {
    var deviation = deviationAt(series, category);
    if (isNumber(mean) && deviation) data.push([category, mean - deviation, mean + deviation]);
  });
  return {name: series.name, type: 'custom', data: data, silent: true, z: 5,
    encode: {x: 0, y: [1, 2]}, emphasis: {disabled: true}, tooltip: {show: false},
    renderItem: function (params, api) {
      var place = placeAmongShown(api, index, count);
      if (!place) return null;
      var low = api.coord([api.value(0), api.value(1)]);
      var high = api.coord([api.value(0), api.value(2)]);
      return whisker(low[0] + place.offsetCenter, place.width, low[1], high[1], params.coordSys,
        look.colours.ink);
    }};
}

function tooltipOf(figure, look) {
  return tooltip(look, function (shown) {
    var lines = shown.filter(function (one) {
      return one.seriesType === 'bar' && isNumber(one.value);
    }).map(function (one) {
      var series = figure.series[one.seriesIndex];
      return one.marker + escapeHtml(series.name) + ' <b>'
        + plusMinus(one.value, deviationAt(series, one.dataIndex), 1) + '</b>';
    });
    return escapeHtml(shown[0].name) + '<br>' + lines.join('<br>');
  });
}

export function barsOption(figure, look) {
  var count = figure.series.length;
  var option = frame(look);
  option.xAxis = categoryAxis(figure, look);
  option.yAxis = valueAxis(figure, look);
  option.legend = legend(names(figure), look);
  option.grid = grid(names(figure), look, option.xAxis.axisLabel.rotate ? 72 : 36);
  option.series = figure.series.map(function (series) {
    return barSeries(series, look);
  }).concat(figure.series.map(function (series, index) {
    return whiskerSeries(series, index, count, look);
  }));
  if (!look.still) {
    option.tooltip = tooltipOf(figure, look);
    option.tooltip.axisPointer = {type: 'shadow'};
  }
  return option;
}
