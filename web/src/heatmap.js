// A square of cells as one embedded picture: 25,600 shapes would make a page and a file slow.
import {axis, frame, MARGIN, titleHeight} from './frame.js';
import {isNumber} from './format.js';
import {MISSING_CELL, rampColour, rampStops} from './colours.js';
import {pngUri} from './png.js';

var LEVELS = 255;
var PIXELS_OF_A_FILE = 640;
var SCALE_WIDTH = 14;
var ROOM_FOR_LABELS = 44;
var ROOM_FOR_SCALE = 78;

function colourTable() {
  var colours = [];
  for (var level = 0; level < LEVELS; level++) colours.push(rampColour(level / (LEVELS - 1)));
  return colours.concat([MISSING_CELL]);
}

function levelOf(value) {
  if (!isNumber(value)) return LEVELS;
  return Math.round(Math.min(Math.max(value, 0), 1) * (LEVELS - 1));
}

// A page tells the browser to keep cells sharp; not every reader of files can be told, so a file
// gets more pixels.
function zoomOf(figure, look) {
  return look.still ? Math.ceil(PIXELS_OF_A_FILE / figure.side) : 1;
}

function picture(figure, look) {
  return pngUri(figure.side, figure.values.map(levelOf), colourTable(), zoomOf(figure, look));
}

function largestSquare(look) {
  var top = titleHeight(look) + MARGIN;
  var edge = Math.min(look.width - ROOM_FOR_LABELS - ROOM_FOR_SCALE,
    look.height - top - ROOM_FOR_LABELS);
  return {left: ROOM_FOR_LABELS, top: top, width: edge, height: edge};
}

function cellAxis(figure, look, index) {
  var result = axis('', look, 0);
  result.type = 'value';
  result.gridIndex = index;
  result.min = 0;
  result.max = figure.side;
  result.interval = figure.block;
  result.splitLine = {show: false};
  return result;
}

function squareAxes(figure, look) {
  var across = cellAxis(figure, look, 0);
  var down = cellAxis(figure, look, 0);
  across.axisLabel.hideOverlap = true;
  across.position = 'bottom';
  down.inverse = true;
  // The upper left corner is the origin, the numbers of the columns stand below all the same.
  across.axisLine.onZero = false;
  return {x: across, y: down};
}

function scaleAxes(look) {
  var across = {type: 'value', gridIndex: 1, min: 0, max: 1, show: false};
  var up = axis('', look, 0);
  up.type = 'value';
  up.gridIndex = 1;
  up.min = 0;
  up.max = 1;
  up.interval = 0.2;
  up.position = 'right';
  up.axisLabel.formatter = function (value) { return value.toFixed(1); };
  up.splitLine = {show: false};
  return {x: across, y: up};
}

function borders(figure, area, colour) {
  var lines = [];
  for (var cell = figure.block; cell < figure.side; cell += figure.block) {
    var shift = area.width * cell / figure.side;
    lines.push({x1: area.x + shift, y1: area.y, x2: area.x + shift, y2: area.y + area.height});
    lines.push({x1: area.x, y1: area.y + shift, x2: area.x + area.width, y2: area.y + shift});
  }
  return lines.map(function (shape) {
    return {type: 'line', shape: shape, style: {stroke: colour, lineWidth: 1, opacity: 0.55}};
  });
}

function frameOf(area, style) {
  return {type: 'rect', style: style,
    shape: {x: area.x, y: area.y, width: area.width, height: area.height}};
}

function drawing(grid, draw) {
  return {type: 'custom', silent: true, data: [[0, 0]], xAxisIndex: grid, yAxisIndex: grid,
    emphasis: {disabled: true},
    renderItem: function (params) {
      return {type: 'group', silent: true, children: draw(params.coordSys)};
    }};
}

function square(figure, look) {
  var uri = picture(figure, look);
  return drawing(0, function (area) {
    var image = {type: 'image', style: {image: uri, x: area.x, y: area.y, width: area.width,
      height: area.height}};
    return [image].concat(borders(figure, area, '#d01c1c'),
      [frameOf(area, {fill: 'none', stroke: look.colours.quiet})]);
  });
}

function scale(look) {
  var fill = {type: 'linear', x: 0, y: 1, x2: 0, y2: 0, colorStops: rampStops()};
  return drawing(1, function (area) {
    return [frameOf(area, {fill: fill, stroke: look.colours.quiet})];
  });
}

export function heatmapOption(figure, look) {
  var area = largestSquare(look);
  var cells = squareAxes(figure, look);
  var colours = scaleAxes(look);
  var option = frame(look);
  option.grid = [area, {left: area.left + area.width + 22, top: area.top, width: SCALE_WIDTH,
    height: area.height}];
  option.xAxis = [cells.x, colours.x];
  option.yAxis = [cells.y, colours.y];
  option.series = [square(figure, look), scale(look)];
  return option;
}

// The cell under a place of the chart, as {row, column, value}, or null beside the square.
export function cellAt(figure, look, x, y) {
  var area = largestSquare(look);
  var column = Math.floor((x - area.left) / area.width * figure.side);
  var row = Math.floor((y - area.top) / area.height * figure.side);
  if (column < 0 || row < 0 || column >= figure.side || row >= figure.side) return null;
  return {row: row, column: column, value: figure.values[row * figure.side + column]};
}
