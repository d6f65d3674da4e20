// SPDX-License-Identifier: MIT
/** Presets as cards with pictures: sets of values to start from, each one step to undo. */
import type { App } from '../app';
import { rowsOf } from '../macros';
import { cardOf, PRESETS, type Preset } from '../presets';
import type { Description } from '../protocol/types';
import { sheet } from '../ui/dialog';
import { button, el, upper, words } from '../ui/dom';
import { note } from '../ui/notes';

/** Small pictures, made by scripts/preset_cards.mjs. */
const PICTURES = import.meta.glob<string>('../cards/presets/*.jpg', {
  eager: true,
  query: '?url',
  import: 'default',
});

export function showPresets(app: App): void {
  const fits = app.description?.world.model === 'pipe';
  const use = async (preset: Preset): Promise<void> => {
    if (await usePreset(app, preset)) made.close();
  };
  const card = (preset: Preset): HTMLElement =>
    el(
      'button',
      {
        type: 'button',
        class: 'card preset',
        'aria-label': preset.name,
        disabled: !fits,
        on: { click: () => void use(preset) },
      },
      el('img', { src: PICTURES[`../cards/presets/${cardOf(preset.name)}.jpg`], alt: '' }),
      el('b', {}, preset.name),
      el('small', {}, `${upper(preset.summary)}.`),
    );
  const reset = async (): Promise<void> => {
    const change = { name: 'As the scene says', clear: true };
    if (!(await app.act('change', change, performance.now()))) return;
    made.close();
    note('All parameters are as the scene says, phase by phase.');
  };
  const summary = fits
    ? 'Values of water and slopes to start from. All pictures began as the same mountains. A preset is one step, which undo takes back.'
    : 'The presets are made for the law "pipe".';
  const made = sheet(
    'Presets',
    [
      el('p', { class: 'summary' }, summary),
      el('div', { class: 'cards pictures' }, ...PRESETS.map(card)),
    ],
    [button('As the scene says', () => void reset())],
    true,
  );
}

/** One entry of the history, and a word about what it does to the phases; whether it was done. */
async function usePreset(app: App, preset: Preset): Promise<boolean> {
  const { description } = app;
  if (!description) return false;
  const rows = rowsOf(description);
  const set = Object.fromEntries(Object.entries(preset.set).filter(([key]) => rows.has(key)));
  const change = { name: preset.name, set, switch: preset.switches ?? {} };
  if (!(await app.act('change', change, performance.now()))) return false;
  note(`${preset.name}: ${preset.summary}. ${phasesOf(description, Object.keys(set))}`);
  return true;
}

/** What a preset's values do to phases that set some of them otherwise. */
function phasesOf({ phases }: Description, keys: string[]): string {
  if (phases.length < 2) return '';
  const touched = phases.filter(({ set }) => keys.some((key) => keysOf(set).includes(key)));
  if (!touched.length) return 'It holds in all phases.';
  const lost = [...new Set(touched.flatMap(({ set }) => keysOf(set)))].filter((key) =>
    keys.includes(key),
  );
  const names = touched.map(({ name }) => words(name)).join(', ');
  return `It holds in all phases: in ${names} it takes the place of ${lost.map(words).join(', ')}.`;
}

/** {"rain": {"rate": 1}} and {"rain.rate": 1} are the same. */
function keysOf(set: Record<string, unknown>, before = ''): string[] {
  return Object.entries(set).flatMap(([key, value]) =>
    value && typeof value === 'object'
      ? keysOf(value as Record<string, unknown>, `${before}${key}.`)
      : [before + key],
  );
}
