// Which plots a page has.
import { Theme } from './colors';
import { Numbers, Page, rankOf, Run } from './data';
import { element } from './format';
import { PathPlot } from './path_plot';
import type { Range } from './axes';
import type { Curve } from './curves';
import { Plot, PlotSpec, withUnit } from './plot';

function column(run: Run, name: string, k: number): Numbers | null {
  const array = run.array(`plot/${name}`);
  if (!array) return null;
  const size = array.shape[1];
  if (name === 'step/size') return array.values.map((x, i) => (i === 0 ? NaN : x));  // no step ends at the start
  if (size === 1) return array.values;
  const out = new Float32Array(array.shape[0]);
  for (let i = 0; i < out.length; ++i) out[i] = array.values[i * size + k];
  return out;
}

const letters = ['A', 'B'];
const axisTitle = ({ facts }: Run): string => withUnit(facts.axis.label, facts.axis.unit);

class PlotList {
  constructor(private readonly page: Page) {}

  /// The same numbers of every run; of two runs the second is dashed.
  private spec(id: string, title: string, y: string, wanted: [string, string, number][], { log = false, note }: { log?: boolean; note?: string } = {}): PlotSpec | null {
    const { runs } = this.page, curves: Curve[] = [];
    runs.forEach((run, r) => wanted.forEach(([name, label, k], i) => {
      const values = column(run, name, k);
      if (!values) return;
      curves.push({ label: runs.length > 1 ? `${letters[r]}: ${label}` : label, x: run.array('plot/time')!.values, y: values,
        color: runs.length > 1 ? (wanted.length > 1 ? i : r) : i, dash: runs.length > 1 ? r : i });
    }));
    return curves.length ? { id, title, x: { title: axisTitle(runs[0]) }, y: { title: y, log }, curves, sync: 'time', ...(note ? { note } : {}) } : null;
  }

  private any(name: string): boolean { return this.page.runs.some((r) => r.array(`plot/${name}`)?.values.some((x) => x !== 0)); }

  energies(): PlotSpec[] {
    const { units } = this.page.runs[0].facts, unit = units?.energy,
      isDriven = this.page.runs.some((r) => r.drawings('arrows').length > 0 || r.drawings('symbol').some(({ drawing }) => drawing.symbol === 'drive'));
    return present([
      this.spec('energy', 'Energy', withUnit('energy', unit), [['energy/kinetic', 'kinetic', 0], ['energy/potential', 'potential', 0], ['energy/total', 'total', 0]]),
      this.spec('drift', 'Change of the total energy', withUnit('change of energy', unit), [['energy/drift', 'total − initial', 0]],
        isDriven ? { note: 'Loads and drives do work on the system: its energy need not stay constant.' } : {}),
    ]);
  }

  /// How the numbers were found.
  solver(): PlotSpec[] {
    const adaptive = this.page.runs.some((r) => r.facts.adaptive);
    return present([
      this.any('constraint/position') || this.any('constraint/velocity')
        ? this.spec('constraint', 'Constraint residuals', 'largest residual', [['constraint/position', 'positions', 0], ['constraint/velocity', 'velocities', 0]], { log: true }) : null,
      this.spec('step', 'Step size', withUnit('step size', this.page.runs[0].facts.units?.time), [['step/size', 'last step before the frame', 0]], { log: adaptive }),
      this.any('step/rejected') ? this.spec('rejected', 'Rejected steps', 'steps per frame', [['step/rejected', 'since the frame before', 0]]) : null,
      this.any('step/error') ? this.spec('error', 'Local error estimate', 'error / tolerance', [['step/error', 'largest since the frame before', 0]], { log: true, note: 'In units of the tolerance.' }) : null,
      this.any('step/newton') ? this.spec('newton', 'Newton iterations', 'iterations per frame', [['step/newton', 'since the frame before', 0]]) : null,
    ]);
  }

  /// Headings of the first run's own plots with one of these ranks, and what stands under each.
  groups(from: number, to: number): [string, PlotSpec[]][] {
    const run = this.page.runs[0], groups = new Map<string, PlotSpec[]>();
    for (const plot of run.plots.filter((p) => rankOf(p) >= from && rankOf(p) <= to)) {
      const { group, title, label, series, components, note } = plot;
      const size = run.array(`plot/${series}`)?.shape[1] ?? 0;
      // Numbers that are not of one kind have their own units.
      const units = plot.units ?? [], isMixed = units.some((u) => u !== units[0]);
      const wanted = Array.from({ length: size }, (_, k): [string, string, number] => [series, withUnit((components.length === size ? components[k] : `${k + 1}`) || label, isMixed ? units[k] : ''), k]);
      const y = withUnit((plot.quantity || label).replaceAll('_', ' '), isMixed ? '' : units[0]);
      const spec = this.spec(series.replaceAll(/[^A-Za-z0-9_-]/g, '-'), title, y, wanted, note ? { note } : {});
      if (spec) groups.set(group, [...(groups.get(group) ?? []), spec]);
    }
    return [...groups];
  }

