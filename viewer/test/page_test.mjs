// The report page in a real browser. Usage: node page_test.mjs FILUM FOLDER
import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { launch, open, seek } from './browser.mjs';
import { filum, folder, fresh, mustRun, skipUnlessPossible, summary, writeRunaway } from './run.mjs';

skipUnlessPossible();
let browser, spaghetti, shown;

before(async () => {
  fresh();
  spaghetti = mustRun('spaghetti', 'flying-spaghetti');
  browser = await launch();
  shown = await open(browser, spaghetti.page);
});
after(async () => browser?.close());

/// Pixels of the motion, and how many of them are not background.
const picture = (page) => page.evaluate(async () => {
  const bitmap = await createImageBitmap(await window.filumReport.stage.snapshot());
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height), context = canvas.getContext('2d');
  context.drawImage(bitmap, 0, 0);
  const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
  let drawn = 0, hash = 0;
  const colors = new Set();
  for (let i = 0; i < data.length; i += 4) {
    if (data[i + 3] > 0) ++drawn;
    colors.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
    hash = (hash * 31 + data[i] + 3 * data[i + 1] + 7 * data[i + 2] + data[i + 3]) | 0;
  }
  return { drawn, colors: colors.size, hash };
});
const time = (page) => page.evaluate(() => window.filumReport.player.time);
const tip = (page) => page.evaluate(() => Array.from(window.filumReport.stage.views[0].motion.objects.get('spaghetti').x.slice(-3)));
const range = (page, id, entry = 0) => page.evaluate(([plot, i]) => {
  const { min, max } = document.querySelectorAll(`#plot-${plot} .legend li`)[i].dataset;
  return { low: Number(min), high: Number(max) };
}, [id, entry]);
const near = (found, expected, relative = 1e-6) => assert.ok(Math.abs(found - expected) <= relative * Math.abs(expected), `found ${found}, expected ${expected}`);

test('filum run ends by saying where the page is', () => assert.match(spaghetti.out, /report: spaghetti\/report\.html\n$/));

test('the page of the default flying spaghetti is below 3 MB', () => assert.ok(statSync(spaghetti.page).size < 3e6));

test('it loads from disk without complaints and without the network', async () => {
  assert.equal(await shown.page.evaluate(() => document.documentElement.dataset.state), 'ready');
  assert.deepEqual(shown.complaints, []);
  assert.match(await shown.page.title(), /Flying spaghetti/);
});

test('the picture is not blank', async () => {
  await seek(shown.page, 3);
  const { drawn, colors } = await picture(shown.page);
  assert.ok(drawn > 2000, `${drawn} pixels`);
  assert.ok(colors > 50, `${colors} colours`);
});

test('playing moves the beam', async () => {
  const { page } = shown;
  await seek(page, 1);
  const before = { tip: await tip(page), hash: (await picture(page)).hash };
  await page.click('#play');
  await page.waitForFunction(() => window.filumReport.player.time > 1.2);
  await page.click('#play');
  assert.ok((await time(page)) > 1.2);
  assert.notDeepEqual(await tip(page), before.tip);
  assert.notEqual((await picture(page)).hash, before.hash);
});

test('scrubbing sets the time of picture, clock and plots', async () => {
  const { page } = shown;
  await page.locator('#scrub').fill('0');
  await page.waitForFunction(() => document.getElementById('clock').textContent === 't = 0.00');
  const cursor = () => page.locator('#plot-energy .cursor').boundingBox();
  const left = (await cursor()).x;
  await page.locator('#scrub').fill('7.5');
  await page.waitForFunction(() => document.getElementById('clock').textContent === 't = 7.50');
  assert.equal(await time(page), 7.5);
  assert.ok((await cursor()).x > left + 50);
  const rows = readFileSync(join(folder, 'spaghetti/sensors.csv'), 'utf8').trim().split('\n').map((line) => line.split(',').map(Number));
  const row = rows.find(([t]) => t === 7.5), found = await tip(page);
  for (let k = 0; k < 3; ++k) assert.ok(Math.abs(found[k] - row[k + 1]) < 1e-4, `${found} at t = 7.5, sensors.csv has ${row}`);
});

test('a click on a plot sets the time', async () => {
  const box = await shown.page.locator('#plot-energy .plotbox').boundingBox();
  await shown.page.mouse.click(box.x + 76 + (box.width - 88) / 3, box.y + 80);
  near(await time(shown.page), 5, 0.01);
});

