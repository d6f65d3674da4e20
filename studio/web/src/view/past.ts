// SPDX-License-Identifier: MIT
/** The land as it was: tiles of what the present is compared with, in a pool of their own. */
import { DataArrayTexture } from 'three';
import type { Frame } from '../protocol/frames';
import type { Plane, World } from '../protocol/types';
import { Daylight } from '../terrain/daylight';
import { Field } from '../terrain/field';
import { keyOf, TilePool } from '../terrain/pool';
import { Quadtree, type Drawn, type Eye, type TileName } from '../terrain/quadtree';

/** Tiles that are asked for at once. */
const BATCH = 32;

export interface PastHost {
  /** Asks for tiles as they were; resolves when they have come. */
  was(tiles: TileName[], planes: Plane[]): Promise<unknown>;
  light(): { sun: [number, number]; foot: number; tall: number };
  changed(): void;
}

export class Past {
  readonly pool: TilePool;
  readonly tree: Quadtree;
  readonly field: Field;
  readonly daylight: Daylight;
  drawn: Drawn[] = [];
  /** Number of what is compared with. */
  private reference = -1;
  private asking = false;
  private lit = false;

  constructor(
    capacity: number,
    world: World,
    private readonly host: PastHost,
  ) {
    this.pool = new TilePool(capacity, world);
    this.tree = new Quadtree(world, this.pool);
    this.field = new Field(world, this.pool, this.tree);
    this.daylight = new Daylight(
      this.field,
      () => host.light(),
      () => host.changed(),
    );
  }

  /** Another state, or another world. */
  begin(reference: number, world: World, materials: boolean): void {
    if (reference === this.reference && world === this.field.world) return;
    this.reference = reference;
    this.pool.reset(world, materials);
    this.tree.reset(world);
    this.field.world = world;
    this.drawn = [];
    this.lit = false;
    this.host.changed();
  }

  /** There is enough to be shown. */
  get known(): boolean {
    return this.field.known;
  }

  /** The past that is there for a tile of the present; -1 = none. */
  slotOf(level: number, x: number, y: number): number {
    return this.pool.get(level, x, y)?.index ?? -1;
  }

  take(frame: Frame): void {
    const now = performance.now();
    for (const tile of frame.tiles) this.pool.put(tile, now);
    if (!this.lit && this.known) this.relight();
    this.host.changed();
  }

  relight(): void {
    if (!this.known) return;
    this.lit = true;
    this.daylight.update();
  }

  /** Selects as the present does, and asks for what is missing. */
  choose(eye: Eye, planes: Plane[], now: number): void {
    const selection = this.tree.select(eye, now);
    this.drawn = selection.drawn;
    const wanted = new Set(selection.want.map(([level, x, y]) => keyOf(level, x, y)));
    for (const key of [...this.pool.slots.keys()]) if (!wanted.has(key)) this.pool.drop(key);
    if (this.asking) return;
    const base = ([level]: TileName): number => (level === this.tree.baseLevel ? 0 : 1);
    const missing = selection.want
      .filter(([level, x, y]) => !this.pool.get(level, x, y))
      .sort((a, b) => base(a) - base(b))
      .slice(0, BATCH);
    if (missing.length === 0) return;
    this.asking = true;
    const settle = (): void => {
      this.asking = false;
      this.host.changed();
    };
    this.host.was(missing, planes).then(settle, () => {
      this.asking = false; // nothing is compared any more
    });
  }

  /** How much the ground has changed in most places [m], as a round number. */
  measure(present: TilePool): number {
    const changes: number[] = [];
    for (const slot of this.pool.slots.values()) {
      if (slot.level !== this.tree.baseLevel) continue;
      const now = present.get(slot.level, slot.x, slot.y);
      if (!now) continue;
      const size = this.pool.shape.image.width * this.pool.shape.image.height * 2;
      for (let k = 0; k < size; k += 14) {
        const change = Math.abs(
          present.shapeData[now.index * size + k]! - this.pool.shapeData[slot.index * size + k]!,
        );
        if (change < 1e6) changes.push(change);
      }
    }
    changes.sort((a, b) => a - b);
    return roundUp(changes[Math.floor(0.985 * changes.length)] ?? 0);
  }

  get shape(): DataArrayTexture {
    return this.pool.shape;
  }
}

/** 1, 2 or 5 times a power of ten, not below a value. */
export function roundUp(value: number, least = 0.01): number {
  if (!(value > least)) return least;
  const power = 10 ** Math.floor(Math.log10(value));
  const first = [1, 2, 5, 10].find((digit) => digit * power >= value * 0.999) ?? 10;
  return first * power;
}
