// A plot with its title, legend with values, and exports; of functions of time, linked to the player by a cursor.
import { AxisSpec, Range, tickLabels, ticksOf } from './axes';
import { Chart, ChartSpec, curveStyle, padding } from './chart';
import { chartColors, dashes, Theme } from './colors';
import { Curve, Extremes, extremes, linePieces, markedPoints, markerOutline, Scales } from './curves';
import { frameBefore, Numbers } from './data';
import { download, element, number } from './format';
import { SvgPicture } from './svg';

export interface PlotSpec extends Omit<ChartSpec, 'height' | 'hover'> { id: string; title: string; note?: string; height?: number; hover?: 'x' | 'point' }
/// A click at x, or on a point.
export type Pick = (x: number, point: { curve: number; index: number } | null) => void;

/// "time [s]"
export const withUnit = (text: string, unit: string | undefined): string => (unit ? `${text} [${unit}]` : text);

export class Plot {
  readonly root: HTMLElement;
  readonly chart: Chart;
  private readonly values: HTMLElement[];
  private readonly all: Extremes[];
  private readonly tip = element('p', { class: 'tip', hidden: true });
  private readonly back: HTMLElement;
  private followers: ((x: Range | null) => void)[] = [];
  private time: number | null = null;
  private hover: number | null = null;

  constructor(readonly spec: PlotSpec, pick?: Pick) {
    const { title, curves } = spec;
    this.all = curves.map(extremes);
    this.chart = new Chart({ height: 204, hover: 'x', ...spec }, {
      ...(pick ? { pick } : {}),
      hover: (x, point) => { this.hover = x; this.showTip(point); this.showValues(); },
      zoom: (x) => { this.showBack(); for (const tell of this.followers) tell(x); },
    });
    this.chart.root.setAttribute('role', 'img');
    this.chart.root.setAttribute('aria-label', this.description());
    this.values = curves.map(() => element('span', { class: 'value' }));
    const button = (text: string, label: string, act: () => void) => element('button', { type: 'button', class: 'small', 'aria-label': `${title}: ${label}`, title: label, onclick: act }, text);
    this.back = button('⤢', 'show everything (double click)', () => this.chart.reset());
    this.back.hidden = true;
    const log = element('button', { type: 'button', class: 'small', 'aria-pressed': String(this.chart.logY), 'aria-label': `${title}: logarithmic axis`, title: 'Logarithmic axis',
      onclick: () => { this.chart.logY = !this.chart.logY; log.setAttribute('aria-pressed', String(this.chart.logY)); this.chart.remake(); this.showBack(); } }, 'log');
    this.root = element('figure', { class: 'plot', id: `plot-${spec.id}`, 'data-name': spec.id },
      element('figcaption', {}, element('h3', {}, title), element('span', { class: 'tools' }, this.back, log,
        button('SVG', 'save as SVG', () => download(`${spec.id}.svg`, new Blob([this.svg()], { type: 'image/svg+xml' }))),
        button('PNG', 'save as PNG', () => void this.picture().png().then((blob) => download(`${spec.id}.png`, blob))),
        button('CSV', 'save numbers as CSV', () => download(`${spec.id}.csv`, new Blob([this.csv()], { type: 'text/csv' }))))),
      this.chart.root, ...(this.chart.spec.hover === 'point' ? [this.tip] : []), this.legend());
    if (spec.note) this.root.append(element('p', { class: 'note' }, spec.note));
  }

  private description(): string {
    const { title, x, y, curves } = this.spec;
    return `${title}: ${y.title} over ${x.title}. ${curves.map((c, i) => (c.label ? `${c.label}: from ${number(this.all[i].low)} to ${number(this.all[i].high)}` : '')).filter(Boolean).join('; ')}.`;
  }

  /// A number of the legend. On a linear axis, what is lost beside the largest number of the plot is 0.
  private shown(x: number, digits?: number): string {
    const largest = Math.max(...this.all.map(({ low, high }) => Math.max(Math.abs(low), Math.abs(high))));
    return number(!this.spec.y.log && Math.abs(x) < 1e-12 * largest ? 0 : x, digits);
  }

