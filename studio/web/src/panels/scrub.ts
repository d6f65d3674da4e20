// SPDX-License-Identifier: MIT
/** The scrub bar: drag back into the past, look, and go on from there. */
import type { App } from '../app';
import { count, el } from '../ui/dom';
import { PAUSES } from '../view/pauses';
import { t } from '../ui/language';

export class Scrub {
  private readonly bar = el('input', {
    type: 'range',
    class: 'scrub',
    min: '0',
    max: '1',
    step: '1',
    'aria-label': 'Past, in steps',
    title: 'Drag to go back in time. What comes later stays until you go on from there.',
  });
  private readonly marks = el('div', { class: 'moments', 'aria-hidden': 'true' });
  private readonly label = el('span', { class: 'scrub-label' });
  readonly element = el('div', { class: 'scrubber' }, this.marks, this.bar, this.label);
  private dragging = false;
  private sending = false;
  private sent = -Infinity;
  private next: { step: number; near: boolean } | null = null;

  constructor(private readonly app: App) {
    this.bar.addEventListener('input', () => {
      this.dragging = true;
      this.tell(Number(this.bar.value));
      this.go(Number(this.bar.value), true);
    });
    this.bar.addEventListener('change', () => {
      this.dragging = false;
      this.go(Number(this.bar.value), false);
    });
    app.on('status', () => this.update());
  }

  /** While the hand moves, to the nearest moment that is kept; when it lets go, to the step itself. */
  private go(step: number, near: boolean): void {
    if (this.app.status?.playing) this.app.play(false);
    this.next = { step, near };
    void this.flush();
  }

  private async flush(): Promise<void> {
    if (this.sending || !this.next) return;
    const { step, near } = this.next;
    const wait = near ? this.sent + PAUSES.scrub - performance.now() : 0;
    if (wait > 0) {
      setTimeout(() => void this.flush(), wait);
      return;
    }
    this.next = null;
    this.sending = true;
    this.sent = performance.now();
    await this.app.act('seek', { step, near }, performance.now());
    this.sending = false;
    if (this.next) void this.flush();
  }

  private tell(step: number): void {
    this.label.textContent = t(`step ${count(step)}`);
    this.bar.setAttribute('aria-valuetext', t(`step ${step}`));
  }

  private update(): void {
    const { status } = this.app;
    if (!status || this.dragging) return;
    const reach = Math.max(status.reach, status.step);
    this.bar.max = String(Math.max(reach, 1));
    this.bar.disabled = reach === 0;
    this.bar.value = String(status.step);
    this.tell(status.step);
    this.label.hidden = status.step === reach;
    const shape = status.moments.map(
      (step) => `${((100 * step) / Math.max(reach, 1)).toFixed(1)}%`,
    );
    if (shape.join() === this.marks.dataset['shape']) return;
    this.marks.dataset['shape'] = shape.join();
    this.marks.replaceChildren(
      ...shape.map((left) => {
        const mark = el('i', {});
        mark.style.left = left;
        return mark;
      }),
    );
  }
}
