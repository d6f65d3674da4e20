/** The land as the page knows it: heights at a place, rays that hit it, and what counts as much of something in it. */
import { Vector3, type Ray } from 'three';
import { SQUARES, type World } from '../protocol/types';
import { CORNERS, HOLE, MOST, type Slot, type TilePool } from './pool';
import type { Quadtree } from './quadtree';

/** As `Scale` in src/render/drape.h of the engine: from high quantiles, so that a sandbox and a mountain range
 *  both show their rivers. */
export interface Scale {
  lowest: number;
  relief: number;
  steep: number;
  water: number;
  lake: number;
  sediment: number;
  deposit: number;
  wear: number;
  flow: number;
  /** Of all ground [m], for the block and the camera. */
  bottom: number;
  top: number;
}

const CELLS = CORNERS * CORNERS;

function quantile(sorted: Float32Array, share: number, from = 0): number {
  const count = sorted.length - from;
  if (count <= 0) return 0;
  return sorted[from + Math.min(count - 1, Math.floor(share * count))]!;
}

/** Sorted, and the first place where a value reaches `least`. */
function sortedFrom(values: number[], least: number): [Float32Array, number] {
  const sorted = Float32Array.from(values).sort();
  let from = 0;
  while (from < sorted.length && sorted[from]! < least) from++;
  return [sorted, from];
}

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

  coarseSurface(x: number, y: number): number {
    return this.surfaceFrom(x, y, this.tree.baseLevel);
  }

  /** Where a ray meets the surface, or null. */
  cast(ray: Ray, tall: number, scale: Scale, out: Vector3): Vector3 | null {
    const [sizeX, sizeY] = this.size;
    const { origin, direction } = ray;
    let near = 0;
    let far = Infinity;
    const bounds: [number, number, number, number][] = [
      [origin.x, direction.x, 0, sizeX],
      [origin.y, direction.y, (scale.bottom - 1) * tall, (scale.top + 50) * tall],
      [origin.z, direction.z, 0, sizeY],
    ];
    for (const [from, along, low, high] of bounds) {
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

  /** From a part of the coarse tiles' samples. */
  measure(): Scale {
    const level = this.tree.baseLevel;
    const shape = this.pool.shapeData;
    const skin = this.pool.skin.image.data as Uint8Array;
    const traces = this.pool.traces.image.data as Uint8Array;
    const amount = (code: number, most: number): number => most * (code / 255) ** 4;
    const ground: number[] = [];
    const steep: number[] = [];
    const water: number[] = [];
    const sediment: number[] = [];
    const left: number[] = [];
    const wear: number[] = [];
    const flow: number[] = [];
    for (const slot of this.pool.slots.values()) {
      if (slot.level !== level) continue;
      for (let j = 0; j < CORNERS; j += 2) {
        for (let i = (j >> 1) % 2; i < CORNERS; i += 3) {
          const k = CELLS * slot.index + j * CORNERS + i;
          if (shape[2 * k]! <= HOLE) continue;
          ground.push(shape[2 * k]!);
          water.push(shape[2 * k + 1]!);
          const nx = (skin[4 * k]! - 128) / 127;
          const ny = (skin[4 * k + 1]! - 128) / 127;
          const flat = nx * nx + ny * ny;
          steep.push(Math.sqrt(flat / Math.max(1 - flat, 0.01)));
          sediment.push(amount(skin[4 * k + 3]!, MOST.sediment));
          flow.push(amount(traces[4 * k]!, MOST.flow));
          wear.push(amount(traces[4 * k + 1]!, MOST.ground));
          left.push(amount(traces[4 * k + 2]!, MOST.ground));
        }
      }
    }
    const [sizeX, sizeY] = this.size;
    const grounds = Float32Array.from(ground).sort();
    const low = quantile(grounds, 0.005);
    const waters = Float32Array.from(water).sort();
    const sheet = quantile(waters, 0.8);
    const [lakes, lakesFrom] = sortedFrom(water, 0.5);
    const [loads, loadsFrom] = sortedFrom(sediment, 1e-6);
    const [lefts, leftsFrom] = sortedFrom(left, 1e-6);
    const [wears, wearsFrom] = sortedFrom(wear, 1e-6);
    const flows = Float32Array.from(flow).sort();
    const clear = Math.min(Math.max(quantile(waters, 0.995), 0.02), 0.1);
    return {
      lowest: low,
      relief: Math.max(quantile(grounds, 0.998) - low, 0.002 * Math.max(sizeX, sizeY)),
      steep: Math.max(quantile(Float32Array.from(steep).sort(), 0.9), 0.15),
      water: Math.max(clear, Math.min(sheet, 0.5)),
      lake: Math.max(quantile(lakes, 0.9, lakesFrom), 2),
      sediment: Math.max(quantile(loads, 0.98, loadsFrom) / 2, 1e-4),
      deposit: Math.max(quantile(lefts, 0.95, leftsFrom) / 2, 1e-3),
      wear: Math.max(quantile(wears, 0.95, wearsFrom) / 2, 1e-3),
      flow: Math.max(quantile(flows, 0.998), 1e-9),
      bottom: grounds[0] ?? 0,
      top: grounds[grounds.length - 1] ?? 1,
    };
  }
}