  /// A click hides a curve, and with it those without a name that look alike.
  private legend(): HTMLElement {
    const entry = (c: Curve, i: number) => {
      const e = this.all[i], isPlain = this.chart.spec.hover === 'x';
      const swatch = element('span', { class: 'swatch', 'data-curve': i });
      const toggle = element('button', { type: 'button', class: 'entry', 'aria-pressed': 'true', title: 'Show or hide', onclick: () => {
        const on = this.chart.isHidden[i];
        toggle.setAttribute('aria-pressed', String(on));
        this.spec.curves.forEach((other, k) => { if (k === i || (!other.label && this.looksLike(k, i))) this.chart.show(k, on); });
      } }, swatch, element('span', { class: 'name' }, c.label));
      return element('li', { 'data-min': String(e.low), 'data-max': String(e.high) }, toggle, ...(isPlain ? [this.values[i],
        element('span', { class: 'range', title: `smallest ${number(e.low, 6)} at ${number(e.lowAt)}, largest ${number(e.high, 6)} at ${number(e.highAt)}` }, `${this.shown(e.low, 3)} … ${this.shown(e.high, 3)}`)] : []));
    };
    return element('ul', { class: 'legend' }, ...this.spec.curves.flatMap((c, i) => (c.label ? [entry(c, i)] : [])));
  }
  private looksLike(a: number, b: number): boolean {
    const style = (i: number) => JSON.stringify(curveStyle(this.spec.curves[i], i, 'light'));
    return style(a) === style(b);
  }

  setTheme(theme: Theme): void {
    for (const swatch of this.root.querySelectorAll<HTMLElement>('.swatch')) {
      const i = Number(swatch.dataset.curve), c = this.spec.curves[i], { color } = curveStyle(c, i, theme), dash = c.isReference ? 0 : (c.dash ?? i) % dashes.length;
      swatch.style.borderTop = `3px ${c.line === false ? 'dotted' : ['solid', 'dashed', 'dotted', 'dashed', 'dashed', 'dotted', 'dotted'][dash]} ${color}`;
    }
    this.chart.setTheme(theme);
    this.draw();
  }
  draw(): void {
    this.chart.draw();
    this.showValues();
  }
  setTime(t: number): void {
    this.time = t;
    this.chart.setMark(t);
    this.showValues();
  }
  /// Is told which part of the horizontal axis is shown; null: all of it.
  follow(tell: (x: Range | null) => void): void { this.followers.push(tell); }
  /// Of another plot, which this one follows.
  zoomX(x: Range | null): void {
    this.chart.zoom(x ? { x } : {});
    this.showBack();
  }
  private showBack(): void { this.back.hidden = !this.chart.isZoomed; }

  private showValues(): void {
    const t = this.hover ?? this.time;
    if (t === null || this.chart.spec.hover !== 'x') return;
    this.spec.curves.forEach((c, i) => { this.values[i].textContent = this.shown(c.y[nearest(c.x, t)]); });
  }
  private showTip(point: { curve: number; index: number } | null): void {
    this.tip.hidden = !point;
    if (!point) return;
    const { x, y, curves } = this.spec, c = curves[point.curve], note = c.notes?.[point.index];
    const value = (axis: AxisSpec, v: number) => `${axis.title || 'value'}: ${axis.categories?.[v] ?? number(v)}`;
    this.tip.textContent = [...new Set([note || c.label, value(x, c.x[point.index]), value(y, c.y[point.index])])].filter(Boolean).join(' · ');
  }

