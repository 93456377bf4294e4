// A beam as a tube: a cubic through the nodes with the directors as tangents, coloured by a field, with a stripe that shows twist.
import * as THREE from 'three';
import { linearViridis } from './colors';
import { ObjectMotion } from './motion';

export interface TubeSize { radius: number; rectangle?: number[] }
interface Profile { points: [number, number][]; normals: [number, number][] }

function circle(radius: number, sides: number): Profile {
  const normals = Array.from({ length: sides }, (_, i) => [Math.cos((2 * Math.PI * i) / sides), Math.sin((2 * Math.PI * i) / sides)] as [number, number]);
  return { points: normals.map(([a, b]) => [radius * a, radius * b]), normals };
}

function rectangle(width: number, height: number): Profile {
  const a = width / 2, b = height / 2;
  return {
    points: [[a, -b], [a, b], [a, b], [-a, b], [-a, b], [-a, -b], [-a, -b], [a, -b]],
    normals: [[1, 0], [1, 0], [0, 1], [0, 1], [-1, 0], [-1, 0], [0, -1], [0, -1]],
  };
}

const profileOf = (size: TubeSize, sides: number): Profile => (size.rectangle ? rectangle(size.rectangle[0], size.rectangle[1]) : circle(size.radius, sides));

export class Tube {
  readonly mesh: THREE.Mesh;
  private profile: Profile;
  private readonly rings: number;
  private readonly positions: Float32Array;
  private readonly normals: Float32Array;
  private readonly colors: Float32Array;
  private readonly geometry = new THREE.BufferGeometry();

