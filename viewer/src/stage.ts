// The picture: camera, light, ground grid, and the views of one or two runs.
import * as THREE from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { addSigns, bounds, CloudPoint, isHeld, objectSize } from './bounds';
import { Theme } from './colors';
import { Run } from './data';
import { element, number, withUnit } from './format';
import { RunView } from './run_view';

/// Of the first and the second of two runs.
const runColors = ['#0072b2', '#e08214'];

export type ViewName = 'home' | 'x' | 'y' | 'z';

/// 1, 2 or 5 times a power of ten, not above x.
export function niceBelow(x: number): number {
  const power = 10 ** Math.floor(Math.log10(x)), lead = x / power;
  return power * (lead >= 5 ? 5 : lead >= 2 ? 2 : 1);
}

export class Stage {
  readonly views: RunView[];
  readonly canvas: HTMLCanvasElement;
  follow = false;
  private readonly renderer: THREE.WebGLRenderer;
  private readonly scene = new THREE.Scene();
  private readonly camera = new THREE.PerspectiveCamera(32, 1, 0.01, 1000);
  private readonly controls: OrbitControls;
  private readonly grid = new THREE.Group();
  private readonly bounds = new THREE.Box3();
  private readonly cloud: CloudPoint[] = [];
  private readonly up = new THREE.Vector3(0, 0, 1);
  private readonly triad: HTMLCanvasElement;
  private readonly size: number;
  private readonly planarAxis: number;
  private readonly center = new THREE.Vector3();
  private readonly scale: HTMLElement;
  private isDirty = true;
  /// The picture has not been rotated or moved since it was fitted.
  private isFitted = true;
  private theme: Theme = 'light';

  constructor(host: HTMLElement, runs: Run[]) {
    for (const run of runs) this.bounds.union(bounds(run, this.cloud));
    if (this.bounds.isEmpty()) this.bounds.set(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1));
    const extent = this.bounds.getSize(new THREE.Vector3());
    this.size = extent.length() || 1;
    for (const run of runs) addSigns(run, this.visualSize(runs), this.bounds, this.cloud);
    const gravity = new THREE.Vector3().fromArray(runs[0].facts.gravity);
    // Motion in a plane is seen from the front.
    const thin = extent.toArray().findIndex((x) => x < 0.02 * this.size);
    this.planarAxis = runs.every((r) => r.moving.length > 0) ? thin : -1;
    if (gravity.length() > 0) this.up.copy(gravity).multiplyScalar(-1 / gravity.length());
    else if (this.planarAxis === 2) this.up.set(0, 1, 0);

    this.renderer = new THREE.WebGLRenderer({ antialias: true, alpha: true });
    this.canvas = this.renderer.domElement;
    this.canvas.setAttribute('role', 'img');
    this.canvas.setAttribute('aria-label', `Motion of ${runs.map((r) => r.title).join(' and ')}. Drag to turn, wheel to zoom.`);
    this.canvas.tabIndex = 0;
    this.triad = document.createElement('canvas');
    this.triad.id = 'triad';
    this.triad.setAttribute('aria-hidden', 'true');
    this.scale = element('div', { id: 'cell' });
    host.append(this.canvas, this.triad, this.scale);

    this.camera.up.copy(this.up);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.controls.addEventListener('change', () => { this.isDirty = true; });
    this.controls.addEventListener('start', () => { this.isFitted = false; });

