// Runs filum into a fresh folder of the test.
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from './browser.mjs';

export const [program, folder] = process.argv.slice(2);

/// Says why nothing can be tested, for ctest to see.
export function skipUnlessPossible() {
  let reason;
  if (!chromium) reason = 'chromium is missing (Debian: apt-get install chromium)';
  else if (!existsSync(join(program, '../report-template.html'))) reason = 'the report page was not built, since npm could not install its packages';
  if (!reason) return;
  console.log(`skipped: ${reason}`);
  process.exit(0);
}

export function fresh() {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
}

export function filum(...args) {
  const result = spawnSync(program, args, { cwd: folder, encoding: 'utf8' });
  return { code: result.status, out: result.stdout, err: result.stderr };
}

export function mustRun(name, ...args) {
  const result = filum('run', ...args, '-o', name);
  if (result.code !== 0) throw new Error(`filum run ${args.join(' ')}: ${result.err}`);
  return { ...result, page: join(folder, name, 'report.html') };
}

/// The same without waiting: a promise.
export function mustRunSoon(name, ...args) {
  return new Promise((done, fail) => {
    execFile(program, ['run', ...args, '-o', name], { cwd: folder }, (error, out, err) => {
      if (error) fail(new Error(`filum run ${args.join(' ')}: ${err}`));
      else done({ code: 0, out, err, page: join(folder, name, 'report.html') });
    });
  });
}

export const summary = (name) => JSON.parse(readFileSync(join(folder, name, 'summary.json'), 'utf8'));

/// runaway.toml, a run that stops.
export const writeRunaway = () => writeFileSync(join(folder, 'runaway.toml'), `schema = 1
title = "A force that grows without bound"
[time]
end = 3
step = 0.05
[integrator]
method = "munthe-kaas-rk"
[[body]]
name = "ball"
mass = 1
inertia = [1, 1, 1]
position = [1, 0, 0]
velocity = [1, 0, 0]
[[load]]
on = "ball"
force = ["x^3", 0, 0]
`);
