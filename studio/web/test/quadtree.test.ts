// SPDX-License-Identifier: MIT
import { Matrix4, PerspectiveCamera, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import type { Eye } from '../src/terrain/quadtree';
import { makeLand } from './land';

function eyeAt(x: number, y: number, z: number, spacing: number): Eye {
  const camera = new PerspectiveCamera(40, 1.5, 1, 1e5);
  camera.position.set(x, y, z);
  camera.lookAt(new Vector3(2560, 0, 2560));
  camera.updateMatrixWorld();
  camera.updateProjectionMatrix();
  return {
    position: camera.position,
    matrix: new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse),
    scale: 720 / (2 * Math.tan((40 * Math.PI) / 360)),
    perspective: true,
    spacing,
    tall: 1,
  };
}

/** How often each square of the finest level is covered by tiles. */
function coverage(tiles: { level: number; x: number; y: number }[]): number[] {
  const covered = new Array<number>(64).fill(0);
  for (const { level, x, y } of tiles)
    for (let j = 0; j < 2 ** level; j++)
      for (let i = 0; i < 2 ** level; i++) {
        const [cx, cy] = [x * 2 ** level + i, y * 2 ** level + j];
        if (cx < 8 && cy < 8) covered[cy * 8 + cx]!++;
      }
  return covered;
}

describe('the quadtree', () => {
  it('has as many levels as it takes to come to one tile', () => {
    const { tree } = makeLand(() => 10);
    expect([tree.levels, tree.across(0), tree.across(3), tree.baseLevel]).toEqual([4, 8, 1, 1]);
  });

  it('asks for fine tiles near the eye and coarse ones far away', () => {
    const { tree, putLevel } = makeLand(() => 10);
    putLevel(3);
    const near = tree.select(eyeAt(500, 200, 500, 3), 0).want;
    expect(near.some(([level]) => level === 0)).toBe(true);
    const far = tree.select(eyeAt(2560, 60000, 2570, 3), 0).want;
    expect(far.every(([level]) => level >= tree.baseLevel)).toBe(true);
  });

  it('covers all of the land once, also while tiles are missing', () => {
    const { tree, put, putLevel } = makeLand(() => 10);
    putLevel(1);
    put(0, 0, 0);
    put(0, 1, 0);
    const eye = eyeAt(2560, 9000, 9000, 0.5); // all of it is seen, and wanted finely
    const slots = tree.select(eye, 0).drawn.map(({ slot }) => slot);
    expect(coverage(slots).every((count) => count === 1)).toBe(true);
    put(0, 0, 1);
    put(0, 1, 1);
    const after = tree.select(eye, 0).drawn.map(({ slot }) => slot);
    expect(after.filter(({ level }) => level === 0).length).toBe(4);
    expect(coverage(after).every((count) => count === 1)).toBe(true);
  });

  it('knows which neighbours are coarser', () => {
    const { tree, put, putLevel } = makeLand(() => 10);
    putLevel(1);
    for (const [x, y] of [
      [0, 0],
      [1, 0],
      [0, 1],
      [1, 1],
    ])
      put(0, x!, y!);
    const { drawn } = tree.select(eyeAt(2560, 9000, 9000, 0.5), 0);
    const tile = drawn.find(({ slot }) => slot.level === 0 && slot.x === 1 && slot.y === 0)!;
    expect(tile.edges).toEqual([0, 1, 0, 0]);
  });

  it('never wants more than there is room for', () => {
    const { tree, pool } = makeLand(() => 10);
    const { want } = tree.select(eyeAt(2560, 500, 2570, 1e-6), 0);
    expect(want.length).toBeLessThanOrEqual(pool.capacity);
  });
});
