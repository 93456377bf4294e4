// Time that runs, stops and jumps.
import { number } from './format';

/// Lengths of known units of time.
const unitSeconds: Record<string, number> = { ns: 1e-9, us: 1e-6, µs: 1e-6, ms: 1e-3, s: 1, min: 60, h: 3600, d: 86400 };

/// What the numbers of the axis are. Without a unit, time is taken to be in seconds; `rate` is for axes that are not time.
export interface PlayerAxis { isTime: boolean; unit?: string; rate?: number }

/// 1, 2 and 5 times powers of ten, from the first number to the last.
function niceNumbers(from: number, to: number): number[] {
  const list: number[] = [];
  for (let power = Math.floor(Math.log10(from)); power <= Math.log10(to); ++power)
    for (const lead of [1, 2, 5]) list.push(Number(`${lead}e${power}`));
  return list.filter((x) => x >= from * (1 - 1e-9) && x <= to * (1 + 1e-9));
}

export class Player {
  time: number;
  isPlaying = false;
  loop = true;
  /// What `speed` can be; 1 is real time, or a film of ten seconds where frames are not ordered by time.
  readonly speeds: number[];
  speed: number;
  /// Units of the axis per second at speed 1.
  private readonly rate: number;
  private last = 0;

  constructor(public start: number, public end: number, private readonly changed: () => void, readonly axis: PlayerAxis) {
    this.time = start;
    const { isTime, unit, rate } = axis;
    this.rate = rate ?? (isTime ? 1 / (unitSeconds[unit || 's'] ?? 1) : end > start ? (end - start) / 10 : 1);
    // A film of five to ten seconds, where real time would be a flash or an hour.
    const span = (end - start) / this.rate, isShort = span > 0 && span < 2, isLong = span > 40;
    const wanted = isTime && (isShort || isLong) ? span / 10 : 1;
    this.speeds = niceNumbers(Math.min(0.1, wanted / 20), Math.max(10, 20 * wanted));
    this.speed = this.speeds.find((s) => s >= wanted * (1 - 1e-9))!;
  }

  /// Whether one second of the motion is known to take a second at speed 1.
  get isReal(): boolean { return this.axis.isTime && (!this.axis.unit || this.axis.unit in unitSeconds); }

  /// "1× real time", "10× slower"; "2 τ per second" for a time that is measured in something else.
  speedName(speed: number): string {
    if (!this.axis.isTime) return `${speed}×`;
    if (!this.isReal) return `${number(speed)} ${this.axis.unit} per second`;
    return speed === 1 ? '1× real time' : speed > 1 ? `${number(speed)}× faster` : `${number(1 / speed)}× slower`;
  }

  /// Only this part is played from now on.
  limit(start: number, end: number): void {
    this.start = start;
    this.end = end;
    this.seek(start);
  }

  play(on: boolean): void {
    if (on && this.time >= this.end) this.time = this.start;
    this.isPlaying = on && this.end > this.start;
    this.last = performance.now();
    this.changed();
  }

  seek(t: number): void {
    this.time = Math.min(this.end, Math.max(this.start, t));
    this.changed();
  }

  /// Called for every picture.
  advance(now: number): void {
    if (!this.isPlaying) return;
    const passed = Math.min(0.25, Math.max(0, (now - this.last) / 1000));
    this.last = now;
    this.time += passed * this.rate * this.speed;
    if (this.time > this.end) {
      this.time = this.loop ? this.start : this.end;
      this.isPlaying = this.loop;
    }
    this.changed();
  }
}
