// Bundles page.html, style.css and src/ into one template without references to anything outside. Usage: node bundle.mjs OUTPUT
import { build } from 'esbuild';
import { readFileSync, writeFileSync } from 'node:fs';

const result = await build({
  entryPoints: ['src/main.ts'],
  bundle: true,
  minify: true,
  write: false,
  format: 'iife',
  target: ['es2022'],
  charset: 'ascii',
  legalComments: 'inline',
  logLevel: 'warning',
});
const script = result.outputFiles[0].text.replaceAll('</script', '<\\/script');
const style = readFileSync('node_modules/uplot/dist/uPlot.min.css', 'utf8') + readFileSync('style.css', 'utf8');
const page = readFileSync('page.html', 'utf8')
  .replace('/* filum: style */', () => style)
  .replace('/* filum: script */', () => script);
writeFileSync(process.argv[2], page);
