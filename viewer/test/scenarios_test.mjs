// A report page for every built-in scenario. Usage: node scenarios_test.mjs FILUM FOLDER
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { launch, open } from './browser.mjs';
import { filum, fresh, mustRun, skipUnlessPossible } from './run.mjs';

skipUnlessPossible();
fresh();
// The first paragraph, behind its heading.
const names = filum('list').out.split('\n\n')[0].trim().split('\n').slice(1).map((line) => line.split(' ')[0]);
let browser;
before(async () => { browser = await launch(); });
after(async () => browser?.close());

test('there are built-in scenarios', () => assert.ok(names.length > 10));

for (const name of names)
  test(`${name} has a page that works`, async () => {
    const { page: file } = mustRun(name, name, '--set', 'time.end=0.02');
    const { page, complaints, context } = await open(browser, file, { width: 500, height: 500 });
    assert.deepEqual(complaints, []);
    const state = await page.evaluate(async () => {
      const { stage, plots, player } = window.filumReport;
      player.seek(player.end);
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      const bitmap = await createImageBitmap(await stage.snapshot()), canvas = new OffscreenCanvas(bitmap.width, bitmap.height), context2d = canvas.getContext('2d');
      context2d.drawImage(bitmap, 0, 0);
      const { data } = context2d.getImageData(0, 0, bitmap.width, bitmap.height);
      let drawn = 0;
      for (let i = 3; i < data.length; i += 4) if (data[i] > 0) ++drawn;
      const objects = [...stage.views[0].motion.objects.values()];
      return { drawn, plots: plots.plots.length, objects: objects.length, finite: objects.every((o) => o.x.every(Number.isFinite) && o.p.every(Number.isFinite)) };
    });
    assert.ok(state.drawn > 500, `${state.drawn} pixels`);
    assert.ok(state.plots >= 3 && state.objects >= 1 && state.finite, JSON.stringify(state));
    await context.close();
  });
