// study.html in a browser. Usage: node study_test.mjs FILUM FOLDER
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { launch, openFile } from './browser.mjs';
import { filum, folder, fresh, skipUnlessPossible, writeRunaway } from './run.mjs';

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

test('plots are whole and their words legible at 400 pixels', async () => {
  const { page, context } = await openFile(browser, file, { width: 400, height: 900 });
  const seen = await page.evaluate(() => [...document.querySelectorAll('figure')].map((figure) => {
    const svg = [...figure.querySelectorAll('svg')].filter((s) => s.getBoundingClientRect().width > 0), [{ left, right, width }] = svg.map((s) => s.getBoundingClientRect());
    return { count: svg.length, left, right, scale: width / svg[0].viewBox.baseVal.width, curves: svg[0].querySelectorAll('.curve').length, entries: svg[0].querySelectorAll('.entry').length };
  }));
  assert.deepEqual(seen.map((s) => s.curves), [2, 6]);
  for (const { count, left, right, scale, curves, entries } of seen)
    assert.ok(count === 1 && left >= 0 && right <= 400 && scale > 0.9 && entries === curves, JSON.stringify(seen));
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
  const plot = page.locator('figure .wide').first(), entry = plot.locator('.entry[data-curve="0"]'), curve = plot.locator('.curve[data-curve="0"]');
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

test('a study of which no case ran to the end says so in red, and its measures are empty', async () => {
  writeRunaway();
  const study = (series) => `schema = 1
title = "Steps that do not help"
scenario = "runaway.toml"
[[vary]]
key = "time.step"
values = [0.05, 0.1]
[[measure]]
name = "way"
series = "${series}"
[[plot]]
name = "way"
x = "time.step"
y = ["measure.way"]
`;
  writeFileSync(join(folder, 'stopped.toml'), study('ball/position[0,0]'));
  assert.equal(filum('study', 'stopped.toml', '-o', 'stopped').code, 4);
  const [head, ...rows] = readFileSync(join(folder, 'stopped/study.csv'), 'utf8').trim().split('\n').map((line) => line.split(','));
  assert.equal(rows.length, 2);
  for (const row of rows) assert.deepEqual([row[head.indexOf('status')], row[head.indexOf('measure.way')]], ['stopped', '']);
  const { page, complaints, context } = await openFile(browser, join(folder, 'stopped/study.html'), { width: 400, height: 800 });
  assert.deepEqual(complaints, []);
  const alarm = page.locator('.alarm'), box = await alarm.boundingBox();
  assert.match(await alarm.textContent(), /None of the 2 cases ran to the end\. Try: a smaller step/);
  assert.ok(box.y + box.height < 400, `it ends at ${box.y + box.height}`);
  const [red, green, blue] = await alarm.evaluate((e) => getComputedStyle(e).color.match(/\d+/g).map(Number));
  assert.ok(red > 2 * green && red > 2 * blue, `${red} ${green} ${blue}`);
  await context.close();

  writeFileSync(join(folder, 'misspelt.toml'), study('ball/positon[0,0]'));
  const refused = filum('study', 'misspelt.toml', '-o', 'misspelt');
  assert.equal(refused.code, 2);
  assert.match(refused.err, /misspelt\.toml:\d+:1: measure\.way\.series: result\.h5 will have no series 'ball\/positon'; did you mean 'ball\/position'\?/);
  assert.ok(!existsSync(join(folder, 'misspelt')));
});

test('a plot on automatic axes shows negative numbers as they are', async () => {
  writeFileSync(join(folder, 'negative.toml'), `schema = 1
title = "Energy at the bottom"
scenario = "pendulum"
set = { "time.end" = 0.3 }
[[vary]]
key = "time.step"
values = [0.005, 0.01]
[[measure]]
name = "low"
series = "energy/potential"
take = "min"
[[plot]]
name = "low"
x = "time.step"
y = ["measure.low"]
`);
  assert.equal(filum('study', 'negative.toml', '-o', 'negative').code, 0);
  const { page, context } = await openFile(browser, join(folder, 'negative/study.html'));
  const titles = await page.evaluate(() => [...document.querySelectorAll('figure .wide .curve title')].map((t) => t.textContent));
  assert.equal(titles.length, 2);
  for (const title of titles) assert.match(title, /low: −2\.9/);
  await context.close();
});
