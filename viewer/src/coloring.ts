// Colours by a field: one number for each node, segment or cell of an object.
import { Numbers, Run } from './data';
import { Motion } from './motion';
import { Primitive } from './primitives';

type Colored = NonNullable<Primitive['colored']>;
export interface Range { low: number; high: number }

export class Coloring {
  private field: { values: Map<string, { values: Numbers; size: number }>; low: number; high: number } | null = null;
  private raw = new Float32Array(0);
  private nodes = new Float32Array(0);

  constructor(private readonly run: Run, private readonly motion: Motion, private readonly targets: Colored[]) {}

  /// The fields that some target has, in the order of the objects.
  get choices(): { name: string; label: string }[] {
    const names = new Map<string, string>();
    for (const { name: object, fields } of this.run.moving)
      if (this.targets.some((t) => t.object.name === object))
        for (const { name, label, unit } of fields) if (!names.has(name) && this.run.array(`${object}/field/${name}`)) names.set(name, unit ? `${label} [${unit}]` : label);
    return [...names].map(([name, label]) => ({ name, label }));
  }

  /// A field, or plain colours; the range is that of the whole run.
  set(name: string | null): Range | null {
    const values = new Map<string, { values: Numbers; size: number }>();
    let low = Infinity, high = -Infinity;
    for (const { object } of this.targets) {
      const array = name ? this.run.array(`${object.name}/field/${name}`) : undefined;
      if (!array) continue;
      values.set(object.name, { values: array.values, size: array.shape[1] });
      for (const x of array.values) if (Number.isFinite(x)) { low = Math.min(low, x); high = Math.max(high, x); }
    }
    this.field = values.size ? { values, low, high } : null;
    this.paint();
    return this.field;
  }

  setRange(low: number, high: number): void {
    if (this.field) Object.assign(this.field, { low, high });
    this.paint();
  }

  update(): void { if (this.field) this.paint(); }

  private paint(): void {
    for (const target of this.targets) target.paint(this.valuesOf(target), this.field?.low ?? 0, this.field?.high ?? 1);
  }

  private valuesOf({ object, average }: Colored): Float32Array | null {
    const entry = this.field?.values.get(object.name);
    if (!entry) return null;
    if (this.raw.length < entry.size) this.raw = new Float32Array(entry.size);
    if (this.nodes.length < object.nodes) this.nodes = new Float32Array(object.nodes);
    const raw = this.raw.subarray(0, entry.size), nodes = this.nodes.subarray(0, object.nodes);
    this.motion.at(entry.values, entry.size, raw);
    // Fields of segments and cells are averaged at the nodes.
    if (entry.size === object.nodes) nodes.set(raw);
    else if (average?.(raw, nodes)) return nodes;
    else if (entry.size === object.nodes - 1) for (let n = 0; n < object.nodes; ++n) nodes[n] = 0.5 * (raw[Math.max(0, n - 1)] + raw[Math.min(entry.size - 1, n)]);
    else return null;
    return nodes;
  }
}