const shownRange = (page, id) => page.evaluate((plot) => window.filumReport.plots.plots.find((p) => p.spec.id === plot).chart.shown.x, id);

test('dragging over a plot shows a part of all plots over time, a double click everything', async () => {
  const { page } = shown, before = await time(page), box = await page.locator('#plot-energy .u-over').boundingBox();
  await page.mouse.move(box.x + box.width / 3, box.y + 60);
  await page.mouse.down();
  await page.mouse.move(box.x + (2 * box.width) / 3, box.y + 70, { steps: 4 });
  await page.mouse.up();
  for (const id of ['energy', 'drift', 'step']) {
    const { low, high } = await shownRange(page, id);
    near(low, 5, 0.01);
    near(high, 10, 0.01);
  }
  assert.equal(await time(page), before, 'it is no click');
  await page.mouse.dblclick(box.x + box.width / 2, box.y + 60);
  for (const id of ['energy', 'drift']) assert.deepEqual(await shownRange(page, id), { low: 0, high: 15 });
});

test('the pointer is seen in all plots over time, with values', async () => {
  const { page } = shown, box = await page.locator('#plot-energy .u-over').boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + 60);
  const left = await page.evaluate(() => window.filumReport.plots.plots.map((p) => p.root.querySelector('.u-cursor-x')).filter((e) => e?.offsetParent).map((e) => new DOMMatrix(getComputedStyle(e).transform).e));
  assert.ok(left.length >= 3 && left.every((x) => Math.abs(x - left[0]) < 2), JSON.stringify(left));
  const [kinetic, found] = await page.evaluate(() => {
    const { curves } = window.filumReport.plots.plots.find((p) => p.spec.id === 'energy').spec, at = [...curves[0].x].findIndex((t) => t >= 7.5);
    return [curves[0].y[at], Number(document.querySelector('#plot-energy .legend .value').textContent.replace('−', '-'))];
  });
  near(found, kinetic, 0.05);
  await page.mouse.move(2, 2);
});

test('two fingers zoom a plot', async () => {
  const { page, complaints, context } = await open(browser, spaghetti.page, { width: 400, height: 800 });
  await page.evaluate(() => {
    const over = document.querySelector('#plot-energy .u-over'), box = over.getBoundingClientRect();
    const send = (type, id, x) => over.dispatchEvent(new PointerEvent(type, { pointerId: id, pointerType: 'touch', bubbles: true, clientX: box.left + x * box.width, clientY: box.top + 50 }));
    send('pointerdown', 1, 0.4);
    send('pointerdown', 2, 0.6);
    send('pointermove', 1, 0.2);
    send('pointermove', 2, 0.8);
    send('pointerup', 1, 0.2);
    send('pointerup', 2, 0.8);
  });
  const { low, high } = await shownRange(page, 'energy');
  near(low, 5, 0.01);
  near(high, 10, 0.01);
  assert.deepEqual(complaints, []);
  await context.close();
});

test('plots have the extremes of summary.json', async () => {
  const { page } = shown, { energy, constraint } = summary('spaghetti');
  const drift = await range(page, 'drift');
  near(Math.max(-drift.low, drift.high), energy.drift_max);
  near((await range(page, 'constraint', 0)).high, constraint.position_max);
  near((await range(page, 'constraint', 1)).high, constraint.velocity_max);
  const last = await page.evaluate(() => window.filumReport.page.runs[0].array('plot/energy/total').values.at(-1));
  near(last, energy.final);
});

const sections = (page) => page.evaluate(() => [...document.querySelectorAll('#plots > section')].map((s) => s.getAttribute('aria-label')));

test('sensors come first, the solver last', async () => {
  assert.deepEqual(await sections(shown.page), ['Sensors', 'Energy', 'Solver']);
  const solver = await shown.page.evaluate(() => [...document.querySelectorAll('section[aria-label=Solver] h3')].map((h) => h.textContent));
  assert.deepEqual([solver[0], solver.at(-1)], ['Constraint residuals', 'Newton iterations']);
});

