// The page of a study: what went wrong, checks, plots, tables, the file. Its data is made by src/study/page.cpp.
import type { Theme } from './colors';
import type { Curve } from './curves';
import { element } from './format';
import { Plot } from './plot';
import { sortable } from './tables';

interface CurveData { label: string; x: (number | null)[]; y: (number | null)[]; line: boolean; markers: boolean; reference?: boolean; style?: number; notes?: string[] }
interface AxisData { title: string; log: boolean; range?: [number, number]; categories?: string[] }
interface PlotData { name: string; title: string; x: AxisData; y: AxisData; slopes: number[]; equal: boolean; curves: CurveData[] }
interface TableData { title: string; head: string[]; rows: string[][]; note: string; folded: boolean; links: string[] }
export interface StudyData {
  title: string; subtitle: string; facts: [string, string][]; alarm: string; warnings: string[];
  checks: { claim: string; found: string; expected: string; holds: boolean }[];
  plots: PlotData[]; tables: TableData[]; source: string;
}

const numbers = (list: (number | null)[]) => Float64Array.from(list, (x) => x ?? NaN);

/// Curves without a style of their own take the next one; references are grey and count for nothing.
function curvesOf(list: CurveData[]): Curve[] {
  let next = 0;
  return list.map((c) => {
    const style = c.reference ? 0 : (c.style ?? next++);
    return { label: c.label, x: numbers(c.x), y: numbers(c.y), color: style, dash: style, line: c.line, isReference: c.reference ?? false,
      ...(c.markers ? { marker: style } : {}), ...(c.notes ? { notes: c.notes } : {}) };
  });
}

/// Points that are functions of one number, such as time, are read along it; all others one by one.
const isOverTime = ({ x, curves, equal }: PlotData) => !equal && !x.log && !x.categories && curves.every((c) => !c.markers);

function makePlot(data: PlotData): Plot {
  const { name, title, x, y, slopes, equal } = data, isLine = isOverTime(data);
  return new Plot({ id: name, title, x, y, curves: curvesOf(data.curves), slopes, isEqual: equal, height: 340, hover: isLine ? 'x' : 'point', ...(isLine ? { sync: `over ${x.title}` } : {}) });
}

function checks(list: StudyData['checks']): HTMLElement[] {
  if (!list.length) return [];
  const holding = list.filter((c) => c.holds).length;
  const rows = list.map((c) => element('tr', {}, element('td', {}, element('span', { class: `mark ${c.holds ? 'holds' : 'fails'}` }, c.holds ? '✓ holds' : '✗ fails')),
    ...[c.claim, c.found, c.expected].map((text) => element('td', {}, text))));
  const head = element('thead', {}, element('tr', {}, ...['Result', 'Claim', 'Found', 'Expected'].map((text) => element('th', { scope: 'col' }, text))));
  return [element('section', {}, element('h2', { id: 'checks' }, `Checks: ${holding} of ${list.length} hold`),
    element('div', { class: 'card scroll', tabindex: 0, role: 'region', 'aria-labelledby': 'checks' }, element('table', { class: 'checks' }, head, element('tbody', {}, ...rows))))];
}

function tables(list: TableData[]): HTMLElement[] {
  if (!list.length) return [];
  return [element('section', { 'aria-label': 'Tables' }, element('h2', {}, 'Tables'), ...list.map((t, k) => {
    const id = `table-${k}`, inner = [...(t.note ? [element('p', { class: 'note' }, t.note)] : []),
      element('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-labelledby': id }, sortable(t.head, t.rows, t.links, id))];
    if (!t.folded) return element('div', { class: 'card' }, element('h3', { id }, t.title), ...inner);
    return element('details', { class: 'card' }, element('summary', { id }, `${t.title} (${t.rows.length})`), ...inner);
  }))];
}

/// The page in `body`; returns what follows a change between light and dark.
export function showStudy(data: StudyData, body: HTMLElement, themeButton: HTMLElement): { plots: Plot[]; setTheme: (theme: Theme) => void } {
  document.title = `${data.title} – filum`;
  const plots = data.plots.map(makePlot), figures = element('div', { class: 'figures' }, ...plots.map((p) => p.root));
  for (const plot of plots) {  // those over the same axis show the same part of it
    const { sync } = plot.spec;
    if (sync) plot.follow((x) => plots.forEach((other) => { if (other !== plot && other.spec.sync === sync) other.zoomX(x); }));
  }
  const facts = element('dl', { class: 'facts' }, ...data.facts.map(([k, v]) => element('div', {}, element('dt', {}, k), element('dd', {}, v))));
  body.replaceChildren(
    element('header', { class: 'study' }, element('div', { class: 'title' }, element('h1', {}, data.title), element('span', { class: 'subtitle' }, data.subtitle), themeButton),
      ...(data.alarm ? [element('p', { class: 'alarm', role: 'alert' }, `✗ ${data.alarm}`)] : []), element('div', { class: 'cards' }, element('div', { class: 'card' }, facts)),
      ...data.warnings.map((text) => element('p', { class: 'warning', role: 'note' }, text))),
    element('main', { class: 'study' }, ...checks(data.checks), ...(plots.length ? [element('section', { 'aria-label': 'Plots' }, element('h2', {}, 'Plots'), figures)] : []), ...tables(data.tables),
      ...(data.source ? [element('section', { 'aria-label': 'Study file' }, element('details', { class: 'card' }, element('summary', {}, 'Study file'), element('pre', { tabindex: 0 }, data.source)))] : [])),
    element('footer', {}, 'Made by filum. Drag in a plot to zoom, double click to show everything; on a touch screen use two fingers. A click on a name hides its curve.'));
  new ResizeObserver(() => plots.forEach((p) => p.draw())).observe(figures);
  return { plots, setTheme: (theme) => plots.forEach((p) => p.setTheme(theme)) };
}
