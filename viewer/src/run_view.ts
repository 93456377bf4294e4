// Everything of one run that is drawn: beams, bodies, joints, springs, loads, section frames, trails.
import * as THREE from 'three';
import { Line2 } from 'three/examples/jsm/lines/Line2.js';
import { LineGeometry } from 'three/examples/jsm/lines/LineGeometry.js';
import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';
import { lineColor, Theme } from './colors';
import { Reference, Run } from './data';
import { Motion, ObjectMotion } from './motion';
import { Arrow, bodyShape, Coil, forceColor, groundShape, jointShape, momentColor, springColor } from './shapes';
import { Tube } from './tube';

export interface Field { name: string; label: string }
export const fields: Field[] = [
  { name: 'curvature', label: 'Strain: curvature' }, { name: 'twist', label: 'Strain: twist' }, { name: 'extension', label: 'Strain: extension' },
  { name: 'moment', label: 'Bending moment' }, { name: 'torque', label: 'Torque' }, { name: 'axial_force', label: 'Axial force' },
  { name: 'speed', label: 'Speed' }, { name: 'energy', label: 'Elastic energy per length' },
];

type Anchor = { object: ObjectMotion; node: number } | null;
export interface TrailPoint { label: string; anchor: NonNullable<Anchor>; on: boolean; line?: Line2 }
interface Style { size: number; up: THREE.Vector3; single?: string; ghost: boolean }

export class RunView {
  readonly group = new THREE.Group();
  readonly motion: Motion;
  readonly trails: TrailPoint[] = [];
  readonly layers = { joints: new THREE.Group(), loads: new THREE.Group(), frames: new THREE.Group(), trails: new THREE.Group(), snapshots: new THREE.Group() };
  private readonly tubes: { tube: Tube; object: ObjectMotion; material: THREE.MeshStandardMaterial; color: string }[] = [];
  private readonly attached: { group: THREE.Object3D; anchor: NonNullable<Anchor> }[] = [];
  private readonly updates: (() => void)[] = [];
  private readonly bodies = new Map<string, THREE.Group>();
  private field: { values: Map<string, { values: Float32Array; size: number }>; low: number; high: number } | null = null;
  private readonly snapshots: { line: Line2; color: string }[] = [];
  private readonly scratch = { fields: new Float32Array(0), nodes: new Float32Array(0) };

  constructor(readonly run: Run, private readonly style: Style) {
    this.motion = new Motion(run);
    this.group.add(...Object.values(this.layers));
    this.makeBodies();
    this.makeBeams();
    this.makeJoints();
    this.makeSprings();
    this.makeLoads();
    this.makeTrailPoints();
    this.makeSnapshots();
    if (style.ghost) this.fade();
    this.update();
  }

  get hasBeams(): boolean { return this.tubes.length > 0; }

  private color(index: number): string { return this.style.single ?? lineColor(index, 'light'); }

  private makeBodies(): void {
    const { scene } = this.run.about;
    scene.bodies.forEach((body, i) => {
      const object = this.motion.objects.get(body.name)!, group = new THREE.Group();
      const disk = scene.joints.find((j) => j.type === 'rolling-disk' && j.connects?.some((c) => c?.object === body.name))?.radius;
      const shape = bodyShape(this.visibleBox(i), 0.012 * this.style.size, this.color(i), disk);
      shape.position.fromArray(body.center);
      if (!disk) shape.quaternion.set(body.axes[1], body.axes[2], body.axes[3], body.axes[0]);
      shape.name = body.name;
      group.add(shape);
      this.group.add(group);
      this.bodies.set(body.name, group);
      this.attached.push({ group, anchor: { object, node: 0 } });
    });
  }

