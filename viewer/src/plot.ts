// One plot over time: axes, lines, legend with values, export. Linked to the player by a cursor.
import { Axis, drawGrid, drawTitles, linearAxis, logAxis, scale } from './axes';
import { dashes, lineColor, Theme } from './colors';
import { frameBefore, Numbers } from './data';
import { download, element, number } from './format';
import { CanvasPainter, Painter, SvgPainter } from './painter';

export interface Series { label: string; time: Numbers; values: Numbers; color?: number; dash?: number }
/// `x` and `y`: titles of the axes.
export interface PlotSpec { id: string; title: string; x: string; y: string; series: Series[]; log?: boolean; note?: string }

interface Extremes { low: number; lowAt: number; high: number; highAt: number }

const margin = { left: 76, right: 12, top: 10, bottom: 38 }, height = 204;

function extremes(s: Series): Extremes {
  const e = { low: Infinity, lowAt: NaN, high: -Infinity, highAt: NaN };
  s.values.forEach((x, i) => {
    if (!Number.isFinite(x)) return;
    if (x < e.low) { e.low = x; e.lowAt = s.time[i]; }
    if (x > e.high) { e.high = x; e.highAt = s.time[i]; }
  });
  return e;
}

export class Plot {
  readonly root: HTMLElement;
  private readonly canvas: HTMLCanvasElement;
  private readonly box: HTMLElement;
  private readonly cursor: HTMLElement;
  private readonly values: HTMLElement[];
  private readonly all: Extremes[];
  private readonly timeRange: [number, number];
  private width = 600;
  private theme: Theme = 'light';
  private isLog: boolean;
  private time = 0;
  private hover: number | null = null;

  constructor(readonly spec: PlotSpec, private readonly seek: (t: number) => void) {
    this.all = spec.series.map(extremes);
    this.isLog = spec.log ?? false;
    const times = spec.series.flatMap((s) => [s.time[0], s.time[s.time.length - 1]]);
    this.timeRange = [Math.min(...times), Math.max(...times)];
    this.canvas = element('canvas', { role: 'img', 'aria-label': this.description() });
    this.cursor = element('div', { class: 'cursor', 'aria-hidden': 'true' });
    this.box = element('div', { class: 'plotbox' }, this.canvas, this.cursor);
    this.values = spec.series.map(() => element('span', { class: 'value' }));
    const legend = element('ul', { class: 'legend' }, ...spec.series.map((s, i) => this.legendEntry(s, i)));
    const button = (text: string, label: string, act: () => void) => element('button', { type: 'button', class: 'small', 'aria-label': `${spec.title}: ${label}`, title: label, onclick: act }, text);
    const log = element('button', { type: 'button', class: 'small', 'aria-pressed': String(this.isLog), 'aria-label': `${spec.title}: logarithmic axis`, title: 'Logarithmic axis',
      onclick: () => { this.isLog = !this.isLog; log.setAttribute('aria-pressed', String(this.isLog)); this.draw(); } }, 'log');
    this.root = element('figure', { class: 'plot', id: `plot-${spec.id}` },
      element('figcaption', {}, element('h3', {}, spec.title), element('span', { class: 'tools' }, log,
        button('SVG', 'save as SVG', () => this.saveSvg()), button('PNG', 'save as PNG', () => this.savePng()), button('CSV', 'save numbers as CSV', () => this.saveCsv()))),
      this.box, legend);
    if (spec.note) this.root.append(element('p', { class: 'note' }, spec.note));
    this.listen();
  }

  private description(): string {
    return `${this.spec.title}: ${this.spec.y} over ${this.spec.x}. ${this.spec.series.map((s, i) => `${s.label}: from ${number(this.all[i].low)} to ${number(this.all[i].high)}`).join('; ')}.`;
  }

  private legendEntry(s: Series, i: number): HTMLElement {
    const e = this.all[i];
    const swatch = element('span', { class: 'swatch', 'data-color': String(s.color ?? i), 'data-dash': String(s.dash ?? i) });
    return element('li', { 'data-min': String(e.low), 'data-max': String(e.high) }, swatch, element('span', { class: 'name' }, s.label), this.values[i],
      element('span', { class: 'range', title: `smallest ${number(e.low, 6)} at t = ${number(e.lowAt)}, largest ${number(e.high, 6)} at t = ${number(e.highAt)}` },
        `${number(e.low, 3)} … ${number(e.high, 3)}`));
  }

  private listen(): void {
    const timeOf = (event: PointerEvent) => {
      const x = event.clientX - this.canvas.getBoundingClientRect().left;
      const f = (x - margin.left) / (this.width - margin.left - margin.right);
      return this.timeRange[0] + Math.min(1, Math.max(0, f)) * (this.timeRange[1] - this.timeRange[0]);
    };
    this.box.addEventListener('pointerdown', (event) => {
      this.box.setPointerCapture(event.pointerId);
      this.seek(timeOf(event));
    });
    this.box.addEventListener('pointermove', (event) => {
      this.hover = timeOf(event);
      if (event.buttons & 1) this.seek(this.hover);
      this.showValues();
    });
    this.box.addEventListener('pointerleave', () => { this.hover = null; this.showValues(); });
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    for (const swatch of this.root.querySelectorAll<HTMLElement>('.swatch')) {
      const color = lineColor(Number(swatch.dataset.color), theme), dash = Number(swatch.dataset.dash) % dashes.length;
      swatch.style.borderTop = `3px ${['solid', 'dashed', 'dotted', 'dashed', 'dashed', 'dotted', 'dotted'][dash]} ${color}`;
    }
    this.draw();
  }

  setTime(t: number): void {
    this.time = t;
    this.placeCursor();
    this.showValues();
  }

