// Ranges and ticks of axes.
import { Numbers } from './data';
import { number } from './format';

export interface AxisSpec {
  title: string;
  log?: boolean;
  /// What is shown at first; else everything.
  range?: [number, number] | null;
  /// Names instead of numbers: 0, 1, 2, ...
  categories?: string[];
}
export interface Range { low: number; high: number }

function niceTicks(low: number, high: number, count: number): number[] {
  const raw = (high - low) / count, power = 10 ** Math.floor(Math.log10(raw)), lead = raw / power;
  const step = power * (lead > 5 ? 10 : lead > 2 ? 5 : lead > 1 ? 2 : 1), ticks: number[] = [];
  for (let i = Math.ceil(low / step - 1e-9); i <= high / step + 1e-9 && ticks.length < 50; ++i) ticks.push(i * step);
  return ticks;
}

/// Powers of ten; 1, 2 and 5 times them where there are few.
function logTicks(low: number, high: number, count: number): number[] {
  const first = Math.ceil(Math.log10(low) - 1e-9), last = Math.floor(Math.log10(high) + 1e-9), decades = Math.log10(high / low), ticks: number[] = [];
  if (decades < 0.7) return niceTicks(low, high, count).filter((x) => x > 0);
  const step = Math.max(1, Math.ceil((last - first + 1) / count)), isFine = step === 1 && decades < 2.5;
  for (let k = isFine ? first - 1 : first; k <= last; k += step) for (const lead of isFine ? [1, 2, 5] : [1]) ticks.push(Number(`${lead}e${k}`));
  return ticks.filter((x) => x >= low * (1 - 1e-9) && x <= high * (1 + 1e-9));
}

export function linearRange(low: number, high: number, pad = 0.06): Range {
  if (!(high >= low)) [low, high] = [0, 1];
  if (high === low) [low, high] = [low - (Math.abs(low) || 1) * 0.5, high + (Math.abs(high) || 1) * 0.5];
  const extra = pad * (high - low);
  return { low: low - extra, high: high + extra };
}

/// Null where no number is positive.
export function logRange(all: Numbers[], whole: boolean): Range | null {
  const positive = all.flatMap((values) => [...values]).filter((x) => x > 0 && Number.isFinite(x)).sort((a, b) => a - b);
  if (!positive.length) return null;
  const high = positive[positive.length - 1];
  if (!whole) return { low: positive[0] / 1.5, high: high * 1.5 };
  // A few accidental near-zeros must not squeeze the rest.
  const low = Math.max(positive[0], positive[Math.floor(0.02 * positive.length)] / 3);
  const to = Math.ceil(Math.log10(high) + 0.02);
  return { low: 10 ** Math.max(Math.floor(Math.log10(low)), to - 20), high: 10 ** to };
}

export function ticksOf(axis: AxisSpec, log: boolean, range: Range, count: number): number[] {
  if (axis.categories) return axis.categories.map((_, k) => k).filter((k) => k >= range.low && k <= range.high);
  return log ? logTicks(range.low, range.high, count) : niceTicks(range.low, range.high, count);
}

/// As many digits as it takes to tell neighbouring ticks apart: 0.99998 and 0.99999, not 1 and 1.
function digitsOf(ticks: number[]): number {
  const step = ticks.length > 1 ? Math.abs(ticks[1] - ticks[0]) : 0, largest = Math.max(...ticks.map(Math.abs));
  return step > 0 ? Math.min(10, Math.max(4, Math.ceil(Math.log10(largest / step) + 1e-9) + 1)) : 4;
}

export function tickLabels(axis: AxisSpec, log: boolean, ticks: number[]): string[] {
  if (axis.categories) return ticks.map((k) => axis.categories![k] ?? '');
  const digits = digitsOf(ticks), isPower = (x: number) => Math.abs(Math.log10(x) - Math.round(Math.log10(x))) < 1e-9;
  // Between powers of ten numbers would only crowd the axis, unless there is nothing else to read.
  const areEnough = log && ticks.filter(isPower).length > 1;
  return ticks.map((x) => (areEnough ? (isPower(x) ? powerOfTen(x) : '') : number(x, digits)));
}

function powerOfTen(x: number): string {
  const digits = '⁰¹²³⁴⁵⁶⁷⁸⁹', power = Math.round(Math.log10(x));
  return `10${power < 0 ? '⁻' : ''}${[...String(Math.abs(power))].map((d) => digits[Number(d)]).join('')}`;
}
