// SPDX-License-Identifier: MIT
import { describe, expect, it } from 'vitest';
import { linesOf, netOf } from '../src/tools/ghost';
import { Outline } from '../src/view/outline';

const placing = (ground: (x: number, y: number) => number) => ({
  x: 100,
  y: 100,
  values: { width: 64, height: 64, angle: 0, scale: 1, offset: 0, blend: 'add', amount: 1 },
  ground,
});

describe('the net of a stamp', () => {
  it('lies on the ground and what the stamp adds', () => {
    const net = netOf(
      () => 5,
      placing(() => 20),
    );
    expect(net[1]).toBeCloseTo(25);
    expect(linesOf(net).length).toBe(2 * 2 * 33 * 32);
  });
  it('ends where the land ends', () => {
    const net = netOf(
      () => 5,
      placing((x) => (x > 100 ? NaN : 20)),
    );
    const used = linesOf(net);
    expect(used.length).toBeGreaterThan(0);
    expect(used.length).toBeLessThan(2 * 2 * 33 * 32);
    expect(used.every((k) => !Number.isNaN(net[3 * k + 1]!))).toBe(true);
  });
});

describe('an outline', () => {
  it('says whether the picture is another one', () => {
    const outline = new Outline();
    const corners: [number, number][] = [
      [0, 0],
      [10, 0],
    ];
    expect(outline.show(null, () => 0)).toBe(false);
    expect(outline.show(corners, () => 0)).toBe(true);
    expect(outline.show(corners, () => 0)).toBe(false);
    expect(outline.show(corners, (x) => x)).toBe(true);
    expect(outline.show(null, () => 0)).toBe(true);
  });
});
