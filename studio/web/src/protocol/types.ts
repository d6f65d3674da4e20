// SPDX-License-Identifier: MIT
/** What docs/protocol.md and docs/sessions.md say, as types. */

export type Kind = 'number' | 'integer' | 'flag' | 'choice';
export type Value = number | string | boolean;

/** A row of one of the engine's parameter tables. Of a choice, `unit` has the names: "a|b". */
export interface Row {
  name: string;
  kind: Kind;
  default: Value;
  low: number;
  high: number;
  unit: string;
  help: string;
  value: Value;
  scene: Value;
  /** A slider covers all of it, evenly. */
  whole?: boolean;
  /** No slider. */
  plain?: boolean;
}

export interface Section {
  name: string;
  title: string;
  summary: string;
  addOn: boolean;
  on: boolean;
  rows: Row[];
}

export interface BrushInfo {
  name: string;
  summary: string;
  unit: string;
  strength: number;
  most: number;
  held: boolean;
  layers: boolean;
}

export interface Material {
  name: string;
  color: string;
  [parameter: string]: Value;
}

export type Source = Record<string, number>;

export interface Phase {
  name: string;
  steps: number;
  model: string;
  /** The phase names its model itself. */
  own_model: boolean;
  /** What holds in it, as a scene says it. */
  set: Record<string, unknown>;
}

export interface World {
  width: number;
  height: number;
  cell: [number, number];
  terrain: string;
  model: string;
}

export interface Description {
  world: World;
  sections: Section[];
  brushes: BrushInfo[];
  brushRows: Row[];
  stampRows: Row[];
  sourceRows: Row[];
  materialRows: Row[];
  materials: Material[];
  sources: Source[];
  phases: Phase[];
}

export interface Budget {
  water: Record<string, number>;
  solid: Record<string, number>;
}

/** What steps, and what of it is to be known. */
export interface DeviceStatus {
  state: 'cpu' | 'compiling' | 'device' | 'failed';
  name: string;
  message: string;
  bytes_per_cell_step: number;
}

export interface DeviceInfo {
  name: string;
  platform: string;
  driver: string;
  memory: number;
  fits: boolean;
  reason: string;
}

/** What counts as much of something, for colours: studio/server/scales.c. */
export type LandScale = Record<
  'lowest' | 'relief' | 'steep' | 'water' | 'lake' | 'sediment' | 'deposit' | 'wear' | 'flow',
  number
>;

export interface Busy {
  what: string;
  share: number;
  can_cancel: boolean;
}

export interface Comparison {
  /** Changes with what is compared with. */
  reference: number;
  name: string;
  step: number;
}

/** An entry of the history; `step` is where its other side is. */
export interface HistoryEntry {
  number: number;
  name: string;
  undone: boolean;
  step: number;
  changes: { key: string; before: Value; after: Value }[];
}

/** A state that is kept by a name. */
export interface PinnedState {
  pin: number;
  name: string;
  step: number;
}

export interface Status {
  step: number;
  time: number;
  /** Under which it was saved or opened; '' for neither. */
  name: string;
  /** It has something that no saved session has. */
  unsaved: boolean;
  playing: boolean;
  speed: number;
  steps_per_second: number;
  mcells_per_second: number;
  phase: number;
  phase_step: number;
  phase_held: boolean;
  undo: string | null;
  redo: string | null;
  depth: number;
  budget?: Budget;
  busy: Busy | null;
  /** After the end of the program it begins again. */
  repeats: boolean;
  /** It came to the end of the program, and waits there. */
  ended: boolean;
  /** Steps that were asked for and are not done yet. */
  to_go: number;
  /** Steps until the end of the program; -1 = never. */
  left: number;
  /** It goes on if no page is looked at. */
  unwatched: boolean;
  /** Steps that are kept as they were, and the last one that can be gone to. */
  moments: number[];
  reach: number;
  time_unit: string;
  /** What the present is compared with. */
  compare: Comparison | null;
  scale: LandScale | null;
  device: DeviceStatus | null;
}

export interface Named {
  name: string;
  summary: string;
}

/** A scene that comes with the engine; `rules` says what its phases do. */
export interface Example extends Named {
  rules: string;
}

/** Colours of a kind of land: include/gully/render.h. Colours are 0xRRGGBB. */
export interface Palette extends Named {
  belts: [height: number, color: number][];
  strata: number[];
  rock: number;
  dark_rock: number;
  soil: number;
  gravel: number;
  meadow: number;
  snow: number;
  shallow: number;
  deep: number;
  moist: number;
  river: number;
  bare: number;
  gravelled: number;
  snow_line: number;
  layered: number;
}

export interface ExportPreset extends Named {
  /** File formats it may have, "png|raw". */
  formats: string;
  sizes: number[] | null;
}

export interface Hello {
  version: string;
  /** Counts the sessions of the engine. */
  session: number;
  description: Description;
  examples: Example[];
  generators: Named[];
  formats: Named[];
  meshes: Named[];
  presets: ExportPreset[];
  palettes: Palette[];
  /** Parameters of all generators, of how a layer goes onto those below, and of a layer's mask. */
  generate: Row[];
  blend: Row[];
  mask: Row[];
  /** The newest session that was not saved; `replaced` by another since the studio began. */
  recover: { terrain: string; steps: number; replaced: boolean } | null;
}

/** Planes of a tile; the place in the list is the bit in a frame. */
export const PLANES = [
  'height',
  'water',
  'velocity',
  'sediment',
  'deposit',
  'flow',
  'wear',
  'hardness',
  'material',
] as const;
export type Plane = (typeof PLANES)[number];

/** Squares along a side of a tile, and samples: one more for the corners, two more for normals. */
export const SQUARES = 64;
export const SAMPLES = 67;
