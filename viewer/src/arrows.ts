// Forces and moments that change with time.
import * as THREE from 'three';
import { ArrowsDrawing, NumberArray, ObjectFacts } from './data';
import type { Primitive, Scene } from './primitives';
import { Arrow, forceColor, momentColor } from './shapes';

const looks = { force: { color: forceColor, heads: 1 }, moment: { color: momentColor, heads: 2 } };

export class Arrows implements Primitive {
  private readonly arrows: Arrow[] = [];
  private readonly series: NumberArray | undefined;
  private readonly scale: number;
  private readonly now: Float32Array;

  /// The longest arrow of the run has a length that can be seen.
  constructor(private readonly drawing: ArrowsDrawing, _object: ObjectFacts, private readonly scene: Scene) {
    this.series = scene.run.array(drawing.series);
    const values = this.series?.values ?? [];
    let largest = 0;
    for (let i = 0; i + 2 < values.length; i += 3) largest = Math.max(largest, Math.hypot(values[i], values[i + 1], values[i + 2]));
    this.scale = (0.2 * scene.size) / largest;
    this.now = new Float32Array(this.series?.shape[1] ?? 0);
    if (!(largest > 0)) return;
    const { color, heads } = looks[drawing.quantity];
    this.arrows = drawing.at.map(() => new Arrow(color, 0.0035 * scene.size, heads));
    for (const arrow of this.arrows) scene.layers.loads.add(arrow.group);
  }

  update(): void {
    if (!this.series || !this.arrows.length) return;
    const { motion } = this.scene;
    motion.at(this.series.values, this.now.length, this.now);
    this.drawing.at.forEach((anchor, i) => {
      const vector = new THREE.Vector3().fromArray(this.now, 3 * i).multiplyScalar(this.scale), { group } = this.arrows[i];
      if (this.drawing.frame === 'body') vector.applyQuaternion(motion.orientation(anchor));
      group.visible = motion.isVisible(anchor);
      if (group.visible) this.arrows[i].set(motion.place(anchor), vector);
    });
  }
}
