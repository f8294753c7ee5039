// What all figures share: title, legend, axes, tooltip. A look says how to draw:
// {width, height, room, colours, font, still, title}; room is the part of the width in view, still
// means a file, not a page.
import {isNumber} from './format.js';

export var MARGIN = 12;
export var TEXT_SIZE = 12;
var TITLE_SIZE = 14;
var TITLE_LINE = 18;
var TITLE_LETTER = 9;
var LEGEND_ROW = 22;
var LETTER = 7.2;
var LEGEND_ICON = 20;
var LEGEND_GAP = 8;
var BLANKS_AFTER_NAME = 14;

function legendRows(names, width) {
  var rows = 1;
  var used = 0;
  names.forEach(function (name) {
    var wide = LEGEND_ICON + 5 + name.length * LETTER + BLANKS_AFTER_NAME + LEGEND_GAP;
    if (used > 0 && used + wide > width) {
      rows++;
      used = 0;
    }
    used += wide;
  });
  return rows;
}

export function titleHeight(look) {
  var lines = Math.ceil(look.title.length * TITLE_LETTER / (look.width - 2 * MARGIN));
  return lines ? lines * TITLE_LINE + 8 : 0;
}

export function frame(look) {
  var option = {
    animation: false,
    backgroundColor: look.colours.background,
    color: look.colours.series,
    textStyle: {fontFamily: look.font, color: look.colours.ink, fontSize: TEXT_SIZE}
  };
  if (look.title) {
    option.title = {text: look.title, left: MARGIN, top: 8, textStyle: {fontSize: TITLE_SIZE,
      lineHeight: TITLE_LINE, fontFamily: look.font, color: look.colours.ink, overflow: 'break',
      // The font of the reader may be wider than the one ECharts measures with.
      width: 0.7 * (look.width - 2 * MARGIN)}};
  }
  return option;
}

export function legend(names, look) {
  return {data: names, type: 'plain', left: MARGIN, top: 4 + titleHeight(look),
    width: look.room - 2 * MARGIN, itemWidth: LEGEND_ICON, itemHeight: 10, itemGap: LEGEND_GAP,
    inactiveColor: look.colours.line,
    textStyle: {color: look.colours.ink, fontFamily: look.font, fontSize: TEXT_SIZE},
    // The gap between items also counts between rows; blanks widen only the first one.
    formatter: function (name) { return name + '    '; }};
}

export function grid(names, look, bottom) {
  var rows = legendRows(names, look.room - 2 * MARGIN);
  return {left: 62, right: 20, bottom: bottom, top: titleHeight(look) + rows * LEGEND_ROW + 14};
}

export function axis(name, look, gap) {
  var colours = look.colours;
  return {name: name, nameLocation: 'middle', nameGap: gap,
    nameTextStyle: {color: colours.ink, fontSize: TEXT_SIZE},
    axisLine: {show: true, lineStyle: {color: colours.quiet}},
    axisTick: {show: true, lineStyle: {color: colours.quiet}},
    axisLabel: {color: colours.ink, fontSize: TEXT_SIZE},
    splitLine: {lineStyle: {color: colours.faint}}};
}

export function tooltip(look, formatter) {
  return {trigger: 'axis', confine: true, formatter: formatter,
    backgroundColor: look.colours.background, borderColor: look.colours.line,
    textStyle: {color: look.colours.ink, fontSize: TEXT_SIZE}};
}

// Lowest and highest end of all error bars; null without any value.
export function extent(series) {
  var low = Infinity;
  var high = -Infinity;
  series.forEach(function (one) {
    one.mean.forEach(function (mean, index) {
      if (!isNumber(mean)) return;
      var deviation = deviationAt(one, index) || 0;
      low = Math.min(low, mean - deviation);
      high = Math.max(high, mean + deviation);
    });
  });
  return low <= high ? {low: low, high: high} : null;
}

export function deviationAt(series, index) {
  var deviation = series.deviation ? series.deviation[index] : null;
  return isNumber(deviation) ? deviation : null;
}

export function names(figure) {
  return figure.series.map(function (series) { return series.name; });
}
