// SPDX-License-Identifier: MIT
/** Sliders with words for artists: strength, age, wetness, rock, detail. Below each, what it touches. */
import type { App } from '../app';
import { MACROS, pulled, rowsOf, standing, type Macro, type Standing } from '../macros';
import type { Row } from '../protocol/types';
import { button, el, fold, format, iconButton, words } from '../ui/dom';
import { ICONS } from '../ui/icons';
import { note } from '../ui/notes';
import type { View } from '../view/stage';
import { t } from '../ui/language';

/** Where a slider stands, in words: "+40 %". */
const percent = (place: number): string => {
  const whole = Math.round(100 * place);
  return whole === 0 ? 'as the scene' : `${whole > 0 ? '+' : '−'}${Math.abs(whole)} %`;
};

interface Slider {
  macro: Macro;
  element: HTMLElement;
  input: HTMLInputElement;
  reading: HTMLElement;
  touched: HTMLElement;
}

export class MacrosPanel {
  readonly element: HTMLDetailsElement;
  private readonly sliders: Slider[];
  private readonly none = el(
    'p',
    { class: 'summary', hidden: true },
    'This law has none of their coefficients.',
  );

  constructor(
    private readonly app: App,
    private readonly reveal: (key: string) => void,
    private readonly show: (view: View) => void,
  ) {
    this.sliders = MACROS.map((macro) => this.slider(macro));
    this.element = fold('In words', true, ...this.sliders.map(({ element }) => element), this.none);
    this.element.dataset['section'] = 'macros';
  }

  private slider(macro: Macro): Slider {
    const input = el('input', {
      type: 'range',
      min: '-100',
      max: '100',
      step: '1',
      value: '0',
      'aria-label': macro.name,
      title: macro.summary,
    });
    const reading = el('span', { class: 'macro-reading' });
    const touched = el('div', { class: 'touched', role: 'group', 'aria-label': 'What it touches' });
    const back = iconButton('As the scene says', ICONS['reset']!, () => void this.send(macro, 0));
    back.setAttribute('aria-label', t(`Reset ${macro.name}`));
    const where = button('Where', () => this.show(macro.view), 'small');
    where.title = t('Show where it acts');
    where.setAttribute('aria-label', t(`Show where ${macro.name} acts`));
    const element = el(
      'div',
      { class: 'macro', 'data-macro': macro.name },
      el('div', { class: 'macro-head' }, el('b', {}, macro.name), reading, where, back),
      el(
        'div',
        { class: 'macro-line' },
        el('small', {}, macro.low),
        input,
        el('small', {}, macro.high),
      ),
      el('details', {}, el('summary', {}, 'What it touches'), touched),
    );
    const slider = { macro, element, input, reading, touched };
    input.addEventListener('input', () => this.preview(slider));
    input.addEventListener('change', () => void this.send(macro, Number(input.value) / 100));
    return slider;
  }

  private rows(): Map<string, Row> {
    return this.app.description ? rowsOf(this.app.description) : new Map<string, Row>();
  }

  update(): void {
    const rows = this.rows();
    let any = false;
    for (const slider of this.sliders) {
      const stands = standing(slider.macro, rows);
      slider.element.hidden = !stands;
      if (!stands) continue;
      any = true;
      if (!slider.input.matches(':active'))
        slider.input.value = String(Math.round(100 * stands.place));
      this.say(slider, stands, stands.place, stands.apart);
    }
    this.none.hidden = any;
  }

  /** While the hand slides: what would become of the coefficients. */
  private preview(slider: Slider): void {
    const stands = standing(slider.macro, this.rows());
    if (stands) this.say(slider, stands, Number(slider.input.value) / 100, false);
  }

  private say(slider: Slider, stands: Standing, place: number, apart: boolean): void {
    const text = t(apart ? 'set one by one' : percent(place));
    slider.reading.textContent = text;
    slider.input.setAttribute('aria-valuetext', text);
    slider.element.classList.toggle('changed', apart || Math.round(100 * place) !== 0);
    slider.touched.replaceChildren(
      ...stands.levers.map(({ lever, row }) => {
        const value = apart ? Number(row.value) : pulled(lever, row, place);
        const name = words(lever.key.replace(/^params\./, ''));
        const change =
          value === Number(row.scene)
            ? format(value, 3)
            : `${format(Number(row.scene), 3)} → ${format(value, 3)}`;
        return el(
          'button',
          {
            type: 'button',
            class: 'touch',
            title: row.help,
            'aria-label': `Show ${name} among the parameters`,
            on: { click: () => this.reveal(lever.key) },
          },
          el('span', {}, name),
          el('span', {}, `${change} ${row.unit}`.trim()),
        );
      }),
    );
  }

  /** One entry of the history for each move of a slider. */
  private async send(macro: Macro, place: number): Promise<void> {
    const stands = standing(macro, this.rows());
    if (!stands) return;
    const set = Object.fromEntries(
      stands.levers.map(({ lever, row }) => [lever.key, pulled(lever, row, place)]),
    );
    const off = this.app.description?.sections.find(
      ({ name, addOn, on }) => name === 'thermal' && addOn && !on,
    );
    const wakes = off && stands.levers.some(({ lever }) => lever.key.startsWith('thermal.'));
    const keys = { name: macro.name, set, switch: wakes ? { thermal: true } : {} };
    const reason = await this.app.refusal('change', keys);
    if (!reason) return;
    note(reason, 'error');
    this.update();
  }
}
