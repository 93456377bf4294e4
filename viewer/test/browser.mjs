// A headless Chromium that shows pages from disk; collects what they complain about.
import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

export const chromium = process.env.FILUM_CHROMIUM ?? ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);

export async function launch() {
  const { chromium: driver } = await import('playwright-core');
  return driver.launch({ executablePath: chromium, headless: true, timeout: 120000,
    args: ['--headless=new', '--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--force-color-profile=srgb', '--disable-dev-shm-usage',
      // Only the motion is drawn by the GPU, which is software here: it took half a second a page for the plots.
      '--disable-gpu-compositing', '--disable-gpu-rasterization', '--disable-accelerated-2d-canvas'] });
}

/// A tab without a page; what its pages complain about is collected.
export async function openTab(browser, { width = 1280, height = 900, dark = false } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, reducedMotion: 'reduce', colorScheme: dark ? 'dark' : 'light', offline: true });
  context.setDefaultTimeout(120000);  // software rendering on a busy machine
  const page = await context.newPage(), complaints = [];
  page.on('console', (message) => { if (message.type() === 'error') complaints.push(message.text()); });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => { if (!/^(file|data|blob):/.test(request.url())) complaints.push(`asks the network for ${request.url()}`); });
  return { page, complaints, context };
}

/// Shows a page in a tab, ready and with its player standing still.
export async function show(page, file) {
  await page.goto(pathToFileURL(file).href);
  await page.waitForFunction(() => document.documentElement.dataset.state);
}

/// A page in a tab of its own.
export async function open(browser, file, options = {}) {
  const opened = await openTab(browser, options);
  await show(opened.page, file);
  return opened;
}

/// Draws the picture of this time before it returns.
export async function seek(page, time) {
  await page.evaluate(async (t) => {
    window.filumReport.player.seek(t);
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  }, time);
}
