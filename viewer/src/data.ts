// What the program put into the page: facts as JSON (include/filum/record/facts.hpp), numbers packed (src/record/report_arrays.cpp).
import { animateModes } from './modes';

/// A point that moves with a node of an object, or stays on the ground.
export interface Anchor { object?: string; node?: number; point: number[] }

export interface SolidDrawing {
  type: 'solid'; node: number; shape: 'box' | 'cylinder' | 'sphere' | 'disk'; size: number[]; position: number[]; orientation: number[]; color: string | null; estimated: boolean;
}
/// Triangles in the frame of a node: packed float32 and uint32.
export interface MeshDrawing { type: 'mesh'; node: number; points: string; corners: string; color: string | null }
export interface TubeDrawing { type: 'tube'; radius?: number; rectangle?: number[]; color: string | null; estimated?: boolean }
export interface SurfaceDrawing { type: 'surface'; grid: number[]; closed: boolean[]; thickness: number; color: string | null }
export interface SymbolDrawing { type: 'symbol'; symbol: string; at: Anchor; axis: number[]; partners: Anchor[] }
export interface RodDrawing { type: 'rod'; ends: Anchor[] }
export interface CoilDrawing { type: 'coil'; ends: Anchor[] }
export interface ArrowsDrawing { type: 'arrows'; series: string; quantity: 'force' | 'moment'; frame: 'space' | 'body'; at: Anchor[] }
export interface PlaneDrawing { type: 'plane'; position: number[]; normal: number[] }
export type Drawing = SolidDrawing | MeshDrawing | TubeDrawing | SurfaceDrawing | SymbolDrawing | RodDrawing | CoilDrawing | ArrowsDrawing | PlaneDrawing;

export interface FieldFacts { name: string; label: string; unit?: string }
export interface TrailFacts { label: string; node: number; on: boolean }
export interface ObjectFacts {
  name: string; kind: string; kinds: string; nodes?: number; parameters?: string[]; fields: FieldFacts[]; trails: TrailFacts[]; drawings: Drawing[];
}
/// `rank`: 0 sensors, 1 the state of the system, 2 reactions, 3 multipliers.
export interface PlotFacts { group: string; title: string; label: string; series: string; components: string[]; note: string; quantity?: string; rank?: number; units?: string[] }
/// What frames are ordered by: time, or the place on a path.
export interface AxisFacts { series: string; label: string; unit?: string }
export interface UnitFacts { length: string; mass: string; time: string; force: string; energy: string; velocity: string }
export interface ModeFacts { kind: 'rigid' | 'vibration' | 'unstable'; name?: string; omega: number; frequency: number; damping: number }
export interface Facts {
  title: string; method: string; axis: AxisFacts; adaptive: boolean; step: number; gravity: number[]; settings: { title: string; entries: [string, string][] }[];
  objects: ObjectFacts[]; plots: PlotFacts[]; modes?: ModeFacts[]; units?: UnitFacts | null;
}
/// A point of a path where stability changes or the load is extreme.
export interface CriticalPoint { factor: number; kind: string; time: number; path_length: number }
export interface StaticSummary { factor: number; negative_directions: number; stable: boolean; critical: CriticalPoint[]; remarks?: string[] }
/// Where the program chose the method: why, and which it changed to later.
export interface Choice { reason: string; changes: { time: number; method: string }[] }
export interface Summary {
  filum: string; title: string; status: string; message?: string; method: string; choice?: Choice; remarks?: string[];
  steps: { accepted: number; rejected: number };
  newton: { iterations: number; max_per_step: number; jacobians: number };
  seconds: { integration: number; output: number };
  size: { velocities: number; constraints: number };
  energy: { initial: number; final: number; drift_max: number };
  constraint: { position_max: number; velocity_max: number };
  static?: StaticSummary;
}
export interface RunDescription {
  folder: string; scenario: string; facts: Facts; summary: Summary | null;
  frames: { recorded: number; shown: number; plotted: number };
}
interface ArrayEntry { name: string; shape: number[]; type: 'f4' | 'f8'; at: number }
export interface DifferenceSeries { array: string; quantity: string; label: string }
interface PageDescription {
  runs: RunDescription[];
  difference?: { times: number; series: DifferenceSeries[] };
  arrays: ArrayEntry[];
}

export const rankOf = ({ rank }: PlotFacts): number => rank ?? 1;

export type Numbers = Float32Array | Float64Array;
export interface NumberArray { shape: number[]; values: Numbers }

/// One run: its description and its arrays by name.
export class Run {
  readonly time: Numbers;
  constructor(readonly about: RunDescription, private readonly prefix: string, private readonly page: Page) {
    this.time = this.array('time')!.values;
  }
  array(name: string): NumberArray | undefined { return this.page.arrays.get(this.prefix + name); }
  get facts(): Facts { return this.about.facts; }
  get title(): string { return this.facts.title || this.about.folder; }
  /// Whether frames are ordered by time, and one unit of it can be shown in a second.
  get isTimed(): boolean { return this.facts.axis.series === 'time' && !this.facts.modes; }
  /// What can be plotted, sensors first.
  get plots(): PlotFacts[] { return [...this.facts.plots].sort((a, b) => rankOf(a) - rankOf(b)); }
  /// Objects that have nodes.
  get moving(): ObjectFacts[] { return this.facts.objects.filter((o) => o.nodes); }
  /// All drawings of one type, with the objects they belong to.
  drawings<T extends Drawing['type']>(type: T): { object: ObjectFacts; drawing: Extract<Drawing, { type: T }> }[] {
    return this.facts.objects.flatMap((object) => object.drawings.filter((d) => d.type === type).map((d) => ({ object, drawing: d as Extract<Drawing, { type: T }> })));
  }
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
  description.runs.forEach((about, i) => { if (about.facts.modes) animateModes(about, arrays, `${i}:`); });
  return new Page(description, arrays);
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