  // Exports ---------------------------------------------------------------------------------------------------------
  private picture(): SvgPicture {
    const { chart, spec } = this, width = Math.max(400, Math.round(chart.root.clientWidth) || 640), { height } = chart.spec, top = 22;
    const named = spec.curves.map((c, i) => ({ c, i })).filter(({ c, i }) => c.label && !chart.isHidden[i]);
    const picture = new SvgPicture(width, top + height + 10 + 16 * named.length), { ink, grid } = chartColors('light'), { x, y } = chart.shown;
    const frame = { left: padding.left, right: width - padding.right, top: top + padding.top, bottom: top + height - padding.bottom }, logX = chart.isLog('x'), logY = chart.isLog('y');
    const scale = (r: Range, log: boolean, from: number, to: number) => { const f = log ? Math.log10 : (v: number) => v; return (v: number) => from + ((f(v) - f(r.low)) / (f(r.high) - f(r.low))) * (to - from); };
    const s: Scales = { x: scale(x, logX, frame.left, frame.right), y: scale(y, logY, frame.bottom, frame.top), width, logX, logY };
    const across = ticksOf(spec.x, logX, x, Math.max(3, width / 110)), up = ticksOf(spec.y, logY, y, Math.max(3, height / 40));
    picture.text(spec.title, frame.left, 14, '#20242a', 'left', 13);
    tickLabels(spec.y, logY, up).forEach((label, k) => { picture.line([frame.left, s.y(up[k]), frame.right, s.y(up[k])], grid, 1); picture.text(label, frame.left - 6, s.y(up[k]), ink, 'right', 11); });
    tickLabels(spec.x, logX, across).forEach((label, k) => { picture.line([s.x(across[k]), frame.top, s.x(across[k]), frame.bottom], grid, 1); picture.text(label, s.x(across[k]), frame.bottom + 12, ink, 'center', 11); });
    picture.text(spec.x.title, (frame.left + frame.right) / 2, frame.bottom + 28, ink, 'center', 11);
    picture.turnedText(spec.y.title, 9, (frame.top + frame.bottom) / 2, ink, 11);
    picture.clip(frame.left, frame.top - 4, frame.right - frame.left + 1, frame.bottom - frame.top + 8);
    spec.curves.forEach((c, i) => {
      if (chart.isHidden[i]) return;
      const { color, dash, width: thick } = curveStyle(c, i, 'light');
      for (const piece of linePieces(c, s)) picture.line(piece, color, thick, dash);
      for (const point of markedPoints(c, s)) picture.line(markerOutline(c.marker!, point), color, 1, [], color);
    });
    for (const { corners, label, at } of chart.triangles) {
      picture.line(corners.flatMap(([a, b]) => [s.x(a), s.y(b)]), ink, 1);
      picture.text(label, s.x(at[0]) + 6, s.y(at[1]), ink, 'left', 11);
    }
    picture.unclip();
    named.forEach(({ c, i }, k) => {
      const at = top + height + 10 + 16 * k, { color, dash } = curveStyle(c, i, 'light');
      if (c.line !== false) picture.line([frame.left, at, frame.left + 28, at], color, 1.6, dash);
      if (c.marker !== undefined) picture.line(markerOutline(c.marker, [frame.left + 14, at]), color, 1, [], color);
      picture.text(c.label, frame.left + 36, at, '#20242a', 'left', 11);
    });
    return picture;
  }
  svg(): string { return this.picture().toString(); }

  /// Curves over the same numbers share a column of them.
  csv(): string {
    const blocks: Curve[][] = [];
    for (const c of this.spec.curves) {
      const block = blocks.find((b) => b[0].x === c.x);
      if (block) block.push(c); else blocks.push([c]);
    }
    const { x, y } = this.spec, quote = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    const rows = [blocks.map((b) => [quote(x.title), ...b.map((c) => quote(c.label || y.title))].join(',')).join(',')];
    const value = (v: number) => (Number.isFinite(v) ? String(v) : ''), name = (v: number) => (x.categories ? quote(x.categories[v] ?? '') : value(v));
    for (let i = 0; i < Math.max(...blocks.map((b) => b[0].x.length)); ++i)
      rows.push(blocks.map((b) => (i < b[0].x.length ? [name(b[0].x[i]), ...b.map((c) => value(c.y[i]))] : Array(b.length + 1).fill('')).join(',')).join(','));
    return `${rows.join('\n')}\n`;
  }

}

function nearest(time: Numbers, t: number): number {
  const i = frameBefore(time, t);
  return i + 1 < time.length && time[i + 1] - t < t - time[i] ? i + 1 : i;
}
