// SPDX-License-Identifier: MIT
/** Short messages that go away by themselves, also read out by assistive tools. */
import { button, el } from './dom';

const place = el('div', { class: 'notes', role: 'status', 'aria-live': 'polite' });

export function mountNotes(parent: HTMLElement): void {
  parent.append(place);
}

function show(item: HTMLElement, time: number): void {
  item.addEventListener('click', () => item.remove());
  place.append(item);
  while (place.children.length > 4) place.firstElementChild?.remove();
  setTimeout(() => item.remove(), time);
}

export function note(text: string, kind: 'plain' | 'error' = 'plain'): void {
  show(el('div', { class: `note ${kind}` }, text), kind === 'error' ? 8000 : 3500);
}

/** A message with something that can be done about it: the last one counts. */
export function offerIn(text: string, label: string, act: () => void): void {
  for (const before of place.querySelectorAll('.offer')) before.remove();
  show(el('div', { class: 'note plain offer' }, `${text} `, button(label, act)), 15000);
}

/** For commands whose failure is to be shown: in the sheet that is open, or else as a note. */
export function complain(error: unknown): void {
  const text = error instanceof Error ? error.message : String(error);
  const body = document.querySelector('dialog[open] .sheet-body');
  if (!body) {
    note(text, 'error');
    return;
  }
  body.querySelector('.sheet-error')?.remove();
  body.append(el('p', { class: 'sheet-error', role: 'alert' }, text));
}
