// SPDX-License-Identifier: MIT
/** The colours of a kind of land: the engine's palettes (gully/render.h) as the shaders read them. */
import { DataTexture, LinearFilter, RGBAFormat, Vector2, Vector3, Vector4 } from 'three';
import type { LandScale, Palette } from '../protocol/types';
import type { Uniforms } from '../terrain/surface';

/** What a user sets of the look; null = as the palette has it. */
export interface LandLook {
  /** Name of the palette. */
  palette: string;
  /** The ground in the colours of its materials, if it has any. */
  byMaterial: boolean;
  /** Heights above zero [m]. */
  snowLine: number | null;
  treeLine: number | null;
  sea: number | null;
  /** 1 = as always; more is nearer. */
  haze: number;
  /** Stops: 0 = as a camera would choose. */
  exposure: number;
}

export const PLAIN_LOOK: LandLook = {
  palette: '',
  byMaterial: true,
  snowLine: null,
  treeLine: null,
  sea: null,
  haze: 1,
  exposure: 0,
};

/** Far below all land. */
export const NO_SEA = -1e8;

const WIDTH = 512;

const channel = (color: number, shift: number): number => (((color >> shift) & 255) / 255) ** 2.2;

export const lightOf = (color: number): Vector3 =>
  new Vector3(channel(color, 16), channel(color, 8), channel(color, 0));

function mix(from: number, to: number, share: number): Vector3 {
  return lightOf(from).lerp(lightOf(to), Math.min(Math.max(share, 0), 1));
}

export function beltAt({ belts }: Palette, height: number): Vector3 {
  let b = 1;
  while (b < belts.length - 1 && height > belts[b]![0]) b++;
  const [low, from] = belts[b - 1]!;
  const [high, to] = belts[b]!;
  return mix(from, to, (height - low) / (high - low));
}

/** Smooth noise of one number, within -1..1. */
function wobble(at: number): number {
  const lattice = (i: number): number => {
    const h = Math.imul(i ^ 0x9e3779b1, 0x85ebca77);
    return ((h ^ (h >>> 13)) >>> 8) / 8388608 - 1;
  };
  const i = Math.floor(at);
  const u = (at - i) ** 2 * (3 - 2 * (at - i));
  return lattice(i) + u * (lattice(i + 1) - lattice(i));
}

/** Most of a layer has one colour. */
export function stratumAt({ strata }: Palette, height: number): Vector3 {
  const place = Math.min(Math.max(height, 0), 0.9999) * strata.length;
  const k = Math.floor(place);
  const t = Math.min(Math.max((place - k - 0.75) / 0.25, 0), 1);
  const thin = 0.6 * wobble(90 * height) + 0.4 * wobble(210 * height + 7);
  return mix(
    strata[k]!,
    strata[Math.min(k + 1, strata.length - 1)]!,
    t * t * (3 - 2 * t),
  ).multiplyScalar(1 + 0.16 * thin);
}

/** Where the plants of a palette end, as a share of the relief; 0 = it has none. */
export function treeLineOf({ belts }: Palette): number {
  let line = 0;
  belts.forEach(([height, color], k) => {
    const green = ((color >> 8) & 255) >= ((color >> 16) & 255);
    if (green) line = 0.5 * (height + (belts[k + 1]?.[0] ?? 1));
  });
  return Math.min(line, 0.95);
}

/** Square roots of light, as bytes: below plants and soil, above the layers. */
function beltsTexture(palette: Palette): DataTexture {
  const bytes = new Uint8Array(2 * 4 * WIDTH);
  for (let k = 0; k < WIDTH; k++) {
    const rows = [
      beltAt(palette, k / (WIDTH - 1)),
      palette.strata.length ? stratumAt(palette, k / (WIDTH - 1)) : new Vector3(),
    ];
    rows.forEach((light, row) => {
      const at = 4 * (row * WIDTH + k);
      light.toArray().forEach((value, c) => {
        bytes[at + c] = Math.min(255 * Math.sqrt(value) + 0.5, 255);
      });
      bytes[at + 3] = 255;
    });
  }
  const texture = new DataTexture(bytes, WIDTH, 2, RGBAFormat);
  texture.magFilter = texture.minFilter = LinearFilter;
  texture.needsUpdate = true;
  return texture;
}

const COLORS: [string, keyof Palette][] = [
  ['uRock', 'rock'],
  ['uDarkRock', 'dark_rock'],
  ['uSoil', 'soil'],
  ['uGravel', 'gravel'],
  ['uMeadow', 'meadow'],
  ['uSnow', 'snow'],
  ['uShallow', 'shallow'],
  ['uDeep', 'deep'],
];

/** Another palette from now on. */
export function usePalette(uniforms: Uniforms, palette: Palette): void {
  (uniforms['uBelts']!.value as DataTexture | null)?.dispose();
  uniforms['uBelts']!.value = beltsTexture(palette);
  for (const [uniform, key] of COLORS)
    (uniforms[uniform]!.value as Vector3).copy(lightOf(palette[key] as number));
  (uniforms['uPalette']!.value as Vector4).set(
    palette.moist,
    palette.river,
    palette.bare,
    palette.gravelled,
  );
}

/** Heights that were set become shares of the relief. */
export function setLines(
  uniforms: Uniforms,
  look: LandLook,
  palette: Palette,
  { lowest, relief }: LandScale,
): void {
  const share = (height: number): number => (height - lowest) / relief;
  const snow = look.snowLine === null ? palette.snow_line : share(look.snowLine);
  const own = treeLineOf(palette);
  const trees = look.treeLine === null || own === 0 ? own : share(look.treeLine);
  (uniforms['uLayers']!.value as Vector3).set(palette.layered, palette.strata.length ? 1 : 0, snow);
  const inside = (value: number): number => Math.min(Math.max(value, 0.001), 0.999);
  (uniforms['uTrees']!.value as Vector2).set(inside(trees), inside(own));
  uniforms['uSea']!.value = look.sea ?? NO_SEA;
  uniforms['uExposure']!.value = 2 ** look.exposure;
}
