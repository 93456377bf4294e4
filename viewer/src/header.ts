// What the run was: title, warnings, method, sizes, times, the scenario.
import { Page, Run, Summary } from './data';
import { capitalized, element, number, seconds, withUnit } from './format';
import { distanceLimit } from './motion';

/// "2 bodies, 1 beam"
function counts(run: Run): string {
  const kinds = new Map<string, { count: number; many: string }>();
  for (const { kind, kinds: many } of run.facts.objects) kinds.set(kind, { count: (kinds.get(kind)?.count ?? 0) + 1, many });
  return [...kinds].map(([one, { count, many }]) => `${count} ${count === 1 ? one : many}`).join(', ');
}

function modeFacts(run: Run): [string, string][] {
  const { summary } = run.about, modes = run.facts.modes!, rigid = modes.filter((m) => m.kind === 'rigid').length, unstable = modes.filter((m) => m.kind === 'unstable').length;
  const list: [string, string][] = [['Modes', `${modes.length}${rigid ? `, ${rigid} rigid` : ''}${unstable ? `, ${unstable} unstable` : ''}`], ['Objects', counts(run) || 'none']];
  if (summary) list.push(['Size', `${summary.size.velocities} velocities, ${summary.size.constraints} constraints`], ['filum', summary.filum]);
  return list;
}

function iterations({ newton, steps }: Summary): string {
  return steps.accepted ? `${number(newton.iterations / steps.accepted, 3)} iterations per step` : `${newton.iterations} iterations`;
}

/// "rattlie, from 0.002 s generalized-alpha"
function methods(run: Run): string {
  const changes = run.about.summary?.choice?.changes ?? [];
  return [run.facts.method, ...changes.map(({ time, method }) => `from ${withUnit(number(time, 3), run.facts.units?.time)} ${method}`)].join(', ');
}

function facts(run: Run): [string, string][] {
  const { summary } = run.about, { adaptive, step, axis, units } = run.facts, { time } = run;
  if (run.facts.modes) return modeFacts(run);
  const list: [string, string][] = [['Method', methods(run)]];
  if (step > 0) list.push([adaptive ? 'First step' : 'Step', withUnit(number(step, 6), units?.time)]);
  list.push([capitalized(axis.label), withUnit(`${number(time[0])} … ${number(time[time.length - 1])}`, axis.unit)]);
  if (summary?.static) {
    const { stable, negative_directions: negative, factor } = summary.static;
    list.push(['Last point', `factor ${number(factor, 6)}, ${stable ? 'stable' : `${negative} negative direction${negative === 1 ? '' : 's'}`}`]);
  }
  list.push(['Objects', counts(run) || 'none']);
  if (summary) {
    list.push(['Steps', `${summary.steps.accepted}${summary.steps.rejected ? `, ${summary.steps.rejected} rejected` : ''}`]);
    list.push(['Energy', `largest change ${withUnit(number(summary.energy.drift_max, 3), units?.energy)}`]);
    list.push(['Wall time', `${seconds(summary.seconds.integration)}, output ${seconds(summary.seconds.output)}`]);
  }
  return list;
}

/// How the numbers were found.
function solverFacts(run: Run): [string, string][] {
  const { summary, frames } = run.about, list: [string, string][] = [['Frames', `${frames.recorded}`]];
  if (!summary) return list;
  list.push(['Size', `${summary.size.velocities} velocities, ${summary.size.constraints} constraints`]);
  if (summary.newton.iterations) list.push(['Newton', `${iterations(summary)}, ${summary.newton.jacobians} matrices`]);
  if (summary.size.constraints) list.push(['Residuals', `positions ${number(summary.constraint.position_max, 3)}, velocities ${number(summary.constraint.velocity_max, 3)}`]);
  return [...list, ['filum', summary.filum]];
}

/// The message of a run that stopped: what to try, what happened, and the rest folded.
function stopped(status: string, message: string): HTMLElement {
  const [first = '', ...lines] = message.split('\n').map((line) => line.trim()).filter(Boolean);
  const [what, ...inline] = first.split(/;?\s*\btry:\s*/), isAdvice = (line: string) => line.startsWith('try:');
  const tries = [...inline, ...lines.filter(isAdvice).map((line) => line.slice(4).trim())], rest = lines.filter((line) => !isAdvice(line));
  return element('div', { class: 'warning stopped', role: 'alert' },
    element('strong', {}, `The run ${status === 'stopped' ? 'stopped' : `was ${status}`}.${tries.length ? ' Try:' : ''}`),
    ...(tries.length ? [element('ul', {}, ...tries.map((line) => element('li', {}, capitalized(line))))] : []),
    element('p', {}, what),
    ...(rest.length ? [element('details', {}, element('summary', {}, 'Details'), element('p', {}, rest.join('\n')))] : []));
}

