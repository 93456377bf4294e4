// Forces and moments that change with time.
import * as THREE from 'three';
import { ArrowsDrawing, NumberArray, ObjectFacts } from './data';
import { Motion } from './motion';
import type { Primitive, Put, Scene } from './primitives';
import { Arrow, forceColor, momentColor } from './shapes';

const looks = { force: { color: forceColor, heads: 1 }, moment: { color: momentColor, heads: 2 } };

/// Length of the longest arrow of the run, in sizes of the objects.
const share = 0.2;

const known = new WeakMap<NumberArray, number>();
/// Largest length of all vectors of a series.
function largestOf(series: NumberArray): number {
  let largest = known.get(series);
  if (largest !== undefined) return largest;
  const { values } = series;
  largest = 0;
  for (let i = 0; i + 2 < values.length; i += 3) {
    const length = Math.hypot(values[i], values[i + 1], values[i + 2]);
    if (length > largest) largest = length;
  }
  known.set(series, largest);
  return largest;
}

/// Every vector now, as long as it is drawn.
function vectors(drawing: ArrowsDrawing, motion: Motion, series: NumberArray, scale: number, now: Float32Array): THREE.Vector3[] {
  motion.at(series.values, now.length, now);
  return drawing.at.map((anchor, i) => {
    const vector = new THREE.Vector3().fromArray(now, 3 * i).multiplyScalar(scale);
    return drawing.frame === 'body' ? vector.applyQuaternion(motion.orientation(anchor)) : vector;
  });
}

export class Arrows implements Primitive {
  private readonly arrows: Arrow[] = [];
  private readonly series: NumberArray | undefined;
  private readonly scale: number;
  private readonly now: Float32Array;

  static fills(drawing: ArrowsDrawing, motion: Motion, size: number, put: Put): void {
    const series = motion.run.array(drawing.series), largest = series ? largestOf(series) : 0;
    if (!series || !(largest > 0)) return;
    const half = new THREE.Vector3().setScalar(0.02 * size);
    vectors(drawing, motion, series, (share * size) / largest, new Float32Array(series.shape[1]))
      .forEach((v, i) => { if (motion.isVisible(drawing.at[i])) put(motion.place(drawing.at[i]).add(v), half); });
  }

  /// The longest arrow of the run has a length that can be seen.
  constructor(private readonly drawing: ArrowsDrawing, _object: ObjectFacts, private readonly scene: Scene) {
    this.series = scene.run.array(drawing.series);
    const largest = this.series ? largestOf(this.series) : 0;
    this.scale = (share * scene.size) / largest;
    this.now = new Float32Array(this.series?.shape[1] ?? 0);
    if (!(largest > 0)) return;
    const { color, heads } = looks[drawing.quantity];
    this.arrows = drawing.at.map(() => new Arrow(color, 0.0035 * scene.size, heads));
    for (const arrow of this.arrows) scene.layers.loads.add(arrow.group);
  }

  update(): void {
    if (!this.series || !this.arrows.length) return;
    const { motion } = this.scene;
    vectors(this.drawing, motion, this.series, this.scale, this.now).forEach((vector, i) => {
      const anchor = this.drawing.at[i], { group } = this.arrows[i];
      group.visible = motion.isVisible(anchor);
      if (group.visible) this.arrows[i].set(motion.place(anchor), vector);
    });
  }
}
