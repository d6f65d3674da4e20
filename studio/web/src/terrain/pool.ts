// SPDX-License-Identifier: MIT
/**
 * The tiles that are here: a fixed number of slots, each a layer of a few texture arrays. What comes from the engine is
 * turned into what the shaders read:
 *
 *   shape   RG32F  ground [m], depth of the water [m]; read by the vertex shader and, here, by picking
 *   skin    RGBA8  slope of the surface (x, y of its normal), water, sediment
 *   traces  RGBA8  flow, wear, deposit minus wear, hardness
 *   motion  RG8    velocity over `fastest`, 128 = none
 *   paint   RGBA8  colour of the material on top; only if there are materials
 *
 * Amounts are kept as fourth roots of their share of MOST: a byte then covers nine decades, and interpolates well.
 */
import {
  ClampToEdgeWrapping,
  DataArrayTexture,
  FloatType,
  LinearFilter,
  NearestFilter,
  RGBAFormat,
  RGFormat,
  UnsignedByteType,
} from 'three';
import type { TileData } from '../protocol/frames';
import { SAMPLES, SQUARES, type World } from '../protocol/types';

export const CORNERS = SQUARES + 1;
const CELLS = CORNERS * CORNERS;
const OUTSIDE = 65535;

/** What a byte of 255 stands for: water [m], sediment [m], flow [m2/s], wear and deposit [m]. */
export const MOST = { water: 256, sediment: 4, flow: 1e4, ground: 1024 };
/** Velocity that a byte can hold [m/s]. */
export const FASTEST = 16;
/** Ground of what lies outside the domain. */
export const HOLE = -1e9;

const ROOT_BYTE = Float32Array.from({ length: 256 }, (_, q) => 255 * Math.sqrt(q / 255));
const ROOT_SHORT = Float32Array.from({ length: 65536 }, (_, q) => 255 * Math.sqrt(q / 65535));

export interface Slot {
  index: number;
  level: number;
  x: number;
  y: number;
  /** Everything that was wanted has come. */
  whole: boolean;
  /** Of the ground and of the surface [m]. */
  lowest: number;
  highest: number;
  used: number;
  holes: boolean;
}

export const keyOf = (level: number, x: number, y: number): number =>
  (level * 65536 + y) * 65536 + x;

export class TilePool {
  readonly shape: DataArrayTexture;
  readonly shapeData: Float32Array;
  readonly skin: DataArrayTexture;
  readonly traces: DataArrayTexture;
  readonly motion: DataArrayTexture;
  paint: DataArrayTexture;
  readonly slots = new Map<number, Slot>();
  /** Counts changes of contents. */
  version = 0;
  private readonly free: number[] = [];
  /** Ground and water with their margins, by slot. */
  private readonly grounds = new Map<number, Float32Array>();
  private readonly depths = new Map<number, Float32Array>();
  private readonly surface = new Float32Array(SAMPLES * SAMPLES);
  private readonly deposit: Uint8Array;
  private readonly table = new Uint8Array(256);

  constructor(
    readonly capacity: number,
    private world: World,
  ) {
    const bytes = (channels: number): DataArrayTexture => {
      const data = new Uint8Array(capacity * CELLS * channels);
      const format = channels === 4 ? RGBAFormat : RGFormat;
      return prepare(new DataArrayTexture(data, CORNERS, CORNERS, capacity), format, true);
    };
    this.shapeData = new Float32Array(capacity * CELLS * 2);
    this.shape = prepare(
      new DataArrayTexture(this.shapeData, CORNERS, CORNERS, capacity),
      RGFormat,
      false,
    );
    this.skin = bytes(4);
    this.traces = bytes(4);
    this.motion = bytes(2);
    this.motion.image.data.fill(128);
    this.paint = prepare(new DataArrayTexture(new Uint8Array(4), 1, 1, 1), RGBAFormat, true);
    this.deposit = new Uint8Array(CELLS * capacity);
    for (let i = capacity; i-- > 0;) this.free.push(i);
  }

  /** Another world: all slots are free. */
  reset(world: World, materials: boolean): void {
    this.world = world;
    for (const slot of this.slots.values()) this.free.push(slot.index);
    this.slots.clear();
    this.paint.dispose();
    const capacity = materials ? this.capacity : 1;
    const side = materials ? CORNERS : 1;
    const data = new Uint8Array(capacity * side * side * 4);
    this.paint = prepare(new DataArrayTexture(data, side, side, capacity), RGBAFormat, true);
    this.version++;
  }

  get(level: number, x: number, y: number): Slot | undefined {
    return this.slots.get(keyOf(level, x, y));
  }

  drop(key: number): void {
    const slot = this.slots.get(key);
    if (!slot) return;
    this.slots.delete(key);
    this.free.push(slot.index);
  }

