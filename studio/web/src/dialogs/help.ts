// SPDX-License-Identifier: MIT
/** The help sheet, and the hint for whoever is here for the first time. */
import { button, el, remember } from '../ui/dom';
import { sheet } from '../ui/dialog';
import { documentLinks } from './documents';
import { takeTour } from './tour';

export const SHORTCUTS: [string, [string, string][]][] = [
  [
    'Time',
    [
      ['Space', 'play or pause'],
      ['.', 'one step'],
    ],
  ],
  [
    'Camera',
    [
      ['Right drag', 'orbit'],
      ['Middle drag, Shift + right drag', 'pan'],
      ['Wheel', 'zoom to the cursor'],
      ['W A S D, arrows', 'move'],
      ['F', 'fly: then W A S D Q E and drag; Shift is faster'],
      ['Home', 'see all of it'],
      ['T', 'from above'],
      ['O', 'flat, without perspective'],
      ['L', 'at eye level'],
      ['Q E, Page up, Page down', 'turn, tilt'],
      ['+ and -', 'closer, further away'],
      ['Shift+1 to Shift+9', 'a view that was kept'],
      ['One finger, two fingers', 'orbit; move and zoom'],
    ],
  ],
  [
    'Tools',
    [
      ['V', 'look around'],
      ['B', 'the last brush'],
      ['[ and ]', 'smaller, larger brush'],
      ['Hold', 'a brush that rests builds up'],
      ['Ctrl + drag', 'the opposite: lower instead of raise'],
      ['Shift + drag', 'smooth'],
      [
        'Enter, arrows',
        'with a tool: paint without a mouse; arrows move the place, Enter held paints',
      ],
      ['Pen', 'paints, and as strongly as it is pressed'],
      ['Delete', 'remove the chosen source'],
      ['Ctrl+A, Ctrl+C, Ctrl+V', 'select all, copy, paste'],
      ['Esc', 'back to looking around'],
    ],
  ],
  [
    'Views',
    [
      ['1 to 6', 'land, mud, flow, wear, slope, hardness'],
      ['G', 'tile grid'],
      ['H', 'hide or show the panels'],
    ],
  ],
  [
    'Files',
    [
      ['N', 'new landscape'],
      ['Ctrl+O', 'open'],
      ['Ctrl+S', 'save'],
      ['Ctrl+E', 'export'],
      ['P', 'screenshot'],
    ],
  ],
  [
    'History',
    [
      ['Ctrl+Z', 'undo'],
      ['Ctrl+Y, Ctrl+Shift+Z', 'redo'],
      ['C', 'compare with the start, or end that'],
      ['\\', 'held: a glance at what was'],
      ['? or F1', 'this sheet'],
      ['Tab, Enter', 'to the next control; press it'],
    ],
  ],
];

export function showHelp(): void {
  const keys = SHORTCUTS.map(([title, rows]) =>
    el(
      'section',
      { class: 'keys' },
      el('h3', {}, title),
      el(
        'dl',
        {},
        ...rows.flatMap(([key, what]) => [el('dt', {}, el('kbd', {}, key)), el('dd', {}, what)]),
      ),
    ),
  );
  const made = sheet(
    'Keys and mouse',
    [
      el(
        'div',
        { class: 'buttons' },
        button('Take the tour', () => {
          made.close();
          takeTour();
        }),
      ),
      ...keys,
      el('section', { class: 'keys' }, el('h3', {}, 'Documents'), documentLinks()),
    ],
    [],
    true,
  );
}

const SEEN = 'gully.hint.seen';

/** Exactly three sentences, once. */
export function firstHint(parent: HTMLElement): void {
  if (remember(SEEN)) return;
  const hint = el('div', { class: 'hint', role: 'note', 'aria-label': 'First steps' });
  const close = (): void => {
    remember(SEEN, 'yes');
    hint.remove();
  };
  hint.append(
    el(
      'p',
      {},
      'This is rain carving a mountain range, right now. Drag to look around and scroll to zoom, then choose a brush on the left and paint on the ground. Everything can be undone with Ctrl+Z, and the question mark shows all keys.',
    ),
    button('Take the tour', () => {
      close();
      takeTour();
    }),
    button('Got it', close, 'primary'),
  );
  parent.append(hint);
}
