// Pictures of report pages for the documents. Usage: node screenshot.mjs PAGE OUT.png [width=1280] [height=860] [time=...] [dark=1] [press=KEYS] [script=JAVASCRIPT]
import { launch, open, seek } from './browser.mjs';

const [file, output, ...rest] = process.argv.slice(2);
const options = Object.fromEntries(rest.map((text) => text.split(/=(.*)/s)));
const browser = await launch();
const { page, complaints } = await open(browser, file, { width: Number(options.width ?? 1280), height: Number(options.height ?? 860), dark: options.dark === '1' });
for (const key of options.press ?? '') await page.keyboard.press(key);
if (options.time !== undefined) await seek(page, Number(options.time));
if (options.script) await page.evaluate(options.script);
await page.waitForTimeout(300);
await page.screenshot({ path: output, fullPage: options.full === '1' });
for (const text of complaints) console.error(text);
await browser.close();
