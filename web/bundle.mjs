// Usage: node bundle.mjs OUTFILE
import {fileURLToPath} from 'node:url';
import {build} from 'esbuild';

const outfile = process.argv[2];
if (!outfile) {
  console.error('usage: node bundle.mjs OUTFILE');
  process.exit(2);
}

await build({
  entryPoints: [fileURLToPath(new URL('src/report.js', import.meta.url))],
  outfile,
  bundle: true,
  format: 'iife',
  globalName: 'report',
  target: 'es5',
  charset: 'ascii',
  legalComments: 'inline',
  minifyWhitespace: true,
  minifyIdentifiers: true,
  // Duktape cannot parse what this one makes.
  minifySyntax: false,
});
