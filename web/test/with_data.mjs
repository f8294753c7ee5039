// Usage: node with_data.mjs PAGE.html DATA.json OUTFILE: the same page with other data.
import {readFileSync, writeFileSync} from 'node:fs';

const [page, data, outfile] = process.argv.slice(2);
const json = readFileSync(data, 'utf8').replaceAll('<', '\\u003c');
writeFileSync(outfile, readFileSync(page, 'utf8').replace(
  /(<script[^>]*id="data"[^>]*>)[^]*?(<\/script>)/, (_, begin, end) => begin + json + end));
