// Figures on the page: drawn to the width they have, again after a resize or a change of scheme.
import {optionOf} from './charts.js';
import {DARK, LIGHT} from './colours.js';
import {echarts} from './echarts.js';
import {empty} from './elements.js';
import {fixed} from './format.js';
import {cellAt} from './heatmap.js';
import {scrollBox} from './section.js';

var PAGE_FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif';
var WIDEST_HEATMAP = 620;
var NARROWEST_BAR = 5;

// Many bars on a small screen scroll sideways instead of becoming hairs.
function narrowest(figure) {
  if (figure.kind !== 'bars') return 280;
  return 90 + figure.categories.length * (figure.series.length * NARROWEST_BAR + 16);
}

function sizeOf(figure, room) {
  var width = Math.max(room, narrowest(figure));
  if (figure.kind === 'heatmap') {
    width = Math.min(width, WIDEST_HEATMAP);
    return {width: width, height: width - 60};
  }
  return {width: width, height: figure.kind === 'bars' ? 430 : 380};
}

function lookOf(figure, room, window) {
  var size = sizeOf(figure, room);
  var dark = window.matchMedia && window.matchMedia('(prefers-color-scheme: dark)').matches;
  return {width: size.width, height: size.height, room: Math.min(room, size.width),
    colours: dark ? DARK : LIGHT, font: PAGE_FONT, still: false, title: ''};
}

function readCells(chart, figure, look, readout) {
  chart.getZr().on('mousemove', function (event) {
    var cell = cellAt(figure, look, event.offsetX, event.offsetY);
    readout.textContent = cell ? 'Row ' + cell.row + ', column ' + cell.column + ': '
      + (fixed(cell.value, 3) || 'missing') : '';
  });
}

function drawnFigure(make, figure) {
  var chartBox = make.element('div', {'class': 'chart', role: 'img', 'aria-label': figure.title});
  var box = figure.kind === 'bars' ? scrollBox(make, figure.title, chartBox)
    : make.element('div', {}, [chartBox]);
  var readout = make.element('p', {'class': 'readout'});
  var parts = [make.element('h3', {}, [figure.title]), box];
  if (figure.kind === 'heatmap') parts.push(readout);
  parts.push(make.element('figcaption', {}, [figure.caption || '']));
  var node = make.element('figure', {id: figure.id, 'class': figure.kind}, parts);
  var chart = null;

  function draw() {
    if (chart) chart.dispose();
    var look = lookOf(figure, box.clientWidth, make.document.defaultView);
    chartBox.style.width = look.width + 'px';
    chartBox.style.height = look.height + 'px';
    chart = echarts.init(chartBox, null, {renderer: 'svg', width: look.width, height: look.height});
    chart.setOption(optionOf(figure, look));
    if (figure.kind === 'heatmap') readCells(chart, figure, look, readout);
  }
  function remove() {
    if (chart) chart.dispose();
    chart = null;
  }
  return {node: node, draw: draw, remove: remove};
}

function redrawOnChange(window, redraw) {
  var waiting = null;
  function soon() {
    window.clearTimeout(waiting);
    waiting = window.setTimeout(redraw, 150);
  }
  var width = window.innerWidth;
  window.addEventListener('resize', function () {
    // Phones also send this when the address bar moves.
    if (window.innerWidth === width) return;
    width = window.innerWidth;
    soon();
  });
  if (!window.matchMedia) return;
  var scheme = window.matchMedia('(prefers-color-scheme: dark)');
  if (scheme.addEventListener) scheme.addEventListener('change', soon);
}

function figuresOf(data, protocol) {
  return data.figures.filter(function (figure) {
    return !figure.protocol || figure.protocol === protocol;
  });
}

// The caller puts the node into the page and then calls draw: a figure needs to know its width.
export function figuresPart(make, data) {
  var box = make.element('div', {'class': 'figures'});
  var shown = [];

  function show(protocol) {
    shown.forEach(function (figure) { figure.remove(); });
    empty(box);
    shown = figuresOf(data, protocol).map(function (figure) { return drawnFigure(make, figure); });
    shown.forEach(function (figure) { box.appendChild(figure.node); });
    redraw();
  }
  function redraw() {
    shown.forEach(function (figure) { figure.draw(); });
  }

  var choices = data.protocols.map(function (name) { return {value: name, title: name}; });
  var controls = make.element('div', {'class': 'controls'}, [
    make.choice('Protocol of the figures', 'protocol', choices, data.protocols[0], show)]);
  redrawOnChange(make.document.defaultView, redraw);
  return {node: make.element('div', {}, [controls, box]),
    draw: function () { show(data.protocols[0]); }};
}