  /** Takes a tile in; false if there is no room. */
  put(tile: TileData, now: number): boolean {
    const key = keyOf(tile.level, tile.x, tile.y);
    let slot = this.slots.get(key);
    if (!slot) {
      const index = this.free.pop();
      if (index === undefined || !tile.planes[0]) {
        if (index !== undefined) this.free.push(index);
        return false;
      }
      const { level, x, y } = tile;
      slot = { index, level, x, y, whole: true, lowest: 0, highest: 0, used: now, holes: false };
      this.slots.set(key, slot);
      this.clear(index);
    }
    const [height, water, velocity, sediment, deposit, flow, wear, hardness, material] =
      tile.planes;
    if (height) this.putHeight(slot, height.a, height.b, height.samples as Uint16Array);
    if (water) this.putWater(slot, water.a, water.samples as Uint16Array);
    if (height || water) this.putSurface(slot);
    if (sediment) this.putBytes(this.skin, slot, 3, sediment.a, MOST.sediment, sediment.samples);
    if (flow) this.putBytes(this.traces, slot, 0, flow.a, MOST.flow, flow.samples);
    if (wear) this.putBytes(this.traces, slot, 1, wear.a, MOST.ground, wear.samples);
    if (deposit) this.keepDeposit(slot, deposit.a, deposit.samples);
    if (wear || deposit) this.putLeft(slot);
    if (hardness) this.putPlain(this.traces, slot, 3, hardness.samples);
    if (velocity) this.putVelocity(slot, velocity.a, velocity.samples as Int8Array);
    if (material && this.paint.image.width > 1) this.putPaint(slot, material.samples);
    this.version++;
    return true;
  }

  private clear(index: number): void {
    const rgba = 4 * CELLS * index;
    (this.skin.image.data as Uint8Array).fill(0, rgba, rgba + 4 * CELLS);
    (this.traces.image.data as Uint8Array).fill(0, rgba, rgba + 4 * CELLS);
    const rg = 2 * CELLS * index;
    (this.motion.image.data as Uint8Array).fill(128, rg, rg + 2 * CELLS);
    this.shapeData.fill(0, rg, rg + 2 * CELLS);
    this.deposit.fill(0, CELLS * index, CELLS * (index + 1));
    this.depths.get(index)?.fill(0);
    for (const texture of [this.skin, this.traces, this.motion, this.shape]) touch(texture, index);
  }

  private putHeight(slot: Slot, a: number, b: number, samples: Uint16Array): void {
    const out = this.shapeData;
    let k = 2 * CELLS * slot.index;
    let low = OUTSIDE;
    let high = 0;
    slot.holes = false;
    for (let j = 1; j <= CORNERS; j++) {
      const row = j * SAMPLES + 1;
      for (let i = 0; i < CORNERS; i++, k += 2) {
        const q = samples[row + i]!;
        if (q === OUTSIDE) {
          slot.holes = true;
          out[k] = HOLE;
          continue;
        }
        if (q < low) low = q;
        if (q > high) high = q;
        out[k] = a + b * q;
      }
    }
    slot.lowest = a + b * Math.min(low, high);
    slot.highest = a + b * high;
    const ground = scratchOf(this.grounds, slot.index);
    for (let s = 0; s < SAMPLES * SAMPLES; s++) {
      const q = samples[s]!;
      ground[s] = q === OUTSIDE ? HOLE : a + b * q;
    }
    touch(this.shape, slot.index);
  }

  private putWater(slot: Slot, a: number, samples: Uint16Array): void {
    const shape = this.shapeData;
    const skin = this.skin.image.data as Uint8Array;
    const depth = scratchOf(this.depths, slot.index);
    const scale = a / (65535 * 65535);
    for (let s = 0; s < SAMPLES * SAMPLES; s++) depth[s] = scale * samples[s]! * samples[s]!;
    const root = Math.sqrt(Math.sqrt(Math.max(a, 0) / MOST.water));
    let k = CELLS * slot.index;
    for (let j = 1; j <= CORNERS; j++) {
      let s = j * SAMPLES + 1;
      for (let i = 0; i < CORNERS; i++, s++, k++) {
        shape[2 * k + 1] = depth[s]!;
        const code = root * ROOT_SHORT[samples[s]!]! + 0.5;
        skin[4 * k + 2] = code < 255 ? code : 255;
      }
    }
    touch(this.shape, slot.index);
    touch(this.skin, slot.index);
  }

  /** Normals of the surface, from central differences. */
  private putSurface(slot: Slot): void {
    const ground = scratchOf(this.grounds, slot.index);
    const depth = this.depths.get(slot.index);
    const surface = this.surface;
    const size = SAMPLES * SAMPLES;
    if (depth) for (let s = 0; s < size; s++) surface[s] = ground[s]! + depth[s]!;
    else surface.set(ground);
    const out = this.skin.image.data as Uint8Array;
    const spacing = 2 ** slot.level;
    const acrossX = 1 / (2 * spacing * this.world.cell[0]);
    const acrossY = 1 / (2 * spacing * this.world.cell[1]);
    let k = 4 * CELLS * slot.index;
    for (let j = 1; j <= CORNERS; j++) {
      let s = j * SAMPLES + 1;
      for (let i = 0; i < CORNERS; i++, s++, k += 4) {
        let dx = (surface[s + 1]! - surface[s - 1]!) * acrossX;
        let dy = (surface[s + SAMPLES]! - surface[s - SAMPLES]!) * acrossY;
        if (slot.holes && !(Math.abs(dx) < 1e4 && Math.abs(dy) < 1e4)) dx = dy = 0;
        const scale = 127 / Math.sqrt(1 + dx * dx + dy * dy);
        out[k] = 128.5 - dx * scale;
        out[k + 1] = 128.5 - dy * scale;
      }
    }
    touch(this.skin, slot.index);
  }