    const light = new THREE.DirectionalLight('#ffffff', 2.2);
    light.position.set(0.4, 0.9, 1);
    this.camera.add(light);
    this.scene.add(this.camera, new THREE.HemisphereLight('#ffffff', '#a0a0ac', 2.1), this.grid);
    const compared = runs.length > 1;
    this.views = runs.map((run, i) => new RunView(run, { size: this.visualSize(runs), up: this.up, ghost: i > 0, single: compared ? runColors[i] : undefined }));
    if (compared) host.append(this.makeLegend());
    for (const view of this.views) this.scene.add(view.group);
    // Things that fly far away are followed: otherwise they would be dots.
    this.follow = !isHeld(runs[0]) && this.size > 3 * objectSize(runs[0]);
    this.look('home');
    new ResizeObserver(() => this.resize(host)).observe(host);
    this.resize(host);
  }

  /// Which of two runs has which colour; a click hides it.
  private makeLegend(): HTMLElement {
    const entries = this.views.map((view, i) => {
      const letter = ['A', 'B'][i], swatch = element('span', { class: 'swatch' });
      swatch.style.background = runColors[i];
      const button: HTMLButtonElement = element('button', { type: 'button', class: 'small', 'aria-pressed': 'true', title: `Show or hide run ${letter}`, onclick: () => {
        view.group.visible = !view.group.visible;
        button.setAttribute('aria-pressed', String(view.group.visible));
        this.isDirty = true;
      } }, swatch, `${letter}: ${view.run.about.folder}${i ? ', transparent' : ''}`);
      return button;
    });
    return element('div', { id: 'runs', role: 'group', 'aria-label': 'Runs' }, ...entries);
  }

  /// Symbols are sized by the objects, not by how far they travel.
  private visualSize(runs: Run[]): number { return Math.max(objectSize(runs[0]), 0.12 * this.size); }

  private resize(host: HTMLElement): void {
    const width = Math.max(1, host.clientWidth), height = Math.max(1, host.clientHeight);
    this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio));
    this.renderer.setSize(width, height);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    if (this.isFitted) this.fit();
    this.isDirty = true;
    this.render();
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    this.makeGrid();
    for (const view of this.views) view.setTheme(theme);
    this.isDirty = true;
  }

  private makeGrid(): void {
    for (const child of this.grid.children) (child as THREE.GridHelper).dispose();
    this.grid.clear();
    const cell = niceBelow(this.size / 6), count = 2 * Math.ceil((0.75 * this.size) / cell);
    const [strong, weak] = this.theme === 'dark' ? ['#59616d', '#363c45'] : ['#aab1bb', '#d9dde3'];
    const helper = new THREE.GridHelper(cell * count, count, strong, weak);
    const normal = this.up.clone();
    helper.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), normal);
    const middle = this.bounds.getCenter(new THREE.Vector3());
    const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => new THREE.Vector3(i & 1 ? this.bounds.max.x : this.bounds.min.x, i & 2 ? this.bounds.max.y : this.bounds.min.y,
      i & 4 ? this.bounds.max.z : this.bounds.min.z).dot(normal));
    // The grid lies in a plane that things roll on, or a little below everything.
    const plane = this.views.flatMap((v) => v.run.drawings('plane'))[0]?.drawing;
    const level = plane ? new THREE.Vector3().fromArray(plane.position).dot(normal) : Math.min(...corners) - 0.03 * this.size;
    const at = middle.clone().divideScalar(cell).round().multiplyScalar(cell);
    helper.position.copy(at).addScaledVector(normal, level - at.dot(normal));
    this.grid.add(helper);
    this.scale.textContent = `grid: ${withUnit(number(cell), this.views[0].run.facts.units?.length)} per cell`;
  }

  set gridVisible(on: boolean) { this.grid.visible = on; this.scale.hidden = !on; this.isDirty = true; }
  get gridVisible(): boolean { return this.grid.visible; }

  look(name: ViewName): void {
    const direction = new THREE.Vector3();
    if (name === 'home') {
      const axes = [0, 1, 2].map((k) => new THREE.Vector3().setComponent(k, 1));
      if (this.planarAxis >= 0 && Math.abs(this.up.getComponent(this.planarAxis)) < 0.5) {
        // From the front and a little from above and aside, so that it looks like a thing in space.
        const front = axes[this.planarAxis], side = new THREE.Vector3().crossVectors(this.up, front);
        direction.copy(front).multiplyScalar(this.planarAxis === 1 ? -1 : 1).addScaledVector(this.up, 0.22).addScaledVector(side, 0.25);
      } else {
        const side = axes.find((a) => Math.abs(a.dot(this.up)) < 0.5)!, back = new THREE.Vector3().crossVectors(side, this.up);
        direction.copy(side).multiplyScalar(0.55).addScaledVector(back, 1).addScaledVector(this.up, 0.45);
      }
    } else {
      direction.setComponent({ x: 0, y: 1, z: 2 }[name], name === 'y' ? -1 : 1);
      // A camera must not look exactly along its own up direction.
      if (Math.abs(direction.dot(this.up)) > 0.99) direction.addScaledVector(Math.abs(this.up.y) > 0.5 ? new THREE.Vector3(0, 0, 1) : new THREE.Vector3(0, -1, 0), 1e-3);
    }
    this.camera.position.copy(this.controls.target).add(direction.normalize().multiplyScalar(this.size));
    this.fit();
  }

  /// Moves the camera along its direction until everything is in the picture.
  fit(): void {
    this.isFitted = true;
    const direction = this.camera.position.clone().sub(this.controls.target).normalize();
    const target = this.follow ? this.middle() : this.bounds.getCenter(new THREE.Vector3());
    const forward = direction.clone().negate(), right = new THREE.Vector3().crossVectors(forward, this.up).normalize(), top = new THREE.Vector3().crossVectors(right, forward);
    const tan = Math.tan(THREE.MathUtils.degToRad(this.camera.fov / 2));
    const half = this.follow ? Math.max(this.spread(), 1e-9) : 0;
    let distance = this.follow ? (1.25 * half) / (tan * Math.min(1, this.camera.aspect)) : 0.05 * this.size;
    if (!this.follow) {
      const along = new THREE.Vector3();
      const reach = (axis: THREE.Vector3, half: THREE.Vector3) => Math.abs(axis.x) * half.x + Math.abs(axis.y) * half.y + Math.abs(axis.z) * half.z;
      for (const { at, half } of this.cloud) {
        along.copy(at).sub(target);
        const high = Math.abs(along.dot(top)) + reach(top, half), wide = Math.abs(along.dot(right)) + reach(right, half);
        distance = Math.max(distance, along.dot(direction) + reach(direction, half) + 1.12 * Math.max(high / tan, wide / (tan * this.camera.aspect)));
      }
    }
    this.controls.target.copy(target);
    this.camera.position.copy(target).addScaledVector(direction, distance);
    this.camera.near = distance / 200;
    this.camera.far = distance * 20 + 10 * this.size;
    this.camera.updateProjectionMatrix();
    this.center.copy(this.middle());
    this.controls.update();
    this.isDirty = true;
  }

  private eachNode(f: (x: Float32Array, at: number) => void): void {
    for (const object of this.views[0].motion.objects.values()) if (object.isVisible) for (let n = 0; n < object.nodes; ++n) f(object.x, 3 * n);
  }
  private middle(): THREE.Vector3 {
    const box = new THREE.Box3(), p = new THREE.Vector3();
    this.eachNode((x, at) => box.expandByPoint(p.fromArray(x, at)));
    return box.isEmpty() ? new THREE.Vector3() : box.getCenter(new THREE.Vector3());
  }
  private spread(): number { return 0.75 * objectSize(this.views[0].run); }

  setTime(t: number): void {
    for (const view of this.views) view.setTime(t);
    if (this.follow) {
      const middle = this.middle(), shift = middle.clone().sub(this.center);
      this.center.copy(middle);
      this.controls.target.add(shift);
      this.camera.position.add(shift);
    }
    this.isDirty = true;
  }
  setFollow(on: boolean): void { this.follow = on; this.fit(); }

  touch(): void { this.isDirty = true; }

  /// Draws when something has changed.
  render(): boolean {
    this.controls.update();
    if (!this.isDirty) return false;
    this.isDirty = false;
    this.renderer.render(this.scene, this.camera);
    this.drawTriad();
    return true;
  }

  /// The picture as it is now.
  snapshot(): Promise<Blob> {
    this.isDirty = true;
    this.render();
    return new Promise((done) => this.canvas.toBlob((blob) => done(blob!), 'image/png'));
  }

  private drawTriad(): void {
    const pixels = 72, ratio = Math.min(2, window.devicePixelRatio), context = this.triad.getContext('2d')!;
    if (this.triad.width !== pixels * ratio) this.triad.width = this.triad.height = pixels * ratio;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, pixels, pixels);
    context.font = '600 11px system-ui, sans-serif';
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.lineWidth = 2;
    const inverse = this.camera.quaternion.clone().invert();
    const axes = ['x', 'y', 'z'].map((name, k) => ({ name, v: new THREE.Vector3().setComponent(k, 1).applyQuaternion(inverse), color: ['#d55e00', '#009e73', '#2a9fd6'][k] }));
    for (const { name, v, color } of axes.sort((a, b) => a.v.z - b.v.z)) {
      context.strokeStyle = context.fillStyle = color;
      context.beginPath();
      context.moveTo(36, 36);
      context.lineTo(36 + 22 * v.x, 36 - 22 * v.y);
      context.stroke();
      context.fillText(name, 36 + 30 * v.x, 36 - 30 * v.y);
    }
  }
}
