// A chart on the screen, drawn by uPlot: zoom by dragging, pinching and Ctrl with the wheel, a cursor that charts share, logarithmic axes.
import uPlot from 'uplot';
import { AxisSpec, linearRange, logRange, Range, tickLabels, ticksOf } from './axes';
import { chartColors, dashes, lineColor, Theme } from './colors';
import { Curve, isShown, linePieces, markedPoints, markerOutline, OrderTriangle, orderTriangles, Scales } from './curves';

export interface ChartSpec {
  x: AxisSpec; y: AxisSpec; curves: Curve[]; height: number;
  /// Orders that triangles show, on logarithmic axes.
  slopes?: number[];
  /// The same scale on both axes.
  isEqual?: boolean;
  /// What the pointer finds: everything above one place of the horizontal axis, or the nearest point.
  hover: 'x' | 'point';
  /// Charts with the same word share their cursor.
  sync?: string;
}
export interface ChartEvents {
  hover?: (x: number | null, point: { curve: number; index: number } | null) => void;
  pick?: (x: number, point: { curve: number; index: number } | null) => void;
  zoom?: (x: Range | null) => void;
}
type Axes = { x: Range; y: Range };

export const padding = { left: 76, right: 12, top: 10, bottom: 40 };
const font = '11px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
const curveColor = (c: Curve, i: number, theme: Theme) => (c.isReference ? chartColors(theme).reference : lineColor(c.color ?? i, theme));
export const curveStyle = (c: Curve, i: number, theme: Theme) =>
  ({ color: curveColor(c, i, theme), dash: c.isReference ? [] : dashes[(c.dash ?? i) % dashes.length], width: c.isReference ? 1.1 : 1.7 });

export class Chart {
  readonly root = document.createElement('div');
  readonly isHidden: boolean[];
  logX: boolean;
  logY: boolean;
  private plot: uPlot | null = null;
  private zoomed: Partial<Axes> = {};
  private theme: Theme = 'light';
  private mark: [number, number | null] | null = null;
  private readonly marker = document.createElement('div');
  private width = 0;

  constructor(readonly spec: ChartSpec, private readonly events: ChartEvents) {
    this.logX = spec.x.log ?? false;
    this.logY = spec.y.log ?? false;
    this.isHidden = spec.curves.map(() => false);
    this.root.className = 'plotbox';
    this.marker.className = spec.hover === 'x' ? 'cursor' : 'cursor dot';
  }

  // Ranges ------------------------------------------------------------------------------------------------------------
  /// Without zoom.
  whole(width = this.width): Axes {
    const { curves, x, y } = this.spec, shown = curves.filter((_, i) => !this.isHidden[i]), some = shown.length ? shown : curves;
    const range = (axis: AxisSpec, log: boolean, of: 'x' | 'y'): Range => {
      if (axis.range && axis.range[1] > axis.range[0] && !(log && axis.range[0] <= 0)) return { low: axis.range[0], high: axis.range[1] };
      if (axis.categories) return { low: -0.5, high: axis.categories.length - 0.5 };
      const found = log ? logRange(some.map((c) => c[of]), of === 'y') : null;
      if (found) return found;
      let [low, high] = [Infinity, -Infinity];
      for (const c of some) for (const v of c[of]) if (Number.isFinite(v)) [low, high] = [Math.min(low, v), Math.max(high, v)];
      return linearRange(low, high, of === 'x' && this.spec.hover === 'x' ? 0 : 0.06);
    };
    const axes = { x: range(x, this.logX, 'x'), y: range(y, this.logY, 'y') };
    if (!this.spec.isEqual || this.logX || this.logY) return axes;
    const perX = (axes.x.high - axes.x.low) / (width - padding.left - padding.right), perY = (axes.y.high - axes.y.low) / (this.spec.height - padding.top - padding.bottom);
    const wider = (r: Range, factor: number): Range => ({ low: (r.low + r.high) / 2 - (factor * (r.high - r.low)) / 2, high: (r.low + r.high) / 2 + (factor * (r.high - r.low)) / 2 });
    return perX > perY ? { x: axes.x, y: wider(axes.y, perX / perY) } : { x: wider(axes.x, perY / perX), y: axes.y };
  }
  get shown(): Axes { return { ...this.whole(), ...this.zoomed }; }
  get isZoomed(): boolean { return Object.keys(this.zoomed).length > 0; }
  get triangles(): OrderTriangle[] {
    const { x, y } = this.shown;
    return this.spec.slopes && this.logX && this.logY ? orderTriangles(this.spec.slopes, this.spec.curves.filter((_, i) => !this.isHidden[i]), x, y) : [];
  }
  /// Whether no curve has a point, such as where all cases of a study stopped.
  get isEmpty(): boolean {
    const { logX, logY } = this;
    return !this.spec.curves.some((c) => c.x.some((_, k) => isShown(c, k, { logX, logY })));
  }
  /// A logarithm of numbers of which none is positive has no range: the axis stays linear.
  isLog(axis: 'x' | 'y'): boolean {
    return (axis === 'x' ? this.logX : this.logY) && this.shown[axis].low > 0;
  }

