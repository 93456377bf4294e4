// Poses of all objects of a run at any time: between frames, positions are joined by lines, orientations by short arcs.
import * as THREE from 'three';
import { Anchor, frameBefore, Numbers, Run } from './data';

export interface ObjectMotion {
  name: string;
  nodes: number;
  position: Numbers;
  orientation: Numbers;
  arcLength?: Numbers;
  x: Float32Array;  // now
  p: Float32Array;
  isVisible: boolean;  // not so far away that nothing sensible can be drawn
}

/// A motion may explode; what is this many times farther away than the objects are large is not drawn.
const farAway = 1e6;

export function distanceLimit(run: Run): number {
  let size = Math.max(0, ...run.drawings('solid').map(({ drawing }) => Math.max(...drawing.size)));
  for (const { name } of run.moving) {
    const { values, shape } = run.array(`${name}/position`)!;
    for (let i = 0; i < shape[1]; ++i) if (Number.isFinite(values[i])) size = Math.max(size, Math.abs(values[i]));
  }
  return farAway * (size || 1);
}

export class Motion {
  readonly objects = new Map<string, ObjectMotion>();
  frame = 0;
  fraction = 0;

  private readonly limit: number;

  constructor(readonly run: Run) {
    for (const { name, parameters } of run.moving) {
      const position = run.array(`${name}/position`)!, orientation = run.array(`${name}/orientation`)!;
      const nodes = position.shape[1] / 3;
      this.objects.set(name, {
        name, nodes, position: position.values, orientation: orientation.values, arcLength: parameters?.length === 1 ? run.array(parameters[0])?.values : undefined,
        x: new Float32Array(3 * nodes), p: new Float32Array(4 * nodes), isVisible: true,
      });
    }
    this.limit = distanceLimit(run);
    this.set(run.time[0]);
  }

  /// A number of coordinates beginning at `at`.
  isDrawable(x: ArrayLike<number>, at: number, count: number): boolean {
    for (let i = at; i < at + count; ++i) if (!(Math.abs(x[i]) <= this.limit)) return false;
    return true;
  }

  set(t: number): void {
    const { time } = this.run;
    const last = time.length - 1;
    this.frame = Math.min(frameBefore(time, t), Math.max(0, last - 1));
    const from = time[this.frame], to = time[Math.min(last, this.frame + 1)];
    this.fraction = to > from ? Math.min(1, Math.max(0, (t - from) / (to - from))) : 0;
    for (const object of this.objects.values()) this.interpolate(object);
  }

  /// The value now of a series with `size` numbers per frame.
  at(values: Numbers, size: number, out: Float32Array): void {
    const a = this.frame * size, b = Math.min(values.length / size - 1, this.frame + 1) * size, f = this.fraction;
    for (let i = 0; i < size; ++i) out[i] = values[a + i] + f * (values[b + i] - values[a + i]);
  }

  private interpolate(o: ObjectMotion): void {
    this.at(o.position, 3 * o.nodes, o.x);
    o.isVisible = this.isDrawable(o.x, 0, o.x.length);
    const a = this.frame * 4 * o.nodes, b = Math.min(o.orientation.length / (4 * o.nodes) - 1, this.frame + 1) * 4 * o.nodes;
    for (let n = 0; n < o.nodes; ++n) {
      let dot = 0, length = 0;
      for (let k = 0; k < 4; ++k) dot += o.orientation[a + 4 * n + k] * o.orientation[b + 4 * n + k];
      const f = dot < 0 ? -this.fraction : this.fraction, rest = 1 - this.fraction;
      for (let k = 0; k < 4; ++k) {
        const value = rest * o.orientation[a + 4 * n + k] + f * o.orientation[b + 4 * n + k];
        o.p[4 * n + k] = value;
        length += value * value;
      }
      const scale = 1 / Math.sqrt(length || 1);
      for (let k = 0; k < 4; ++k) o.p[4 * n + k] *= scale;
    }
  }

  private of(anchor: Anchor): ObjectMotion | undefined { return anchor.object === undefined ? undefined : this.objects.get(anchor.object); }

  /// Orientation of the node that an anchor belongs to, now.
  orientation(anchor: Anchor): THREE.Quaternion {
    const object = this.of(anchor), at = 4 * (anchor.node ?? 0);
    return object ? new THREE.Quaternion(object.p[at + 1], object.p[at + 2], object.p[at + 3], object.p[at]) : new THREE.Quaternion();
  }
  position(anchor: Anchor): THREE.Vector3 {
    const object = this.of(anchor);
    return object ? new THREE.Vector3().fromArray(object.x, 3 * (anchor.node ?? 0)) : new THREE.Vector3();
  }
  /// Where an anchor is now.
  place(anchor: Anchor): THREE.Vector3 { return new THREE.Vector3().fromArray(anchor.point).applyQuaternion(this.orientation(anchor)).add(this.position(anchor)); }
  isVisible(anchor: Anchor): boolean { return this.of(anchor)?.isVisible ?? true; }
}
