// SPDX-License-Identifier: MIT
/** Comparing the present with what was: a wipe over the picture, or how much the ground has changed. */
import type { App } from '../app';
import type { HistoryEntry, PinnedState } from '../protocol/types';
import { el, format, iconButton } from '../ui/dom';
import { ICONS } from '../ui/icons';
import type { Comparing } from '../view/stage';
import { entryName } from './history';
import { t } from '../ui/language';

const MODES: [Comparing, string, string][] = [
  ['wipe', 'Wipe', 'What was on the left of the line, what is on the right: drag it'],
  ['difference', 'Difference', 'How much the ground has changed, in metres'],
  ['before', 'Before', 'Only what was. Hold \\ for a glance at it'],
];

/** Far the wipe may go, and how far a key moves it: shares of the picture. */
const MARGIN = 0.02;
const NUDGE = 0.02;

export class Compare {
  /** Over the picture: the line, and the bar with what is compared how. */
  readonly element = el('div', { class: 'compare', hidden: true });
  private readonly line = el('div', {
    class: 'wipe',
    role: 'slider',
    tabIndex: 0,
    'aria-label': 'Wipe between before and now',
    'aria-valuemin': '0',
    'aria-valuemax': '100',
  });
  private readonly list = el('select', { 'aria-label': 'Compare with' });
  private readonly modes = el('div', { class: 'modes', role: 'group', 'aria-label': 'How' });
  private readonly before = el('span', { class: 'side before' });
  private readonly now = el('span', { class: 'side now' }, 'Now');
  private readonly legend = el('div', {
    class: 'difference-legend',
    role: 'img',
    'aria-label': 'Colours',
  });
  private entries: HistoryEntry[] = [];
  private pins: PinnedState[] = [];
  private mode: Comparing = 'wipe';

  constructor(private readonly app: App) {
    for (const [mode, name, help] of MODES)
      this.modes.append(
        el(
          'button',
          {
            type: 'button',
            class: 'chip',
            title: help,
            'aria-label': `Compare: ${name}`,
            'data-mode': mode,
            on: { click: () => this.setMode(mode) },
          },
          name,
        ),
      );
    this.list.addEventListener('change', () => void this.choose(this.list.value));
    this.listenToLine();
    const bar = el(
      'div',
      { class: 'compare-bar' },
      el('span', { class: 'compare-title' }, 'Compare with'),
      this.list,
      this.modes,
      iconButton('End the comparison', ICONS['close']!, () => void this.end(), 'C'),
    );
    this.element.append(this.line, this.before, this.now, this.legend, bar);
    app.on('status', () => this.update());
    app.on('drawn', () => this.showLegend());
  }

  get on(): boolean {
    return this.app.stage.comparing !== 'off';
  }

  toggle(): void {
    if (this.on) void this.end();
    else void this.with('start');
  }

  /** Compares with the start, an entry of the history or a pin. */
  async with(to: 'start' | 'entry' | 'pin', number?: number): Promise<void> {
    const reply = await this.app.do('compare', number === undefined ? { to } : { to, number });
    if (!reply) return;
    const compare = reply['compare'] as { reference: number; name: string; step: number };
    if (this.app.status) this.app.status.compare = compare;
    this.list.dataset['chosen'] = number === undefined ? to : `${to} ${number}`;
    this.setMode(this.mode);
    this.update();
  }

  async end(): Promise<void> {
    this.app.stage.compareWith(null);
    if (this.app.status) this.app.status.compare = null;
    this.update();
    await this.app.do('compare', { to: 'none' });
  }

  setMode(mode: Comparing): void {
    this.mode = mode;
    this.app.stage.comparing = mode;
    this.app.stage.hand();
    this.update();
  }

  /** A glance at what was, as long as a key is down. */
  glance(on: boolean): void {
    if (!this.on) return;
    this.app.stage.comparing = on ? 'before' : this.mode;
    this.app.stage.hand();
  }

