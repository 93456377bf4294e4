// A sheet of given thickness through a grid of nodes, coloured by a field.
import * as THREE from 'three';
import { linearViridis } from './colors';
import { ObjectFacts, SurfaceDrawing } from './data';
import { ObjectMotion } from './motion';
import type { Primitive, Scene } from './primitives';

export class SurfaceView implements Primitive {
  readonly colored: NonNullable<Primitive['colored']>;
  private readonly object: ObjectMotion;
  private readonly mesh: THREE.Mesh;
  private readonly edges: THREE.LineSegments;
  private readonly positions: Float32Array;
  private readonly colors: Float32Array;
  private readonly sheet: Sheet;
  private readonly thickness: number;
  private readonly geometry = new THREE.BufferGeometry();

  constructor(drawing: SurfaceDrawing, facts: ObjectFacts, scene: Scene) {
    this.object = scene.motion.objects.get(facts.name)!;
    this.sheet = sheetOf(drawing);
    this.thickness = drawing.thickness;
    const color = scene.color(facts, drawing.color), { node, faces, lines } = this.sheet;
    this.positions = new Float32Array(3 * node.length);
    this.colors = new Float32Array(3 * node.length).fill(1);
    this.geometry.setIndex(faces);
    this.geometry.setAttribute('position', new THREE.BufferAttribute(this.positions, 3).setUsage(THREE.DynamicDrawUsage));
    this.geometry.setAttribute('color', new THREE.BufferAttribute(this.colors, 3).setUsage(THREE.DynamicDrawUsage));
    const material = new THREE.MeshStandardMaterial({ vertexColors: true, roughness: 0.5, side: THREE.DoubleSide, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 });
    this.mesh = new THREE.Mesh(this.geometry, material);
    const grid = new THREE.BufferGeometry().setAttribute('position', this.geometry.attributes.position);
    grid.setIndex(lines);
    this.edges = new THREE.LineSegments(grid, new THREE.LineBasicMaterial({ color: '#20242a', transparent: true, opacity: 0.3 }));
    this.mesh.name = facts.name;
    for (const part of [this.mesh, this.edges]) {
      part.frustumCulled = false;
      scene.group.add(part);
    }
    this.colored = { object: this.object, color, paint: (values, low, high) => {
      material.color.set(values ? '#ffffff' : color);
      this.paint(values, low, high);
    }, average: (values, nodes) => average(drawing, values, nodes) };
  }

  private paint(values: Float32Array | null, low: number, high: number): void {
    const scale = high > low ? 255 / (high - low) : 0;
    this.sheet.node.forEach((n, v) => {
      const entry = values ? 3 * (Math.min(255, Math.max(0, Math.round((values[n] - low) * scale))) || 0) : 0;
      for (let k = 0; k < 3; ++k) this.colors[3 * v + k] = values ? linearViridis[entry + k] : 1;
    });
    this.geometry.attributes.color.needsUpdate = true;
  }

  update(): void {
    this.mesh.visible = this.edges.visible = this.object.isVisible;
    if (!this.object.isVisible) return;
    const { x, p } = this.object, { node, side } = this.sheet;
    node.forEach((n, v) => {
      const [a, b, c, d] = p.subarray(4 * n, 4 * n + 4), up = 0.5 * side[v] * this.thickness;  // along the third axis of the node
      this.positions[3 * v] = x[3 * n] + up * 2 * (b * d + a * c);
      this.positions[3 * v + 1] = x[3 * n + 1] + up * 2 * (c * d - a * b);
      this.positions[3 * v + 2] = x[3 * n + 2] + up * (a * a - b * b - c * c + d * d);
    });
    this.geometry.attributes.position.needsUpdate = true;
    this.geometry.computeVertexNormals();
  }
}

/// Values of cells at the nodes around them.
function average({ grid: [rows, columns], closed }: SurfaceDrawing, cells: Float32Array, nodes: Float32Array): boolean {
  const alongFirst = closed[0] ? rows : rows - 1, alongSecond = closed[1] ? columns : columns - 1;
  if (cells.length !== alongFirst * alongSecond) return false;
  const count = new Float32Array(nodes.length);
  nodes.fill(0);
  for (let j = 0; j < alongSecond; ++j)
    for (let i = 0; i < alongFirst; ++i)
      for (const n of [i + j * rows, (i + 1) % rows + j * rows, i + (j + 1) % columns * rows, (i + 1) % rows + (j + 1) % columns * rows]) {
        nodes[n] += cells[i + j * alongFirst];
        ++count[n];
      }
  for (let n = 0; n < nodes.length; ++n) nodes[n] /= count[n];
  return true;
}

/// Vertices, each on the upper (1) or lower (-1) side of a node; triangles, and the lines of the grid on both sides.
interface Sheet { node: number[]; side: number[]; faces: number[]; lines: number[] }

/// Node n = i + j·grid[0]. First come the upper vertices of all nodes, then the lower ones, then those of the rim, which have normals of their own.
function sheetOf({ grid: [rows, columns], closed }: SurfaceDrawing): Sheet {
  const count = rows * columns, all = Array.from({ length: count }, (_, n) => n), at = (i: number, j: number) => (i % rows) + (j % columns) * rows;
  const sheet: Sheet = { node: [...all, ...all], side: [...all.map(() => 1), ...all.map(() => -1)], faces: [], lines: [] };
  const alongFirst = closed[0] ? rows : rows - 1, alongSecond = closed[1] ? columns : columns - 1;
  const line = (a: number, b: number): void => { sheet.lines.push(a, b, count + a, count + b); };
  const rim = (a: number, b: number): void => {
    const first = sheet.node.length;
    sheet.node.push(a, b, b, a);
    sheet.side.push(-1, -1, 1, 1);
    sheet.faces.push(first, first + 1, first + 2, first, first + 2, first + 3);
  };
  for (let j = 0; j < columns; ++j) for (let i = 0; i < alongFirst; ++i) line(at(i, j), at(i + 1, j));
  for (let i = 0; i < rows; ++i) for (let j = 0; j < alongSecond; ++j) line(at(i, j), at(i, j + 1));
  for (let j = 0; j < alongSecond; ++j)
    for (let i = 0; i < alongFirst; ++i) {
      const a = at(i, j), b = at(i + 1, j), c = at(i + 1, j + 1), d = at(i, j + 1);
      sheet.faces.push(a, b, c, a, c, d, count + a, count + c, count + b, count + a, count + d, count + c);
    }
  if (!closed[1]) for (let i = 0; i < alongFirst; ++i) { rim(at(i, 0), at(i + 1, 0)); rim(at(i + 1, columns - 1), at(i, columns - 1)); }
  if (!closed[0]) for (let j = 0; j < alongSecond; ++j) { rim(at(rows - 1, j), at(rows - 1, j + 1)); rim(at(0, j + 1), at(0, j)); }
  return sheet;
}
