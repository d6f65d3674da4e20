// SPDX-License-Identifier: MIT
import { describe, expect, it } from 'vitest';
import {
  blendWith,
  landOf,
  maskAs,
  refusalOf,
  sizeOf,
  type LayerDraft,
} from '../src/dialogs/layer_draft';

const layer = (kind: string): LayerDraft => ({
  kind,
  params: { seed: 4, relief: 300, offset: 20, scale: 0.5, octaves: 9 },
  blend: 'add',
  amount: 1,
  mask: {
    form: 'none',
    low: 0,
    high: 1,
    ranged: false,
    fade: 0,
    invert: false,
    kind: 'fbm',
    params: { seed: 8, scale: 0.2, octaves: 5 },
    picture: null,
  },
});

describe('layers of a landscape', () => {
  it('are a generator if there is one', () => {
    const { params } = layer('dunes');
    expect(landOf([layer('dunes')])).toEqual({ generate: 'dunes', params });
  });
  it('are a list as a scene has it if there are several', () => {
    const [hills, dunes] = [layer('fbm'), layer('dunes')];
    blendWith(dunes, 'max', 600);
    maskAs(dunes.mask, 'slope', 0, 500);
    const land = JSON.parse(JSON.stringify(landOf([hills, dunes]))) as { combine: object[] };
    expect(land.combine).toHaveLength(2);
    expect(land.combine[0]).not.toHaveProperty('mask');
    expect(land.combine[1]).toMatchObject({
      generate: 'dunes',
      relief: 300,
      blend: 'max',
      mask: { slope: [0, 15], fade: 5, invert: false },
    });
  });
  it('have masks of a pattern with or without a range', () => {
    const dunes = layer('dunes');
    maskAs(dunes.mask, 'generate', 0, 500);
    const mask = (): object =>
      (landOf([layer('fbm'), dunes]) as { combine: { mask: object }[] }).combine[1]!.mask;
    expect(mask()).toEqual({ generate: 'fbm', seed: 8, scale: 0.2, octaves: 5, invert: false });
    dunes.mask.ranged = true;
    expect(mask()).toMatchObject({ range: [0.5, 1], fade: 0.2 });
  });
  it('have masks of a picture, which says their size', () => {
    const dunes = layer('dunes');
    maskAs(dunes.mask, 'file', 0, 500);
    const layers = [layer('fbm'), dunes];
    expect([sizeOf(layers), JSON.stringify(landOf(layers)).includes('mask')]).toEqual([
      null,
      false,
    ]);
    const size = { width: 300, height: 200, low: 0, high: 255 };
    dunes.mask.picture = { file: 'up/a.png', name: 'a.png', ...size };
    expect(sizeOf(layers)).toEqual([300, 200]);
    expect(sizeOf([dunes])).toBeNull();
    const { combine } = landOf(layers) as { combine: object[] };
    const mask = { file: 'up/a.png', scale: 1 / 255, offset: -0, invert: false };
    expect(combine[1]).toHaveProperty('mask', mask);
  });
  it('are factors about 1 where they multiply', () => {
    const dunes = layer('dunes');
    blendWith(dunes, 'multiply', 600);
    expect(dunes.params).toMatchObject({ relief: 1, offset: 0 });
    blendWith(dunes, 'mix', 600);
    expect(dunes.params['relief']).toBe(600);
    blendWith(dunes, 'min', 700);
    expect(dunes.params['relief']).toBe(600);
  });
  it('are counted from 1 where one is refused', () => {
    expect(refusalOf('combine: terrain.combine[1].relief: too much')).toBe(
      'Layer 2: relief: too much',
    );
    expect(refusalOf('combine: terrain.combine[0]: no')).toBe('Layer 1: no');
    expect(refusalOf('volcano: no')).toBe('volcano: no');
  });
});
