// SPDX-License-Identifier: MIT
/** Landscapes as cards with pictures: the examples of the engine that have one. */
import type { App } from '../app';
import type { Example } from '../protocol/types';
import { button, el, words } from '../ui/dom';
import { sheet } from '../ui/dialog';
import { note } from '../ui/notes';

/** Small pictures by the name of the scene, made by scripts/figures.sh. */
const PICTURES = import.meta.glob<string>('../cards/*.jpg', {
  eager: true,
  query: '?url',
  import: 'default',
});

export const pictureOf = (name: string): string | undefined => PICTURES[`../cards/${name}.jpg`];

const titleOf = (name: string): string => words(name.replace(/-/g, ' '));

export function landscapeCard(example: Example, ...buttons: HTMLElement[]): HTMLElement {
  const title = titleOf(example.name);
  return el(
    'div',
    { class: 'card landscape', role: 'group', 'aria-label': title },
    el('img', { src: pictureOf(example.name), alt: `${title}, as its scene leaves it` }),
    el('b', {}, title),
    el('small', {}, `${words(example.rules)}.`),
    el('div', { class: 'buttons' }, ...buttons),
  );
}

/** Whether an example is a landscape to show. */
export const isLandscape = ({ name }: Example): boolean => pictureOf(name) !== undefined;

/** Laws and phases of a landscape for the ground that is here: one step to undo. */
export function showLandscapes(app: App, begin: (name: string) => void): void {
  const examples = (app.hello?.examples ?? []).filter(isLandscape);
  const use = async ({ name, rules }: Example): Promise<void> => {
    if (!(await app.act('rules', { example: name }, performance.now()))) return;
    made.close();
    note(`${titleOf(name)}, on this land: ${rules}. Its phases take the place of those before.`);
  };
  const cards = examples.map((example) =>
    landscapeCard(
      example,
      button('Use its rules here', () => void use(example), 'primary'),
      button('Begin with it', () => {
        made.close();
        begin(example.name);
      }),
    ),
  );
  const made = sheet(
    'Landscapes',
    [
      el(
        'p',
        { class: 'summary' },
        'Their rules are laws, parameters and phases: on your land they make another one of their kind. That is one step, which undo takes back. Press Play then.',
      ),
      el('div', { class: 'cards pictures' }, ...cards),
    ],
    [],
    true,
  );
}
