// SPDX-License-Identifier: MIT
/**
 * Which tiles to ask for and which to draw. The world is a quadtree of tiles; a tile is refined while its samples
 * lie further apart on the screen than `spacing` pixels. A parent stays until everything below it has come, so that there
 * is never a gap; where a tile meets a coarser one its border vertices fall onto the coarser one's.
 */
import { Box3, Frustum, Matrix4, Vector3 } from 'three';
import { SQUARES, type World } from '../protocol/types';
import { keyOf, type Slot, type TilePool } from './pool';

export type TileName = [level: number, x: number, y: number];

/** A tile to draw, and how many levels coarser its neighbours are: west, east, north, south. */
export interface Drawn {
  slot: Slot;
  distance: number;
  edges: [number, number, number, number];
}

export interface Selection {
  drawn: Drawn[];
  want: TileName[];
}

/** From where the land is seen. */
export interface Eye {
  position: Vector3;
  /** From the land to the screen. */
  matrix: Matrix4;
  /** Pixels that a metre takes, 1 m away; or, without a perspective, at any distance. */
  scale: number;
  perspective: boolean;
  /** Pixels between samples. */
  spacing: number;
  /** Exaggeration of heights. */
  tall: number;
}

/** How long a tile that is not needed any more stays wanted [ms]: one looks back. */
const LINGER = 1500;
/** Tiles that are always there: the level with at most this many along a side. */
const BASE = 4;

export class Quadtree {
  levels = 1;
  baseLevel = 0;
  private frustum = new Frustum();
  private eye = new Vector3();
  private box = new Box3();
  private nearest = new Vector3();
  private scale = 1;
  private perspective = true;
  private limit = 2;
  private ideal: TileName[] = [];

  constructor(
    private world: World,
    private readonly pool: TilePool,
  ) {
    this.reset(world);
  }

  reset(world: World): void {
    this.world = world;
    this.levels = 1;
    while (this.across(this.levels - 1) > 1 || this.down(this.levels - 1) > 1) this.levels++;
    this.baseLevel = 0;
    while (Math.max(this.across(this.baseLevel), this.down(this.baseLevel)) > BASE)
      this.baseLevel++;
  }

  /** Tiles of a level along x and y. */
  across(level: number): number {
    return Math.max(1, Math.ceil((this.world.width - 1) / (SQUARES * 2 ** level)));
  }
  down(level: number): number {
    return Math.max(1, Math.ceil((this.world.height - 1) / (SQUARES * 2 ** level)));
  }

  select(eye: Eye, now: number): Selection {
    const { tall } = eye;
    this.frustum.setFromProjectionMatrix(eye.matrix);
    this.eye.copy(eye.position);
    this.scale = eye.scale;
    this.perspective = eye.perspective;
    this.limit = eye.spacing;
    const top = this.levels - 1;
    do {
      this.ideal = [];
      this.refine(top, 0, 0, tall, 0, 100);
      this.limit *= 1.3;
    } while (this.ideal.length > this.pool.capacity - 64);

    const drawn: Drawn[] = [];
    const idealKeys = new Set(this.ideal.map(([level, x, y]) => keyOf(level, x, y)));
    this.cover(top, 0, 0, idealKeys, drawn);
    const shown = new Map<number, Drawn>();
    for (const tile of drawn) shown.set(keyOf(tile.slot.level, tile.slot.x, tile.slot.y), tile);
    for (const tile of drawn) this.finish(tile, shown, tall);
    for (const tile of drawn) tile.slot.used = now;
    const visible = drawn
      .filter((tile) => tile.distance >= 0)
      .sort((a, b) => a.distance - b.distance);
    return { drawn: visible, want: this.wanted(idealKeys, now) };
  }

  /** Where a tile lies, with the heights that are known of it or of what it is part of. */
  private bounds(
    level: number,
    x: number,
    y: number,
    tall: number,
    low: number,
    high: number,
  ): Box3 {
    const { width, height, cell } = this.world;
    const side = SQUARES * 2 ** level;
    this.box.min.set(x * side * cell[0], low * tall, y * side * cell[1]);
    this.box.max.set(
      Math.min((x + 1) * side, width - 1) * cell[0],
      high * tall,
      Math.min((y + 1) * side, height - 1) * cell[1],
    );
    return this.box;
  }

