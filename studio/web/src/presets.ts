// SPDX-License-Identifier: MIT
/** Named sets of parameters. A key that a model does not have is left out. */
import type { Value } from './protocol/types';

export interface Preset {
  name: string;
  summary: string;
  set: Record<string, Value>;
  /** Add-ons to switch. */
  switches?: Record<string, boolean>;
}

export const PRESETS: readonly Preset[] = [
  {
    name: 'Gentle rain',
    summary: 'a steady drizzle that rounds the hills and fills the valleys slowly',
    set: {
      'rain.rate': 4e-4,
      'params.pipes': '8',
      'params.friction': 1.6,
      'params.capacity': 1,
      'params.dissolve': 0.03,
      'params.deposit': 0.1,
      'params.evaporation': 0.003,
      'thermal.talus': 32,
      'thermal.rate': 0.2,
      'thermal.grain': 10,
    },
    switches: { thermal: true },
  },
  {
    name: 'Flash floods',
    summary: 'cloudbursts: fast water, deep cuts, wide fans of what it carried',
    set: {
      'rain.rate': 3e-3,
      'params.pipes': '8',
      'params.friction': 2,
      'params.capacity': 1.5,
      'params.dissolve': 0.05,
      'params.deposit': 0.1,
      'params.evaporation': 0.006,
      'thermal.talus': 36,
      'thermal.rate': 0.3,
      'thermal.grain': 10,
    },
    switches: { thermal: true },
  },
  {
    name: 'Deep gorges',
    summary: 'water that takes much and drops little, between walls that stand',
    set: {
      'rain.rate': 1e-3,
      'params.pipes': '8',
      'params.friction': 1.6,
      'params.capacity': 5,
      'params.dissolve': 0.12,
      'params.deposit': 0.03,
      'params.evaporation': 0.003,
      'thermal.talus': 52,
      'thermal.rate': 0.1,
      'thermal.grain': 10,
    },
    switches: { thermal: true },
  },
  {
    name: 'Broad valleys',
    summary: 'slow rivers that lay down more than they take, and slopes that give way',
    set: {
      'rain.rate': 8e-4,
      'params.pipes': '8',
      'params.friction': 1.5,
      'params.capacity': 0.5,
      'params.dissolve': 0.06,
      'params.deposit': 0.3,
      'params.evaporation': 0.002,
      'thermal.talus': 24,
      'thermal.rate': 0.4,
      'thermal.grain': 10,
    },
    switches: { thermal: true },
  },
  {
    name: 'Rivers and lakes',
    summary: 'hardly anything evaporates: hollows fill up and overflow',
    set: {
      'rain.rate': 6e-4,
      'params.pipes': '8',
      'params.friction': 1.6,
      'params.capacity': 1.3,
      'params.dissolve': 0.04,
      'params.deposit': 0.1,
      'params.evaporation': 2e-4,
    },
  },
  {
    name: 'Desert',
    summary: 'no rain: heat breaks the rock, and rubble slides to the foot of the slopes',
    set: {
      'rain.rate': 0,
      'params.evaporation': 0.05,
      'thermal.talus': 27,
      'thermal.rate': 0.8,
      'thermal.grain': 10,
    },
    switches: { thermal: true },
  },
  {
    name: 'Let it dry',
    summary: 'the rain stops and the water goes; what floats settles',
    set: { 'rain.rate': 0, 'params.evaporation': 0.03 },
  },
];

/** The picture of a preset: cards/presets/NAME.jpg. */
export const cardOf = (name: string): string => name.toLowerCase().replace(/ /g, '-');
