// Axes of plots: their ranges, ticks, grid lines and numbers.
import { Theme } from './colors';
import { Numbers } from './data';
import { number } from './format';
import { Painter } from './painter';

export interface Axis { low: number; high: number; log: boolean; ticks: number[] }
export interface Frame { left: number; right: number; top: number; bottom: number }
/// Where a value is drawn.
export type Scale = (value: number) => number;

export function axisColors(theme: Theme): { ink: string; faint: string } {
  return theme === 'dark' ? { ink: '#aeb6c2', faint: '#333a44' } : { ink: '#505a66', faint: '#e3e6eb' };
}

function niceTicks(low: number, high: number, count: number): number[] {
  const raw = (high - low) / count, power = 10 ** Math.floor(Math.log10(raw)), lead = raw / power;
  const step = power * (lead > 5 ? 10 : lead > 2 ? 5 : lead > 1 ? 2 : 1), ticks: number[] = [];
  for (let i = Math.ceil(low / step - 1e-9); i <= high / step + 1e-9 && ticks.length < 50; ++i) ticks.push(i * step);
  return ticks;
}

export function linearAxis(low: number, high: number, count: number, pad = 0.06): Axis {
  if (!(high >= low)) [low, high] = [0, 1];
  if (high === low) [low, high] = [low - (Math.abs(low) || 1) * 0.5, high + (Math.abs(high) || 1) * 0.5];
  const extra = pad * (high - low);
  return { low: low - extra, high: high + extra, log: false, ticks: niceTicks(low - extra, high + extra, count) };
}

export function logAxis(all: Numbers[], count: number): Axis | null {
  const positive = all.flatMap((values) => [...values]).filter((x) => x > 0 && Number.isFinite(x)).sort((a, b) => a - b);
  if (!positive.length) return null;
  // A few accidental near-zeros must not squeeze the rest.
  const high = positive[positive.length - 1], low = Math.max(positive[0], positive[Math.floor(0.02 * positive.length)] / 3);
  const to = Math.ceil(Math.log10(high) + 0.02), from = Math.max(Math.floor(Math.log10(low)), to - 20), ticks: number[] = [];
  const step = Math.max(1, Math.ceil((to - from) / count));
  for (let k = from; k <= to; k += step) ticks.push(10 ** k);
  return { low: 10 ** from, high: 10 ** to, log: true, ticks };
}

/// From one pixel to another.
export function scale(axis: Axis, from: number, to: number): Scale {
  const place = axis.log ? Math.log10 : (v: number) => v, low = place(axis.low), span = place(axis.high) - low;
  return (v) => from + ((place(v) - low) / span) * (to - from);
}

/// As many digits as it takes to tell neighbouring ticks apart: 0.99998 and 0.99999, not 1 and 1.
function digitsOf(ticks: number[]): number {
  const step = ticks.length > 1 ? Math.abs(ticks[1] - ticks[0]) : 0, largest = Math.max(...ticks.map(Math.abs));
  return step > 0 ? Math.min(10, Math.max(4, Math.ceil(Math.log10(largest / step) + 1e-9) + 1)) : 4;
}

/// A line and a number at every tick.
export function drawGrid(painter: Painter, frame: Frame, theme: Theme, across: { ticks: number[]; at: Scale }, up: { axis: Axis; at: Scale }): void {
  const { ink, faint } = axisColors(theme), upDigits = digitsOf(up.axis.ticks), acrossDigits = digitsOf(across.ticks);
  for (const tick of up.axis.ticks) {
    painter.line([frame.left, up.at(tick), frame.right, up.at(tick)], tick === 0 ? ink : faint, 1, []);
    painter.text(up.axis.log ? powerOfTen(tick) : number(tick, upDigits), frame.left - 6, up.at(tick), ink, 'right', 11);
  }
  for (const tick of across.ticks) {
    painter.line([across.at(tick), frame.top, across.at(tick), frame.bottom], faint, 1, []);
    painter.text(number(tick, acrossDigits), across.at(tick), frame.bottom + 12, ink, 'center', 11);
  }
}

/// What the axes are, beside their numbers.
export function drawTitles(painter: Painter, frame: Frame, theme: Theme, x: string, y: string): void {
  const { ink } = axisColors(theme);
  painter.text(x, (frame.left + frame.right) / 2, frame.bottom + 28, ink, 'center', 11);
  painter.turnedText(y, 9, (frame.top + frame.bottom) / 2, ink, 11);
}

function powerOfTen(x: number): string {
  const digits = '⁰¹²³⁴⁵⁶⁷⁸⁹', power = Math.round(Math.log10(x));
  return `10${power < 0 ? '⁻' : ''}${[...String(Math.abs(power))].map((d) => digits[Number(d)]).join('')}`;
}
