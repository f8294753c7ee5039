import {barsOption} from './bars.js';
import {LIGHT} from './colours.js';
import {curvesOption} from './curves.js';
import {echarts} from './echarts.js';
import {heatmapOption} from './heatmap.js';

var KINDS = {bars: barsOption, curves: curvesOption, heatmap: heatmapOption};

export function optionOf(figure, look) {
  var make = KINDS[figure.kind];
  if (!make) throw new Error('figure ' + figure.id + ' has the unknown kind ' + figure.kind);
  return make(figure, look);
}

// librsvg does not know the first attribute; the second one moves the text as far.
function placeTextForAllReaders(svg) {
  return svg.replace(/ dominant-baseline="central"/g, ' dy="0.35em"');
}

export function renderSvg(figure, width, height) {
  var look = {width: width, height: height, room: width, colours: LIGHT, font: 'sans-serif',
    still: true, title: figure.title};
  var chart = echarts.init(null, null, {renderer: 'svg', ssr: true, width: width, height: height});
  chart.setOption(optionOf(figure, look));
  var svg = chart.renderToSVGString();
  chart.dispose();
  return placeTextForAllReaders(svg);
}