  zoom(to: Partial<Axes>): void {
    this.zoomed = to;
    this.applyRanges();
  }
  private applyRanges(): void {
    const { x, y } = this.shown, { plot } = this;
    if (!plot) return;
    plot.batch(() => {
      plot.setScale('x', { min: x.low, max: x.high });
      plot.setScale('y', { min: y.low, max: y.high });
    });
    this.placeMark();
  }

  // Drawing -----------------------------------------------------------------------------------------------------------
  setTheme(theme: Theme): void {
    this.theme = theme;
    this.plot?.redraw(false);
  }
  /// After the root got its width, and whenever it changes.
  draw(): void {
    const width = Math.round(this.root.clientWidth);
    if (width < 50) return;
    const isNew = width !== this.width;
    this.width = width;
    if (!this.plot) this.make();
    else if (isNew) {
      this.plot.setSize({ width, height: this.spec.height });
      this.applyRanges();
    }
  }
  /// After another axis or other curves.
  remake(): void {
    this.plot?.destroy();
    this.plot = null;
    this.zoomed = {};
    this.draw();
  }
  show(curve: number, on: boolean): void {
    this.isHidden[curve] = !on;
    this.plot?.setSeries(curve + 1, { show: on });
    this.applyRanges();
  }

  private make(): void {
    const { x, y } = this.shown, { curves, height, hover, sync } = this.spec, log = { x: this.isLog('x'), y: this.isLog('y') };
    const scale = (axis: 'x' | 'y', r: Range): uPlot.Scale => ({ time: false, auto: false, distr: log[axis] ? 3 : 1, range: (_, a, b) => [a ?? r.low, b ?? r.high], min: r.low, max: r.high });
    const only: uPlot.Cursor.Sync['filters'] = { pub: (type) => type === 'mousemove' || type === 'mouseleave', sub: (type) => type === 'mousemove' || type === 'mouseleave' };
    const options: uPlot.Options = {
      width: this.width, height, mode: 2, padding: [padding.top, padding.right, 0, 0], legend: { show: false }, pxAlign: 0,
      scales: { x: scale('x', x), y: scale('y', y) },
      axes: [this.axis('x', log.x), this.axis('y', log.y)],
      series: [{}, ...curves.map((c, i): uPlot.Series => this.series(c, i))],
      cursor: {
        x: hover === 'x', y: false, points: { show: false }, dataIdx: () => null as unknown as number,
        drag: { x: true, y: hover === 'point', setScale: false, dist: 6, uni: 24 }, bind: { dblclick: () => () => null },
        ...(sync ? { sync: { key: sync, scales: ['x', null], filters: only } } : {}),
      },
      hooks: {
        draw: [(u) => this.drawMore(u)],
        setCursor: [(u) => this.hovered(u)],
        setSelect: [(u) => this.selected(u)],
      },
    };
    this.plot = new uPlot(options, [null, ...curves.map((c) => [c.x, c.y])] as unknown as uPlot.AlignedData, this.root);
    this.plot.over.append(this.marker);
    this.placeMark();
    this.listen(this.plot.over);
  }

  private axis(of: 'x' | 'y', log: boolean): uPlot.Axis {
    const spec = this.spec[of], isX = of === 'x', color = () => chartColors(this.theme).ink;
    const count = () => (isX ? Math.max(3, this.width / 110) : Math.max(3, this.spec.height / 40));
    return {
      scale: of, side: isX ? 2 : 3, size: isX ? 24 : 58, label: spec.title, labelSize: isX ? 16 : 18, gap: 5, labelGap: 0, font, labelFont: font, stroke: color,
      splits: (_, __, low, high) => ticksOf(spec, log, { low, high }, count()), filter: (_, splits) => splits,
      values: (_, splits) => tickLabels(spec, log, splits), grid: { stroke: () => chartColors(this.theme).grid, width: 1 }, ticks: { show: false },
    };
  }

