// Triangles from a file, at a node.
import * as THREE from 'three';
import { Anchor, MeshDrawing, ObjectFacts, Run } from './data';
import type { Primitive, Put, Scene } from './primitives';
import { ghostEdges } from './shapes';

function unpack(text: string): ArrayBuffer {
  const coded = atob(text), bytes = new Uint8Array(coded.length);
  for (let i = 0; i < coded.length; ++i) bytes[i] = coded.charCodeAt(i);
  return bytes.buffer;
}

const boxes = new WeakMap<MeshDrawing, THREE.Box3>();
function boxOf(drawing: MeshDrawing): THREE.Box3 {
  const known = boxes.get(drawing);
  if (known) return known;
  const box = new THREE.Box3().setFromArray(new Float32Array(unpack(drawing.points)));
  boxes.set(drawing, box);
  return box;
}

export class MeshView implements Primitive {
  private readonly group = new THREE.Group();
  private readonly anchor: Anchor;

  static reach(drawing: MeshDrawing): number { return Math.max(...boxOf(drawing).getSize(new THREE.Vector3()).toArray()); }

  static bounds(drawing: MeshDrawing, object: ObjectFacts, run: Run, put: Put): void {
    const { values } = run.array(`${object.name}/position`)!, orientations = run.array(`${object.name}/orientation`)!.values, nodes = object.nodes!;
    const box = boxOf(drawing), own = box.getCenter(new THREE.Vector3()), [a, b, c] = box.getSize(new THREE.Vector3()).toArray();
    const at = new THREE.Vector3(), half = new THREE.Vector3(), q = new THREE.Quaternion(), turn = new THREE.Matrix4();
    for (let n = drawing.node; 3 * n + 2 < values.length; n += nodes) {
      q.set(orientations[4 * n + 1], orientations[4 * n + 2], orientations[4 * n + 3], orientations[4 * n]);
      at.copy(own).applyQuaternion(q).add(new THREE.Vector3(values[3 * n], values[3 * n + 1], values[3 * n + 2]));
      const e = turn.makeRotationFromQuaternion(q).elements;
      for (let r = 0; r < 3; ++r) half.setComponent(r, 0.5 * (Math.abs(e[r]) * a + Math.abs(e[4 + r]) * b + Math.abs(e[8 + r]) * c));
      put(at, half);
    }
  }

  constructor(drawing: MeshDrawing, object: ObjectFacts, private readonly scene: Scene) {
    this.anchor = { object: object.name, node: drawing.node, point: [0, 0, 0] };
    const color = scene.color(object, drawing.color), geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(unpack(drawing.points)), 3));
    geometry.setIndex(new THREE.BufferAttribute(new Uint32Array(unpack(drawing.corners)), 1));
    // Files do not agree on which side of a triangle is outside.
    const mesh = new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({ color, roughness: 0.5, flatShading: true, side: THREE.DoubleSide }));
    mesh.name = object.name;
    this.group.add(mesh);
    if (scene.isGhost) {
      const edges = new THREE.LineSegments(new THREE.EdgesGeometry(geometry, 30), new THREE.LineBasicMaterial({ color }));
      edges.name = ghostEdges;
      this.group.add(edges);
    }
    scene.group.add(this.group);
  }

  update(): void {
    const { motion } = this.scene;
    this.group.visible = motion.isVisible(this.anchor);
    this.group.position.copy(motion.position(this.anchor));
    this.group.quaternion.copy(motion.orientation(this.anchor));
  }
}
