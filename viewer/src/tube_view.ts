// A tube along the nodes of an object, and its section frames.
import * as THREE from 'three';
import { ObjectFacts, TubeDrawing } from './data';
import { ObjectMotion } from './motion';
import type { Primitive, Scene } from './primitives';
import { Tube, TubeSize } from './tube';

/// A ghost is a hull around what coincides with it, of which only the far side is drawn.
const hull = 1.5;

export class TubeView implements Primitive {
  readonly colored: NonNullable<Primitive['colored']>;
  readonly isLine = true;
  readonly setTrueThickness?: (on: boolean) => void;
  private readonly tube: Tube;
  private readonly object: ObjectMotion;
  private readonly frames: SectionFrames;

  constructor(drawing: TubeDrawing, facts: ObjectFacts, scene: Scene) {
    const object = scene.motion.objects.get(facts.name)!, color = scene.color(facts, drawing.color);
    // Many long tubes are drawn more coarsely.
    const segments = scene.run.drawings('tube').reduce((sum, t) => sum + t.object.nodes! - 1, 0);
    const parts = Math.max(1, Math.min(8, Math.floor(1200 / Math.max(1, segments)))), sides = segments > 2000 ? 8 : 16;
    const material = new THREE.MeshStandardMaterial({ vertexColors: true, roughness: 0.45, side: scene.isGhost ? THREE.BackSide : THREE.FrontSide });
    // Thin tubes are drawn thicker than they are.
    const visible = 0.0075 * scene.size, more = scene.isGhost ? hull : 1, thickness = drawing.rectangle ? Math.min(...drawing.rectangle) / 0.6 : drawing.radius ?? 0;
    const scaled = (factor: number): TubeSize => ({ radius: more * factor * (drawing.radius ?? 0), rectangle: drawing.rectangle?.map((x) => more * factor * x) });
    const factor = thickness > 0 ? Math.max(1, visible / thickness) : 1;
    const shown = thickness > 0 ? scaled(factor) : { radius: more * visible };
    this.object = object;
    this.tube = new Tube(object, shown, parts, sides, material);
    if (thickness > 0 && factor > 1 && !drawing.estimated) this.setTrueThickness = (on) => this.tube.resize(on ? scaled(1) : shown);
    scene.group.add(this.tube.mesh);
    this.frames = new SectionFrames(object, 3.2 * Math.max(shown.radius, ...(drawing.rectangle ?? []).map((x) => 0.5 * x)), scene.layers.frames);
    this.colored = { object, color, paint: (values, low, high) => {
      material.color.set(values ? '#ffffff' : color);
      this.tube.color(values, low, high);
    } };
  }

  update(): void {
    this.tube.mesh.visible = this.object.isVisible;
    if (this.object.isVisible) this.tube.update();
    this.frames.update();
  }
}

/// The first two directors at up to 40 nodes.
class SectionFrames {
  private readonly stride: number;
  private readonly positions: Float32Array;
  private readonly geometry = new THREE.BufferGeometry();
  private readonly lines: THREE.LineSegments;

  constructor(private readonly object: ObjectMotion, private readonly length: number, private readonly layer: THREE.Group) {
    this.stride = Math.max(1, Math.ceil(object.nodes / 40));
    const count = Math.floor((object.nodes - 1) / this.stride) + 1, colors = new Float32Array(12 * count);
    this.positions = new Float32Array(12 * count);
    const first = new THREE.Color('#d55e00'), second = new THREE.Color('#0072b2');
    for (let i = 0; i < count; ++i) [first, first, second, second].forEach((c, k) => c.toArray(colors, 12 * i + 3 * k));
    this.geometry.setAttribute('position', new THREE.BufferAttribute(this.positions, 3)).setAttribute('color', new THREE.BufferAttribute(colors, 3));
    this.lines = new THREE.LineSegments(this.geometry, new THREE.LineBasicMaterial({ vertexColors: true }));
    this.lines.frustumCulled = false;
    layer.add(this.lines);
  }

  update(): void {
    const { object, positions } = this;
    this.lines.visible = object.isVisible;
    if (!this.layer.visible || !object.isVisible) return;
    const q = new THREE.Quaternion(), v = new THREE.Vector3();
    for (let i = 0; 12 * i < positions.length; ++i) {
      const n = i * this.stride;
      q.set(object.p[4 * n + 1], object.p[4 * n + 2], object.p[4 * n + 3], object.p[4 * n]);
      [[1, 0, 0], [0, 1, 0]].forEach((axis, k) => {
        v.fromArray(axis).applyQuaternion(q).multiplyScalar(this.length);
        for (let c = 0; c < 3; ++c) {
          positions[12 * i + 6 * k + c] = object.x[3 * n + c];
          positions[12 * i + 6 * k + 3 + c] = object.x[3 * n + c] + v.getComponent(c);
        }
      });
    }
    this.geometry.attributes.position.needsUpdate = true;
  }
}
