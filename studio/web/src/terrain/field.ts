// SPDX-License-Identifier: MIT
/** The land as the page knows it: heights at a place, rays that hit it, how high it is. */
import { Vector3, type Ray } from 'three';
import { SQUARES, type World } from '../protocol/types';
import { CORNERS, HOLE, type Slot, type TilePool } from './pool';
import type { Quadtree } from './quadtree';

/** Of all ground [m], for the block and the camera. */
export interface Bounds {
  bottom: number;
  top: number;
}

const CELLS = CORNERS * CORNERS;

export class Field {
  constructor(
    public world: World,
    private readonly pool: TilePool,
    private readonly tree: Quadtree,
  ) {}

  get size(): [number, number] {
    return [
      (this.world.width - 1) * this.world.cell[0],
      (this.world.height - 1) * this.world.cell[1],
    ];
  }

  /** How much of the land is cut off, from the east and from the south; shares of its size. */
  cut: [east: number, south: number] = [0, 0];

  /** Where the block ends [m]. */
  get end(): [number, number] {
    const [x, y] = this.size;
    return [x * (1 - this.cut[0]), y * (1 - this.cut[1])];
  }

  /** All tiles of the coarse level have come. */
  get known(): boolean {
    const level = this.tree.baseLevel;
    for (let y = 0; y < this.tree.down(level); y++)
      for (let x = 0; x < this.tree.across(level); x++)
        if (!this.pool.get(level, x, y)) return false;
    return true;
  }

  private sample(slot: Slot, cx: number, cy: number, channel: number): number {
    const spacing = 2 ** slot.level;
    const u = Math.min(Math.max(cx / spacing - slot.x * SQUARES, 0), SQUARES);
    const v = Math.min(Math.max(cy / spacing - slot.y * SQUARES, 0), SQUARES);
    const i = Math.min(Math.floor(u), SQUARES - 1);
    const j = Math.min(Math.floor(v), SQUARES - 1);
    const data = this.pool.shapeData;
    const k = 2 * (CELLS * slot.index + j * CORNERS + i) + channel;
    const a = data[k]!;
    const b = data[k + 2]!;
    const c = data[k + 2 * CORNERS]!;
    const d = data[k + 2 * CORNERS + 2]!;
    if (Math.min(a, b, c, d) <= HOLE) return NaN;
    const fu = u - i;
    const fv = v - j;
    return (a + fu * (b - a)) * (1 - fv) + (c + fu * (d - c)) * fv;
  }

  private slotAt(cx: number, cy: number, from: number): Slot | undefined {
    for (let level = from; level < this.tree.levels; level++) {
      const side = SQUARES * 2 ** level;
      const x = Math.min(Math.floor(cx / side), this.tree.across(level) - 1);
      const y = Math.min(Math.floor(cy / side), this.tree.down(level) - 1);
      const slot = this.pool.get(level, x, y);
      if (slot) return slot;
    }
    return undefined;
  }

  private surfaceFrom(x: number, y: number, level: number): number {
    const cx = x / this.world.cell[0];
    const cy = y / this.world.cell[1];
    if (cx < 0 || cy < 0 || cx > this.world.width - 1 || cy > this.world.height - 1) return NaN;
    const slot = this.slotAt(cx, cy, level);
    return slot ? this.sample(slot, cx, cy, 0) + this.sample(slot, cx, cy, 1) : NaN;
  }

  /** Height of the surface [m] from the finest tile that is here; NaN outside. */
  surface(x: number, y: number): number {
    return this.surfaceFrom(x, y, 0);
  }

  /** What casts shadows: nothing where the block is cut off. */
  coarseSurface(x: number, y: number): number {
    const [endX, endY] = this.end;
    if (x > endX || y > endY) return NaN;
    return this.surfaceFrom(x, y, this.tree.baseLevel);
  }

  /** Where a ray meets the surface, or null. */
  cast(ray: Ray, tall: number, bounds: Bounds, out: Vector3): Vector3 | null {
    const [sizeX, sizeY] = this.end;
    const { origin, direction } = ray;
    let near = 0;
    let far = Infinity;
    const slabs: [number, number, number, number][] = [
      [origin.x, direction.x, 0, sizeX],
      [origin.y, direction.y, (bounds.bottom - 1) * tall, (bounds.top + 50) * tall],
      [origin.z, direction.z, 0, sizeY],
    ];
    for (const [from, along, low, high] of slabs) {
      if (Math.abs(along) < 1e-12) {
        if (from < low || from > high) return null;
        continue;
      }
      const a = (low - from) / along;
      const b = (high - from) / along;
      near = Math.max(near, Math.min(a, b));
      far = Math.min(far, Math.max(a, b));
    }
    if (!(near < far)) return null;
    const above = (t: number): number => {
      const ground = this.surface(origin.x + t * direction.x, origin.z + t * direction.z);
      return origin.y + t * direction.y - (Number.isNaN(ground) ? -Infinity : ground * tall);
    };
    const flat = Math.hypot(direction.x, direction.z);
    const cell = Math.min(this.world.cell[0], this.world.cell[1]);
    let t = near;
    for (let i = 0; i < 4000 && t < far; i++) {
      const before = t;
      const height = above(t);
      if (height < 0) return out.copy(direction).multiplyScalar(t).add(origin);
      // Slopes are seldom steeper than 1: half the height above the ground is a safe stride.
      t +=
        Math.max(0.5 * cell, Number.isFinite(height) ? 0.4 * height : cell) / Math.max(flat, 0.2);
      if (t < far && above(t) >= 0) continue;
      if (t >= far) t = far;
      if (above(t) >= 0) return null;
      let low = before;
      let high = t;
      for (let k = 0; k < 24; k++) {
        const middle = 0.5 * (low + high);
        if (above(middle) < 0) high = middle;
        else low = middle;
      }
      return out.copy(direction).multiplyScalar(high).add(origin);
    }
    return null;
  }

  /** From the coarse tiles. */
  measure(): Bounds {
    const bounds: Bounds = { bottom: Infinity, top: -Infinity };
    for (const slot of this.pool.slots.values()) {
      if (slot.level !== this.tree.baseLevel) continue;
      bounds.bottom = Math.min(bounds.bottom, slot.lowest);
      bounds.top = Math.max(bounds.top, slot.highest);
    }
    return bounds.bottom <= bounds.top ? bounds : { bottom: 0, top: 1 };
  }
}