  /// The box of the inertia; smaller where it would hide the joints that the body connects.
  private visibleBox(index: number): number[] {
    const { bodies, joints } = this.run.about.scene, body = bodies[index], anchor = { object: this.motion.objects.get(body.name)!, node: 0 };
    const center = new THREE.Vector3().fromArray(body.center);
    let reach = 0;
    for (const joint of joints)
      if (joint.at && joint.connects?.some((c) => c?.object === body.name)) reach = Math.max(reach, this.local(anchor, new THREE.Vector3().fromArray(joint.at)).distanceTo(center));
    const largest = Math.max(...body.box);
    return reach > 1e-3 * this.style.size && largest > 3 * reach ? body.box.map((x) => (0.6 * reach * x) / largest) : body.box;
  }

  private makeBeams(): void {
    const { scene } = this.run.about, { size } = this.style;
    const segments = scene.beams.reduce((sum, b) => sum + this.motion.objects.get(b.name)!.nodes - 1, 0);
    const parts = Math.max(1, Math.min(8, Math.floor(1200 / Math.max(1, segments)))), sides = segments > 2000 ? 8 : 16;
    scene.beams.forEach((beam, i) => {
      const object = this.motion.objects.get(beam.name)!, color = this.color(scene.bodies.length + i);
      const material = new THREE.MeshStandardMaterial({ vertexColors: true, roughness: 0.45 });
      const visible = 0.0075 * size, drawn = { radius: Math.max(beam.radius ?? beam.length / 100, visible), rectangle: beam.rectangle };
      if (drawn.rectangle) drawn.rectangle = drawn.rectangle.map((x) => x * Math.max(1, (0.6 * visible) / Math.min(...beam.rectangle!)));
      const tube = new Tube(object, drawn, parts, sides, material);
      this.tubes.push({ tube, object, material, color });
      this.group.add(tube.mesh);
      this.makeFrames(object, 3.2 * drawn.radius);
    });
  }