  private series(c: Curve, i: number): uPlot.Series {
    const { dash, width } = curveStyle(c, i, this.theme), ratio = devicePixelRatio;
    return {
      label: c.label, show: !this.isHidden[i], auto: false, width, dash: dash.map((d) => d * ratio), stroke: () => curveColor(c, i, this.theme), points: { show: false },
      facets: [{ scale: 'x', auto: false }, { scale: 'y', auto: false }],
      paths: (u) => {
        const path = new Path2D();
        for (const piece of linePieces(c, this.scales(u, ratio)))
          for (let k = 0; k < piece.length; k += 2) if (k) path.lineTo(piece[k], piece[k + 1]); else path.moveTo(piece[k], piece[k + 1]);
        return { stroke: path };
      },
    } as uPlot.Series;
  }
  /// To pixels of the canvas.
  private scales(u: uPlot, ratio: number): Scales {
    return { x: (v) => u.valToPos(v, 'x', true), y: (v) => u.valToPos(v, 'y', true), width: ratio * this.width, logX: u.scales.x.distr === 3, logY: u.scales.y.distr === 3 };
  }

  /// Markers and triangles, above the lines.
  private drawMore(u: uPlot): void {
    const ratio = devicePixelRatio, s = this.scales(u, ratio), { left, top, width, height } = u.bbox, { ctx } = u;
    const path = (points: number[]) => { ctx.beginPath(); for (let k = 0; k < points.length; k += 2) ctx.lineTo(points[k], points[k + 1]); };
    ctx.save();
    ctx.beginPath();
    ctx.rect(left - 4, top - 4, width + 8, height + 8);
    ctx.clip();
    this.spec.curves.forEach((c, i) => {
      if (this.isHidden[i]) return;
      ctx.fillStyle = curveColor(c, i, this.theme);
      for (const point of markedPoints(c, s)) { path(markerOutline(c.marker!, point, 3.6 * ratio)); ctx.fill(); }
    });
    ctx.strokeStyle = ctx.fillStyle = chartColors(this.theme).ink;
    ctx.lineWidth = ratio;
    ctx.font = font.replace('11px', `${11 * ratio}px`);
    ctx.textBaseline = 'middle';
    ctx.textAlign = 'left';
    ctx.setLineDash([]);
    for (const { corners, label, at } of this.triangles) {
      path(corners.flatMap(([a, b]) => [s.x(a), s.y(b)]));
      ctx.stroke();
      ctx.fillText(label, s.x(at[0]) + 5 * ratio, s.y(at[1]));
    }
    if (this.isEmpty) {
      ctx.textAlign = 'center';
      ctx.fillText('no data', left + width / 2, top + height / 2);
    }
    ctx.restore();
  }

  // Pointers ----------------------------------------------------------------------------------------------------------
  private nearest(u: uPlot, left: number, top: number): { curve: number; index: number } | null {
    let best: { curve: number; index: number } | null = null, least = 30;
    const s = { logX: u.scales.x.distr === 3, logY: u.scales.y.distr === 3 };
    this.spec.curves.forEach((c, curve) => {
      if (this.isHidden[curve]) return;
      for (let index = 0; index < c.x.length; ++index) {
        if (!isShown(c, index, s)) continue;
        const distance = Math.hypot(u.valToPos(c.x[index], 'x') - left, u.valToPos(c.y[index], 'y') - top);
        if (distance < least) [best, least] = [{ curve, index }, distance];
      }
    });
    return best;
  }
  private hovered(u: uPlot): void {
    const { left = -10, top = -10 } = u.cursor;
    if (left < 0) return this.events.hover?.(null, null);
    this.events.hover?.(u.posToVal(left, 'x'), this.spec.hover === 'point' ? this.nearest(u, left, top) : null);
  }
  private selected(u: uPlot): void {
    const { left, top, width, height } = u.select, isFlat = height < 8, isNarrow = width < 8;
    if (isNarrow && isFlat) return;
    const x = isNarrow ? this.shown.x : { low: u.posToVal(left, 'x'), high: u.posToVal(left + width, 'x') };
    const y = isFlat || this.spec.hover === 'x' ? this.shown.y : { low: u.posToVal(top + height, 'y'), high: u.posToVal(top, 'y') };
    u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    this.zoomTo({ x, y });
  }
  /// A function over time keeps its height: all of it stays in sight.
  private zoomTo(axes: Axes): void {
    this.zoom(this.spec.hover === 'x' ? { x: axes.x } : axes);
    this.events.zoom?.(axes.x);
  }
  reset(): void {
    this.zoom({});
    this.events.zoom?.(null);
  }