  constructor(private readonly object: ObjectMotion, size: TubeSize, private readonly parts: number, private readonly sides: number,
              material: THREE.Material) {
    this.profile = profileOf(size, sides);
    this.rings = (object.nodes - 1) * parts + 1;
    const around = this.profile.points.length, count = (this.rings + 2) * around;
    this.positions = new Float32Array(3 * count);
    this.normals = new Float32Array(3 * count);
    this.colors = new Float32Array(3 * count).fill(1);
    const index: number[] = [];
    for (let r = 0; r + 1 < this.rings; ++r)
      for (let i = 0; i < around; ++i) {
        const a = r * around + i, b = r * around + ((i + 1) % around);
        index.push(a, b, a + around, b, b + around, a + around);
      }
    // Lids: the first and last ring once more, with normals along the beam.
    for (let i = 1; i + 1 < around; ++i) {
      const first = this.rings * around, last = first + around;
      index.push(first, first + i + 1, first + i, last, last + i, last + i + 1);
    }
    this.geometry.setIndex(index);
    for (const [name, array] of [['position', this.positions], ['normal', this.normals], ['color', this.colors]] as const)
      this.geometry.setAttribute(name, new THREE.BufferAttribute(array, 3).setUsage(THREE.DynamicDrawUsage));
    this.mesh = new THREE.Mesh(this.geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.name = object.name;
  }

  /// Another thickness of the same shape, seen at the next update.
  resize(size: TubeSize): void { this.profile = profileOf(size, this.sides); }

  /// Everything from the nodes as they are now.
  update(): void {
    const { x, p, nodes, arcLength } = this.object;
    const q = new Float64Array(4), c = new Float64Array(3);
    let ring = 0;
    for (let n = 0; n + 1 < nodes; ++n) {
      const h = arcLength ? arcLength[n + 1] - arcLength[n] : 1;
      const steps = n + 2 < nodes ? this.parts : this.parts + 1;
      for (let j = 0; j < steps; ++j) {
        const f = j / this.parts;
        hermite(x, p, n, h, f, c);
        nlerp(p, n, f, q);
        this.ring(ring++, c, q);
      }
    }
    this.lids();
    this.geometry.attributes.position.needsUpdate = true;
    this.geometry.attributes.normal.needsUpdate = true;
  }

  /// One value per node; null: plain.
  color(values: Float32Array | null, low: number, high: number): void {
    const around = this.profile.points.length, scale = high > low ? 255 / (high - low) : 0;
    for (let r = 0; r < this.rings; ++r) {
      const at = r / this.parts, n = Math.min(this.object.nodes - 2, Math.floor(at)), f = at - n;
      const value = values ? values[n] * (1 - f) + values[n + 1] * f : 0;
      const entry = 3 * Math.min(255, Math.max(0, Math.round((value - low) * scale)) || 0);
      for (let i = 0; i < around; ++i) {
        const shade = i === 0 && around > 8 ? 0.6 : 1, to = 3 * (r * around + i);
        for (let k = 0; k < 3; ++k) this.colors[to + k] = shade * (values ? linearViridis[entry + k] : 1);
      }
    }
    const last = 3 * this.rings * around, ringSize = 3 * around;
    this.colors.copyWithin(last, 0, ringSize);
    this.colors.copyWithin(last + ringSize, last - ringSize, last);
    this.geometry.attributes.color.needsUpdate = true;
  }

  private ring(r: number, c: Float64Array, q: Float64Array): void {
    const w = q[0], a = q[1], b = q[2], d = q[3];
    d1[0] = 1 - 2 * (b * b + d * d), d1[1] = 2 * (a * b + w * d), d1[2] = 2 * (a * d - w * b);
    d2[0] = 2 * (a * b - w * d), d2[1] = 1 - 2 * (a * a + d * d), d2[2] = 2 * (b * d + w * a);
    const { points, normals } = this.profile;
    for (let i = 0; i < points.length; ++i) {
      const to = 3 * (r * points.length + i);
      for (let k = 0; k < 3; ++k) {
        this.positions[to + k] = c[k] + points[i][0] * d1[k] + points[i][1] * d2[k];
        this.normals[to + k] = normals[i][0] * d1[k] + normals[i][1] * d2[k];
      }
    }
  }

  private lids(): void {
    const around = this.profile.points.length, size = 3 * around, first = this.rings * size, { p, nodes } = this.object;
    this.positions.copyWithin(first, 0, size);
    this.positions.copyWithin(first + size, first - size, first);
    for (const [at, node, sign] of [[first, 0, -1], [first + size, nodes - 1, 1]]) {
      const d3 = director(p, node, second);
      for (let i = 0; i < size; ++i) this.normals[at + i] = sign * d3[i % 3];
    }
  }
}

// Scratch of the functions below, which run for every ring of every picture.
const first = new Float64Array(3), second = new Float64Array(3), d1 = new Float64Array(3), d2 = new Float64Array(3);

function director(p: Float32Array, node: number, out: Float64Array): Float64Array {
  const w = p[4 * node], a = p[4 * node + 1], b = p[4 * node + 2], d = p[4 * node + 3];
  out[0] = 2 * (a * d + w * b);
  out[1] = 2 * (b * d - w * a);
  out[2] = 1 - 2 * (a * a + b * b);
  return out;
}

function hermite(x: Float32Array, p: Float32Array, n: number, h: number, f: number, out: Float64Array): void {
  const a = director(p, n, first), b = director(p, n + 1, second), f2 = f * f, f3 = f2 * f;
  for (let k = 0; k < 3; ++k)
    out[k] = (2 * f3 - 3 * f2 + 1) * x[3 * n + k] + (3 * f2 - 2 * f3) * x[3 * n + 3 + k] + h * ((f3 - 2 * f2 + f) * a[k] + (f3 - f2) * b[k]);
}

function nlerp(p: Float32Array, n: number, f: number, out: Float64Array): void {
  let dot = 0, length = 0;
  for (let k = 0; k < 4; ++k) dot += p[4 * n + k] * p[4 * n + 4 + k];
  for (let k = 0; k < 4; ++k) {
    out[k] = (1 - f) * p[4 * n + k] + (dot < 0 ? -f : f) * p[4 * n + 4 + k];
    length += out[k] * out[k];
  }
  const scale = 1 / Math.sqrt(length || 1);
  for (let k = 0; k < 4; ++k) out[k] *= scale;
}
