// Writes a PNG with a colour table; needs no canvas, so it works in Duktape too.
import {deflate} from './deflate.js';

var ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

function bigEndian(value) {
  return [value >>> 24 & 255, value >>> 16 & 255, value >>> 8 & 255, value & 255];
}

function checksumTable() {
  var table = [];
  for (var byte = 0; byte < 256; byte++) {
    var value = byte;
    for (var bit = 0; bit < 8; bit++) value = value & 1 ? value >>> 1 ^ 0xedb88320 : value >>> 1;
    table.push(value);
  }
  return table;
}

function crc32(bytes) {
  var table = checksumTable();
  var value = -1;
  for (var i = 0; i < bytes.length; i++) value = table[(value ^ bytes[i]) & 255] ^ value >>> 8;
  return ~value;
}

function adler32(bytes) {
  var low = 1;
  var high = 0;
  for (var i = 0; i < bytes.length; i++) {
    low = (low + bytes[i]) % 65521;
    high = (high + low) % 65521;
  }
  return high << 16 | low;
}

function append(target, bytes) {
  for (var i = 0; i < bytes.length; i++) target.push(bytes[i]);
}

function zlib(bytes, rowLength) {
  return [0x78, 0x01].concat(deflate(bytes, rowLength), bigEndian(adler32(bytes)));
}

function chunk(name, content) {
  var body = name.split('').map(function (letter) { return letter.charCodeAt(0); });
  append(body, content);
  var result = bigEndian(content.length);
  append(result, body);
  append(result, bigEndian(crc32(body)));
  return result;
}

function base64(bytes) {
  var text = [];
  for (var i = 0; i < bytes.length; i += 3) {
    var left = bytes.length - i;
    var bits = bytes[i] << 16 | (bytes[i + 1] || 0) << 8 | (bytes[i + 2] || 0);
    text.push(ALPHABET[bits >> 18], ALPHABET[bits >> 12 & 63],
      left > 1 ? ALPHABET[bits >> 6 & 63] : '=', left > 2 ? ALPHABET[bits & 63] : '=');
  }
  return text.join('');
}

function enlargedRow(pixels, start, side, zoom) {
  var row = [0];
  for (var x = 0; x < side * zoom; x++) row.push(pixels[start + Math.floor(x / zoom)]);
  return row;
}

function enlargedRows(pixels, side, zoom) {
  var rows = [];
  for (var y = 0; y < side; y++) {
    var row = enlargedRow(pixels, y * side, side, zoom);
    for (var copy = 0; copy < zoom; copy++) append(rows, row);
  }
  return rows;
}

// A square picture as a data address. pixels: one index into colours ([red, green, blue], at most
// 256) per pixel, row by row; each becomes zoom x zoom pixels.
export function pngUri(side, pixels, colours, zoom) {
  var edge = side * zoom;
  var table = [];
  colours.forEach(function (colour) { append(table, colour); });

  var file = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
  append(file, chunk('IHDR', bigEndian(edge).concat(bigEndian(edge), [8, 3, 0, 0, 0])));
  append(file, chunk('PLTE', table));
  append(file, chunk('IDAT', zlib(enlargedRows(pixels, side, zoom), edge + 1)));
  append(file, chunk('IEND', []));
  return 'data:image/png;base64,' + base64(file);
}
