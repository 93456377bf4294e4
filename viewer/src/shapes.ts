// Small shapes that scenes are made of: joints, arrows, springs, solids.
import * as THREE from 'three';

export const forceColor = '#d55e00', momentColor = '#b5598c', jointColor = '#6b7280', springColor = '#8a6d00';

function mesh(geometry: THREE.BufferGeometry, color: string): THREE.Mesh {
  return new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({ color, roughness: 0.55 }));
}

const zAxis = new THREE.Vector3(0, 0, 1), yAxis = new THREE.Vector3(0, 1, 0);
export function turnTo(from: THREE.Vector3, to: THREE.Vector3): THREE.Quaternion {
  return new THREE.Quaternion().setFromUnitVectors(from, to.clone().normalize());
}

/// A joint seen from its own frame, `axis` along its axis.
export function jointShape(type: string, size: number, axis: THREE.Vector3): THREE.Object3D {
  const group = new THREE.Group();
  const rod = (radius: number, length: number, color = jointColor) => {
    const made = mesh(new THREE.CylinderGeometry(radius, radius, length, 20), color);
    made.quaternion.copy(turnTo(yAxis, axis));
    return made;
  };
  switch (type) {
    case 'revolute': group.add(rod(0.6 * size, 2.2 * size)); break;
    case 'cylindrical': group.add(rod(0.6 * size, 1.6 * size), rod(0.3 * size, 6 * size, '#9aa1ab')); break;
    case 'prismatic': {
      const box = mesh(new THREE.BoxGeometry(1.4 * size, 1.4 * size, 2 * size), jointColor);
      box.quaternion.copy(turnTo(zAxis, axis));
      group.add(box, rod(0.3 * size, 8 * size, '#9aa1ab'));
      break;
    }
    case 'planar': {
      const plate = mesh(new THREE.BoxGeometry(4 * size, 4 * size, 0.3 * size), jointColor);
      plate.quaternion.copy(turnTo(zAxis, axis));
      group.add(plate);
      break;
    }
    case 'universal': {
      const other = new THREE.Vector3().crossVectors(axis, Math.abs(axis.z) < 0.9 ? zAxis : yAxis);
      const second = rod(0.4 * size, 2.6 * size);
      second.quaternion.copy(turnTo(yAxis, other));
      group.add(rod(0.4 * size, 2.6 * size), second);
      break;
    }
    case 'fixed': group.add(mesh(new THREE.BoxGeometry(1.6 * size, 1.6 * size, 1.6 * size), jointColor)); break;
    case 'drive': {
      const ring = mesh(new THREE.TorusGeometry(1.5 * size, 0.25 * size, 10, 32), '#b97f00');
      ring.quaternion.copy(turnTo(zAxis, axis));
      group.add(ring);
      break;
    }
    default: group.add(mesh(new THREE.SphereGeometry(0.85 * size, 24, 16), jointColor));
  }
  return group;
}

/// The ground under a joint.
export function groundShape(size: number, up: THREE.Vector3): THREE.Object3D {
  const cone = mesh(new THREE.ConeGeometry(1.5 * size, 2.4 * size, 4), '#9aa1ab');
  cone.quaternion.copy(turnTo(yAxis, up));
  cone.position.copy(up).multiplyScalar(-1.4 * size);
  const group = new THREE.Group();
  group.add(cone);
  return group;
}

/// Lines that are not faded with the rest of a ghost.
export const ghostEdges = 'ghost edges';

/// Edges are shown where faces meet at more than this angle, in degrees.
const visibleEdge = 30;

