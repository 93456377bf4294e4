// How much space a motion needs.
import * as THREE from 'three';
import { Anchor, Drawing, Run } from './data';
import { distanceLimit, Motion } from './motion';
import { classOf, Put } from './primitives';

export interface CloudPoint { at: THREE.Vector3; half: THREE.Vector3 }

const drawingsOf = (run: Run): Drawing[] => run.facts.objects.flatMap((object) => object.drawings);

/// Frames at which drawings beside nodes are looked at.
const looks = 60;

/// Places of drawings that are not at nodes, in the first frame or at some evenly over the run.
function marks(run: Run, frames = 1): THREE.Vector3[] {
  const motion = new Motion(run), anchors: Anchor[] = drawingsOf(run).flatMap((d) => classOf(d)?.marks?.(d) ?? []);
  const moving = anchors.filter((a) => a.object !== undefined), places = anchors.filter((a) => a.object === undefined).map((a) => motion.place(a));
  someTimes(run, moving.length ? frames : 1, (t) => {
    motion.set(t);
    for (const a of moving) if (motion.isVisible(a)) places.push(motion.place(a));
  });
  return places;
}

function someTimes(run: Run, count: number, see: (t: number) => void): void {
  const last = run.time.length - 1, some = Math.min(count, last + 1);
  for (let k = 0; k < some; ++k) see(run.time[some > 1 ? Math.round((k * last) / (some - 1)) : 0]);
}

/// Signs of joints, coils and arrows, whose size follows that of the scene: points are added to the cloud.
export function addSigns(run: Run, size: number, box: THREE.Box3, cloud: CloudPoint[]): void {
  const filling = drawingsOf(run).filter((d) => classOf(d)?.fills), motion = new Motion(run);
  if (!filling.length) return;
  const put: Put = (at, half) => {
    cloud.push({ at: at.clone(), half: half.clone() });
    box.expandByPoint(at.clone().add(half)).expandByPoint(at.clone().sub(half));
  };
  someTimes(run, looks, (t) => {
    motion.set(t);
    for (const d of filling) classOf(d)!.fills!(d, motion, size, put);
  });
}

/// The box around the whole motion, solids included, and some thousand points of it, each with half the size of what is there.
export function bounds(run: Run, cloud: CloudPoint[]): THREE.Box3 {
  const box = new THREE.Box3(), limit = distanceLimit(run), none = new THREE.Vector3();
  for (const object of run.moving) {
    const { values } = run.array(`${object.name}/position`)!, some = Math.max(1, Math.floor(values.length / 3 / 997));
    let count = 0;
    const put: Put = (at, half) => {
      const isKept = count++ % some === 0;
      if (!(Math.max(Math.abs(at.x), Math.abs(at.y), Math.abs(at.z)) <= limit)) return;
      if (isKept) cloud.push({ at: at.clone(), half: half.clone() });
      box.expandByPoint(at.clone().add(half)).expandByPoint(at.clone().sub(half));
    };
    const own = object.drawings.filter((d) => classOf(d)?.bounds);
    for (const drawing of own) classOf(drawing)!.bounds!(drawing, object, run, put);
    // Solids stand for their nodes where every drawing is one.
    if (!own.length || own.length < object.drawings.length)
      for (let i = 0; i + 2 < values.length; i += 3) put(new THREE.Vector3(values[i], values[i + 1], values[i + 2]), none);
  }
  for (const at of marks(run, looks)) {
    cloud.push({ at, half: none });
    box.expandByPoint(at);
  }
  return box;
}

/// How large the objects are in the first frame.
export function objectSize(run: Run): number {
  const box = new THREE.Box3(), point = new THREE.Vector3();
  for (const { name } of run.moving) {
    const { values, shape } = run.array(`${name}/position`)!;
    for (let i = 0; i < shape[1]; i += 3) box.expandByPoint(point.fromArray(values as Float32Array, i));
  }
  for (const at of marks(run)) box.expandByPoint(at);
  const reach = Math.max(0, ...drawingsOf(run).map((d) => classOf(d)?.reach?.(d) ?? 0));
  return Math.max(box.getSize(point).length(), reach);
}

/// Whether something ties the objects to the ground.
export function isHeld(run: Run): boolean { return drawingsOf(run).some((d) => classOf(d)?.holds?.(d)); }
