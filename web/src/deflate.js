// A small DEFLATE writer (RFC 1951, fixed codes) for pictures made of equal cells: it looks for
// repeats only one byte and one row back, which is where such pictures repeat.
var SHORTEST_MATCH = 3;
var LONGEST_MATCH = 257;
var FIXED_CODES = 1;
var END_OF_BLOCK = 256;

function bitWriter() {
  var bytes = [];
  var held = 0;
  var count = 0;
  function bits(value, width) {
    held |= value << count;
    count += width;
    while (count >= 8) {
      bytes.push(held & 255);
      held >>>= 8;
      count -= 8;
    }
  }
  // Codes go out with their highest bit first, unlike all other numbers.
  function code(value, width) {
    for (var bit = width - 1; bit >= 0; bit--) bits(value >>> bit & 1, 1);
  }
  function finish() {
    if (count > 0) bits(0, 8 - count);
    return bytes;
  }
  return {bits: bits, code: code, finish: finish};
}

function writeSymbol(out, symbol) {
  if (symbol < 144) out.code(0x30 + symbol, 8);
  else if (symbol < 256) out.code(0x190 + symbol - 144, 9);
  else if (symbol < 280) out.code(symbol - 256, 7);
  else out.code(0xc0 + symbol - 280, 8);
}

function highestBit(value) {
  var bit = 0;
  while (value >>> bit + 1) bit++;
  return bit;
}

function writeLength(out, length) {
  var rest = length - SHORTEST_MATCH;
  var extra = rest < 8 ? 0 : highestBit(rest) - 2;
  writeSymbol(out, 257 + 4 * extra + (rest >> extra));
  out.bits(rest & (1 << extra) - 1, extra);
}

function writeDistance(out, distance) {
  var rest = distance - 1;
  var extra = rest < 4 ? 0 : highestBit(rest) - 1;
  out.code(2 * extra + (rest >> extra), 5);
  out.bits(rest & (1 << extra) - 1, extra);
}

function matchLength(bytes, start, distance) {
  if (distance > start) return 0;
  var limit = Math.min(LONGEST_MATCH, bytes.length - start);
  var length = 0;
  while (length < limit && bytes[start + length] === bytes[start + length - distance]) length++;
  return length;
}

export function deflate(bytes, rowLength) {
  var out = bitWriter();
  out.bits(1, 1);
  out.bits(FIXED_CODES, 2);
  for (var i = 0; i < bytes.length;) {
    var above = matchLength(bytes, i, rowLength);
    var before = above === LONGEST_MATCH ? 0 : matchLength(bytes, i, 1);
    var length = Math.max(above, before);
    if (length < SHORTEST_MATCH) {
      writeSymbol(out, bytes[i]);
      i++;
    } else {
      writeLength(out, length);
      writeDistance(out, above >= before ? rowLength : 1);
      i += length;
    }
  }
  writeSymbol(out, END_OF_BLOCK);
  return out.finish();
}