test('every plot says what is drawn over what', async () => {
  const axes = await shown.page.evaluate(() => window.filumReport.plots.plots.map((plot) => {
    const texts = [...new DOMParser().parseFromString(plot.svg(), 'image/svg+xml').querySelectorAll('text')].map((t) => t.textContent);
    return { title: plot.spec.title, x: plot.spec.x.title, y: plot.spec.y.title, isDrawn: texts.includes(plot.spec.x.title) && texts.includes(plot.spec.y.title) };
  }));
  for (const { title, x, y, isDrawn } of axes) assert.ok(x === 'time' && y && isDrawn, `${title}: '${y}' over '${x}'`);
  assert.deepEqual([axes[0].title, axes[0].y], ['Sensor tip', 'position']);
});

test('one times is real time, and other speeds say what they are', async () => {
  const of = (page) => page.evaluate(() => {
    const { player } = window.filumReport, select = document.getElementById('speed'), now = performance.now();
    player.seek(player.start);
    player.play(true);
    player.advance(performance.now() + 100);
    const passed = player.time - player.start;
    player.play(false);
    return { name: select.selectedOptions[0].textContent, all: [...select.options].map((o) => o.textContent), rate: passed / (0.1 + (performance.now() - now) / 1000), passed };
  });
  const slow = await of(shown.page);
  assert.equal(slow.name, '1× real time');
  assert.ok(slow.passed >= 0.09 && slow.passed < 0.25, `${slow.passed} in 0.1 s`);
  for (const name of ['10× slower', '2× slower', '2× faster', '10× faster']) assert.ok(slow.all.includes(name), `${slow.all}`);
});

test('the grid has a scale', async () => {
  assert.match(await shown.page.locator('#cell').textContent(), /^grid: [125]0* per cell$/);
  await shown.page.keyboard.press('g');
  assert.ok(!(await shown.page.locator('#cell').isVisible()));
  await shown.page.keyboard.press('g');
});

test('keys play, step, jump, switch and explain', async () => {
  const { page } = shown;
  await page.locator('body').click({ position: { x: 2, y: 2 } });
  await page.keyboard.press('Home');
  assert.equal(await time(page), 0);
  await page.keyboard.press('ArrowRight');
  assert.equal(await time(page), 0.03125);
  await page.keyboard.press('Shift+ArrowRight');
  assert.equal(await time(page), 11 * 0.03125);
  await page.keyboard.press('ArrowLeft');
  assert.equal(await time(page), 10 * 0.03125);
  await page.keyboard.press('End');
  assert.equal(await time(page), 15);
  await page.keyboard.press('Space');
  assert.equal(await page.evaluate(() => window.filumReport.player.isPlaying), true);
  await page.keyboard.press('Space');
  assert.equal(await page.evaluate(() => window.filumReport.player.isPlaying), false);
  await seek(page, 2);
  const before = (await picture(page)).hash;
  await page.keyboard.press('g');
  assert.notEqual((await picture(page)).hash, before);
  await page.keyboard.press('g');
  assert.equal((await picture(page)).hash, before);
  const coloring = await page.locator('#coloring').inputValue();
  await page.keyboard.press('c');
  assert.notEqual(await page.locator('#coloring').inputValue(), coloring);
  await page.keyboard.press('?');
  assert.ok(await page.locator('dialog').isVisible());
  await page.keyboard.press('Escape');
});

test('views along the axes differ', async () => {
  const hashes = new Set();
  for (const key of ['0', '1', '2', '3']) {
    await shown.page.keyboard.press(key);
    hashes.add((await picture(shown.page)).hash);
  }
  assert.equal(hashes.size, 4);
});

test('every control and picture has a name', async () => {
  const nameless = await shown.page.evaluate(() => [...document.querySelectorAll('button, select, input, canvas[role=img], summary, [role=img]')]
    .filter((e) => !(e.getAttribute('aria-label') || e.textContent.trim() || e.closest('label')?.textContent.trim())).map((e) => e.outerHTML));
  assert.deepEqual(nameless, []);
});

test('plots are exported as SVG, PNG and CSV', async () => {
  const { page } = shown;
  const { lines, error, csv } = await page.evaluate(() => {
    const plot = window.filumReport.plots.plots.find((p) => p.spec.id === 'energy'), xml = new DOMParser().parseFromString(plot.svg(), 'image/svg+xml');
    return { lines: xml.querySelectorAll('polyline').length, error: xml.querySelector('parsererror')?.textContent, csv: plot.csv() };
  });
  assert.equal(error, undefined);
  assert.ok(lines >= 3 + 6);
  const rows = csv.trim().split('\n');
  assert.equal(rows[0], 'time,kinetic,potential,total');
  assert.equal(rows.length, 482);
  for (const [button, ending] of [['SVG', 'energy.svg'], ['PNG', 'energy.png'], ['CSV', 'energy.csv']]) {
    const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#plot-energy button', { hasText: button }).click()]);
    assert.equal(download.suggestedFilename(), ending);
    assert.ok(statSync(await download.path()).size > 1000);
  }
});

