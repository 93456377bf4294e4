// The sign of a joint, and the ground under it.
import * as THREE from 'three';
import { Anchor, ObjectFacts, SymbolDrawing } from './data';
import { Motion } from './motion';
import type { Primitive, Put, Scene } from './primitives';
import { groundShape, jointShape } from './shapes';

/// Of a sign, in sizes of the objects.
export const share = 0.011;
const reach = 2.7;

const isGround = (anchor: Anchor) => anchor.object === undefined;

export class SymbolView implements Primitive {
  private readonly group = new THREE.Group();

  static marks(drawing: SymbolDrawing): Anchor[] { return [drawing.at, ...drawing.partners.filter(isGround)]; }
  static fills(drawing: SymbolDrawing, motion: Motion, size: number, put: Put): void {
    const half = new THREE.Vector3().setScalar(reach * share * size);
    for (const anchor of SymbolView.marks(drawing)) if (motion.isVisible(anchor)) put(motion.place(anchor), half);
  }
  static holds(drawing: SymbolDrawing): boolean { return drawing.partners.some(isGround); }

  constructor(private readonly drawing: SymbolDrawing, _object: ObjectFacts, private readonly scene: Scene) {
    const size = share * scene.size;
    this.group.add(jointShape(drawing.symbol, size, new THREE.Vector3().fromArray(drawing.axis).normalize()));
    scene.layers.joints.add(this.group);
    for (const partner of drawing.partners.filter(isGround)) {
      const ground = groundShape(size, scene.up);
      ground.position.fromArray(partner.point);
      scene.layers.joints.add(ground);
    }
  }

  update(): void {
    const { motion } = this.scene, { at } = this.drawing;
    this.group.visible = motion.isVisible(at);
    this.group.position.copy(motion.place(at));
    this.group.quaternion.copy(motion.orientation(at));
  }
}
