// What the program put into the page: descriptions as JSON, numbers packed. The other side is src/record/report_arrays.cpp.

export interface Reference { object: string; s?: number }
export interface SceneBody { name: string; mass: number; box: number[]; axes: number[]; center: number[] }
export interface SceneBeam { name: string; model: string; length: number; radius?: number; rectangle?: number[] }
export interface SceneJoint {
  name: string; type: string; connects?: (Reference | null)[]; at?: number[]; axis?: number[]; points?: number[][]; radius?: number; drives?: string;
}
export interface SceneSpring { name: string; connects?: (Reference | null)[]; points?: number[][] }
export interface SceneLoad { name: string; on: Reference | null; frame: string; point: number[]; places: number[] }
export interface Scene {
  gravity: number[]; bodies: SceneBody[]; beams: SceneBeam[]; joints: SceneJoint[]; springs: SceneSpring[]; loads: SceneLoad[];
  sensors: { name: string; on: string; quantity: string }[];
}
export interface Summary {
  filum: string; title: string; status: string; message?: string; method: string;
  steps: { accepted: number; rejected: number };
  newton: { iterations: number; max_per_step: number; jacobians: number };
  seconds: { integration: number; output: number };
  size: { velocities: number; constraints: number };
  energy: { initial: number; final: number; drift_max: number };
  constraint: { position_max: number; velocity_max: number };
}
export interface RunDescription {
  folder: string; scenario: string; scene: Scene; summary: Summary | null;
  frames: { recorded: number; shown: number; plotted: number };
  labels: Record<string, string>;
}
interface ArrayEntry { name: string; shape: number[]; type: 'f4' | 'f8'; at: number }
export interface DifferenceSeries { array: string; quantity: string; label: string }
interface PageDescription {
  runs: RunDescription[];
  difference?: { times: number; series: DifferenceSeries[] };
  arrays: ArrayEntry[];
}

export type Numbers = Float32Array | Float64Array;
export interface NumberArray { shape: number[]; values: Numbers }

/// One run: its description and its arrays by name.
export class Run {
  readonly time: Numbers;
  constructor(readonly about: RunDescription, private readonly prefix: string, private readonly page: Page) {
    this.time = this.array('time')!.values;
  }
  array(name: string): NumberArray | undefined { return this.page.arrays.get(this.prefix + name); }
  get title(): string { return this.about.summary?.title || titleOf(this.about.scenario) || this.about.folder; }
  get method(): string { return this.about.summary?.method ?? option(this.about.scenario, 'integrator', 'method') ?? '?'; }
}

export class Page {
  readonly runs: Run[];
  readonly difference: PageDescription['difference'];
  constructor(description: PageDescription, readonly arrays: Map<string, NumberArray>) {
    this.difference = description.difference;
    this.runs = description.runs.map((about, i) => new Run(about, `${i}:`, this));
  }
}

/// Bytes of equal rank stand together.
function unshuffle(bytes: Uint8Array, count: number, width: number): ArrayBuffer {
  const out = new Uint8Array(count * width);
  for (let k = 0; k < width; ++k) {
    const from = k * count;
    for (let i = 0; i < count; ++i) out[i * width + k] = bytes[from + i];
  }
  return out.buffer;
}

async function unpack(text: string): Promise<Uint8Array> {
  const coded = atob(text.trim());
  const bytes = new Uint8Array(coded.length);
  for (let i = 0; i < coded.length; ++i) bytes[i] = coded.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export async function loadPage(): Promise<Page> {
  const description = JSON.parse(document.getElementById('filum-report')!.textContent!) as PageDescription;
  const holder = document.getElementById('filum-numbers')!;
  const bytes = await unpack(holder.textContent!);
  holder.remove();
  const arrays = new Map<string, NumberArray>();
  for (const entry of description.arrays) {
    const count = entry.shape.reduce((a, b) => a * b, 1), width = entry.type === 'f8' ? 8 : 4;
    const raw = unshuffle(bytes.subarray(entry.at, entry.at + count * width), count, width);
    arrays.set(entry.name, { shape: entry.shape, values: entry.type === 'f8' ? new Float64Array(raw) : new Float32Array(raw) });
  }
  return new Page(description, arrays);
}

/// Keys of a table of the resolved scenario, which has one `key = value` a line.
export function options(scenario: string, table: string): [string, string][] {
  const found: [string, string][] = [];
  let inside = false;
  for (const line of scenario.split('\n')) {
    if (line.startsWith('[')) inside = line.trim() === `[${table}]`;
    const cut = line.indexOf(' = ');
    if (inside && cut > 0) found.push([line.slice(0, cut), line.slice(cut + 3)]);
  }
  return found;
}

function option(scenario: string, table: string, key: string): string | undefined {
  return options(scenario, table).find(([k]) => k === key)?.[1].replaceAll('"', '');
}

function titleOf(scenario: string): string | undefined {
  return /^title = "(.*)"$/m.exec(scenario)?.[1];
}

/// Index of the last entry that is not after t.
export function frameBefore(time: ArrayLike<number>, t: number): number {
  let low = 0, high = time.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (time[middle] <= t) low = middle; else high = middle - 1;
  }
  return low;
}