test('a narrow and dark screen shows everything without scrolling sideways', async () => {
  const { page, complaints, context } = await open(browser, spaghetti.page, { width: 400, height: 800, dark: true });
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 400);
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await background();
  await page.click('#theme');
  assert.notEqual(await background(), dark);
  assert.deepEqual(complaints, []);
  await context.close();
});

test('long runs are thinned, say so, and keep their extremes', async () => {
  const { page: file } = mustRun('long', 'double-pendulum', '--set', 'time.output_every="step"', '--set', 'time.step=5e-4');
  const { page, context } = await open(browser, file);
  const notes = await page.locator('.warning').allTextContents();
  assert.match(notes.join('\n'), /the motion shows \d+ of 6001 frames/);
  assert.match(notes.join('\n'), /plots show \d+ of 6001 frames, all extremes included/);
  const { energy, constraint } = summary('long'), drift = await range(page, 'drift');
  near(Math.max(-drift.low, drift.high), energy.drift_max);
  near((await range(page, 'constraint')).high, constraint.position_max);
  await context.close();
});

test('a run with step size control shows its steps, rejections and error estimates', async () => {
  const { page: file } = mustRun('adaptive', 'heavy-top-fast', '--set', 'integrator={method="half-explicit-rk", adaptive=true}', '--set', 'time.end=0.1', '--set', 'time.step=0.02', '--set', 'time.output_every=0.02');
  const { page, complaints, context } = await open(browser, file);
  assert.deepEqual(complaints, []);
  const titles = await page.evaluate(() => window.filumReport.plots.plots.map((plot) => plot.spec.title));
  for (const title of ['Step size', 'Rejected steps', 'Local error estimate']) assert.ok(titles.includes(title), `${title} is missing among ${titles}`);
  assert.ok(!titles.includes('Newton iterations'));
  assert.equal(await page.evaluate(() => document.getElementById('speed').selectedOptions[0].textContent), '100× slower');
  await context.close();
});

test('a run that stopped says so first', async () => {
  writeRunaway();
  const result = filum('run', 'runaway.toml', '-o', 'stopped');
  assert.equal(result.code, 3, result.err);
  const { page, context } = await open(browser, join(folder, 'stopped/report.html'));
  // What to try comes first and is seen without scrolling; then what happened.
  const warning = page.locator('.warning').first();
  assert.match(await warning.textContent(), /^The run stopped\. Try:A smaller step, such as --set time\.step=0\.0125munthe-kaas-rk stopped at t = /);
  const advice = await page.locator('.warning li').first().boundingBox();
  assert.ok(advice.y + advice.height < 200, `the advice ends at ${advice.y + advice.height}`);
  await page.setViewportSize({ width: 400, height: 700 });
  const narrow = await page.locator('.warning li').first().boundingBox();
  assert.ok(narrow.y + narrow.height < 250 && (await page.evaluate(() => document.documentElement.scrollWidth)) <= 400, `at 400 pixels the advice ends at ${narrow.y + narrow.height}`);
  // Its energy is beyond what a float holds, its last positions beyond what can be drawn.
  near((await range(page, 'energy', 2)).high, summary('stopped').energy.final);
  await seek(page, 0.2);
  assert.ok((await picture(page)).drawn > 500);
  await context.close();
});

test('two runs are compared', async () => {
  mustRun('a', 'double-pendulum', '--no-report', '--set', 'time.end=0.5');
  mustRun('b', 'double-pendulum', '--no-report', '--set', 'time.end=0.5', '--set', 'time.step=5e-3');
  assert.match(filum('report', 'a', 'b').out, /report: a\/comparison\.html/);
  const { page, complaints, context } = await open(browser, join(folder, 'a/comparison.html'));
  assert.equal(await page.evaluate(() => window.filumReport.stage.views.length), 2);
  const last = await page.evaluate(() => window.filumReport.page.arrays.get('difference:position/lower').values.at(-1));
  const [p, q] = ['a', 'b'].map((name) => summary(name).final.objects.lower.position[0]);
  near(last, Math.hypot(...p.map((x, k) => x - q[k])));
  assert.deepEqual(complaints, []);
  await context.close();
});

