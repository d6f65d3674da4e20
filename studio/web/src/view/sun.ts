// SPDX-License-Identifier: MIT
/** Sun and sky by where the sun stands: src/render/sky.c of the engine. */
import { Vector3 } from 'three';
import type { Uniforms } from '../terrain/surface';

type Color = [number, number, number];

const mix = (a: Color, b: Color, share: number): Color =>
  [0, 1, 2].map((c) => a[c]! + share * (b[c]! - a[c]!)) as Color;

export interface Sun {
  /** From north, clockwise [deg]. */
  azimuth: number;
  /** Above the horizon [deg]. */
  elevation: number;
}

/** Where the sun stands at an hour of a long summer's day. */
export function sunAt(hour: number): Sun {
  const angle = (Math.PI * (hour - 5)) / 14;
  return {
    azimuth: Math.round(70 + (220 * (hour - 5)) / 14),
    elevation: Math.round(Math.max(62 * Math.sin(angle), 2)),
  };
}

export function setSun(uniforms: Uniforms, { azimuth, elevation }: Sun): void {
  const radian = Math.PI / 180;
  const flat = Math.cos(elevation * radian);
  const low = 1 - smooth(elevation, 3, 35); // a low sun is warm
  const set = (name: string, color: Color): void => {
    (uniforms[name]!.value as Vector3).set(...color);
  };
  set('uSun', [
    flat * Math.sin(azimuth * radian),
    Math.sin(elevation * radian),
    -flat * Math.cos(azimuth * radian),
  ]);
  set('uSunlight', mix([3.6, 3.2, 2.6], [3.5, 2.3, 1.3], 0.8 * low));
  set('uSkylight', mix([0.46, 0.6, 0.84], [0.42, 0.5, 0.72], low));
  set('uHorizon', mix([1.25, 1.36, 1.46], [1.5, 1.2, 0.95], 0.6 * low));
  set('uZenith', mix([0.26, 0.52, 1.02], [0.24, 0.4, 0.8], low));
}

function smooth(value: number, low: number, high: number): number {
  const t = Math.min(Math.max((value - low) / (high - low), 0), 1);
  return t * t * (3 - 2 * t);
}
