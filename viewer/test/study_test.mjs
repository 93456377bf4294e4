// study.html in a browser. Usage: node study_test.mjs FILUM FOLDER
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { launch, openFile } from './browser.mjs';
import { filum, folder, fresh, skipUnlessPossible } from './run.mjs';

skipUnlessPossible();
fresh();
writeFileSync(join(folder, 'top.toml'), `schema = 1
title = "Two methods on the <fast> top"
scenario = "heavy-top-fast"
set = { "time.end" = 0.125, "time.output_every" = "2^-6" }
[[vary]]
name = "method"
key = "integrator.method"
values = ["rattlie", "generalized-alpha"]
[[vary]]
key = "time.step"
values = ["2^-9", "2^-10", "2^-11"]
[reference]
set = { "integrator.method" = "half-explicit-rk", "time.step" = "2^-11" }
[convergence]
versus = "time.step"
quantities = ["configuration"]
[[plot]]
name = "error"
x = "time.step"
y = ["error.configuration"]
[[plot]]
name = "energy"
kind = "series"
y = ["energy/total"]
[[check]]
claim = "both are of order 2"
value = "order.configuration"
between = [1.8, 2.2]
[[check]]
claim = "this is false"
value = "steps"
between = [0, 1]
`);
assert.equal(filum('study', 'top.toml', '-o', 'top').code, 4, 'one of the checks does not hold');
const file = join(folder, 'top', 'study.html');
let browser;
before(async () => { browser = await launch(); });
after(async () => browser?.close());

for (const [width, dark] of [[1280, false], [1280, true], [400, false], [400, true]])
  test(`the page works at ${width} pixels, ${dark ? 'dark' : 'light'}`, async () => {
    const { page, complaints, context } = await openFile(browser, file, { width, height: 900, dark });
    assert.deepEqual(complaints, []);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(wide <= 0, `the page is ${wide} pixels wider than the window`);
    assert.equal(await page.locator('h1').textContent(), 'Two methods on the <fast> top');
    const paint = await page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).slice(0, 3).map(Number));
    assert.equal(paint[0] < 128, dark);
    await context.close();
  });

test('checks say which hold, without colours', async () => {
  const { page, context } = await openFile(browser, file);
  const rows = await page.locator('table').first().locator('tbody tr').allTextContents();
  assert.equal(rows.length, 2);
  assert.match(rows[0], /holds/);
  assert.match(rows[1], /fails/i);
  await context.close();
});

test('points of the plot are the numbers of study.csv', async () => {
  const { page, context } = await openFile(browser, file);
  const titles = await page.evaluate(() => [...document.querySelector('figure svg').querySelectorAll('.curve title')].map((t) => t.textContent));
  const [head, ...rows] = readFileSync(join(folder, 'top', 'study.csv'), 'utf8').trim().split('\n').map((line) => line.split(','));
  const errors = rows.filter((row) => row[1] === 'case').map((row) => Number(row[head.indexOf('error.configuration')]));
  assert.equal(titles.length, 6);
  const shown = titles.map((title) => Number(/error in configuration: (\S+)/.exec(title)[1].replace('−', '-'))).sort((a, b) => a - b);
  errors.sort((a, b) => a - b).forEach((error, i) => assert.ok(Math.abs(shown[i] - error) < 1e-3 * error, `${shown[i]} for ${error}`));
  await context.close();
});

test('a click on the legend hides a curve, another shows it', async () => {
  const { page, context } = await openFile(browser, file);
  const entry = page.locator('figure').first().locator('.entry[data-curve="0"]'), curve = page.locator('figure').first().locator('.curve[data-curve="0"]');
  await entry.click();
  assert.equal(await curve.getAttribute('display'), 'none');
  await entry.click();
  assert.equal(await curve.getAttribute('display'), null);
  await context.close();
});

test('tables are sorted by a click on their head', async () => {
  const { page, context } = await openFile(browser, file);
  await page.locator('summary', { hasText: 'Cases' }).click();
  const table = page.locator('details table.sortable').first(), head = table.locator('thead th', { hasText: /^steps/ });
  const column = await head.evaluate((cell) => cell.cellIndex);
  const values = () => table.evaluate((t, c) => [...t.tBodies[0].rows].map((row) => Number(row.cells[c].textContent)), column);
  await head.locator('button').click();
  const up = await values();
  assert.deepEqual(up, [...up].sort((a, b) => a - b));
  await head.locator('button').click();
  assert.deepEqual(await values(), [...up].reverse().sort((a, b) => b - a));
  await context.close();
});
