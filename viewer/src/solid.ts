// A rigid shape at a node, with arms to the joints outside it.
import * as THREE from 'three';
import { Anchor, ObjectFacts, Run, SolidDrawing } from './data';
import type { Primitive, Put, Scene } from './primitives';
import { solidShape } from './shapes';
import { share } from './symbol';

const quaternion = ([w, x, y, z]: number[]) => new THREE.Quaternion(x, y, z, w);

export class Solid implements Primitive {
  private readonly group = new THREE.Group();
  private readonly anchor: Anchor;

  static reach(drawing: SolidDrawing): number { return Math.max(...drawing.size); }

  static bounds(drawing: SolidDrawing, object: ObjectFacts, run: Run, put: Put): void {
    const { values } = run.array(`${object.name}/position`)!, orientations = run.array(`${object.name}/orientation`)!.values, nodes = object.nodes!;
    const center = new THREE.Vector3().fromArray(drawing.position), own = quaternion(drawing.orientation), [a, b, c] = drawing.size;
    const at = new THREE.Vector3(), half = new THREE.Vector3(), q = new THREE.Quaternion(), turn = new THREE.Matrix4();
    for (let n = drawing.node; 3 * n + 2 < values.length; n += nodes) {
      q.set(orientations[4 * n + 1], orientations[4 * n + 2], orientations[4 * n + 3], orientations[4 * n]);
      at.copy(center).applyQuaternion(q).add(new THREE.Vector3(values[3 * n], values[3 * n + 1], values[3 * n + 2]));
      const e = turn.makeRotationFromQuaternion(q.multiply(own)).elements;
      for (let r = 0; r < 3; ++r) half.setComponent(r, 0.5 * (Math.abs(e[r]) * a + Math.abs(e[4 + r]) * b + Math.abs(e[8 + r]) * c));
      put(at, half);
    }
  }

  constructor(drawing: SolidDrawing, object: ObjectFacts, private readonly scene: Scene) {
    this.anchor = { object: object.name, node: drawing.node, point: [0, 0, 0] };
    const color = scene.color(object, drawing.color);
    const joints = scene.run.drawings('symbol').flatMap((s) => s.drawing.partners).filter((p) => p.object === object.name && p.node === drawing.node)
      .map((p) => new THREE.Vector3().fromArray(p.point));
    const size = this.visibleSize(drawing, joints), shape = solidShape(drawing.shape, size, 0.012 * scene.size, color, scene.isGhost);
    shape.position.fromArray(drawing.position);
    shape.quaternion.copy(quaternion(drawing.orientation));
    shape.name = object.name;
    this.group.add(shape);
    for (const joint of joints) this.makeArm(drawing, size, joint, color);
    scene.group.add(this.group);
  }

  /// An estimated box ends before the joints that it would hide; arms lead on to them. A joint in the middle of a body cannot be shown in this way.
  private visibleSize(drawing: SolidDrawing, joints: THREE.Vector3[]): number[] {
    if (!drawing.estimated) return drawing.size;
    const center = new THREE.Vector3().fromArray(drawing.position), back = quaternion(drawing.orientation).invert();
    const half = drawing.size.map((x) => x / 2), sign = share * this.scene.size;
    const shares = joints.filter((j) => j.distanceTo(center) > 0.1 * sign).map((j) => {
      const place = j.clone().sub(center).applyQuaternion(back).toArray().map(Math.abs);
      return place.every((x, k) => half[k] - x > sign) ? Math.max(...place.map((x, k) => x / half[k])) : 1;
    });
    const least = Math.min(1, ...shares);
    return least < 1 ? drawing.size.map((x) => 0.8 * Math.max(least, 0.1) * x) : drawing.size;
  }

  /// A bar from the centre to a joint outside, so that linkages hang together.
  private makeArm(drawing: SolidDrawing, size: number[], to: THREE.Vector3, color: string): void {
    const from = new THREE.Vector3().fromArray(drawing.position), along = to.clone().sub(from);
    const inside = along.clone().applyQuaternion(quaternion(drawing.orientation).invert());
    if (inside.toArray().every((x, k) => Math.abs(x) <= 0.55 * Math.max(size[k], 0.012 * this.scene.size))) return;
    const thickness = 0.005 * this.scene.size;
    const bar = new THREE.Mesh(new THREE.CylinderGeometry(thickness, thickness, along.length(), 12), new THREE.MeshStandardMaterial({ color, roughness: 0.5 }));
    bar.position.copy(from).addScaledVector(along, 0.5);
    bar.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), along.clone().normalize());
    this.group.add(bar);
  }

  update(): void {
    const { motion } = this.scene;
    this.group.visible = motion.isVisible(this.anchor);
    this.group.position.copy(motion.position(this.anchor));
    this.group.quaternion.copy(motion.orientation(this.anchor));
  }
}
