// SPDX-License-Identifier: MIT
import { describe, expect, it } from 'vitest';
import { draftOf, phaseOf } from '../src/dialogs/phase_draft';
import { bytes, remaining, volume } from '../src/ui/dom';

describe('a phase as text', () => {
  const set = { 'rain.rate': 0.001, params: { erodibility: 5e-5 }, 'params.transport': 'flux' };
  it('comes back as it was', () => {
    const phase = { name: 'wet', steps: 20, model: 'pipe', own_model: false, set };
    expect(phaseOf(draftOf(phase))).toEqual({ name: 'wet', steps: 20, set });
    expect(phaseOf(draftOf({ ...phase, own_model: true }))['model']).toBe('pipe');
  });
  it('says which line is wrong', () => {
    const draft = { name: 'wet', steps: '3', model: null, set: 'rain.rate' };
    expect(() => phaseOf(draft)).toThrow('wet: "rain.rate"');
  });
});

describe('numbers', () => {
  it('are readable', () => {
    expect(bytes(214e6)).toBe('214 MB');
    expect(bytes(2.1e9)).toBe('2.1 GB');
    expect(volume(162648)).toBe('162\u202f648 m³');
    expect(volume(3.4e9)).toBe('3.4 km³');
    expect(remaining(0.25, 3000)).toBe('9 s left');
  });
});
