// SPDX-License-Identifier: MIT
/** The program: phases that are edited, added, put in another order. */
import type { App } from '../app';
import { button, el, icon } from '../ui/dom';
import { sheet } from '../ui/dialog';
import { ICONS } from '../ui/icons';
import { complain } from '../ui/notes';
import { draftOf, phaseOf, type PhaseDraft } from './phase_draft';

export function editPhases(app: App): void {
  const drafts = (app.description?.phases ?? []).map(draftOf);
  const list = el('div', { class: 'phase-list' });
  const small = (name: string, path: string, click: () => void, enabled = true): HTMLElement =>
    el(
      'button',
      {
        type: 'button',
        class: 'icon-button',
        'aria-label': name,
        title: name,
        disabled: !enabled,
        on: { click },
      },
      icon(path),
    );
  const swap = (a: number, b: number): void => {
    [drafts[a], drafts[b]] = [drafts[b]!, drafts[a]!];
    show();
  };
  const row = (draft: PhaseDraft, index: number): HTMLElement => {
    const nth = `of phase ${index + 1}`;
    const name = el('input', {
      type: 'text',
      value: draft.name,
      maxLength: 60,
      'aria-label': `Name ${nth}`,
    });
    name.addEventListener('input', () => (draft.name = name.value));
    const steps = el('input', {
      type: 'text',
      class: 'number',
      inputMode: 'numeric',
      value: draft.steps,
      'aria-label': `Steps ${nth}`,
    });
    steps.addEventListener('input', () => (draft.steps = steps.value));
    const set = el('textarea', {
      value: draft.set,
      rows: Math.max(2, draft.set.split('\n').length),
      placeholder: 'rain.rate = 0.001',
      spellcheck: false,
      'aria-label': `What holds in it, ${nth}`,
    });
    set.addEventListener('input', () => (draft.set = set.value));
    return el(
      'div',
      { class: 'phase-row', role: 'group', 'aria-label': `Phase ${index + 1}` },
      el('label', {}, 'Name', name),
      el('label', {}, 'Steps', steps),
      el('label', { class: 'wide' }, 'What holds in it, a line each', set),
      el(
        'span',
        { class: 'phase-buttons' },
        small('Earlier', ICONS['up']!, () => swap(index, index - 1), index > 0),
        small('Later', ICONS['down']!, () => swap(index, index + 1), index + 1 < drafts.length),
        small('Copy', ICONS['copy']!, () => {
          drafts.splice(index + 1, 0, { ...draft, name: `${draft.name} again` });
          show();
        }),
        small(
          'Remove',
          ICONS['close']!,
          () => {
            drafts.splice(index, 1);
            show();
          },
          drafts.length > 1,
        ),
      ),
    );
  };
  const show = (): void => list.replaceChildren(...drafts.map(row));
  show();
  const add = button('Add a phase', () => {
    drafts.push({ name: `phase ${drafts.length + 1}`, steps: '100', model: null, set: '' });
    show();
  });
  const save = async (): Promise<void> => {
    try {
      await app.connection.do('program', { phases: drafts.map(phaseOf) });
      made.close();
    } catch (error) {
      complain(error);
    }
  };
  const made = sheet(
    'Phases',
    [
      el(
        'p',
        { class: 'summary' },
        'The simulation goes through them from the first to the last; then the program is over. Parameters on the right hold in all phases, and come before what a phase says.',
      ),
      list,
    ],
    [add, button('Use them', () => void save(), 'primary')],
    true,
  );
}
