// Lines of the past: paths of points, and shapes that objects had before.
import * as THREE from 'three';
import { Line2 } from 'three/examples/jsm/lines/Line2.js';
import { LineGeometry } from 'three/examples/jsm/lines/LineGeometry.js';
import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';
import { lineColor, Theme } from './colors';
import { Motion, ObjectMotion } from './motion';

/// Lines are mixed with the background: transparent ones would show their joints.
const background = (theme: Theme) => new THREE.Color(theme === 'dark' ? '#1d2127' : '#f4f6f8');

interface Trail { label: string; object: ObjectMotion; node: number; on: boolean; line?: Line2 }

export class Trails {
  readonly list: Trail[];

  constructor(private readonly motion: Motion, private readonly layer: THREE.Group, private readonly single?: string) {
    this.list = motion.run.moving.flatMap(({ name, trails }) => trails.map((trail) => ({ ...trail, object: motion.objects.get(name)! })));
    this.list.forEach((trail, i) => { if (trail.on) this.show(i, true); });
  }

  show(index: number, on: boolean): void {
    const trail = this.list[index];
    trail.on = on;
    if (on && !trail.line) {
      trail.line = this.make(trail, index);
      this.layer.add(trail.line);
    }
    if (trail.line) trail.line.visible = on && this.motion.run.time.length > 1;
    this.update();
  }

  private make({ object, node }: Trail, index: number): Line2 {
    const frames = this.motion.run.time.length, points = new Float32Array(3 * frames);
    for (let f = 0; f < frames; ++f) {
      const from = 3 * (f * object.nodes + node), isGood = this.motion.isDrawable(object.position, from, 3);
      for (let k = 0; k < 3; ++k) points[3 * f + k] = isGood ? object.position[from + k] : f > 0 ? points[3 * f - 3 + k] : 0;
    }
    const geometry = new LineGeometry();
    if (frames > 1) geometry.setPositions(points);
    const line = new Line2(geometry, new LineMaterial({ color: this.single ?? lineColor(index + 1, 'light'), linewidth: 1.8 }));
    line.frustumCulled = false;
    return line;
  }

  update(): void {
    const shown = this.motion.frame + (this.motion.fraction > 0.999 ? 1 : 0);
    for (const { line } of this.list) if (line) (line.geometry as LineGeometry).instanceCount = shown;
  }

  setTheme(theme: Theme): void {
    this.list.forEach(({ line }, i) => { if (line && !this.single) line.material.color.set(lineColor(i + 1, theme)).lerp(background(theme), 0.25); });
  }
}

/// Shapes of lines of nodes, evenly over the run.
export class Snapshots {
  private readonly lines: { line: Line2; color: string; frame: number }[] = [];

  constructor(private readonly motion: Motion, layer: THREE.Group, objects: { object: ObjectMotion; color: string }[]) {
    if (objects.length > 8) return;
    const frames = motion.run.time.length, count = Math.min(16, frames - 1);
    for (let k = 0; k < count; ++k) {
      const frame = Math.round((k * (frames - 1)) / count);
      for (const { object, color } of objects) {
        const from = 3 * frame * object.nodes, geometry = new LineGeometry();
        if (!motion.isDrawable(object.position, from, 3 * object.nodes)) continue;
        geometry.setPositions(Array.from(object.position.subarray(from, from + 3 * object.nodes)));
        const line = new Line2(geometry, new LineMaterial({ linewidth: 2.2 }));
        line.frustumCulled = false;
        layer.add(line);
        this.lines.push({ line, color, frame });
      }
    }
  }

  update(): void {
    for (const { line, frame } of this.lines) line.visible = this.motion.frame >= frame && this.motion.frame + this.motion.fraction > 0;
  }

  setTheme(theme: Theme): void { for (const { line, color } of this.lines) line.material.color.set(color).lerp(background(theme), 0.6); }
}
