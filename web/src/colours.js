// Twelve colours each, chosen from well-known colour-blind safe sets so that the two closest stay
// as far apart as possible, also as seen with protanopia, deuteranopia and tritanopia.
export var LIGHT = {
  series: ['#CC3311', '#332288', '#66CCEE', '#882255', '#FFC33B', '#008DF9', '#AA4499', '#ACD39E',
    '#222222', '#EE7733', '#8400CD', '#CC79A7'],
  background: '#ffffff',
  ink: '#1c2126',
  quiet: '#5a646e',
  line: '#c9d0d6',
  faint: '#e8ebee'
};

export var DARK = {
  series: ['#CC3311', '#33BBEE', '#EECC66', '#0077BB', '#F4A582', '#1B7837', '#DDDDDD', '#CC79A7',
    '#999933', '#BBBBBB', '#008DF9', '#777777'],
  background: '#14181c',
  ink: '#e4e7ea',
  quiet: '#a3adb6',
  line: '#46505a',
  faint: '#262d34'
};

export var MISSING_CELL = [190, 190, 190];

// From almost white to dark blue: lightness falls evenly, so it survives a grey print.
var RAMP = [[255, 255, 229], [217, 240, 211], [161, 218, 180], [65, 182, 196], [44, 127, 184],
  [37, 72, 148], [12, 20, 70]];

export function rampColour(share) {
  var place = Math.min(Math.max(share, 0), 1) * (RAMP.length - 1);
  var left = Math.min(Math.floor(place), RAMP.length - 2);
  return RAMP[left].map(function (from, channel) {
    return Math.round(from + (RAMP[left + 1][channel] - from) * (place - left));
  });
}

export function rampStops() {
  return RAMP.map(function (colour, index) {
    return {offset: index / (RAMP.length - 1), color: 'rgb(' + colour.join(',') + ')'};
  });
}