  /// The first two directors at up to 40 nodes.
  private makeFrames(object: ObjectMotion, length: number): void {
    const stride = Math.max(1, Math.ceil(object.nodes / 40)), count = Math.floor((object.nodes - 1) / stride) + 1;
    const positions = new Float32Array(12 * count), colors = new Float32Array(12 * count);
    const first = new THREE.Color('#d55e00'), second = new THREE.Color('#0072b2');
    for (let i = 0; i < count; ++i) [first, first, second, second].forEach((c, k) => c.toArray(colors, 12 * i + 3 * k));
    const geometry = new THREE.BufferGeometry().setAttribute('position', new THREE.BufferAttribute(positions, 3)).setAttribute('color', new THREE.BufferAttribute(colors, 3));
    const lines = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ vertexColors: true }));
    lines.frustumCulled = false;
    this.layers.frames.add(lines);
    const q = new THREE.Quaternion(), v = new THREE.Vector3();
    this.updates.push(() => {
      lines.visible = object.isVisible;
      if (!this.layers.frames.visible || !object.isVisible) return;
      for (let i = 0; i < count; ++i) {
        const n = i * stride;
        q.set(object.p[4 * n + 1], object.p[4 * n + 2], object.p[4 * n + 3], object.p[4 * n]);
        [[1, 0, 0], [0, 1, 0]].forEach((axis, k) => {
          v.fromArray(axis).applyQuaternion(q).multiplyScalar(length);
          for (let c = 0; c < 3; ++c) {
            positions[12 * i + 6 * k + c] = object.x[3 * n + c];
            positions[12 * i + 6 * k + 3 + c] = object.x[3 * n + c] + v.getComponent(c);
          }
        });
      }
      geometry.attributes.position.needsUpdate = true;
    });
  }

  /// A point of space in the frame of an anchor, in the first frame.
  private local(anchor: NonNullable<Anchor>, point: THREE.Vector3): THREE.Vector3 {
    return point.clone().sub(this.position(anchor)).applyQuaternion(this.orientation(anchor).invert());
  }
  private position({ object, node }: NonNullable<Anchor>): THREE.Vector3 { return new THREE.Vector3().fromArray(object.x, 3 * node); }
  private orientation({ object, node }: NonNullable<Anchor>): THREE.Quaternion {
    const [w, x, y, z] = object.p.subarray(4 * node, 4 * node + 4);
    return new THREE.Quaternion(x, y, z, w);
  }
  /// Where a point fixed in a partner is now.
  private place(reference: Reference | null, point: number[]): THREE.Vector3 {
    const anchor = this.motion.resolve(reference), at = new THREE.Vector3().fromArray(point);
    return anchor ? at.applyQuaternion(this.orientation(anchor)).add(this.position(anchor)) : at;
  }

  private makeJoints(): void {
    const { scene } = this.run.about, size = 0.011 * this.style.size;
    for (const joint of scene.joints) {
      if (joint.type === 'rolling-disk') continue;
      if (joint.type === 'distance' && joint.points && joint.connects) {
        this.makeRod(joint.connects, joint.points);
        continue;
      }
      const driven = joint.drives ? scene.joints.find((j) => j.name === joint.drives) : undefined;
      const { connects, at, axis } = driven ?? joint;
      if (!connects) continue;
      const partners = connects.map((c) => this.motion.resolve(c));
      const beamEnd = connects.findIndex((c) => c?.s !== undefined);
      const holder = partners[connects[1]?.s !== undefined ? 1 : beamEnd >= 0 ? beamEnd : 1] ?? partners[0] ?? partners[1];
      if (!holder) continue;
      const point = at ? new THREE.Vector3().fromArray(at) : this.position(holder);
      const direction = this.orientation(holder).invert();
      const along = (axis ? new THREE.Vector3().fromArray(axis) : new THREE.Vector3(0, 0, 1)).applyQuaternion(direction).normalize();
      const shape = jointShape(joint.type, size, along);
      shape.position.copy(this.local(holder, point));
      const group = new THREE.Group();
      group.add(shape);
      this.layers.joints.add(group);
      this.attached.push({ group, anchor: holder });
      if (connects.includes(null) && !joint.drives) {
        const ground = groundShape(size, this.style.up);
        ground.position.add(point);
        this.layers.joints.add(ground);
      }
      for (const partner of partners) if (partner && this.bodies.has(partner.object.name)) this.makeArm(partner, point);
    }
  }

  /// A bar from the centre of a body to a joint outside its box, so that linkages hang together.
  private makeArm(partner: NonNullable<Anchor>, point: THREE.Vector3): void {
    const { scene } = this.run.about, i = scene.bodies.findIndex((b) => b.name === partner.object.name), body = scene.bodies[i], box = this.visibleBox(i);
    const to = this.local(partner, point), from = new THREE.Vector3().fromArray(body.center), along = to.clone().sub(from);
    const inBox = along.clone().applyQuaternion(new THREE.Quaternion(body.axes[1], body.axes[2], body.axes[3], body.axes[0]).invert());
    if (inBox.toArray().every((x, k) => Math.abs(x) <= 0.55 * Math.max(box[k], 0.012 * this.style.size))) return;
    const thickness = 0.005 * this.style.size;
    const bar = new THREE.Mesh(new THREE.CylinderGeometry(thickness, thickness, along.length(), 12), new THREE.MeshStandardMaterial({ color: this.color(i), roughness: 0.5 }));
    bar.position.copy(from).addScaledVector(along, 0.5);
    bar.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), along.clone().normalize());
    this.bodies.get(body.name)!.add(bar);
  }

  private makeRod(connects: (Reference | null)[], points: number[][]): void {
    const bar = new THREE.Mesh(new THREE.CylinderGeometry(1, 1, 1, 12), new THREE.MeshStandardMaterial({ color: '#6b7280', roughness: 0.5 }));
    this.layers.joints.add(bar);
    const thickness = 0.004 * this.style.size;
    this.updates.push(() => {
      const a = this.place(connects[0], points[0]), along = this.place(connects[1], points[1]).sub(a);
      bar.position.copy(a).addScaledVector(along, 0.5);
      bar.scale.set(thickness, along.length(), thickness);
      bar.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), along.normalize());
    });
  }

  private makeSprings(): void {
    for (const { connects, points } of this.run.about.scene.springs) {
      if (!connects || !points) continue;
      const coil = new Coil(0.018 * this.style.size, springColor);
      this.layers.joints.add(coil.line);
      this.updates.push(() => coil.set(this.place(connects[0], points[0]), this.place(connects[1], points[1])));
    }
  }

  private makeLoads(): void {
    for (const load of this.run.about.scene.loads)
      for (const [what, color, heads] of [['force', forceColor, 1], ['moment', momentColor, 2]] as const) {
        const series = this.run.array(`loads/${load.name}/${what}`);
        if (!series) continue;
        let largest = 0;
        for (let i = 0; i + 2 < series.values.length; i += 3) largest = Math.max(largest, Math.hypot(series.values[i], series.values[i + 1], series.values[i + 2]));
        if (!(largest > 0)) continue;
        const scale = (0.2 * this.style.size) / largest, now = new Float32Array(series.shape[1]);
        const arrows = load.places.map(() => new Arrow(color, 0.0035 * this.style.size, heads));
        arrows.forEach((a) => this.layers.loads.add(a.group));
        this.updates.push(() => {
          this.motion.at(series.values, now.length, now);
          load.places.forEach((s, i) => {
            const anchor = this.motion.resolve(load.on && { object: load.on.object, s: load.on.s ?? s });
            const vector = new THREE.Vector3().fromArray(now, 3 * i).multiplyScalar(scale);
            if (anchor && load.frame === 'body') vector.applyQuaternion(this.orientation(anchor));
            arrows[i].group.visible = !anchor || anchor.object.isVisible;
            if (arrows[i].group.visible) arrows[i].set(this.place(anchor && { object: anchor.object.name, s: load.on?.s ?? s }, load.point), vector);
          });
        });
      }
  }

  private makeTrailPoints(): void {
    const { scene } = this.run.about;
    for (const { name } of scene.bodies) this.trails.push({ label: name, anchor: { object: this.motion.objects.get(name)!, node: 0 }, on: scene.bodies.length <= 3 });
    for (const { name } of scene.beams) {
      const object = this.motion.objects.get(name)!;
      const ends: [string, number][] = [['start', 0], ['middle', object.nodes >> 1], ['end', object.nodes - 1]];
      for (const [where, node] of ends) this.trails.push({ label: `${name}:${where}`, anchor: { object, node }, on: where === 'end' && scene.beams.length <= 4 });
    }
    this.trails.forEach((trail, i) => { if (trail.on) this.showTrail(i, true); });
  }

  showTrail(index: number, on: boolean): void {
    const trail = this.trails[index];
    trail.on = on;
    if (on && !trail.line) {
      const { object, node } = trail.anchor, frames = this.run.time.length, points = new Float32Array(3 * frames);
      for (let f = 0; f < frames; ++f) {
        const from = 3 * (f * object.nodes + node), isGood = this.motion.isDrawable(object.position, from, 3);
        for (let k = 0; k < 3; ++k) points[3 * f + k] = isGood ? object.position[from + k] : f > 0 ? points[3 * f - 3 + k] : 0;
      }
      const geometry = new LineGeometry();
      if (frames > 1) geometry.setPositions(points);
      const color = this.style.single ?? lineColor(index + 1, 'light');
      trail.line = new Line2(geometry, new LineMaterial({ color, linewidth: 1.8 }));
      trail.line.frustumCulled = false;
      trail.line.visible = frames > 1;
      this.layers.trails.add(trail.line);
    }
    if (trail.line) trail.line.visible = on;
    this.updateTrails();
  }

  /// Shapes that the beams had before, evenly over the run.
  private makeSnapshots(): void {
    if (!this.hasBeams || this.tubes.length > 8) return;
    const frames = this.run.time.length, count = Math.min(16, frames - 1);
    for (let k = 0; k < count; ++k) {
      const frame = Math.round((k * (frames - 1)) / count);
      for (const { object, color } of this.tubes) {
        const from = 3 * frame * object.nodes, geometry = new LineGeometry();
        if (!this.motion.isDrawable(object.position, from, 3 * object.nodes)) continue;
        geometry.setPositions(Array.from(object.position.subarray(from, from + 3 * object.nodes)));
        const line = new Line2(geometry, new LineMaterial({ linewidth: 2.2 }));
        line.frustumCulled = false;
        this.layers.snapshots.add(line);
        this.snapshots.push({ line, color: this.style.single ?? color });
        this.updates.push(() => { line.visible = this.motion.frame >= frame && this.motion.frame + this.motion.fraction > 0; });
      }
    }
  }

  private updateTrails(): void {
    const shown = this.motion.frame + (this.motion.fraction > 0.999 ? 1 : 0);
    for (const { line } of this.trails) if (line) (line.geometry as LineGeometry).instanceCount = shown;
  }

  private fade(): void {
    this.group.traverse((object) => {
      const material = (object as THREE.Mesh).material as THREE.Material | undefined;
      if (!material) return;
      material.transparent = true;
      material.opacity *= 0.55;
    });
  }

  /// Colours beams by a field, or plainly; the range is that of the whole run.
  setField(name: string | null): { low: number; high: number } | null {
    this.field = null;
    const values = new Map<string, { values: Float32Array; size: number }>();
    let low = Infinity, high = -Infinity;
    for (const { object } of this.tubes) {
      const array = name ? this.run.array(`${object.name}/field/${name}`) : undefined;
      if (!array) continue;
      values.set(object.name, { values: array.values as Float32Array, size: array.shape[1] });
      for (const x of array.values) if (Number.isFinite(x)) { low = Math.min(low, x); high = Math.max(high, x); }
    }
    if (values.size) this.field = { values, low, high };
    for (const { material, color } of this.tubes) material.color.set(this.field ? '#ffffff' : color);
    this.recolor();
    return this.field;
  }

  setRange(low: number, high: number): void {
    if (this.field) Object.assign(this.field, { low, high });
    this.recolor();
  }

  private recolor(): void {
    for (const { tube, object } of this.tubes) {
      const entry = this.field?.values.get(object.name);
      if (!entry) { tube.color(null, 0, 1); continue; }
      if (this.scratch.fields.length < object.nodes) this.scratch.fields = new Float32Array(object.nodes), this.scratch.nodes = new Float32Array(object.nodes);
      const raw = this.scratch.fields.subarray(0, entry.size), nodes = this.scratch.nodes.subarray(0, object.nodes);
      this.motion.at(entry.values, entry.size, raw);
      // Fields of segments are averaged at the nodes.
      if (entry.size === object.nodes) nodes.set(raw);
      else for (let n = 0; n < object.nodes; ++n) nodes[n] = 0.5 * (raw[Math.max(0, n - 1)] + raw[Math.min(entry.size - 1, n)]);
      tube.color(nodes, this.field!.low, this.field!.high);
    }
  }

  setTime(t: number): void {
    this.motion.set(t);
    this.update();
  }

  update(): void {
    for (const { group, anchor } of this.attached) {
      group.visible = anchor.object.isVisible;
      group.position.copy(this.position(anchor));
      group.quaternion.copy(this.orientation(anchor));
    }
    for (const { tube, object } of this.tubes) {
      tube.mesh.visible = object.isVisible;
      if (object.isVisible) tube.update();
    }
    if (this.field) this.recolor();
    for (const update of this.updates) update();
    this.updateTrails();
  }

  /// Lines of the past are mixed with the background: transparent lines would show their joints.
  setTheme(theme: Theme): void {
    const background = new THREE.Color(theme === 'dark' ? '#1d2127' : '#f4f6f8');
    for (const { line, color } of this.snapshots) line.material.color.set(color).lerp(background, 0.6);
    this.trails.forEach(({ line }, i) => { if (line && !this.style.single) line.material.color.set(lineColor(i + 1, theme)).lerp(background, 0.25); });
  }
}
