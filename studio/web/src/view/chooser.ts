// SPDX-License-Identifier: MIT
/** Which tiles are drawn and asked for: what the quadtree selects, not too often. */
import type { Plane } from '../protocol/types';
import { keyOf, type TilePool } from '../terrain/pool';
import type { Eye, Quadtree, Selection, TileName } from '../terrain/quadtree';
import { PAUSES } from './pauses';

export class Chooser {
  selection: Selection = { drawn: [], want: [] };
  private wanted = new Set<number>();
  private asked = '';
  private askedAt = -Infinity;

  constructor(
    private readonly tree: Quadtree,
    private readonly pool: TilePool,
    private readonly want: (tiles: TileName[], planes: Plane[]) => void,
  ) {}

  reset(): void {
    this.wanted.clear();
    this.asked = '';
    this.askedAt = -Infinity;
    this.selection = { drawn: [], want: [] };
  }

  wants(level: number, x: number, y: number): boolean {
    return this.wanted.has(keyOf(level, x, y));
  }

  /** Something that was asked for is not here yet. */
  get waits(): boolean {
    return this.selection.want.some(([level, x, y]) => !this.pool.get(level, x, y));
  }

  /** Selects anew; false if there is something to ask for that must wait. */
  choose(eye: Eye, planes: Plane[], now: number): boolean {
    this.selection = this.tree.select(eye, now);
    const { want } = this.selection;
    const keys = want.map(([level, x, y]) => keyOf(level, x, y));
    const text = JSON.stringify([[...keys].sort((a, b) => a - b), planes]);
    if (text === this.asked) return true;
    if (now - this.askedAt < PAUSES.want) return false;
    this.asked = text;
    this.askedAt = now;
    this.wanted = new Set(keys);
    for (const key of [...this.pool.slots.keys()]) if (!this.wanted.has(key)) this.pool.drop(key);
    this.want(want, planes);
    return true;
  }
}
