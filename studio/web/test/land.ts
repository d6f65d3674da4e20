// SPDX-License-Identifier: MIT
/** A land for tests: a function of the place, in tiles of every level. */
import { Field } from '../src/terrain/field';
import { TilePool } from '../src/terrain/pool';
import { Quadtree } from '../src/terrain/quadtree';
import { SAMPLES, SQUARES, type World } from '../src/protocol/types';

export const world: World = { width: 513, height: 513, cell: [10, 10], terrain: '', model: 'pipe' };
const STEP = 0.125; // [m] of a height's code

export function makeLand(height: (x: number, y: number) => number) {
  const pool = new TilePool(384, world);
  const tree = new Quadtree(world, pool);
  const field = new Field(world, pool, tree);
  pool.reset(world, false);
  const put = (level: number, x: number, y: number): void => {
    const samples = new Uint16Array(SAMPLES * SAMPLES);
    for (let j = 0; j < SAMPLES; j++)
      for (let i = 0; i < SAMPLES; i++) {
        const cell = (first: number, k: number, most: number): number =>
          Math.min(Math.max((SQUARES * first + k - 1) * 2 ** level, 0), most - 1);
        const at = height(cell(x, i, world.width) * 10, cell(y, j, world.height) * 10);
        samples[j * SAMPLES + i] = Math.round(at / STEP);
      }
    pool.put({ level, x, y, planes: [{ a: 0, b: STEP, samples }] }, 0);
  };
  const putLevel = (level: number): void => {
    for (let y = 0; y < tree.down(level); y++)
      for (let x = 0; x < tree.across(level); x++) put(level, x, y);
  };
  return { pool, tree, field, put, putLevel };
}
