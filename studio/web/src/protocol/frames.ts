// SPDX-License-Identifier: MIT
/** Bytes of a frame -> planes of tiles. docs/protocol.md has the layout. */
import { PLANES, SAMPLES } from './types';

const MAGIC = 0x31594c47;
const COUNT = SAMPLES * SAMPLES;

/** A plane as it came: views into the message, to be read before the next one. */
export interface PlaneData {
  a: number;
  b: number;
  samples: Uint16Array | Int8Array | Uint8Array;
}

export interface TileData {
  level: number;
  x: number;
  y: number;
  /** By the place in PLANES; missing = as it was. */
  planes: (PlaneData | undefined)[];
}

export interface Frame {
  frame: number;
  step: number;
  time: number;
  tiles: TileData[];
}

/** Bytes of a plane's samples, padded to 4. */
const SIZES = [2, 2, 2, 1, 1, 1, 1, 1, 4].map((bytes) => (bytes * COUNT + 3) & ~3);

function samplesOf(plane: number, bytes: ArrayBuffer, at: number): PlaneData['samples'] {
  if (plane < 2) return new Uint16Array(bytes, at, COUNT);
  if (plane === 2) return new Int8Array(bytes, at, 2 * COUNT);
  return new Uint8Array(bytes, at, plane === 8 ? 4 * COUNT : COUNT);
}

/** Throws if the bytes are not a whole frame. */
export function readFrame(bytes: ArrayBuffer): Frame {
  const view = new DataView(bytes);
  if (bytes.byteLength < 32 || view.getUint32(0, true) !== MAGIC) throw new Error('not a frame');
  const count = view.getUint32(24, true);
  const tiles: TileData[] = [];
  let at = 32;
  for (let t = 0; t < count; t++) {
    const mask = view.getUint16(at + 2, true);
    const tile: TileData = {
      level: view.getUint8(at),
      x: view.getUint16(at + 4, true),
      y: view.getUint16(at + 6, true),
      planes: [],
    };
    at += 8;
    for (let plane = 0; plane < PLANES.length; plane++) {
      if (!(mask & (1 << plane))) continue;
      tile.planes[plane] = {
        a: view.getFloat32(at, true),
        b: view.getFloat32(at + 4, true),
        samples: samplesOf(plane, bytes, at + 8),
      };
      at += 8 + SIZES[plane]!;
    }
    tiles.push(tile);
  }
  return {
    frame: view.getUint32(4, true),
    step: view.getFloat64(8, true),
    time: view.getFloat64(16, true),
    tiles,
  };
}
