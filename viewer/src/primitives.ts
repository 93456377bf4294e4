// What pictures are made of: one class for each type of drawing. Kinds of objects are unknown here.
import * as THREE from 'three';
import { Arrows } from './arrows';
import { CoilView, Rod } from './connectors';
import { Anchor, Drawing, ObjectFacts, Run } from './data';
import { Motion, ObjectMotion } from './motion';
import { MeshView } from './mesh';
import { Solid } from './solid';
import { SurfaceView } from './surface';
import { SymbolView } from './symbol';
import { TubeView } from './tube_view';

export type LayerName = 'joints' | 'loads' | 'frames' | 'trails' | 'snapshots';
export type Layers = Record<LayerName, THREE.Group>;

/// Where a primitive is drawn.
export interface Scene {
  run: Run;
  motion: Motion;
  size: number;  // of the objects; symbols are sized by it
  up: THREE.Vector3;
  group: THREE.Group;
  layers: Layers;
  isGhost: boolean;  // the second of two runs
  /// Of an object, unless its drawing has one of its own.
  color(object: ObjectFacts, own: string | null): string;
}

export interface Primitive {
  /// Everything as it is now.
  update?(): void;
  /// What can be coloured by a field: one value per node, or plain. `average` makes values of nodes from those of its own cells, if there are that many.
  colored?: {
    object: ObjectMotion; color: string;
    paint(values: Float32Array | null, low: number, high: number): void;
    average?(cells: Float32Array, nodes: Float32Array): boolean;
  };
  /// A line along the object, for its earlier shapes.
  isLine?: boolean;
  /// As thick as it is, or as thick as can be seen; missing where these are the same, or the thickness is unknown.
  setTrueThickness?(on: boolean): void;
}

export type Put = (at: THREE.Vector3, half: THREE.Vector3) => void;

interface PrimitiveClass<D> {
  new (drawing: D, object: ObjectFacts, scene: Scene): Primitive;
  /// Its own size.
  reach?(drawing: D): number;
  /// Boxes around it in all frames; without, the nodes of its object count.
  bounds?(drawing: D, object: ObjectFacts, run: Run, put: Put): void;
  /// Where it is, beside the nodes.
  marks?(drawing: D): Anchor[];
  /// What it fills beside its marks, now; `size` is that of the scene.
  fills?(drawing: D, motion: Motion, size: number, put: Put): void;
  /// Whether it ties something to the ground.
  holds?(drawing: D): boolean;
}

/// A plane is where the grid lies; nothing else is drawn for it.
class Plane implements Primitive {
  static holds(): boolean { return true; }
}

const classes: { [T in Drawing['type']]: PrimitiveClass<Extract<Drawing, { type: T }>> } = {
  solid: Solid, mesh: MeshView, tube: TubeView, surface: SurfaceView, symbol: SymbolView, rod: Rod, coil: CoilView, arrows: Arrows, plane: Plane,
};

/// Nothing for a type that this page does not know: everything else is shown.
export function classOf(drawing: Drawing): PrimitiveClass<Drawing> | undefined {
  return Object.hasOwn(classes, drawing.type) ? (classes[drawing.type] as PrimitiveClass<Drawing>) : undefined;
}

export function makePrimitives(scene: Scene): Primitive[] {
  return scene.run.facts.objects.flatMap((object) => object.drawings.flatMap((drawing) => {
    const made = classOf(drawing);
    return made ? [new made(drawing, object, scene)] : [];
  }));
}
