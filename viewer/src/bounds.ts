// How much space a motion needs.
import * as THREE from 'three';
import { Run } from './data';
import { distanceLimit } from './motion';

export interface CloudPoint { at: THREE.Vector3; half: THREE.Vector3 }

/// The box around the whole motion, bodies included, and some thousand points of it, each with half the size of its body's box.
export function bounds(run: Run, cloud: CloudPoint[]): THREE.Box3 {
  const box = new THREE.Box3(), point = new THREE.Vector3();
  const { bodies, beams, joints } = run.about.scene, q = new THREE.Quaternion(), turn = new THREE.Matrix4(), half = new THREE.Vector3(), limit = distanceLimit(run);
  for (const { name } of [...bodies, ...beams]) {
    const { values } = run.array(`${name}/position`)!, orientations = run.array(`${name}/orientation`)!.values;
    const body = bodies.find((b) => b.name === name);
    const disk = joints.find((j) => j.type === 'rolling-disk' && j.connects?.some((c) => c?.object === name))?.radius;
    const size = disk ? [2 * disk, 2 * disk, 0] : body?.box;
    const some = Math.max(1, Math.floor(values.length / 3 / 997));
    for (let i = 0, n = 0; i + 2 < values.length; i += 3, n += 4) {
      if (!(Math.max(Math.abs(values[i]), Math.abs(values[i + 1]), Math.abs(values[i + 2])) <= limit)) continue;
      point.set(values[i], values[i + 1], values[i + 2]);
      half.set(0, 0, 0);
      if (size) {
        q.set(orientations[n + 1], orientations[n + 2], orientations[n + 3], orientations[n]);
        if (body && !disk) {
          point.add(new THREE.Vector3().fromArray(body.center).applyQuaternion(q));
          q.multiply(new THREE.Quaternion(body.axes[1], body.axes[2], body.axes[3], body.axes[0]));
        }
        const e = turn.makeRotationFromQuaternion(q).elements;
        for (let r = 0; r < 3; ++r) half.setComponent(r, 0.5 * (Math.abs(e[r]) * size[0] + Math.abs(e[4 + r]) * size[1] + Math.abs(e[8 + r]) * size[2]));
      }
      if ((i / 3) % some === 0) cloud.push({ at: point.clone(), half: half.clone() });
      box.expandByPoint(point.clone().add(half)).expandByPoint(point.sub(half));
    }
  }
  for (const joint of joints) {
    if (!joint.at) continue;
    cloud.push({ at: new THREE.Vector3().fromArray(joint.at), half: new THREE.Vector3() });
    box.expandByPoint(point.fromArray(joint.at));
  }
  return box;
}