  /** What there is to compare with. */
  offer(entries: HistoryEntry[], pins: PinnedState[]): void {
    this.entries = entries;
    this.pins = pins;
    this.fill();
  }

  private choose(value: string): Promise<void> {
    const [to, number] = value.split(' ');
    return this.with(to as 'start', number ? Number(number) : undefined);
  }

  private fill(): void {
    const option = (value: string, text: string): HTMLElement => el('option', { value }, text);
    const chosen = this.list.dataset['chosen'] ?? 'start';
    this.list.replaceChildren(
      option('start', 'The start'),
      ...this.pins.map(({ pin, name, step }) => option(`pin ${pin}`, `Pin: ${name} (${step})`)),
      ...[...this.entries]
        .reverse()
        .slice(0, 40)
        .map((entry) =>
          option(
            `entry ${entry.number}`,
            `${entry.undone ? 'After' : 'Before'} ${entryName(this.app, entry)} (step ${entry.step})`,
          ),
        ),
    );
    this.list.value = chosen;
  }

  private update(): void {
    const { status, stage } = this.app;
    const compare = status?.compare ?? null;
    if (!compare && this.on) stage.compareWith(null);
    if (compare && this.on) stage.compareWith(compare.reference);
    this.element.hidden = !this.on;
    if (!this.on) return;
    this.before.textContent = t(`${compare?.name ?? ''}, step ${compare?.step ?? 0}`);
    this.now.textContent = t(`Now, step ${status?.step ?? 0}`);
    for (const chip of this.modes.querySelectorAll<HTMLButtonElement>('.chip'))
      chip.setAttribute('aria-pressed', String(chip.dataset['mode'] === this.mode));
    this.element.dataset['mode'] = this.mode;
    this.place(stage.wipe);
    if (this.list.options.length === 0) this.fill();
  }

  private place(share: number): void {
    const { stage } = this.app;
    stage.wipe = Math.min(Math.max(share, MARGIN), 1 - MARGIN);
    const percent = `${(100 * stage.wipe).toFixed(2)}%`;
    this.line.style.left = percent;
    this.before.style.right = `calc(${(100 * (1 - stage.wipe)).toFixed(2)}% + 0.7rem)`;
    this.now.style.left = `calc(${percent} + 0.7rem)`;
    this.line.setAttribute('aria-valuenow', String(Math.round(100 * stage.wipe)));
  }

  private listenToLine(): void {
    const { line } = this;
    const move = (event: PointerEvent): void => {
      const box = this.element.getBoundingClientRect();
      this.place((event.clientX - box.left) / box.width);
      this.app.stage.hand();
    };
    line.addEventListener('pointerdown', (event) => {
      line.setPointerCapture(event.pointerId);
      event.preventDefault();
      line.focus();
    });
    line.addEventListener('pointermove', (event) => {
      if (line.hasPointerCapture(event.pointerId)) move(event);
    });
    line.addEventListener('keydown', (event) => {
      const step = { ArrowLeft: -NUDGE, ArrowRight: NUDGE }[event.key];
      if (step === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      this.place(this.app.stage.wipe + step);
      this.app.stage.hand();
    });
  }

  /** Metres along the colours, which go by the root of the share: a quarter of the most is in the middle. */
  private showLegend(): void {
    const { stage } = this.app;
    const most = stage.difference;
    const text = String(most);
    if (!this.on || this.legend.dataset['most'] === text) return;
    this.legend.dataset['most'] = text;
    const mark = (value: number): HTMLElement =>
      el('span', {}, `${value > 0 ? '+' : ''}${format(value, 3)}`);
    this.legend.replaceChildren(
      el('i', { class: 'ramp' }),
      el(
        'div',
        { class: 'ticks' },
        ...[-most, -most / 4, 0, most / 4, most].map((value) => mark(value)),
      ),
      el('small', {}, 'metres: what went, what came'),
    );
    this.legend.setAttribute('aria-label', t(`Colours from -${most} to ${most} metres`));
  }
}
