// study.html in a browser. Usage: node study_test.mjs FILUM FOLDER
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { launch, open as openStudy } from './browser.mjs';
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
    const { page, complaints, context } = await openStudy(browser, file, { width, height: 900, dark });
    assert.deepEqual(complaints, []);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(wide <= 0, `the page is ${wide} pixels wider than the window`);
    assert.equal(await page.locator('h1').textContent(), 'Two methods on the <fast> top');
    const paint = await page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).slice(0, 3).map(Number));
    assert.equal(paint[0] < 128, dark);
    await context.close();
  });

test('plots are whole and draw all curves at 400 pixels', async () => {
  const { page, context } = await openStudy(browser, file, { width: 400, height: 900 });
  const seen = await page.evaluate(() => window.filumStudy.plots.map((plot) => {
    const { left, right } = plot.root.getBoundingClientRect(), canvas = plot.root.querySelector('canvas');
    const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data, colors = new Set();
    for (let i = 0; i < data.length; i += 4) if (data[i + 3] === 255) colors.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
    return { left, right, curves: plot.spec.curves.length, entries: plot.root.querySelectorAll('.legend .entry').length, blue: colors.has(0x0072b2), orange: colors.has(0xd55e00) };
  }));
  assert.deepEqual(seen.map((s) => s.curves), [2, 6]);
  for (const { left, right, curves, entries, blue, orange } of seen) assert.ok(left >= 0 && right <= 400 && entries === curves && blue && orange, JSON.stringify(seen));
  await context.close();
});

test('checks say which hold, without colours', async () => {
  const { page, context } = await openStudy(browser, file);
  const rows = await page.locator('table').first().locator('tbody tr').allTextContents();
  assert.equal(rows.length, 2);
  assert.match(rows[0], /holds/);
  assert.match(rows[1], /fails/i);
  await context.close();
});

test('points of the plot are the numbers of study.csv, on logarithmic axes with a triangle of order 2', async () => {
  const { page, context } = await openStudy(browser, file);
  const { shown, logX, logY, triangles, notes } = await page.evaluate(() => {
    const { spec, chart } = window.filumStudy.plots[0];
    return { shown: spec.curves.flatMap((c) => [...c.y]), logX: chart.isLog('x'), logY: chart.isLog('y'), triangles: chart.triangles, notes: spec.curves[0].notes };
  });
  const [head, ...rows] = readFileSync(join(folder, 'top', 'study.csv'), 'utf8').trim().split('\n').map((line) => line.split(','));
  const errors = rows.filter((row) => row[1] === 'case').map((row) => Number(row[head.indexOf('error.configuration')]));
  assert.deepEqual(shown.sort((a, b) => a - b), errors.sort((a, b) => a - b));
  assert.ok(logX && logY);
  assert.equal(triangles.length, 1);
  const [low, , high] = triangles[0].corners, slope = Math.log(high[1] / low[1]) / Math.log(high[0] / low[0]);
  assert.ok(Math.abs(slope - 2) < 1e-6 && triangles[0].label === '2', `${slope}`);
  assert.match(notes[0], /rattlie/);
  await context.close();
});

test('the pointer finds the case of a point, dragging zooms both axes', async () => {
  const { page, context } = await openStudy(browser, file), over = page.locator('#plot-error .u-over'), box = await over.boundingBox();
  const [x, y] = await page.evaluate(() => {
    const { plot, spec } = window.filumStudy.plots[0].chart, [c] = spec.curves;
    return [plot.valToPos(c.x[1], 'x'), plot.valToPos(c.y[1], 'y')];
  });
  await page.mouse.move(box.x + x + 2, box.y + y + 1);
  assert.match(await page.locator('#plot-error .tip').textContent(), /rattlie.*step = 2\^-10.*error in configuration/);
  await page.mouse.move(box.x + 40, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + 240, box.y + 140, { steps: 4 });
  await page.mouse.up();
  const [zoomed, whole] = await page.evaluate(() => { const { chart } = window.filumStudy.plots[0]; return [chart.shown, chart.whole()]; });
  assert.ok(zoomed.x.high < whole.x.high && zoomed.y.low > whole.y.low, JSON.stringify([zoomed, whole]));
  await page.mouse.dblclick(box.x + 100, box.y + 100);
  assert.equal(await page.evaluate(() => window.filumStudy.plots[0].chart.isZoomed), false);
  await context.close();
});

test('a click on the legend hides a curve, another shows it', async () => {
  const { page, context } = await openStudy(browser, file), entry = page.locator('#plot-error .legend .entry').first();
  const hidden = () => page.evaluate(() => window.filumStudy.plots[0].chart.isHidden[0]);
  await entry.click();
  assert.equal(await hidden(), true);
  await entry.click();
  assert.equal(await hidden(), false);
  await context.close();
});

test('cases lead to their reports once these are made', async () => {
  const without = await openStudy(browser, file);
  await without.page.locator('summary', { hasText: 'Cases' }).click();
  assert.equal(await without.page.locator('table.sortable a').count(), 0);
  assert.match(await without.page.locator('details.card .note').first().textContent(), /--resume --reports/);
  await without.context.close();
  assert.equal(filum('study', 'top.toml', '-o', 'top', '--resume', '--reports').code, 4);
  const { page, complaints, context } = await openStudy(browser, file);
  await page.locator('summary', { hasText: 'Cases' }).click();
  assert.equal(await page.locator('table.sortable a').count(), 7, 'six cases and the reference');
  await page.locator('table.sortable a').first().click();
  await page.waitForFunction(() => window.filumReport);
  assert.match(page.url(), /top\/cases\/[0-9a-f]{16}\/report\.html$/);
  assert.deepEqual(complaints, []);
  await context.close();
});

test('tables are sorted by a click on their head', async () => {
  const { page, context } = await openStudy(browser, file);
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
  const { page, complaints, context } = await openStudy(browser, join(folder, 'stopped/study.html'), { width: 400, height: 800 });
  assert.deepEqual(complaints, []);
  const alarm = page.locator('.alarm'), box = await alarm.boundingBox();
  assert.match(await alarm.textContent(), /None of the 2 cases ran to the end\. Try: a smaller step/);
  assert.ok(box.y + box.height < 400, `it ends at ${box.y + box.height}`);
  const [red, green, blue] = await alarm.evaluate((e) => getComputedStyle(e).color.match(/\d+/g).map(Number));
  assert.ok(red > 2 * green && red > 2 * blue, `${red} ${green} ${blue}`);
  assert.ok(await page.evaluate(() => window.filumStudy.plots.every((plot) => plot.chart.isEmpty)), 'a plot without points says so');
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
  const { page, context } = await openStudy(browser, join(folder, 'negative/study.html'));
  const { values, log, shown } = await page.evaluate(() => { const { spec, chart } = window.filumStudy.plots[0]; return { values: [...spec.curves[0].y], log: chart.isLog('y'), shown: chart.shown.y }; });
  assert.equal(values.length, 2);
  assert.ok(!log && values.every((v) => v < -2.9 && v > shown.low && v < shown.high), JSON.stringify({ values, shown }));
  assert.match(await page.evaluate(() => window.filumStudy.plots[0].svg()), />−/);
  await context.close();
});
