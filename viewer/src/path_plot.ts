// The path of a static analysis: load factor over a displacement or a sensor, with critical points, linked to the player by a dot.
import { Axis, axisColors, drawGrid, drawTitles, linearAxis, Scale, scale } from './axes';
import { lineColor, Theme } from './colors';
import { CriticalPoint, frameBefore, Numbers, Run } from './data';
import { download, element, number } from './format';
import { CanvasPainter, Painter, SvgPainter } from './painter';

const margin = { left: 76, right: 14, top: 12, bottom: 38 }, height = 300;

interface Choice { label: string; title: string; values: Numbers }

/// Every number that could stand on the horizontal axis: those of sensors, then those of the path, then the others.
function choices(run: Run): Choice[] {
  const list: Choice[] = [];
  for (const { title, series, components } of run.plots) {
    const array = run.array(`plot/${series}`);
    if (!array || series === 'factor') continue;
    const size = array.shape[1];
    for (let k = 0; k < size; ++k)
      list.push({ title, label: size > 1 ? `${title}: ${components[k] ?? k + 1}` : title, values: Float64Array.from({ length: array.shape[0] }, (_, i) => array.values[i * size + k]) });
  }
  return list;
}

export class PathPlot {
  readonly root: HTMLElement;
  private readonly canvas: HTMLCanvasElement;
  private readonly box: HTMLElement;
  private readonly where: HTMLElement;
  private readonly axis: Numbers;
  private readonly factor: Numbers;
  private readonly critical: CriticalPoint[];
  private readonly choices: Choice[];
  private chosen = 0;
  private width = 600;
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
    this.canvas = element('canvas', { role: 'img', 'aria-label': this.description() });
    this.box = element('div', { class: 'plotbox' }, this.canvas);
    this.where = element('span', { class: 'value' });
    const select = element('select', { 'aria-label': 'Path: horizontal axis', onchange: () => { this.chosen = Number(select.value); this.draw(); } },
      ...this.choices.map((c, i) => element('option', { value: String(i) }, c.label)));
    select.value = String(this.chosen);
    const save = element('button', { type: 'button', class: 'small', title: 'save as SVG', 'aria-label': 'Path: save as SVG',
      onclick: () => download('path.svg', new Blob([this.svg()], { type: 'image/svg+xml' })) }, 'SVG');
    this.root = element('figure', { class: 'plot', id: 'plot-path' },
      element('figcaption', {}, element('h3', {}, 'Load factor over'), element('span', { class: 'tools' }, select, save)), this.box,
      element('ul', { class: 'legend' }, element('li', {}, element('span', { class: 'name' }, 'shown'), this.where),
        ...this.critical.map((c) => element('li', { class: 'critical' }, element('button', { type: 'button', class: 'small', onclick: () => this.seek(this.axisOf(c)) }, `${c.kind === 'limit point' ? '◆' : '●'} ${c.kind} at factor ${number(c.factor, 9)}`)))));
    this.box.addEventListener('pointerdown', (event) => { this.box.setPointerCapture(event.pointerId); this.seek(this.nearest(event)); });
    this.box.addEventListener('pointermove', (event) => { if (event.buttons & 1) this.seek(this.nearest(event)); });
  }

  /// Of the numbers that belong together with the first, the one that changes most.
  private liveliest(): number {
    const span = ({ values }: Choice) => Math.max(...values) - Math.min(...values);
    return this.choices.reduce((best, c, i) => (c.title === this.choices[0].title && span(c) > span(this.choices[best]) ? i : best), 0);
  }

  private description(): string {
    return `Load factor along the path, ${this.axis.length} points. ${this.critical.map((c) => `${c.kind} at ${number(c.factor, 6)}`).join('; ')}`;
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

  private scales(width: number, shift: number): { x: Scale; y: Scale; across: Axis; up: Axis } {
    const range = (values: Numbers, count: number) => {
      const finite = [...values].filter(Number.isFinite);
      return linearAxis(Math.min(...finite), Math.max(...finite), count);
    };
    const across = range(this.choices[this.chosen].values, Math.max(3, width / 110)), up = range(this.factor, 6);
    return { across, up, x: scale(across, margin.left, width - margin.right), y: scale(up, shift + height - margin.bottom, shift + margin.top) };
  }

  private nearest(event: PointerEvent): number {
    const box = this.canvas.getBoundingClientRect(), { x, y } = this.scales(this.width, 0), { values } = this.choices[this.chosen];
    let best = 0, least = Infinity;
    for (let i = 0; i < this.axis.length; ++i) {
      const distance = Math.hypot(x(values[i]) - (event.clientX - box.left), y(this.factor[i]) - (event.clientY - box.top));
      if (distance < least) [best, least] = [i, distance];
    }
    return this.axis[best];
  }

  setTheme(theme: Theme): void { this.theme = theme; this.draw(); }
  setTime(t: number): void {
    this.time = t;
    const { label, values } = this.choices[this.chosen];
    this.where.textContent = `factor ${number(this.at(this.factor, t), 6)}, ${label.toLowerCase()} ${number(this.at(values, t), 6)}`;
    this.draw();
  }

  draw(): void {
    const width = Math.round(this.box.clientWidth);
    if (width < 50) return;
    this.width = width;
    this.paint(CanvasPainter.on(this.canvas, width, height), width, 0, this.theme);
  }

  private paint(painter: Painter, width: number, shift: number, theme: Theme): void {
    const { x, y, across, up } = this.scales(width, shift), { ink } = axisColors(theme);
    const bottom = shift + height - margin.bottom, top = shift + margin.top, { label, values } = this.choices[this.chosen];
    const frame = { left: margin.left, right: width - margin.right, top, bottom };
    drawTitles(painter, frame, theme, label, 'load factor');
    drawGrid(painter, frame, theme, { ticks: across.ticks, at: x }, { axis: up, at: y });
    const points: number[] = [];
    for (let i = 0; i < this.axis.length; ++i) if (Number.isFinite(values[i])) points.push(x(values[i]), y(this.factor[i]));
    if (points.length > 2) painter.line(points, lineColor(0, theme), 1.8, []);
    for (let i = 0; i < points.length; i += 2) this.dot(painter, points[i], points[i + 1], 2, lineColor(0, theme));
    for (const c of this.critical) this.dot(painter, x(this.at(values, this.axisOf(c))), y(c.factor), 5, lineColor(c.kind === 'limit point' ? 1 : 2, theme));
    this.dot(painter, x(this.at(values, this.time)), y(this.at(this.factor, this.time)), 4, ink);
  }
  private dot(painter: Painter, x: number, y: number, radius: number, color: string): void {
    painter.rectangle(x - radius, y - radius, 2 * radius, 2 * radius, color);
  }

  svg(): string {
    const painter = new SvgPainter(this.width, height + 22);
    painter.rectangle(0, 0, this.width, height + 22, '#ffffff');
    painter.text(`Load factor over ${this.choices[this.chosen].label.toLowerCase()}`, margin.left, 14, '#20242a', 'left', 13);
    this.paint(painter, this.width, 22, 'light');
    return painter.toString();
  }
}
