// Curves of a plot as points on the screen: pieces of lines, markers, triangles that show an order.
import { Numbers } from './data';
import type { Range } from './axes';

/// Numbers over numbers; `notes` say more about single points.
export interface Curve {
  label: string; x: Numbers; y: Numbers; color?: number; dash?: number;
  marker?: number; line?: boolean; isReference?: boolean; notes?: string[];
}

/// Where values are drawn.
export interface Scales { x: (value: number) => number; y: (value: number) => number; width: number; logX: boolean; logY: boolean }

export interface Extremes { low: number; lowAt: number; high: number; highAt: number }
export function extremes({ x, y }: Curve): Extremes {
  const e = { low: Infinity, lowAt: NaN, high: -Infinity, highAt: NaN };
  y.forEach((value, i) => {
    if (!Number.isFinite(value)) return;
    if (value < e.low) { e.low = value; e.lowAt = x[i]; }
    if (value > e.high) { e.high = value; e.highAt = x[i]; }
  });
  return e;
}

/// A point that an axis can show: a logarithm has no place for numbers that are not positive.
export const isShown = (c: Curve, i: number, s: { logX: boolean; logY: boolean }): boolean =>
  Number.isFinite(c.x[i]) && Number.isFinite(c.y[i]) && !(s.logX && c.x[i] <= 0) && !(s.logY && c.y[i] <= 0);

/// Lines without gaps, x and y in turn; where many points of a function share a pixel, its lowest and highest are drawn.
export function linePieces(c: Curve, s: Scales): number[][] {
  if (c.line === false) return [];
  const pieces: number[][] = [], isDense = c.x.length > 3 * s.width && isSorted(c.x);
  let piece: number[] = [], column = NaN, low = Infinity, high = -Infinity;
  const flush = () => {
    if (isDense && low <= high) piece.push(column, low, column, high);
    [low, high] = [Infinity, -Infinity];
  };
  const end = () => { flush(); if (piece.length === 2) piece.push(piece[0] + 0.5, piece[1]); if (piece.length) pieces.push(piece); piece = []; };
  for (let i = 0; i < c.x.length; ++i) {
    if (!isShown(c, i, s)) { end(); continue; }
    const px = s.x(c.x[i]), py = s.y(c.y[i]);
    if (!isDense) { piece.push(px, py); continue; }
    if (Math.round(px) !== column) { flush(); column = Math.round(px); }
    [low, high] = [Math.min(low, py), Math.max(high, py)];
  }
  end();
  return pieces;
}

function isSorted(x: Numbers): boolean {
  for (let i = 1; i < x.length; ++i) if (!(x[i] >= x[i - 1])) return false;
  return true;
}

/// Points with a marker; of long curves a few.
export function markedPoints(c: Curve, s: Scales): number[][] {
  if (c.marker === undefined) return [];
  const step = c.x.length > 400 ? Math.ceil(c.x.length / 12) : 1, list: number[][] = [];
  for (let i = 0; i < c.x.length; i += step) if (isShown(c, i, s)) list.push([s.x(c.x[i]), s.y(c.y[i])]);
  return list;
}

/// The outline of a marker: circle, square, triangle, diamond, and the same upside down.
export function markerOutline(kind: number, [x, y]: number[], r = 3.6): number[] {
  const corners = [12, 4, 3, 4, 5, 3][kind % 6], turn = [0, Math.PI / 4, -Math.PI / 2, 0, -Math.PI / 2, Math.PI / 2][kind % 6], points: number[] = [];
  const size = corners === 12 ? r : 1.25 * r;
  for (let k = 0; k <= corners; ++k) points.push(x + size * Math.cos(turn + (2 * Math.PI * k) / corners), y + size * Math.sin(turn + (2 * Math.PI * k) / corners));
  return points;
}

/// A triangle of slope p below the lowest curve, over a third of the decades that are shown: its corners in the units of the plot, and where
/// its number stands.
export interface OrderTriangle { corners: [number, number][]; label: string; at: [number, number] }
export function orderTriangles(slopes: number[], curves: Curve[], x: Range, y: Range): OrderTriangle[] {
  const made: OrderTriangle[] = [];
  slopes.forEach((p, k) => {
    const decades = Math.log10(x.high / x.low), width = 10 ** Math.max(0.15, Math.min(0.6, decades / 4));
    const from = x.low * 10 ** (decades * (0.5 + 0.18 * (k % 3))), to = from * width;
    // Under the lowest point there, or at the bottom where nothing is.
    const near = curves.filter((c) => !c.isReference).flatMap((c) => [...c.y].filter((v, i) => v > 0 && c.x[i] >= from / 1.3 && c.x[i] <= to * 1.3));
    const room = y.low * (y.high / y.low) ** 0.08, top = Math.max(room, (near.length ? Math.min(...near) : y.high ** 0.3 * y.low ** 0.7) / 2.2);
    const rise = width ** Math.abs(p), bottom = Math.max(room, top / rise);
    const low: [number, number] = [p > 0 ? from : to, bottom], high: [number, number] = [p > 0 ? to : from, bottom * rise], foot: [number, number] = [p > 0 ? to : from, bottom];
    if (high[1] > y.high || to > x.high) return;
    made.push({ corners: [low, foot, high, low], label: String(Math.abs(p)), at: [high[0], Math.sqrt(bottom * high[1])] });
  });
  return made;
}
