// The path of a static analysis: load factor over a displacement or a sensor, with critical points, linked to the player by a dot.
import { Theme } from './colors';
import type { Curve } from './curves';
import { CriticalPoint, frameBefore, Numbers, Run } from './data';
import { element, number } from './format';
import { Plot, PlotSpec, withUnit } from './plot';

interface Choice { label: string; title: string; unit: string; values: Numbers }

/// Every number that could stand on the horizontal axis: those of sensors, then those of the path, then the others.
function choices(run: Run): Choice[] {
  const list: Choice[] = [];
  for (const { title, series, components, units = [] } of run.plots) {
    const array = run.array(`plot/${series}`);
    if (!array || series === 'factor') continue;
    const size = array.shape[1];
    for (let k = 0; k < size; ++k)
      list.push({ title, unit: (units.length > 1 ? units[k] : units[0]) ?? '', label: size > 1 ? `${title}: ${components[k] ?? k + 1}` : title, values: Float64Array.from({ length: array.shape[0] }, (_, i) => array.values[i * size + k]) });
  }
  return list;
}

export class PathPlot {
  readonly root: HTMLElement;
  private plot: Plot;
  private readonly holder = element('div');
  private readonly where = element('span', { class: 'value' });
  private readonly axis: Numbers;
  private readonly factor: Numbers;
  private readonly critical: CriticalPoint[];
  private readonly choices: Choice[];
  private chosen = 0;
  private theme: Theme = 'light';
  private time = 0;

  static of(run: Run, seek: (t: number) => void): PathPlot | null {
    return run.array('plot/factor') && choices(run).length ? new PathPlot(run, seek) : null;
  }

  private constructor(private readonly run: Run, private readonly seek: (t: number) => void) {
    this.axis = run.array('plot/time')!.values;
    this.factor = run.array('plot/factor')!.values;
    this.critical = run.about.summary?.static?.critical ?? [];
    this.choices = choices(run);
    this.chosen = this.liveliest();
    const select = element('select', { 'aria-label': 'Path: horizontal axis', onchange: () => { this.chosen = Number(select.value); this.plot = this.make(); this.setTheme(this.theme); this.setTime(this.time); } },
      ...this.choices.map((c, i) => element('option', { value: String(i) }, c.label)));
    select.value = String(this.chosen);
    this.root = element('div', { id: 'plot-path' }, element('label', { class: 'note' }, 'Horizontal axis: ', select), this.holder,
      element('ul', { class: 'legend' }, element('li', {}, element('span', { class: 'name' }, 'shown'), this.where),
        ...this.critical.map((c) => element('li', { class: 'critical' }, element('button', { type: 'button', class: 'small', onclick: () => this.seek(this.axisOf(c)) }, `${c.kind === 'limit point' ? '◆' : '●'} ${c.kind} at factor ${number(c.factor, 9)}`)))));
    this.plot = this.make();
  }

  get spec(): PlotSpec { return this.plot.spec; }
  svg(): string { return this.plot.svg(); }

  private make(): Plot {
    const { label, unit, values } = this.choices[this.chosen], marked = (kind: string): Curve[] => {
      const points = this.critical.filter((c) => (c.kind === 'limit point') === (kind === 'limit point'));
      const x = Float64Array.from(points, (c) => this.at(values, this.axisOf(c))), y = Float64Array.from(points, (c) => c.factor);
      return points.length ? [{ label: `${kind}s`, x, y, color: kind === 'limit point' ? 1 : 2, marker: kind === 'limit point' ? 3 : 0, line: false, notes: points.map((c) => c.kind) }] : [];
    };
    const plot = new Plot({ id: 'factor', title: 'Load factor along the path', height: 300, hover: 'point', x: { title: withUnit(label, unit) }, y: { title: 'load factor' },
      curves: [{ label: 'path', x: values, y: this.factor, dash: 0, marker: 0 }, ...marked('limit point'), ...marked('bifurcation')] },
    (_, point) => { if (point) this.seek(point.curve === 0 ? this.axis[point.index] : this.nearestFactor(plot.spec.curves[point.curve], point.index)); });
    this.holder.replaceChildren(plot.root);
    return plot;
  }
  private nearestFactor(curve: Curve, index: number): number {
    const found = this.critical.find((c) => c.factor === curve.y[index]);
    return found ? this.axisOf(found) : this.time;
  }

  /// Of the numbers that belong together with the first, the one that changes most.
  private liveliest(): number {
    const span = ({ values }: Choice) => Math.max(...values) - Math.min(...values);
    return this.choices.reduce((best, c, i) => (c.title === this.choices[0].title && span(c) > span(this.choices[best]) ? i : best), 0);
  }

  private axisOf(c: CriticalPoint): number {
    const of: Record<string, number> = { factor: c.factor, time: c.time };
    return of[this.run.facts.axis.series] ?? c.path_length;
  }

  /// Numbers between frames, by the axis.
  private at(values: Numbers, t: number): number {
    const i = frameBefore(this.axis, t), j = Math.min(i + 1, this.axis.length - 1), span = this.axis[j] - this.axis[i];
    const share = span > 0 ? Math.min(1, Math.max(0, (t - this.axis[i]) / span)) : 0;
    return values[i] + share * (values[j] - values[i]);
  }

  setTheme(theme: Theme): void { this.theme = theme; this.plot.setTheme(theme); }
  draw(): void { this.plot.draw(); }
  setTime(t: number): void {
    this.time = t;
    const { label, values } = this.choices[this.chosen], x = this.at(values, t), y = this.at(this.factor, t);
    this.where.textContent = `factor ${number(y, 6)}, ${label.toLowerCase()} ${number(x, 6)}`;
    this.plot.chart.setMark(x, y);
  }
}
