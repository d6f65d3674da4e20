// SPDX-License-Identifier: MIT
/** The layers of the land along the sides of the block, as a texture: how deep each one reaches. */
import { DataTexture, FloatType, NearestFilter, RedFormat, Vector3 } from 'three';
import type { Material } from '../protocol/types';
import type { Uniforms } from '../terrain/surface';
import { lightOf } from './palette';

export type SideLayers = Record<'west' | 'east' | 'north' | 'south', number[][]>;

/** Samples along a side, and rows of the texture for one. */
export const SIDE_SAMPLES = 256;
const ROWS = 8;
const SIDES = ['west', 'east', 'north', 'south'] as const;

export function sidesTexture(): DataTexture {
  const data = new Float32Array(SIDE_SAMPLES * ROWS * SIDES.length);
  const texture = new DataTexture(data, SIDE_SAMPLES, ROWS * SIDES.length, RedFormat, FloatType);
  texture.magFilter = texture.minFilter = NearestFilter;
  texture.needsUpdate = true;
  return texture;
}

/** Thicknesses from the bottom up become depths of lower ends from the top down. */
export function putSides(uniforms: Uniforms, sides: SideLayers, materials: Material[]): void {
  const texture = uniforms['uSides']!.value as DataTexture;
  const data = texture.image.data as unknown as Float32Array;
  SIDES.forEach((name, side) => {
    const layers = [...sides[name]].reverse();
    for (let k = 0; k < SIDE_SAMPLES; k++) {
      let depth = 0;
      layers.slice(0, ROWS).forEach((layer, row) => {
        depth += layer[k] ?? 0;
        data[(side * ROWS + row) * SIDE_SAMPLES + k] = depth;
      });
    }
  });
  texture.needsUpdate = true;
  uniforms['uSideLayers']!.value = Math.max(materials.length - 1, 0);
  const colors = uniforms['uMaterials']!.value as Vector3[];
  materials.forEach(({ color }, m) => colors[m]?.copy(lightOf(parseInt(color.slice(1), 16))));
}