test('where two runs coincide, the first one is seen and does not flicker; the second is outlined', async () => {
  assert.equal(filum('report', 'a', 'a', '-o', 'same.html').code, 0);
  const { page, context } = await open(browser, join(folder, 'same.html'), { width: 900, height: 700 });
  assert.deepEqual(await page.locator('#runs button').allTextContents(), ['A: a', 'B: a, transparent']);
  const shares = await page.evaluate(async () => {
    const { stage } = window.filumReport, shares = [];
    const pixels = async () => {
      const bitmap = await createImageBitmap(await stage.snapshot()), context2d = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
      context2d.drawImage(bitmap, 0, 0);
      return context2d.getImageData(0, 0, bitmap.width, bitmap.height).data;
    };
    const [first, second] = stage.views;
    for (let k = 0; k < 4; ++k) {
      stage.camera.position.applyAxisAngle(stage.up, 0.013);
      second.group.visible = false;
      const alone = await pixels();
      second.group.visible = true;
      const both = await pixels();
      first.group.visible = false;
      const other = await pixels();
      first.group.visible = true;
      // Blue faces of the first run, orange lines of the second.
      let faces = 0, changed = 0, orange = 0, ghost = 0;
      for (let i = 0; i < alone.length; i += 4) {
        if (both[i] > 150 && both[i + 2] < 110 && both[i + 3] > 200) ++orange;
        if (other[i] > other[i + 2] + 60) ++ghost;
        if (!(alone[i + 2] > 120 && alone[i] < 60 && alone[i + 3] > 250)) continue;
        ++faces;
        if (Math.abs(alone[i] - both[i]) + Math.abs(alone[i + 2] - both[i + 2]) > 24) ++changed;
      }
      shares.push({ faces, changed, orange, ghost });
    }
    return shares;
  });
  for (const { faces, changed, orange, ghost } of shares) {
    assert.ok(faces > 1000 && ghost > 1000 && orange > 100, JSON.stringify(shares));
    // Only the lines of the second run may change something.
    assert.ok(changed < 0.08 * faces, JSON.stringify(shares));
  }
  await page.locator('#runs button').nth(1).click();
  assert.equal(await page.evaluate(() => window.filumReport.stage.views[1].group.visible), false);
  await context.close();
});

test('joint reactions are forces and moments with axes, multipliers come after', async () => {
  mustRun('reactions', 'pendulum', '--set', 'time.end=0.2');
  const { page, complaints, context } = await open(browser, join(folder, 'reactions/report.html'));
  assert.deepEqual(complaints, []);
  const titles = await page.evaluate(() => window.filumReport.plots.plots.map(({ spec }) => `${spec.title}: ${spec.y.title} ${spec.curves.map((c) => c.label).join(' ')}`));
  const place = (start) => titles.findIndex((t) => t.startsWith(start));
  const name = /^Force of joint (\S+):/.exec(titles[place('Force')])[1];
  assert.equal(titles[place('Force')], `Force of joint ${name}: force x y z`);
  assert.equal(titles[place('Moment')], `Moment of joint ${name}: moment x y z`);
  assert.ok(place('Energy') < place('Force') && place('Moment') < place('Multipliers') && place('Multipliers') < place('Constraint'), titles.join('\n'));
  await context.close();
});

test('tubes are drawn as thick as they are when somebody asks for it', async () => {
  mustRun('wire', 'steel-wire', '--set', 'time.end=0.01');
  const { page, context } = await open(browser, join(folder, 'wire/report.html'));
  const radius = () => page.evaluate(() => {
    const { array } = window.filumReport.stage.views[0].group.getObjectByName('wire').geometry.attributes.position;
    return 0.5 * Math.hypot(array[0] - array[24], array[1] - array[25], array[2] - array[26]);  // opposite points of the first ring
  });
  assert.ok((await radius()) > 0.005);
  await page.locator('button', { hasText: 'True thickness' }).click();
  near(await radius(), 0.001, 1e-3);
  await page.keyboard.press('k');
  assert.ok((await radius()) > 0.005);
  assert.equal(await shown.page.locator('button', { hasText: 'True thickness' }).count(), 0, 'nobody gave the section of the spaghetti');
  await context.close();
});

