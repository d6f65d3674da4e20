// SPDX-License-Identifier: MIT
/** The engine's JSON -> what the page works with: every key that may be missing gets a value here, and only here. */
import type {
  BrushInfo,
  Description,
  DeviceInfo,
  Hello,
  Kind,
  Material,
  Named,
  Palette,
  Row,
  Section,
  Source,
  Status,
  Value,
  LandScale,
} from './types';

type Json = Record<string, unknown>;

const text = (value: unknown, fallback = ''): string =>
  typeof value === 'string' ? value : fallback;
const number = (value: unknown, fallback = 0): number =>
  typeof value === 'number' ? value : fallback;
const list = (value: unknown): Json[] => (Array.isArray(value) ? (value as Json[]) : []);
const object = (value: unknown): Json =>
  value && typeof value === 'object' && !Array.isArray(value) ? (value as Json) : {};

/** Rows may stand as a list or under "rows". */
function rowsOf(value: unknown): Row[] {
  const rows = Array.isArray(value) ? (value as Json[]) : list(object(value)['rows']);
  return rows.map((row) => {
    const fallback = (row['default'] ?? 0) as Value;
    const now = (row['value'] ?? fallback) as Value;
    return {
      name: text(row['name']),
      kind: text(row['kind'], 'number') as Kind,
      default: fallback,
      low: number(row['low'], -Infinity),
      high: number(row['high'], Infinity),
      unit: text(row['unit']),
      help: text(row['help']),
      value: now,
      scene: (row['scene'] ?? fallback) as Value,
    };
  });
}

function sectionOf(value: Json): Section {
  const name = text(value['name']);
  return {
    name,
    title: text(value['title'], name),
    summary: text(value['summary']),
    addOn: value['add_on'] === true,
    on: value['on'] !== false,
    rows: rowsOf(value),
  };
}

export function readDescription(value: unknown): Description {
  const all = object(value);
  const world = object(all['world']);
  const cell = Array.isArray(world['cell_size']) ? (world['cell_size'] as number[]) : [1, 1];
  return {
    world: {
      width: number(world['width'], 1),
      height: number(world['height'], 1),
      cell: [cell[0] ?? 1, cell[1] ?? 1],
      terrain: text(world['terrain']),
      model: text(world['model']),
    },
    sections: list(all['sections']).map(sectionOf),
    brushes: list(all['brushes']) as unknown as BrushInfo[],
    brushRows: rowsOf(all['brush']),
    stampRows: rowsOf(all['stamp']),
    sourceRows: rowsOf(all['source']),
    materialRows: rowsOf(all['material']),
    materials: list(all['materials']) as unknown as Material[],
    sources: list(all['sources']) as unknown as Source[],
    phases: list(all['phases']).map((phase) => ({
      name: text(phase['name'], 'run'),
      steps: number(phase['steps']),
      model: text(phase['model']),
      own_model: phase['own_model'] === true,
      set: object(phase['set']),
    })),
  };
}

/** Names with or without a line of explanation. */
function namedOf(value: unknown): Named[] {
  return (Array.isArray(value) ? value : []).map((item: unknown) =>
    typeof item === 'string'
      ? { name: item, summary: '' }
      : { name: text(object(item)['name']), summary: text(object(item)['summary']) },
  );
}

export function readHello(value: Json): Hello {
  const recover = value['recover'] ? object(value['recover']) : null;
  return {
    version: text(value['version']),
    session: number(value['session']),
    description: readDescription(value['describe']),
    examples: list(value['examples']).map((example) => ({
      name: text(example['name']),
      summary: text(example['summary']),
      rules: text(example['rules']),
    })),
    generators: namedOf(value['generators']),
    formats: namedOf(value['formats']),
    meshes: namedOf(value['meshes']),
    presets: list(value['presets']).map((preset) => ({
      name: text(preset['name']),
      summary: text(preset['summary']),
      formats: text(preset['formats']),
      sizes: Array.isArray(preset['sizes']) ? (preset['sizes'] as number[]) : null,
    })),
    generate: rowsOf(value['generate']),
    blend: rowsOf(value['blend']),
    mask: rowsOf(value['mask']),
    palettes: list(value['palettes']) as unknown as Palette[],
    recover: recover && {
      terrain: text(recover['terrain']),
      steps: number(recover['steps']),
      replaced: recover['replaced'] === true,
    },
  };
}

export function readStatus(value: Json, before: Status | null): Status {
  const entry = (key: string): string | null => text(value[key]) || null;
  const budget = value['budget'] as Status['budget'] | undefined;
  return {
    step: number(value['step']),
    time: number(value['time']),
    name: text(value['name']),
    unsaved: value['unsaved'] === true,
    playing: value['playing'] === true,
    speed: number(value['speed']),
    steps_per_second: number(value['steps_per_second']),
    mcells_per_second: number(value['mcells_per_second']),
    phase: number(value['phase']),
    phase_step: number(value['phase_step']),
    phase_held: value['phase_held'] === true,
    undo: entry('undo'),
    redo: entry('redo'),
    depth: number(value['depth']),
    budget: budget ?? before?.budget,
    busy: (value['busy'] as Status['busy']) ?? null,
    repeats: value['repeats'] === true,
    ended: value['ended'] === true,
    to_go: number(value['to_go']),
    left: number(value['left'], -1),
    unwatched: value['unwatched'] === true,
    moments: Array.isArray(value['moments']) ? (value['moments'] as number[]) : [],
    reach: number(value['reach']),
    time_unit: text(value['time_unit'], 's'),
    compare: (value['compare'] as Status['compare'] | undefined) ?? null,
    scale: (value['scale'] as LandScale | undefined) ?? before?.scale ?? null,
    device: (value['device'] as Status['device'] | undefined) ?? before?.device ?? null,
  };
}

/** The reply to `devices`; the message says why there is none. */
export function readDevices(value: Json): { devices: DeviceInfo[]; message: string } {
  return {
    devices: list(value['devices']).map((device) => ({
      name: text(device['name']),
      platform: text(device['platform']),
      driver: text(device['driver']),
      memory: number(device['memory']),
      fits: device['fits'] === true,
      reason: text(device['reason']),
    })),
    message: text(value['message']),
  };
}
