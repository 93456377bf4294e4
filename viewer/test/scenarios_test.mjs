// A report page for every built-in scenario. Usage: node scenarios_test.mjs FILUM FOLDER
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { launch, openTab, show } from './browser.mjs';
import { filum, fresh, mustRunSoon, skipUnlessPossible } from './run.mjs';

skipUnlessPossible();
fresh();
// The first paragraph, behind its heading.
const names = filum('list').out.split('\n\n')[0].trim().split('\n').slice(1).map((line) => line.split(' ')[0]);
// A run goes on while the page of the one before is looked at, and two tabs take turns: a new tab takes longer than most pages.
const runs = new Map();
/// Begins once, whoever asks first.
function run(name) {
  if (!runs.has(name)) {
    runs.set(name, mustRunSoon(name, name, '--set', 'time.end=0.02'));
    runs.get(name).catch(() => {});  // told by its own test
  }
  return runs.get(name);
}
let browser, tabs;
before(async () => {
  browser = await launch();
  tabs = await Promise.all([0, 1].map(() => openTab(browser, { width: 500, height: 500 })));
});
after(async () => browser?.close());

test('there are built-in scenarios', () => assert.ok(names.length > 10));

/// What the page in a tab shows at its end, and whether its first view has everything in it.
const look = (page) => page.evaluate(async () => {
  const { stage, plots, player } = window.filumReport, { camera, follow } = stage, [view] = stage.views, { motion, run } = view;
  camera.updateMatrixWorld();
  const point = camera.position.clone();
  // Every node in every frame, and the points on the ground that something is tied to.
  let farthest = 0;
  const see = (x, y, z) => { point.set(x, y, z).project(camera); farthest = Math.max(farthest, Math.abs(point.x), Math.abs(point.y)); };
  for (const { position } of motion.objects.values()) for (let i = 0; i + 2 < position.length; i += 3) see(position[i], position[i + 1], position[i + 2]);
  for (const { drawings } of run.facts.objects)
    for (const { at, partners = [], ends = [] } of drawings)
      for (const anchor of [...(Array.isArray(at) || !at ? [] : [at]), ...partners, ...ends]) see(...motion.place(anchor).toArray());
  player.seek(player.end);
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  stage.touch();
  stage.render();
  const { width, height } = stage.canvas, context2d = new OffscreenCanvas(width, height).getContext('2d');
  context2d.drawImage(stage.canvas, 0, 0);
  const { data } = context2d.getImageData(0, 0, width, height);
  let drawn = 0;
  for (let i = 3; i < data.length; i += 4) if (data[i] > 0) ++drawn;
  const objects = [...motion.objects.values()];
  return { drawn, follow, farthest, scale: document.getElementById('cell').textContent, plots: plots.plots.length, objects: objects.length,
    finite: objects.every((o) => o.x.every(Number.isFinite) && o.p.every(Number.isFinite)) };
});

test('scenarios', { concurrency: 2 }, async (t) => {
  await Promise.all(names.map((name, i) => t.test(`${name} has a page that works`, async () => {
    const { page: file } = await run(name);
    if (names[i + 2]) run(names[i + 2]);
    const tab = tabs.pop(), { page, complaints } = tab;
    try {
      await show(page, file);
      assert.deepEqual(complaints, []);
      const state = await look(page);
      assert.ok(state.drawn > 500, `${state.drawn} pixels`);
      assert.ok(state.plots >= 3 && state.objects >= 1 && state.finite, JSON.stringify(state));
      assert.ok(state.follow || state.farthest < 1, `the first view cuts something off: ${state.farthest}`);
      assert.match(state.scale, /^grid: [\d.e−]+ per cell$/);
    } finally {
      complaints.length = 0;
      tabs.push(tab);
    }
  })));
});