  differences(): PlotSpec[] {
    const { difference } = this.page, time = this.page.arrays.get('difference:time')?.values;
    if (!difference || !time) return [];
    const titles = new Map([['position', 'Difference of positions'], ['orientation', 'Difference of orientations (angle)'], ['velocity', 'Difference of velocities'],
      ['energy', 'Difference of the total energy']]);
    for (const { quantity } of difference.series) if (!titles.has(quantity)) titles.set(quantity, `Difference of ${quantity.toLowerCase()}`);
    return [...titles].flatMap(([quantity, title]) => {
      const curves = difference.series.filter((d) => d.quantity === quantity).map((d): Curve => ({ label: d.label, x: time, y: this.page.arrays.get(d.array)!.values }));
      const note = quantity === 'position' ? `Largest over all nodes, at the ${difference.times} times that both runs have.` : undefined;
      const run = this.page.runs[0], units: Record<string, string | undefined> = { position: run.facts.units?.length, velocity: run.facts.units?.velocity, energy: run.facts.units?.energy };
      const y = quantity === 'orientation' ? withUnit('angle', run.facts.units ? 'rad' : '') : withUnit('difference', units[quantity]);
      return curves.length ? [{ x: { title: axisTitle(run) }, y: { title: y, log: true }, id: `difference-${quantity.replaceAll(/[^A-Za-z0-9_-]/g, '-')}`, title, curves, sync: 'time', ...(note ? { note } : {}) }] : [];
    });
  }
}

const present = (specs: (PlotSpec | null)[]): PlotSpec[] => specs.filter((s): s is PlotSpec => s !== null);

/// Sensors come first, then the state of the system, then reactions; multipliers and solver statistics come last.
export class Plots {
  readonly plots: (Plot | PathPlot)[] = [];

  constructor(private readonly host: HTMLElement, page: Page, private readonly seek: (t: number) => void) {
    if (page.runs.some((run) => run.facts.modes)) return;  // one state: nothing changes with time
    const list = new PlotList(page);
    const differences = list.differences();
    if (page.difference) this.section('Differences', differences);
    const path = page.runs.length === 1 ? PathPlot.of(page.runs[0], this.seek) : null;
    if (path) {
      this.plots.push(path);
      host.append(element('section', { 'aria-label': 'Path' }, element('h2', {}, 'Path'), path.root));
    }
    for (const [heading, specs] of list.groups(0, 1)) this.section(heading, specs, 4);
    this.section('Energy', list.energies());
    for (const [heading, specs] of list.groups(2, 2)) this.section(heading, specs, 4);
    for (const [heading, specs] of list.groups(3, 3)) this.section(heading, specs, 1);
    this.section('Solver', list.solver());
    new ResizeObserver(() => this.plots.forEach((p) => p.draw())).observe(host);
  }

  /// More plots of one kind than this are chosen from a list.
  private section(title: string, specs: PlotSpec[], most = Infinity): void {
    if (!specs.length) return;
    const section = element('section', { 'aria-label': title }, element('h2', {}, title));
    const made = specs.map((spec) => new Plot(spec, this.seek));
    for (const plot of made) plot.follow((x) => this.zoom(x, plot));
    this.plots.push(...made);
    if (made.length > most) {
      const select = element('select', { 'aria-label': `${title}: which`, onchange: () => show(Number(select.value)) }, ...specs.map((s, i) => element('option', { value: String(i) }, s.title)));
      const show = (chosen: number) => made.forEach((plot, i) => { plot.root.hidden = i !== chosen; plot.draw(); });
      section.append(select, ...made.map((p) => p.root));
      show(0);
    } else section.append(...made.map((p) => p.root));
    this.host.append(section);
  }

  /// Plots over time show the same part of it.
  private zoom(x: Range | null, of: Plot): void {
    for (const plot of this.plots) if (plot instanceof Plot && plot !== of) plot.zoomX(x);
  }

  setTime(t: number): void { for (const plot of this.plots) if (!plot.root.hidden) plot.setTime(t); }
  setTheme(theme: Theme): void { for (const plot of this.plots) plot.setTheme(theme); }
}
