// SPDX-License-Identifier: MIT
/** Long work of the engine: what it is, how far it is, how long it will take, and a way to give it up. */
import type { Busy } from '../protocol/types';
import { t } from './language';
import { button, el, remaining, words } from './dom';

export class Progress {
  private readonly bar = el('progress', { max: 1, 'aria-label': 'Work in progress' });
  private readonly text = el('span', { class: 'busy-text' });
  private readonly cancel: HTMLButtonElement;
  readonly element: HTMLElement;
  private begun = 0;
  private what = '';

  constructor(giveUp: () => void) {
    this.cancel = button('Cancel', giveUp);
    this.element = el('span', { class: 'busy', hidden: true }, this.text, this.bar, this.cancel);
  }

  show(busy: Busy | null): void {
    this.element.hidden = !busy;
    if (!busy) {
      this.what = '';
      return;
    }
    if (busy.what !== this.what) this.begun = performance.now();
    this.what = busy.what;
    const left = remaining(busy.share, performance.now() - this.begun);
    this.bar.value = busy.share;
    this.text.textContent = [t(words(busy.what)), `${Math.round(100 * busy.share)} %`, t(left)]
      .filter(Boolean)
      .join(', ');
    this.cancel.hidden = !busy.can_cancel;
  }
}
