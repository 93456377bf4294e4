// The page of `filum modes`. Usage: node modes_test.mjs FILUM FOLDER
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { launch, open, seek } from './browser.mjs';
import { filum, folder, fresh, skipUnlessPossible } from './run.mjs';

skipUnlessPossible();
let browser, shown;

before(async () => {
  fresh();
  const result = filum('modes', 'flying-spaghetti', '-n', '9', '-o', 'modes');
  assert.equal(result.code, 0, result.err);
  browser = await launch();
  shown = await open(browser, join(folder, 'modes', 'report.html'));
});
after(async () => browser?.close());

const node = (page, k) => page.evaluate((n) => Array.from(window.filumReport.stage.views[0].motion.objects.get('spaghetti').x.slice(3 * n, 3 * n + 3)), k);

test('it loads without complaints and lists all modes', async () => {
  assert.deepEqual(shown.complaints, []);
  assert.equal(await shown.page.locator('table.modes tbody tr').count(), 9);
  assert.equal(await shown.page.locator('table.modes tr.rigid').count(), 6);
});

test('the first mode that is not rigid is shown, and swings', async () => {
  assert.equal(await shown.page.evaluate(() => window.filumReport.table.chosen), 6);
  await seek(shown.page, 6);
  const first = await node(shown.page, 0);
  await seek(shown.page, 6.5);
  const half = await node(shown.page, 0);
  await seek(shown.page, 6.25);
  const rest = await node(shown.page, 0);
  const away = Math.hypot(...first.map((x, k) => x - half[k]));
  assert.ok(away > 0.1, `${away}`);
  // Half way it passes the state that the modes are about.
  rest.forEach((x, k) => assert.ok(Math.abs(x - 0.5 * (first[k] + half[k])) < 0.02 * away, `${x}`));
});

test('the clock shows the phase, and the table fits into 400 pixels', async () => {
  await seek(shown.page, 6.25);
  assert.equal(await shown.page.locator('#clock').textContent(), 'phase 90°');
  const { page, context } = await open(browser, join(folder, 'modes', 'report.html'), { width: 400, height: 800 });
  const [whole, table, room] = await page.evaluate(() => {
    const modes = document.querySelector('table.modes');
    return [document.documentElement.scrollWidth, modes.scrollWidth, modes.parentElement.clientWidth];
  });
  assert.ok(whole <= 400 && table <= room, `${whole} ${table} of ${room}`);
  await context.close();
});

test('a click shows another one', async () => {
  await shown.page.getByRole('button', { name: 'Show mode 1', exact: true }).click();
  const { start, end } = await shown.page.evaluate(() => window.filumReport.player);
  assert.ok(start === 0 && end > 0.99 && end < 1, `${start} ${end}`);
  assert.equal(await shown.page.locator('table.modes tr[aria-selected="true"]').count(), 1);
});
