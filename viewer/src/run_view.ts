// Everything of one run that is drawn.
import * as THREE from 'three';
import { Coloring } from './coloring';
import { lineColor, Theme } from './colors';
import { Run } from './data';
import { Motion } from './motion';
import { Layers, makePrimitives, Primitive } from './primitives';
import { ghostEdges } from './shapes';
import { Snapshots, Trails } from './trails';

interface Style { size: number; up: THREE.Vector3; single?: string; ghost: boolean }

export class RunView {
  readonly group = new THREE.Group();
  readonly motion: Motion;
  readonly layers: Layers = { joints: new THREE.Group(), loads: new THREE.Group(), frames: new THREE.Group(), trails: new THREE.Group(), snapshots: new THREE.Group() };
  readonly trails: Trails;
  readonly coloring: Coloring;
  private readonly primitives: Primitive[];
  private readonly snapshots: Snapshots;

  constructor(readonly run: Run, style: Style) {
    this.motion = new Motion(run);
    this.group.add(...Object.values(this.layers));
    const order = new Map(run.moving.map((object, i) => [object.name, i]));
    this.primitives = makePrimitives({
      run, motion: this.motion, size: style.size, up: style.up, group: this.group, layers: this.layers, isGhost: style.ghost,
      color: (object, own) => style.single ?? own ?? lineColor(order.get(object.name) ?? 0, 'light'),
    });
    const colored = this.primitives.flatMap((p) => (p.colored ? [p.colored] : []));
    this.coloring = new Coloring(run, this.motion, colored);
    this.trails = new Trails(this.motion, this.layers.trails, style.single);
    this.snapshots = new Snapshots(this.motion, this.layers.snapshots, run.facts.modes ? [] : this.primitives.flatMap((p) => (p.isLine && p.colored ? [p.colored] : [])));
    if (style.ghost) this.fade();
    this.update();
  }

  /// Transparent, and a little behind what is at the same place: two surfaces at the same depth would flicker.
  private fade(): void {
    this.group.traverse((object) => {
      const material = (object as THREE.Mesh).material as THREE.Material | undefined;
      if (!material || object.name === ghostEdges) return;
      material.transparent = true;
      material.opacity *= 0.55;
      material.depthWrite = false;
      material.polygonOffset = true;
      material.polygonOffsetFactor += 2;
      material.polygonOffsetUnits += 16;
    });
  }

  /// Whether some tube is drawn thicker than it is.
  get canBeThinner(): boolean { return this.primitives.some((p) => p.setTrueThickness); }
  setTrueThickness(on: boolean): void {
    for (const primitive of this.primitives) primitive.setTrueThickness?.(on);
    this.update();
  }

  setTime(t: number): void {
    this.motion.set(t);
    this.update();
  }

  update(): void {
    for (const primitive of this.primitives) primitive.update?.();
    this.coloring.update();
    this.snapshots.update();
    this.trails.update();
  }

  setTheme(theme: Theme): void {
    this.snapshots.setTheme(theme);
    this.trails.setTheme(theme);
  }
}