test('a window of another shape shows everything until somebody turns the picture', async () => {
  const { page, context } = await open(browser, join(folder, 'wire/report.html'), { width: 1400, height: 800 });
  const widest = () => page.evaluate(() => {
    const { stage } = window.filumReport, { x } = stage.views[0].motion.objects.get('wire'), Vector = stage.camera.position.constructor;
    stage.camera.updateMatrixWorld();
    return Math.max(...[0, x.length - 3].map((i) => Math.abs(new Vector(x[i], x[i + 1], x[i + 2]).project(stage.camera).x)));
  });
  assert.ok((await widest()) < 1);
  await page.setViewportSize({ width: 400, height: 900 });
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  const narrow = await widest();
  assert.ok(narrow < 1 && narrow > 0.5, `${narrow}`);
  await context.close();
});

/// The page of a run with other facts or another summary.
function withFacts(source, name, change) {
  const text = readFileSync(source, 'utf8'), mark = 'id="filum-report">', from = text.indexOf(mark) + mark.length, to = text.indexOf('</script>', from);
  const report = JSON.parse(text.slice(from, to)), file = join(folder, name);
  change(report.runs[0].facts, report.runs[0].summary);
  writeFileSync(file, text.slice(0, from) + JSON.stringify(report).replaceAll('<', '\\u003c') + text.slice(to));
  return file;
}

test('the page says which methods a run had and why, and folds what the solver did', async () => {
  const run = mustRun('methods', 'steel-wire', '--set', 'time.end=0.01');
  const file = withFacts(run.page, 'methods.html', (facts, summary) => {
    summary.choice.changes.push({ time: 0.004, method: 'radau' });
    summary.remarks = ['a remark of the method'];
  });
  const { page, complaints, context } = await open(browser, file);
  assert.deepEqual(complaints, []);
  assert.match(await page.locator('.facts').first().textContent(), /^Methodgeneralized-alpha, from 0\.004( s)? radau/);
  const folds = await page.locator('.folds > details').evaluateAll((all) => all.map((d) => [d.querySelector('summary').textContent, d.textContent, d.open]));
  assert.deepEqual(folds.map(([title]) => title), ['Notes', 'Solver', 'Options', 'Resolved scenario']);
  assert.match(folds[0][1], /Chosen: generalized-alpha.*A remark of the method/);
  assert.match(folds[1][1], /Frames.*Size.*Newton.*Residuals/);
  assert.ok(folds.every(([, , isOpen]) => !isOpen));
  await context.close();
});

test('a kind that nobody knows is drawn by its primitives; a primitive that nobody knows is left out', async () => {
  const file = withFacts(spaghetti.page, 'kinds.html', ({ objects }) => {
    Object.assign(objects[0], { kind: 'tentacle', kinds: 'tentacles' });
    objects[0].drawings.push({ type: 'solid', node: 16, shape: 'sphere', size: [2, 2, 2], position: [0, 0, 0], orientation: [1, 0, 0, 0], color: '#00ff00', estimated: false },
      { type: 'hologram', depth: 7 });
    objects.push({ name: 'ghost', kind: 'ghost', kinds: 'ghosts', fields: [], trails: [], drawings: [{ type: 'hologram' }, { type: 'constructor' }] });
  });
  const { page, complaints, context } = await open(browser, file);
  assert.deepEqual(complaints, []);
  assert.match(await page.locator('.facts').first().textContent(), /1 tentacle, .*1 ghost/);
  await seek(page, 3);
  const found = await page.evaluate(() => {
    const names = [];
    window.filumReport.stage.views[0].group.traverse((object) => { if (object.name) names.push(object.name); });
    return { names, colors: document.querySelectorAll('#coloring option').length };
  });
  assert.deepEqual(found.names, ['spaghetti', 'spaghetti']);
  assert.equal(found.colors, 9);
  await seek(shown.page, 3);
  assert.notEqual((await picture(page)).hash, (await picture(shown.page)).hash);
  await context.close();
});

test('a surface is drawn through a grid of nodes and coloured by a field', async () => {
  const { page: source } = mustRun('sheet', 'flying-spaghetti', '--set', 'beam.spaghetti.segments=15', '--set', 'time.end=3');
  const file = withFacts(source, 'surface.html', ({ objects }) => { objects[0].drawings = [{ type: 'surface', grid: [4, 4], closed: [false, true], thickness: 0.1, color: null }]; });
  const { page, complaints, context } = await open(browser, file);
  await seek(page, 3);
  const plain = await picture(page);
  await page.locator('#coloring').selectOption('speed');
  const colored = await picture(page);
  assert.ok(plain.drawn > 1000 && colored.hash !== plain.hash, JSON.stringify({ plain, colored }));
  assert.deepEqual(complaints, []);
  await context.close();
});

