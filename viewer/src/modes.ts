// Mode shapes as motion: every mode swings once in its own unit of time, mode k from t = k to k + 1.
import { ModeFacts, NumberArray, Numbers, RunDescription } from './data';
import { element, number } from './format';
import { Player } from './player';

const framesAMode = 33;

/// Largest distance between nodes, which amplitudes are measured by.
function extent(positions: Numbers[]): number {
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  for (const values of positions) values.forEach((x, i) => { low[i % 3] = Math.min(low[i % 3], x); high[i % 3] = Math.max(high[i % 3], x); });
  return Math.hypot(...[0, 1, 2].map((k) => high[k] - low[k])) || 1;
}

interface Shape { nodes: number; base: { x: Numbers; p: Numbers }; position: Numbers; rotation: Numbers; positionImaginary?: Numbers; rotationImaginary?: Numbers }

function largest(values: Numbers | undefined, from: number, count: number): number {
  let size = 0;
  for (let i = from; values && i < from + count; i += 3) size = Math.max(size, Math.hypot(values[i], values[i + 1], values[i + 2]));
  return size;
}

/// What a shape is multiplied with: an eighth of the model, or half a radian where things only turn.
function amplitude(shapes: Shape[], mode: number, size: number): number {
  let shift = 0, turn = 0;
  for (const s of shapes) {
    const count = 3 * s.nodes, at = mode * count;
    shift = Math.max(shift, largest(s.position, at, count), largest(s.positionImaginary, at, count));
    turn = Math.max(turn, largest(s.rotation, at, count), largest(s.rotationImaginary, at, count));
  }
  return Math.min(shift > 0 ? (0.125 * size) / shift : Infinity, turn > 0 ? 0.5 / turn : Infinity);
}

/// p ← exp(θ) p, θ in space.
function turned(p: Numbers, at: number, theta: number[], out: Float32Array, to: number): void {
  const angle = Math.hypot(...theta), s = angle > 0 ? Math.sin(angle / 2) / angle : 0.5, c = Math.cos(angle / 2);
  const [a, b, d] = theta.map((x) => s * x), [w, x, y, z] = [p[at], p[at + 1], p[at + 2], p[at + 3]];
  out[to] = c * w - a * x - b * y - d * z;
  out[to + 1] = c * x + a * w + b * z - d * y;
  out[to + 2] = c * y + b * w + d * x - a * z;
  out[to + 3] = c * z + d * w + a * y - b * x;
}

/// Replaces the one state of the run by its modes, one after the other.
export function animateModes(about: RunDescription, arrays: Map<string, NumberArray>, prefix: string): void {
  const modes = about.facts.modes ?? [];
  const get = (name: string) => arrays.get(prefix + name);
  const moving = about.facts.objects.filter((o) => o.nodes);
  const shapes = new Map<string, Shape>();
  for (const { name, nodes } of moving) {
    shapes.set(name, {
      nodes: nodes!, base: { x: get(`${name}/position`)!.values, p: get(`${name}/orientation`)!.values },
      position: get(`modes/${name}/position`)!.values, rotation: get(`modes/${name}/rotation`)!.values,
      positionImaginary: get(`modes/${name}/position_imaginary`)?.values, rotationImaginary: get(`modes/${name}/rotation_imaginary`)?.values,
    });
  }
  const size = extent([...shapes.values()].map((s) => s.base.x)), frames = modes.length * framesAMode;
  const scales = modes.map((_, k) => amplitude([...shapes.values()], k, size));
  const time = new Float64Array(frames);
  for (let f = 0; f < frames; ++f) time[f] = Math.floor(f / framesAMode) + Math.min((f % framesAMode) / (framesAMode - 1), 1 - 1e-6);
  for (const [name, shape] of shapes) {
    const { nodes, base } = shape, x = new Float32Array(3 * nodes * frames), p = new Float32Array(4 * nodes * frames);
    for (let f = 0; f < frames; ++f) {
      const mode = Math.floor(f / framesAMode), phase = (2 * Math.PI * (f % framesAMode)) / (framesAMode - 1);
      const now = (re: Numbers, im: Numbers | undefined, i: number) => scales[mode] * (re[i] * Math.cos(phase) - (im ? im[i] * Math.sin(phase) : 0));
      for (let n = 0; n < nodes; ++n) {
        const at = 3 * (mode * nodes + n);
        for (let k = 0; k < 3; ++k) x[3 * (f * nodes + n) + k] = base.x[3 * n + k] + now(shape.position, shape.positionImaginary, at + k);
        turned(base.p, 4 * n, [0, 1, 2].map((k) => now(shape.rotation, shape.rotationImaginary, at + k)), p, 4 * (f * nodes + n));
      }
    }
    arrays.set(`${prefix}${name}/position`, { shape: [frames, 3 * nodes], values: x });
    arrays.set(`${prefix}${name}/orientation`, { shape: [frames, 4 * nodes], values: p });
  }
  // Everything else that was recorded stays as it is.
  for (const [name, { shape, values }] of arrays) {
    if (!name.startsWith(prefix) || shape.length !== 2 || shape[0] !== 1 || /:(plot\/|time$)/.test(name)) continue;
    const repeated = new Float32Array(frames * values.length);
    for (let f = 0; f < frames; ++f) repeated.set(values, f * values.length);
    arrays.set(name, { shape: [frames, shape[1]], values: repeated });
  }
  arrays.set(`${prefix}time`, { shape: [frames, 1], values: time });
  for (const object of about.facts.objects) object.trails = [];
}

const text = ({ kind, name, omega, frequency, damping }: ModeFacts): string[] =>
  kind === 'rigid' ? [name ?? kind, '', '', ''] : [kind, number(omega, 6), number(frequency, 6), number(Math.abs(damping) < 1e-12 ? 0 : damping, 3)];

/// The table of modes; a click shows one.
export class ModeTable {
  private readonly rows: HTMLTableRowElement[];
  chosen = 0;

  constructor(host: HTMLElement, modes: ModeFacts[], private readonly player: Player, unit?: string) {
    this.rows = modes.map((mode, k) => {
      const choose = element('button', { type: 'button', 'aria-label': `Show mode ${k + 1}`, onclick: () => this.choose(k) }, String(k + 1));
      return element('tr', { class: mode.kind, onclick: () => this.choose(k) }, element('td', {}, choose), ...text(mode).map((cell) => element('td', {}, cell)));
    });
    const per = (name: string, what: string) => (unit ? `${name} [${what}/${unit}]` : name);
    const headings = ['Mode', 'Kind', per('ω', 'rad'), unit === 's' ? 'Frequency [Hz]' : per('Frequency', '1'), 'Damping'].map((h) => element('th', { scope: 'col' }, h));
    host.append(element('section', { 'aria-label': 'Modes' }, element('h2', {}, 'Modes'),
      element('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Table of modes' },
        element('table', { class: 'modes' }, element('thead', {}, element('tr', {}, ...headings)), element('tbody', {}, ...this.rows)))));
    const first = modes.findIndex((m) => m.kind !== 'rigid');
    this.choose(first < 0 ? 0 : first);
  }

  choose(k: number): void {
    this.chosen = k;
    this.rows.forEach((row, i) => row.setAttribute('aria-selected', String(i === k)));
    this.player.limit(k, k + 1 - 1e-6);
  }
}
