/** Short messages that go away by themselves, also read out by assistive tools. */
import { el } from './dom';

const place = el('div', { class: 'notes', role: 'status', 'aria-live': 'polite' });

export function mountNotes(parent: HTMLElement): void {
  parent.append(place);
}

export function note(text: string, kind: 'plain' | 'error' = 'plain'): void {
  const item = el('div', { class: `note ${kind}` }, text);
  item.addEventListener('click', () => item.remove());
  place.append(item);
  while (place.children.length > 4) place.firstElementChild?.remove();
  setTimeout(() => item.remove(), kind === 'error' ? 8000 : 3500);
}

/** For commands whose failure is to be shown. */
export function complain(error: unknown): void {
  note(error instanceof Error ? error.message : String(error), 'error');
}