  private listen(over: HTMLElement): void {
    const touches = new Map<number, PointerEvent>();
    let down = [0, 0], before: { axes: Axes; at: [number, number][] } | null = null;
    const place = (e: PointerEvent | MouseEvent): [number, number] => { const box = over.getBoundingClientRect(); return [e.clientX - box.left, e.clientY - box.top]; };
    over.addEventListener('pointerdown', (e) => {
      down = place(e);
      if (e.pointerType !== 'touch') return;
      touches.set(e.pointerId, e);
      before = touches.size === 2 ? { axes: this.shown, at: [...touches.values()].map(place) } : null;
    });
    over.addEventListener('pointermove', (e) => {
      if (!touches.has(e.pointerId)) return;
      touches.set(e.pointerId, e);
      if (before && touches.size === 2) this.pinch(before.axes, before.at, [...touches.values()].map(place));
      else if (this.plot) { const [left, top] = place(e); this.plot.setCursor({ left, top }); }
    });
    for (const end of ['pointerup', 'pointercancel', 'pointerleave'] as const) over.addEventListener(end, (e) => { touches.delete(e.pointerId); before = null; });
    over.addEventListener('click', (e) => {
      const [left, top] = place(e);
      if (this.plot && Math.hypot(left - down[0], top - down[1]) < 5) this.events.pick?.(this.plot.posToVal(left, 'x'), this.nearest(this.plot, left, top));
    });
    over.addEventListener('dblclick', () => this.reset());
    over.addEventListener('wheel', (e) => {
      if (!e.ctrlKey && !e.metaKey) return;
      e.preventDefault();
      const [x, y] = place(e), factor = Math.exp(0.002 * e.deltaY), spread = (f: number): [number, number][] => [[x - 100 * f, y - 100 * f], [x + 100 * f, y + 100 * f]];
      this.pinch(this.shown, spread(factor), spread(1));
    }, { passive: false });
  }
  /// What was under two points comes to lie under two others.
  private pinch(axes: Axes, from: [number, number][], to: [number, number][]): void {
    const { plot } = this;
    if (!plot) return;
    const moved = (r: Range, size: number, log: boolean, k: 0 | 1): Range => {
      const place = log ? Math.log10 : (v: number) => v, back = log ? (v: number) => 10 ** v : (v: number) => v, low = place(r.low), span = place(r.high) - low;
      const share = (p: number) => (k === 0 ? p : size - p) / size, [a0, a1] = from.map((p) => share(p[k])), [b0, b1] = to.map((p) => share(p[k]));
      if (Math.abs(a1 - a0) * size < 12 || Math.abs(b1 - b0) * size < 12) return r;
      const factor = (a1 - a0) / (b1 - b0), start = a0 - factor * b0;
      return { low: back(low + start * span), high: back(low + (start + factor) * span) };
    };
    const { width, height } = plot.over.getBoundingClientRect();
    this.zoomTo({ x: moved(axes.x, width, this.isLog('x'), 0), y: moved(axes.y, height, this.isLog('y'), 1) });
  }

  /// A line at x, or a dot at a point.
  setMark(x: number, y: number | null = null): void {
    this.mark = [x, y];
    this.placeMark();
  }
  private placeMark(): void {
    const { plot, mark } = this;
    this.marker.hidden = !mark;
    if (!plot || !mark) return;
    const left = plot.valToPos(mark[0], 'x'), top = mark[1] === null ? 0 : plot.valToPos(mark[1], 'y'), width = plot.over.clientWidth;
    this.marker.hidden = !(left >= -1 && left <= width + 1);
    this.marker.style.transform = `translate(${left.toFixed(1)}px, ${top.toFixed(1)}px)`;
  }
}