/// What a reader must know before believing the rest.
function warnings(run: Run): string[] {
  const { summary, frames } = run.about, list: string[] = [];
  if (!summary) list.push('summary.json is missing: the run is still going on, or was killed. The page shows what is on disk.');
  list.push(...(summary?.static?.remarks ?? []));
  if (summary && summary.status === 'done' && summary.message) list.push(summary.message);
  const limit = distanceLimit(run);
  if (run.moving.some(({ name }) => run.array(`${name}/position`)!.values.some((x) => !(Math.abs(x) <= limit))))
    list.push('Some positions are not finite numbers, or very far away: objects are not drawn there.');
  if (frames.shown < frames.recorded) list.push(`Thinned: the motion shows ${frames.shown} of ${frames.recorded} frames; result.h5 has them all.`);
  if (frames.plotted < frames.recorded) list.push(`Thinned: plots show ${frames.plotted} of ${frames.recorded} frames, all extremes included.`);
  return list;
}

function table(entries: [string, string][]): HTMLElement {
  return element('dl', { class: 'facts' }, ...entries.map(([k, v]) => element('div', {}, element('dt', {}, k), element('dd', {}, v))));
}

function chip(run: Run): HTMLElement {
  const status = run.about.summary?.status ?? 'not complete';
  return element('span', { class: `chip ${status === 'done' ? 'good' : 'bad'}` }, `${status === 'done' ? '✓' : '⚠'} ${status}`);
}

function card(run: Run, letter: string): HTMLElement[] {
  const { scenario, summary } = run.about;
  const notes = [...(summary?.choice ? [`Chosen: ${summary.choice.reason}`] : []), ...(summary?.remarks ?? [])];
  const tables = run.facts.settings.map(({ title, entries }) => element('div', {}, element('h4', {}, title), table(entries)));
  return [
    ...(letter ? [element('div', { class: 'run' }, element('span', { class: `letter ${letter}` }, letter), element('code', {}, run.about.folder), chip(run))] : []),
    ...(summary && summary.status !== 'done' ? [stopped(summary.status, summary.message ?? '')] : []),
    ...warnings(run).map((text) => element('p', { class: 'warning', role: 'note' }, capitalized(text))),
    table(facts(run)),
    element('div', { class: 'folds' },
      ...(notes.length ? [element('details', {}, element('summary', {}, 'Notes'), ...notes.map((text) => element('p', {}, capitalized(text))))] : []),
      ...(run.facts.modes ? [] : [element('details', {}, element('summary', {}, 'Solver'), table(solverFacts(run)))]),
      element('details', {}, element('summary', {}, 'Options'), element('div', { class: 'tables' }, ...tables)),
      ...(scenario ? [element('details', {}, element('summary', {}, 'Resolved scenario'), element('pre', { tabindex: 0 }, scenario))] : [])),
  ];
}

export function makeHeader(host: HTMLElement, page: Page, themeButton: HTMLElement): void {
  const titles = [...new Set(page.runs.map((r) => r.title))], compared = page.runs.length > 1;
  const [main, ...rest] = titles.length === 1 ? titles[0].split(/:\s+/) : [titles.join(' and ')];
  const heading = element('h1', {}, compared ? `Comparison: ${main}` : main);
  document.title = `${compared ? 'Comparison: ' : ''}${main} – filum`;
  host.append(element('div', { class: 'title' }, heading, ...(compared ? [] : [chip(page.runs[0])]), element('span', { class: 'subtitle' }, rest.join(': ')), themeButton));
  const cards = page.runs.map((run, i) => element('div', { class: 'card' }, ...card(run, compared ? ['A', 'B'][i] : '')));
  host.append(element('div', { class: 'cards' }, ...cards));
  if (page.difference && page.difference.times < 2)
    host.append(element('p', { class: 'warning', role: 'note' }, 'The two runs have no recorded times in common: differences cannot be plotted. Give both the same time.output_every.'));
}