test('a shell is drawn as thick as it is, on both sides, and coloured by what it has', async () => {
  const { page: file } = mustRun('shell', 'flying-sheet', '--set', 'time.end=0.1', '--set', 'shell.sheet.thickness=0.3');
  const { page, complaints, context } = await open(browser, file);
  await seek(page, 0.1);
  const { sides, faces, nodes } = await page.evaluate(() => {
    const { views: [view] } = window.filumReport.stage, { geometry } = view.group.getObjectByName('sheet'), { nodes } = view.motion.objects.get('sheet');
    const { array: x } = geometry.attributes.position, { array: normal } = geometry.attributes.normal;
    const sides = Array.from({ length: nodes }, (_, n) => {
      const across = [0, 1, 2].map((k) => x[3 * n + k] - x[3 * (n + nodes) + k]);
      return [Math.hypot(...across), ...[n, n + nodes].map((v) => across.reduce((sum, d, k) => sum + d * normal[3 * v + k], 0))];
    });
    return { sides, nodes, faces: geometry.index.count / 3 };
  });
  for (const [thickness, above, below] of sides) {
    near(thickness, 0.3, 1e-4);
    assert.ok(above > 0.27 && below < -0.27, 'normals point outwards on both sides');
  }
  const [first, second] = [11, 5];  // nodes of the scenario
  assert.equal(nodes, first * second);
  assert.equal(faces, 4 * (first - 1) * (second - 1) + 4 * (first + second - 2), 'two sides and a rim');
  const pictures = new Set();
  for (const field of ['curvature', 'moment', 'energy', 'speed']) {
    await page.locator('#coloring').selectOption(field);
    pictures.add((await picture(page)).hash);
  }
  assert.equal(pictures.size, 4);
  assert.deepEqual(complaints, []);
  await context.close();
});

test('units stand in the titles of axes and colours', async () => {
  mustRun('units', 'pendulum', '--set', 'time.end=0.2', '--set', 'units="SI"');
  const { page, complaints, context } = await open(browser, join(folder, 'units/report.html'));
  assert.deepEqual(complaints, []);
  const axes = await page.evaluate(() => Object.fromEntries(window.filumReport.plots.plots.map(({ spec }) => [spec.title, `${spec.y.title} over ${spec.x.title}`])));
  assert.equal(axes.Energy, 'energy [J] over time [s]');
  assert.equal(axes['Step size'], 'step size [s] over time [s]');
  const reaction = Object.keys(axes).find((title) => title.startsWith('Force of joint'));
  assert.equal(axes[reaction], 'force [N] over time [s]');
  assert.match(await page.locator('#clock').textContent(), /^t = [\d.]+ s$/);
  assert.match(await page.locator('#cell').textContent(), /^grid: [\d.]+ m per cell$/);
  assert.match(await page.locator('.facts').first().textContent(), /Step0\.01 s.*Time0 … 0\.2 s.*largest change .* J/);
  await context.close();
});

test('real time is known for units of time that clocks have', async () => {
  for (const [unit, shown] of [['ms', '1× real time'], ['weeks', '1 weeks per second']]) {
    mustRun('clock', 'pendulum', '--force', '--set', 'time.end=4', '--set', `units={ length = "m", mass = "kg", time = "${unit}" }`);
    const { page, context } = await open(browser, join(folder, 'clock/report.html'));
    const options = await page.locator('#speed option').allTextContents();
    assert.ok(options.includes(shown), `${unit}: ${options}`);
    // Four milliseconds in real time would be a flash; nobody knows how long four weeks should be.
    assert.equal(await page.evaluate(() => document.getElementById('speed').selectedOptions[0].textContent), unit === 'ms' ? '2000× slower' : shown);
    await context.close();
  }
});

