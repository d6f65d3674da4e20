// SPDX-License-Identifier: MIT
/** Gives the shaders what they need for a picture. */
import { Matrix4, type Vector2, type Vector3, type Vector4 } from 'three';
import type { LandScale, Palette } from '../protocol/types';
import type { Daylight } from '../terrain/daylight';
import type { Bounds, Field } from '../terrain/field';
import { MOST } from '../terrain/pool';
import type { Uniforms } from '../terrain/surface';
import type { CameraControl } from './camera';
import { setLines, type LandLook } from './palette';
import { setSun, type Sun } from './sun';

export interface Look {
  land: LandLook;
  palette: Palette;
  scale: LandScale;
  sun: Sun;
  tall: number;
  /** Number of the view. */
  view: number;
  grid: boolean;
  /** Height of the picture in pixels. */
  pixels: number;
}

/** Height of the table that the block stands on. */
export function footOf(field: Field, { bottom, top }: Bounds, tall: number): number {
  const side = Math.max(...field.size);
  return (bottom - 0.15 * (top - bottom)) * tall - 0.025 * side;
}

/** Of the present, or of what was. */
export function setDaylight(u: Uniforms, daylight: Daylight): void {
  u['uLight']!.value = daylight.texture;
  (u['uLightArea']!.value as Vector4).set(...daylight.area);
  (u['uLightSpan']!.value as Vector2).set(...daylight.span);
}

export function setUniforms(
  u: Uniforms,
  field: Field,
  bounds: Bounds,
  control: CameraControl,
  daylight: Daylight,
  look: Look,
  now: number,
): void {
  const { world } = field;
  const { scale, tall } = look;
  const [sizeX, sizeY] = field.size;
  const side = Math.hypot(sizeX, sizeY);
  const { camera } = control;
  const vector4 = (name: string, x: number, y: number, z: number, w: number): void => {
    (u[name]!.value as Vector4).set(x, y, z, w);
  };
  setSun(u, look.sun);
  const [endX, endY] = field.end;
  vector4('uWorld', world.cell[0], world.cell[1], endX / world.cell[0], endY / world.cell[1]);
  (u['uEnd']!.value as Vector2).set(endX, endY);
  (u['uBlock']!.value as Vector2).set(footOf(field, bounds, tall), tall);
  (u['uSize']!.value as Vector2).set(sizeX, sizeY);
  (u['uEye']!.value as Vector3).copy(camera.position);
  vector4('uScaleGround', scale.lowest, scale.relief, scale.steep, 1 / tall);
  const flow = (MOST.flow / scale.flow) ** 0.25;
  vector4('uScaleWater', scale.water, scale.lake, scale.sediment, flow);
  (u['uScaleTraces']!.value as Vector2).set(scale.deposit, scale.wear);
  setDaylight(u, daylight);
  setLines(u, look.land, look.palette, scale);
  u['uHaze']!.value = control.flat ? 0 : (0.14 * look.land.haze ** 2) / side;
  const clear = Math.min(camera.position.distanceTo(control.target), side);
  u['uClear']!.value = clear / Math.max(look.land.haze, 1);
  u['uView']!.value = look.view;
  u['uGrid']!.value = look.grid ? 0.55 : 0;
  u['uOver']!.value =
    look.grid || (u['uRing']!.value as Vector4).z > 0 || (u['uRect']!.value as Vector4).z > 0;
  u['uPixel']!.value = (2 * Math.tan((camera.fov * Math.PI) / 360)) / Math.max(look.pixels, 1);
  u['uTime']!.value = (now / 1000) % 1000;
  const back = new Matrix4().copy(camera.matrixWorld).setPosition(0, 0, 0);
  (u['uBack']!.value as Matrix4).copy(back.multiply(camera.projectionMatrixInverse));
}
