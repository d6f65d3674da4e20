// SPDX-License-Identifier: MIT
/** What a stamp would make of the ground, as a net of lines before it is placed. */
import { BufferAttribute, BufferGeometry, LineBasicMaterial, LineSegments } from 'three';
import type { Preview } from '../dialogs/relief';
import type { Value } from '../protocol/types';

/** Lines along each side. */
const SIDE = 33;

/** Heights of a picture, for shares of its width and height; NaN = nothing there. */
export type Heights = (u: number, v: number) => number;

/** Of a preview, whose shares are of a range. */
export function heightsOf(preview: Preview, low: number, high: number): Heights {
  const { width, height, shares } = preview;
  return (u, v) => {
    const i = Math.min(Math.floor(u * width), width - 1);
    const j = Math.min(Math.floor(v * height), height - 1);
    const share = shares[j * width + i] ?? -1;
    return share < 0 ? NaN : low + (share / 255) * (high - low);
  };
}

export interface Placing {
  x: number;
  y: number;
  values: Record<string, Value>;
  /** The surface at a place [m]. */
  ground: (x: number, y: number) => number;
}

const smooth = (t: number): number => {
  const s = Math.min(Math.max(t, 0), 1);
  return s * s * (3 - 2 * s);
};

/** As src/edit/stamps.c: how a value goes onto what is there. */
const BLENDS: Record<string, (below: number, value: number) => number> = {
  add: (b, v) => b + v,
  subtract: (b, v) => b - v,
  multiply: (b, v) => b * v,
  min: Math.min,
  max: Math.max,
  mix: (_, v) => v,
};

/** The weight of the edge: 1 in the middle, a smooth step to 0 along each side. */
function edge(u: number, falloff: number): number {
  const away = Math.abs(2 * u - 1);
  return falloff > 0 ? smooth((1 - away) / falloff) : 1;
}

/** Places of the net, [x, height, z] one after the other; NaN beside the land. */
export function netOf(heights: Heights, { x, y, values, ground }: Placing): Float32Array {
  const out = new Float32Array(3 * SIDE * SIDE);
  const angle = (Number(values['angle'] ?? 0) * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const blend = BLENDS[String(values['blend'] ?? 'add')] ?? BLENDS['add']!;
  const [scale, offset] = [Number(values['scale'] ?? 1), Number(values['offset'] ?? 0)];
  const place = (u: number, v: number): [number, number] => {
    const [a, b] = [(u - 0.5) * Number(values['width']), (v - 0.5) * Number(values['height'])];
    return [x + a * cos - b * sin, y + a * sin + b * cos];
  };
  const value = (u: number, v: number): number => scale * heights(u, v) + offset;
  const shift = values['fit'] ? fitted(value, place, ground) : 0;
  for (let j = 0; j < SIDE; j++)
    for (let i = 0; i < SIDE; i++) {
      const [u, v] = [i / (SIDE - 1), j / (SIDE - 1)];
      const [px, py] = place(u, v);
      const below = ground(px, py);
      const falloff = Number(values['falloff'] ?? 0);
      const weight = Number(values['amount'] ?? 1) * edge(u, falloff) * edge(v, falloff);
      const made = blend(below, value(u, v) + shift);
      const high = Number.isNaN(made) ? below : below + weight * (made - below);
      out.set([px, high, py], 3 * (j * SIDE + i));
    }
  return out;
}

/** By how much values move so that their edge lies, in the mean, as high as the ground there. */
function fitted(
  value: Heights,
  place: (u: number, v: number) => [number, number],
  ground: (x: number, y: number) => number,
): number {
  let [sum, count] = [0, 0];
  for (let k = 0; k < SIDE; k++)
    for (const [u, v] of [
      [k / SIDE, 0],
      [k / SIDE, 1],
      [0, k / SIDE],
      [1, k / SIDE],
    ] as const) {
      const apart = ground(...place(u, v)) - value(u, v);
      if (Number.isNaN(apart)) continue;
      sum += apart;
      count++;
    }
  return count ? sum / count : 0;
}

/** Pairs of neighbours in a net that both have ground below them. */
export function linesOf(net: Float32Array): number[] {
  const pairs: number[] = [];
  const known = (k: number): boolean => !Number.isNaN(net[3 * k + 1]!);
  for (let j = 0; j < SIDE; j++)
    for (let i = 0; i < SIDE; i++) {
      const k = j * SIDE + i;
      if (i + 1 < SIDE && known(k) && known(k + 1)) pairs.push(k, k + 1);
      if (j + 1 < SIDE && known(k) && known(k + SIDE)) pairs.push(k, k + SIDE);
    }
  return pairs;
}

export class Ghost {
  readonly lines: LineSegments;
  private readonly places = new BufferAttribute(new Float32Array(3 * SIDE * SIDE), 3);

  constructor() {
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', this.places);
    const material = new LineBasicMaterial({ color: 0xffd060, transparent: true, opacity: 0.8 });
    this.lines = new LineSegments(geometry, material);
    this.lines.frustumCulled = false;
    this.lines.visible = false;
  }

  /** `tall`: by how much heights are exaggerated. null = nothing is shown. */
  show(net: Float32Array | null, tall: number): void {
    this.lines.visible = net !== null;
    if (!net) return;
    for (let k = 0; k < net.length; k += 3)
      this.places.setXYZ(k / 3, net[k]!, (net[k + 1]! || 0) * tall, net[k + 2]!);
    this.lines.geometry.setIndex(linesOf(net));
    this.places.needsUpdate = true;
  }
}
