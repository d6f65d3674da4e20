// SPDX-License-Identifier: MIT
/**
 * Artists' words over the coefficients. Each word moves some of them away from what the scene says; no coefficient
 * belongs to two words, so where a word stands can be read from the coefficients: undo moves its slider back.
 */
import type { Description, Row, Section } from './protocol/types';
import type { View } from './view/stage';

export interface Lever {
  key: string;
  /** At the right end the scene's value is multiplied by this, at the left end divided. */
  factor?: number;
  /** Or this is added, and at the left end taken away. */
  add?: number;
  /** Where the scene has 0 the right end is this, and the left half changes nothing. */
  usual?: number;
}

export interface Macro {
  name: string;
  low: string;
  high: string;
  summary: string;
  /** The view that shows where it acts. */
  view: View;
  levers: readonly Lever[];
}

export const MACROS: readonly Macro[] = [
  {
    name: 'Strength',
    low: 'gentle',
    high: 'fierce',
    summary: 'how much the water takes with it',
    view: 'wear',
    levers: [
      { key: 'params.capacity', factor: 4 },
      { key: 'params.erodibility', factor: 6 },
    ],
  },
  {
    name: 'Age',
    low: 'young',
    high: 'old',
    summary: 'how far slopes have crumbled and valleys have filled',
    view: 'slope',
    levers: [
      { key: 'thermal.rate', factor: 4 },
      { key: 'params.deposit', factor: 3 },
      { key: 'params.deposition', factor: 3, usual: 1 },
    ],
  },
  {
    name: 'Wetness',
    low: 'arid',
    high: 'soaked',
    summary: 'how much it rains and how long the water stays',
    view: 'flow',
    levers: [
      { key: 'rain.rate', factor: 6, usual: 1e-3 },
      { key: 'params.evaporation', factor: 0.2 },
      { key: 'params.area_exponent', factor: 1.2 },
    ],
  },
  {
    name: 'Rock',
    low: 'loose',
    high: 'hard',
    summary: 'how steep walls may stand and how slowly they wear',
    view: 'slope',
    levers: [
      { key: 'thermal.talus', add: 18 },
      { key: 'params.dissolve', factor: 0.25 },
      { key: 'params.head', factor: 4 },
    ],
  },
  {
    name: 'Detail',
    low: 'broad',
    high: 'fine',
    summary: 'how small the furrows may be',
    view: 'mei',
    levers: [
      { key: 'params.depth_limit', factor: 0.15 },
      { key: 'params.creep', factor: 0.2 },
    ],
  },
];

/** As commands name it; the top level of a scene has no name. */
export const keyOf = (section: Section, row: Row): string =>
  section.name ? `${section.name}.${row.name}` : row.name;

export function rowsOf(description: Description): Map<string, Row> {
  const rows = new Map<string, Row>();
  for (const section of description.sections)
    for (const row of section.rows) rows.set(keyOf(section, row), row);
  return rows;
}

/** What a lever makes of the scene's value, the word standing from -1 to 1. */
export function pulled(lever: Lever, row: Row, place: number): number {
  const scene = Number(row.scene);
  let value: number;
  if (lever.add !== undefined) value = scene + lever.add * place;
  else if (scene !== 0) value = scene * lever.factor! ** place;
  else value = (lever.usual ?? 0) * Math.max(place, 0);
  return Number(Math.min(Math.max(value, row.low), row.high).toPrecision(4));
}

/** Where a word must stand for a lever to have this value; null = it does not say. */
function placeOf(lever: Lever, row: Row): number | null {
  const [value, scene] = [Number(row.value), Number(row.scene)];
  if (value === scene) return scene === 0 && !lever.usual ? null : 0;
  let place: number;
  if (lever.add !== undefined) place = (value - scene) / lever.add;
  else if (scene !== 0) place = Math.log(value / scene) / Math.log(lever.factor!);
  else if (lever.usual) place = value / lever.usual;
  else return null;
  return Number.isFinite(place) ? place : null;
}

export interface Standing {
  /** From -1 to 1. */
  place: number;
  /** Its coefficients stand apart: somebody has moved them one by one. */
  apart: boolean;
  levers: { lever: Lever; row: Row }[];
}

/** Where a word stands in a session; null = the law has none of its coefficients. */
export function standing(macro: Macro, rows: Map<string, Row>): Standing | null {
  const levers = macro.levers.flatMap((lever) => {
    const row = rows.get(lever.key);
    const moves = row && (Number(row.scene) !== 0 || lever.add !== undefined || lever.usual);
    return moves ? [{ lever, row }] : [];
  });
  if (!levers.length) return null;
  const places = levers.map(({ lever, row }) => placeOf(lever, row) ?? 0);
  const mean = places.reduce((sum, place) => sum + place, 0) / places.length;
  const place = Math.min(Math.max(mean, -1), 1);
  const apart = levers.some(({ lever, row }) => {
    const wanted = pulled(lever, row, place);
    const scale = Math.max(Math.abs(wanted), Math.abs(Number(row.scene)), 1e-12);
    return Math.abs(wanted - Number(row.value)) > 0.03 * scale;
  });
  return { place, apart, levers };
}
