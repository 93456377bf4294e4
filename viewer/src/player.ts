// Time that runs, stops and jumps.

export class Player {
  time: number;
  isPlaying = false;
  speed = 1;
  loop = true;
  /// Time units a second at speed 1: true time where that is a reasonable film.
  readonly rate: number;
  private last = 0;

  constructor(public start: number, public end: number, private readonly changed: () => void, rate?: number) {
    this.time = start;
    const span = end - start;
    this.rate = rate ?? (span >= 2 && span <= 40 ? 1 : span > 0 ? span / 10 : 1);
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