  private distance(box: Box3): number {
    return box.clampPoint(this.eye, this.nearest).distanceTo(this.eye);
  }

  private refine(
    level: number,
    x: number,
    y: number,
    tall: number,
    low: number,
    high: number,
  ): void {
    if (x >= this.across(level) || y >= this.down(level)) return;
    const slot = this.pool.get(level, x, y);
    if (slot) {
      low = slot.lowest;
      high = slot.highest;
    }
    const box = this.bounds(level, x, y, tall, low, high);
    const away = this.perspective ? Math.max(this.distance(box), 1e-3) : 1;
    const cell = Math.max(this.world.cell[0], this.world.cell[1]);
    const pixels = (this.scale * cell * 2 ** level) / away;
    const seen = this.frustum.intersectsBox(box);
    if (level === 0 || pixels <= this.limit || (!seen && level <= this.baseLevel)) {
      this.ideal.push([level, x, y]);
      return;
    }
    for (const [i, j] of QUARTERS) this.refine(level - 1, 2 * x + i, 2 * y + j, tall, low, high);
  }

  /** Adds what covers a tile as well as it can be; false if something is missing, then nothing is added. */
  private cover(level: number, x: number, y: number, ideal: Set<number>, out: Drawn[]): boolean {
    if (x >= this.across(level) || y >= this.down(level)) return true;
    const key = keyOf(level, x, y);
    const slot = this.pool.slots.get(key);
    const own = (): boolean => {
      if (!slot) return false;
      out.push({ slot, distance: 0, edges: [0, 0, 0, 0] });
      return true;
    };
    if (ideal.has(key) && own()) return true;
    if (level === 0) return own();
    const before = out.length;
    for (const [i, j] of QUARTERS) {
      if (this.cover(level - 1, 2 * x + i, 2 * y + j, ideal, out)) continue;
      out.length = before;
      return own();
    }
    return true;
  }

  private finish(tile: Drawn, shown: Map<number, Drawn>, tall: number): void {
    const { level, x, y, lowest, highest } = tile.slot;
    const box = this.bounds(level, x, y, tall, lowest, highest);
    box.min.y -= 1e6; // with the walls below
    const seen = this.frustum.intersectsBox(box);
    box.min.y = lowest * tall;
    tile.distance = seen ? this.distance(box) : -1;
    SIDES.forEach(([i, j], side) => {
      for (let up = 0; level + up < this.levels; up++) {
        const nx = (x + i) >> up;
        const ny = (y + j) >> up;
        if (x + i < 0 || y + j < 0) break;
        if (!shown.has(keyOf(level + up, nx, ny))) continue;
        tile.edges[side] = up;
        break;
      }
    });
  }

  /** The ideal ones, the coarse ones that are always there, and what was used a moment ago, as far as there is room. */
  private wanted(ideal: Set<number>, now: number): TileName[] {
    const want = [...this.ideal];
    const keys = new Set(ideal);
    for (let y = 0; y < this.down(this.baseLevel); y++) {
      for (let x = 0; x < this.across(this.baseLevel); x++) {
        const key = keyOf(this.baseLevel, x, y);
        if (keys.has(key)) continue;
        keys.add(key);
        want.push([this.baseLevel, x, y]);
      }
    }
    const rest = [...this.pool.slots.values()]
      .filter((slot) => !keys.has(keyOf(slot.level, slot.x, slot.y)) && now - slot.used < LINGER)
      .sort((a, b) => b.used - a.used);
    for (const slot of rest.slice(0, Math.max(0, this.pool.capacity - want.length)))
      want.push([slot.level, slot.x, slot.y]);
    return want;
  }
}

const QUARTERS: readonly (readonly [number, number])[] = [
  [0, 0],
  [1, 0],
  [0, 1],
  [1, 1],
];
const SIDES: readonly (readonly [number, number])[] = [
  [-1, 0],
  [1, 0],
  [0, -1],
  [0, 1],
];
