// Rods and coils between two points.
import * as THREE from 'three';
import { Anchor, CoilDrawing, ObjectFacts, RodDrawing } from './data';
import { Motion } from './motion';
import type { Primitive, Put, Scene } from './primitives';
import { Coil, jointColor, springColor } from './shapes';

/// Radius of a coil, in sizes of the objects.
const coilShare = 0.018;

export class Rod implements Primitive {
  private readonly bar = new THREE.Mesh(new THREE.CylinderGeometry(1, 1, 1, 12), new THREE.MeshStandardMaterial({ color: jointColor, roughness: 0.5 }));

  static marks(drawing: RodDrawing): Anchor[] { return drawing.ends; }
  static holds(drawing: RodDrawing): boolean { return drawing.ends.some((end) => end.object === undefined); }

  constructor(private readonly drawing: RodDrawing, _object: ObjectFacts, private readonly scene: Scene) { scene.layers.joints.add(this.bar); }

  update(): void {
    const { motion } = this.scene, [from, to] = this.drawing.ends, thickness = 0.004 * this.scene.size;
    this.bar.visible = motion.isVisible(from) && motion.isVisible(to);
    const start = motion.place(from), along = motion.place(to).sub(start);
    this.bar.position.copy(start).addScaledVector(along, 0.5);
    this.bar.scale.set(thickness, along.length(), thickness);
    this.bar.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), along.normalize());
  }
}

export class CoilView implements Primitive {
  private readonly coil: Coil;

  static marks(drawing: CoilDrawing): Anchor[] { return drawing.ends; }
  static fills(drawing: CoilDrawing, motion: Motion, size: number, put: Put): void {
    const half = new THREE.Vector3().setScalar(coilShare * size);
    for (const end of drawing.ends) if (motion.isVisible(end)) put(motion.place(end), half);
  }

  constructor(private readonly drawing: CoilDrawing, _object: ObjectFacts, private readonly scene: Scene) {
    this.coil = new Coil(coilShare * scene.size, springColor);
    scene.layers.joints.add(this.coil.line);
  }

  update(): void {
    const { motion } = this.scene, [from, to] = this.drawing.ends;
    this.coil.line.visible = motion.isVisible(from) && motion.isVisible(to);
    if (this.coil.line.visible) this.coil.set(motion.place(from), motion.place(to));
  }
}