  /** A table of the 256 codes that a plane of bytes has becomes. */
  private codes(a: number, most: number): Uint8Array {
    const root = Math.sqrt(Math.sqrt(Math.max(a, 0) / most));
    for (let q = 0; q < 256; q++) this.table[q] = Math.min(root * ROOT_BYTE[q]! + 0.5, 255);
    return this.table;
  }

  private putBytes(
    texture: DataArrayTexture,
    slot: Slot,
    channel: number,
    a: number,
    most: number,
    samples: ArrayLike<number>,
  ): void {
    const table = this.codes(a, most);
    const out = texture.image.data as Uint8Array;
    let k = 4 * CELLS * slot.index + channel;
    for (let j = 1; j <= CORNERS; j++) {
      let s = j * SAMPLES + 1;
      for (let i = 0; i < CORNERS; i++, s++, k += 4) out[k] = table[samples[s]!]!;
    }
    touch(texture, slot.index);
  }

  private putPlain(
    texture: DataArrayTexture,
    slot: Slot,
    channel: number,
    samples: ArrayLike<number>,
  ): void {
    const out = texture.image.data as Uint8Array;
    let k = 4 * CELLS * slot.index + channel;
    for (let j = 1; j <= CORNERS; j++) {
      let s = j * SAMPLES + 1;
      for (let i = 0; i < CORNERS; i++, s++, k += 4) out[k] = samples[s]!;
    }
    touch(texture, slot.index);
  }

  private keepDeposit(slot: Slot, a: number, samples: ArrayLike<number>): void {
    const table = this.codes(a, MOST.ground);
    let k = CELLS * slot.index;
    for (let j = 1; j <= CORNERS; j++) {
      let s = j * SAMPLES + 1;
      for (let i = 0; i < CORNERS; i++, s++, k++) this.deposit[k] = table[samples[s]!]!;
    }
  }

  /** What is left of deposits where the ground was also worn. */
  private putLeft(slot: Slot): void {
    const out = this.traces.image.data as Uint8Array;
    let k = CELLS * slot.index;
    for (const end = k + CELLS; k < end; k++) {
      const deposit = this.deposit[k]!;
      const wear = out[4 * k + 1]!;
      if (deposit <= wear) {
        out[4 * k + 2] = 0;
        continue;
      }
      const d2 = deposit * deposit;
      const w2 = wear * wear;
      out[4 * k + 2] = Math.sqrt(Math.sqrt(d2 * d2 - w2 * w2));
    }
    touch(this.traces, slot.index);
  }

  private putVelocity(slot: Slot, a: number, samples: Int8Array): void {
    const out = this.motion.image.data as Uint8Array;
    const scale = a / FASTEST;
    let k = 2 * CELLS * slot.index;
    for (let j = 1; j <= CORNERS; j++) {
      let s = 2 * (j * SAMPLES + 1);
      for (let i = 0; i < 2 * CORNERS; i++, s++, k++) {
        const code = 128 + scale * samples[s]!;
        out[k] = code < 1 ? 1 : code > 255 ? 255 : code;
      }
    }
    touch(this.motion, slot.index);
  }

  private putPaint(slot: Slot, samples: ArrayLike<number>): void {
    const out = this.paint.image.data as Uint8Array;
    let k = 4 * CELLS * slot.index;
    for (let j = 1; j <= CORNERS; j++) {
      let s = 4 * (j * SAMPLES + 1);
      for (let i = 0; i < 4 * CORNERS; i++, s++, k++) out[k] = samples[s]!;
    }
    touch(this.paint, slot.index);
  }
}

function prepare(
  texture: DataArrayTexture,
  format: typeof RGBAFormat | typeof RGFormat,
  bytes: boolean,
): DataArrayTexture {
  texture.format = format;
  texture.type = bytes ? UnsignedByteType : FloatType;
  texture.magFilter = bytes ? LinearFilter : NearestFilter;
  texture.minFilter = bytes ? LinearFilter : NearestFilter;
  texture.wrapS = texture.wrapT = ClampToEdgeWrapping;
  texture.unpackAlignment = 1;
  texture.generateMipmaps = false;
  texture.needsUpdate = true;
  return texture;
}

function scratchOf(all: Map<number, Float32Array>, index: number): Float32Array {
  let array = all.get(index);
  if (!array) all.set(index, (array = new Float32Array(SAMPLES * SAMPLES)));
  return array;
}

function touch(texture: DataArrayTexture, layer: number): void {
  texture.addLayerUpdate(layer);
  texture.needsUpdate = true;
}
