// SPDX-License-Identifier: MIT
import { Ray, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { makeLand } from './land';

const hill = (x: number, y: number): number =>
  100 + 400 * Math.exp(-((x - 2560) ** 2 + (y - 2560) ** 2) / 600 ** 2);

function cast(height: (x: number, y: number) => number, from: Vector3, to: Vector3, tall = 1) {
  const { field, putLevel } = makeLand(height);
  putLevel(1);
  putLevel(0);
  const ray = new Ray(from, to.clone().sub(from).normalize());
  return field.cast(ray, tall, field.measure(), new Vector3());
}

describe('picking', () => {
  it('finds the height of a place', () => {
    const { field, putLevel } = makeLand(hill);
    putLevel(0);
    expect(field.surface(2560, 2560)).toBeCloseTo(500, 0);
    expect(field.surface(100, 100)).toBeCloseTo(100, 0);
    expect(field.surface(-1, 100)).toBeNaN();
  });

  it('hits level ground where the ray meets it', () => {
    const hit = cast(() => 100, new Vector3(2000, 1100, 2000), new Vector3(3000, 100, 2500))!;
    expect(hit.x).toBeCloseTo(3000, 0);
    expect(hit.y).toBeCloseTo(100, 1);
    expect(hit.z).toBeCloseTo(2500, 0);
  });

  it('hits a hill before what it hides', () => {
    const hit = cast(hill, new Vector3(200, 300, 2560), new Vector3(4900, 300, 2560))!;
    expect(hit.x).toBeLessThan(2560);
    expect(hill(hit.x, hit.z)).toBeCloseTo(300, -1);
  });

  it('heeds the exaggeration', () => {
    const hit = cast(() => 100, new Vector3(2500, 2000, 2500), new Vector3(2500, 0, 2501), 3)!;
    expect(hit.y).toBeCloseTo(300, 1);
  });

  it('misses beside the land and in the sky', () => {
    expect(cast(hill, new Vector3(200, 900, 2560), new Vector3(4900, 901, 2560))).toBeNull();
    expect(cast(hill, new Vector3(-900, 900, -900), new Vector3(-950, 0, -950))).toBeNull();
  });
});