  private x(t: number): number {
    const [a, b] = this.timeRange;
    return margin.left + (b > a ? (t - a) / (b - a) : 0) * (this.width - margin.left - margin.right);
  }

  private placeCursor(): void { this.cursor.style.transform = `translateX(${this.x(this.hover ?? this.time).toFixed(1)}px)`; }

  private showValues(): void {
    this.placeCursor();
    this.cursor.classList.toggle('hover', this.hover !== null);
    const t = this.hover ?? this.time;
    this.spec.series.forEach((s, i) => { this.values[i].textContent = number(s.values[nearest(s.time, t)]); });
  }

  draw(): void {
    const width = Math.round(this.box.clientWidth);
    if (width < 50) return;
    this.width = width;
    this.paint(CanvasPainter.on(this.canvas, width, height), width, 0, this.theme);
    this.showValues();
  }

  private axis(): Axis {
    const log = this.isLog ? logAxis(this.spec.series.map((s) => s.values), 6) : null;
    return log ?? linearAxis(Math.min(...this.all.map((e) => e.low)), Math.max(...this.all.map((e) => e.high)), 5);
  }

  private paint(painter: Painter, width: number, shift: number, theme: Theme): void {
    const axis = this.axis(), top = margin.top + shift, bottom = shift + height - margin.bottom, right = width - margin.right;
    const y = scale(axis, bottom, top), times = linearAxis(this.timeRange[0], this.timeRange[1], Math.max(3, width / 110), 0);
    const frame = { left: margin.left, right, top, bottom };
    drawTitles(painter, frame, theme, this.spec.x, this.spec.y);
    drawGrid(painter, frame, theme, { ticks: times.ticks, at: (t) => this.x(t) }, { axis, at: y });
    painter.clip(margin.left, top - 2, right - margin.left + 1, bottom - top + 4);
    this.spec.series.forEach((s, i) => {
      const color = lineColor(s.color ?? i, theme), dash = dashes[(s.dash ?? i) % dashes.length];
      for (const piece of this.pieces(s, y, axis.log)) painter.line(piece, color, 1.6, dash);
    });
    painter.unclip();
  }

  /// Lines without gaps; where many points share a pixel, its lowest and highest are drawn.
  private pieces(s: Series, y: (v: number) => number, log: boolean): number[][] {
    const pieces: number[][] = [];
    let piece: number[] = [], column = NaN, low = Infinity, high = -Infinity;
    const dense = s.time.length > 3 * this.width;
    const flush = () => {
      if (dense && low <= high) piece.push(column, low, column, high);
      [low, high] = [Infinity, -Infinity];
    };
    const end = () => { flush(); if (piece.length === 2) piece.push(piece[0] + 0.5, piece[1]); if (piece.length) pieces.push(piece); piece = []; };
    for (let i = 0; i < s.time.length; ++i) {
      const v = s.values[i];
      if (!Number.isFinite(v) || (log && v <= 0)) { end(); continue; }
      const px = this.x(s.time[i]), py = y(v);
      if (!dense) { piece.push(px, py); continue; }
      if (Math.round(px) !== column) { flush(); column = Math.round(px); }
      [low, high] = [Math.min(low, py), Math.max(high, py)];
    }
    end();
    return pieces;
  }

  private paintAll(painter: Painter, width: number): void {
    painter.rectangle(0, 0, width, this.exportHeight(), '#ffffff');
    painter.text(this.spec.title, margin.left, 14, '#20242a', 'left', 13);
    this.paint(painter, width, 22, 'light');
    this.spec.series.forEach((s, i) => {
      const at = 22 + height + 10 + 16 * i, color = lineColor(s.color ?? i, 'light');
      painter.line([margin.left, at, margin.left + 28, at], color, 1.6, dashes[(s.dash ?? i) % dashes.length]);
      painter.text(s.label, margin.left + 36, at, '#20242a', 'left', 11);
    });
  }
  private exportHeight(): number { return 22 + height + 10 + 16 * this.spec.series.length; }

  svg(): string {
    const painter = new SvgPainter(this.width, this.exportHeight());
    this.paintAll(painter, this.width);
    return painter.toString();
  }
  private saveSvg(): void { download(`${this.spec.id}.svg`, new Blob([this.svg()], { type: 'image/svg+xml' })); }

  private savePng(): void {
    const canvas = element('canvas', { width: 2 * this.width, height: 2 * this.exportHeight() }), context = canvas.getContext('2d')!;
    context.scale(2, 2);
    this.paintAll(new CanvasPainter(context), this.width);
    canvas.toBlob((blob) => download(`${this.spec.id}.png`, blob!));
  }

  /// Series over the same times share a column of times.
  csv(): string {
    const blocks: Series[][] = [];
    for (const s of this.spec.series) {
      const block = blocks.find((b) => b[0].time === s.time);
      if (block) block.push(s); else blocks.push([s]);
    }
    const quote = (text: string) => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    const rows = [blocks.map((b) => [quote(this.spec.x), ...b.map((s) => quote(s.label))].join(',')).join(',')];
    for (let i = 0; i < Math.max(...blocks.map((b) => b[0].time.length)); ++i)
      rows.push(blocks.map((b) => (i < b[0].time.length ? [b[0].time[i], ...b.map((s) => s.values[i])] : Array(b.length + 1).fill('')).join(',')).join(','));
    return `${rows.join('\n')}\n`;
  }
  private saveCsv(): void { download(`${this.spec.id}.csv`, new Blob([this.csv()], { type: 'text/csv' })); }
}

function nearest(time: Numbers, t: number): number {
  const i = frameBefore(time, t);
  return i + 1 < time.length && time[i + 1] - t < t - time[i] ? i + 1 : i;
}
