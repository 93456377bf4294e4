// Time that runs, stops and jumps.
import { number } from './format';

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
  /// Units of the axis a second at speed 1.
  private readonly rate: number;
  private last = 0;

  /// `rate` is for axes that are not time.
  constructor(public start: number, public end: number, private readonly changed: () => void, readonly isTimed: boolean, rate?: number) {
    this.time = start;
    const span = end - start, isShort = span > 0 && span < 2, isLong = span > 40;
    this.rate = rate ?? (isTimed || !(span > 0) ? 1 : span / 10);
    // A film of five to ten seconds, where real time would be a flash or an hour.
    const wanted = isTimed && (isShort || isLong) ? span / 10 : 1;
    this.speeds = niceNumbers(Math.min(0.1, wanted / 20), Math.max(10, 20 * wanted));
    this.speed = this.speeds.find((s) => s >= wanted * (1 - 1e-9))!;
  }

  /// "1× real time", "10× slower".
  speedName(speed: number): string {
    if (!this.isTimed) return `${speed}×`;
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
