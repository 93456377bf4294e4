// A surface through a grid of nodes, coloured by a field.
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
  private readonly colors: Float32Array;
  private readonly geometry = new THREE.BufferGeometry();

  constructor(drawing: SurfaceDrawing, facts: ObjectFacts, scene: Scene) {
    this.object = scene.motion.objects.get(facts.name)!;
    const color = scene.color(facts, drawing.color), { faces, lines } = cells(drawing);
    this.colors = new Float32Array(3 * this.object.nodes).fill(1);
    this.geometry.setIndex(faces);
    this.geometry.setAttribute('position', new THREE.BufferAttribute(this.object.x, 3).setUsage(THREE.DynamicDrawUsage));
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
    for (let n = 0; n < this.object.nodes; ++n) {
      const entry = values ? 3 * (Math.min(255, Math.max(0, Math.round((values[n] - low) * scale))) || 0) : 0;
      for (let k = 0; k < 3; ++k) this.colors[3 * n + k] = values ? linearViridis[entry + k] : 1;
    }
    this.geometry.attributes.color.needsUpdate = true;
  }

  update(): void {
    this.mesh.visible = this.edges.visible = this.object.isVisible;
    if (!this.object.isVisible) return;
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

/// Triangles, and the lines of the grid; node n = i + j·grid[0].
function cells({ grid: [rows, columns], closed }: SurfaceDrawing): { faces: number[]; lines: number[] } {
  const faces: number[] = [], lines: number[] = [], node = (i: number, j: number) => (i % rows) + (j % columns) * rows;
  const alongFirst = closed[0] ? rows : rows - 1, alongSecond = closed[1] ? columns : columns - 1;
  for (let j = 0; j < columns; ++j) for (let i = 0; i < alongFirst; ++i) lines.push(node(i, j), node(i + 1, j));
  for (let i = 0; i < rows; ++i) for (let j = 0; j < alongSecond; ++j) lines.push(node(i, j), node(i, j + 1));
  for (let j = 0; j < alongSecond; ++j)
    for (let i = 0; i < alongFirst; ++i) {
      const a = node(i, j), b = node(i + 1, j), c = node(i + 1, j + 1), d = node(i, j + 1);
      faces.push(a, b, c, a, c, d);
    }
  return { faces, lines };
}