test('boxes that stand for inertia do not hide joints', async () => {
  writeFileSync(join(folder, 'thick.toml'), `schema = 1
[time]
end = 0.1
step = 0.01
[[body]]
name = "bar"
mass = 1
inertia = [0.01, 0.1, 0.1]
position = [0.5, 0, 0]
[[joint]]
type = "revolute"
connects = ["ground", "bar"]
at = [0, 0, 0]
axis = [0, 1, 0]
`);
  const reach = async (name, ...more) => {
    mustRun(name, 'thick.toml', ...more);
    const { page, context } = await open(browser, join(folder, name, 'report.html'));
    const low = await page.evaluate(() => {
      let solid;
      window.filumReport.stage.views[0].group.traverse((o) => { if (o.name === 'bar') solid = o; });
      let least = Infinity;
      solid.traverse((o) => {
        if (!o.geometry) return;
        o.geometry.computeBoundingBox();
        least = Math.min(least, o.geometry.boundingBox.min.x * o.scale.x);
      });
      return 0.5 + least;
    });
    await context.close();
    return low;
  };
  assert.ok((await reach('thick')) > 0.02, 'the box ends before the hinge');
  assert.ok((await reach('given', '--set', 'body.bar.shape={ box = [1.1, 0.2, 0.2] }')) < -0.04, 'a shape that was given is drawn as it is');
});

test('a body is drawn with the triangles of a file, from any folder', async () => {
  writeFileSync(join(folder, 'wedge.obj'), 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n');
  writeFileSync(join(folder, 'wedge.toml'), `schema = 1
title = "Wedge"
[time]
end = 1
step = 0.05
[integrator]
method = "rattlie"
[[body]]
name = "wedge"
mass = 1
inertia = [1, 2, 2.5]
angular_velocity = [0, 3, 0]
shape = { mesh = "wedge.obj", scale = 2 }
color = "#cc0000"
`);
  mustRun('wedge', 'wedge.toml');
  mustRun('wedge-again', 'wedge/scenario.toml');
  for (const run of ['wedge', 'wedge-again']) {
    const { page, complaints, context } = await open(browser, join(folder, run, 'report.html'));
    assert.deepEqual(complaints, []);
    const { count, size } = await page.evaluate(() => {
      const { geometry } = window.filumReport.stage.views[0].group.getObjectByName('wedge');
      geometry.computeBoundingBox();
      return { count: geometry.index.count / 3, size: geometry.boundingBox.max.x };
    });
    assert.deepEqual([count, size], [4, 2]);
    const { drawn } = await picture(page);
    assert.ok(drawn > 3000, `${drawn}`);
    await context.close();
  }
});

test('a scenario with markup in its title is shown as text', async () => {
  mustRun('markup', 'pendulum', '--no-report', '--set', 'title="</script><img src=x onerror=alert(1)> & co"', '--set', 'time.end=0.1');
  assert.equal(filum('report', 'markup').code, 0);
  const { page, complaints, context } = await open(browser, join(folder, 'markup/report.html'));
  assert.equal(await page.locator('h1').textContent(), '</script><img src=x onerror=alert(1)> & co');
  assert.deepEqual(complaints, []);
  await context.close();
});

test('the page of a static path shows factor over displacement, is scrubbed over the factor, and marks the critical point', async () => {
  const column = `schema = 1
title = "Column"
[time]
end = 1
step = 0.01
[integrator]
method = "generalized-alpha"
[static]
to = 3
[[beam]]
name = "column"
model = "inextensible"
from = [0, 0, 0]
to = [0, 0, 1]
segments = 8
mass_per_length = 1
inertia_per_length = [0.01, 0.01, 0.01]
stiffness = { bending = [1, 4], torsion = 1, shear = [1e4, 1e4], axial = 1e4 }
[[joint]]
type = "fixed"
connects = ["ground", "column:start"]
[[load]]
on = "column:end"
force = [0, 0, -1]
[[sensor]]
name = "top"
on = "column:end"
quantity = "position"
`;
  writeFileSync(join(folder, 'column.toml'), column);
  const made = filum('static', 'column.toml', '-o', 'column');
  assert.equal(made.code, 0, made.err);
  const { page, complaints, context } = await open(browser, join(folder, 'column', 'report.html'));
  assert.deepEqual(complaints, []);
  const seen = await page.evaluate(() => ({ end: window.filumReport.player.end, shown: window.filumReport.player.time, first: document.querySelector('#plot-path option').textContent, marks: [...document.querySelectorAll('#plot-path .critical')].map((e) => e.textContent) }));
  assert.equal(seen.end, 3);
  assert.equal(seen.shown, 3, 'the result is the last point');
  assert.match(seen.first, /^Sensor top/);
  assert.equal(seen.marks.length, 1);
  assert.match(seen.marks[0], /bifurcation at factor 2\.4/);
  await context.close();
});