/// A box, cylinder, sphere or disk that fills `size`, with edges; a disk has spokes, so that its turning is seen. The edges of a ghost have its colour and
/// stand a little outside, so that they are seen around what coincides with it.
export function solidShape(shape: string, size: number[], smallest: number, color: string, isGhost: boolean): THREE.Object3D {
  const group = new THREE.Group(), [a, b, c] = size.map((x) => Math.max(x, smallest));
  const round = (x: number, y: number, height: number) => new THREE.CylinderGeometry(0.5, 0.5, 1, 64).rotateX(Math.PI / 2).scale(x, y, height);
  let geometry: THREE.BufferGeometry;
  switch (shape) {
    case 'sphere': geometry = new THREE.SphereGeometry(0.5, 32, 20).scale(a, b, c); break;
    case 'cylinder': geometry = round(a, b, c); break;
    case 'disk': {
      const height = Math.max(size[2], 0.03 * size[0]);
      geometry = round(size[0], size[1], height);
      const spokes = new THREE.BufferGeometry().setFromPoints([0, 1, 2, 3].flatMap((k) => {
        const x = 0.5 * Math.cos((k * Math.PI) / 4) * size[0], y = 0.5 * Math.sin((k * Math.PI) / 4) * size[1], above = (0.035 / 0.06) * height;
        return [above, -above].flatMap((z) => [new THREE.Vector3(-x, -y, z), new THREE.Vector3(x, y, z)]);
      }));
      group.add(new THREE.LineSegments(spokes, new THREE.LineBasicMaterial({ color: '#20242a' })));
      break;
    }
    default: geometry = new THREE.BoxGeometry(a, b, c);
  }
  group.add(new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({ color, roughness: 0.5 })));
  const edges = new THREE.LineSegments(new THREE.EdgesGeometry(geometry, visibleEdge), new THREE.LineBasicMaterial({ color: isGhost ? color : '#20242a', transparent: true, opacity: isGhost ? 1 : 0.55 }));
  if (isGhost) {
    edges.scale.setScalar(1.03);
    edges.name = ghostEdges;
  }
  group.add(edges);
  return group;
}

export class Arrow {
  readonly group = new THREE.Group();
  private readonly shaft: THREE.Mesh;
  private readonly heads: THREE.Mesh[];
  constructor(color: string, private readonly thickness: number, headCount: number) {
    this.shaft = mesh(new THREE.CylinderGeometry(thickness, thickness, 1, 12).translate(0, 0.5, 0), color);
    this.heads = Array.from({ length: headCount }, () => mesh(new THREE.ConeGeometry(2.6 * thickness, 6 * thickness, 16).translate(0, 3 * thickness, 0), color));
    this.group.add(this.shaft, ...this.heads);
  }
  set(at: THREE.Vector3, vector: THREE.Vector3): void {
    const length = vector.length();
    this.group.visible = length > 2 * this.thickness;
    if (!this.group.visible) return;
    this.group.position.copy(at);
    this.group.quaternion.copy(turnTo(yAxis, vector));
    this.shaft.scale.y = length;
    this.heads.forEach((head, i) => head.position.set(0, length - i * 4 * this.thickness, 0));
  }
}

/// A coil between two moving points.
export class Coil {
  readonly line: THREE.Line;
  private readonly count = 161;
  private readonly positions = new Float32Array(3 * this.count);
  constructor(private readonly radius: number, color: string) {
    const geometry = new THREE.BufferGeometry().setAttribute('position', new THREE.BufferAttribute(this.positions, 3));
    this.line = new THREE.Line(geometry, new THREE.LineBasicMaterial({ color }));
    this.line.frustumCulled = false;
  }
  set(a: THREE.Vector3, b: THREE.Vector3): void {
    const along = b.clone().sub(a);
    const side = new THREE.Vector3().crossVectors(along, Math.abs(along.z) < 0.9 * along.length() ? zAxis : yAxis).normalize();
    const other = new THREE.Vector3().crossVectors(along, side).normalize();
    for (let i = 0; i < this.count; ++i) {
      const f = i / (this.count - 1), g = Math.min(1, Math.max(0, (f - 0.12) / 0.76)), inside = g > 0 && g < 1 ? this.radius : 0;
      const angle = 16 * Math.PI * g;
      for (let k = 0; k < 3; ++k)
        this.positions[3 * i + k] = a.getComponent(k) + f * along.getComponent(k) + inside * (Math.cos(angle) * side.getComponent(k) + Math.sin(angle) * other.getComponent(k));
    }
    this.line.geometry.attributes.position.needsUpdate = true;
  }
}
