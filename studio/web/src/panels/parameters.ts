// SPDX-License-Identifier: MIT
/** The right panel: everything that can be set, built from the engine's own tables. */
import type { App } from '../app';
import { showPresets } from '../dialogs/presets';
import { keyOf } from '../macros';
import type { Description, Section, Value } from '../protocol/types';
import { control, type Control } from '../ui/control';
import { button, el, fold, words } from '../ui/dom';
import { PAUSES } from '../view/pauses';
import type { View } from '../view/stage';
import { MacrosPanel } from './macros';
import { t } from '../ui/language';

/** Sections that are open at first. */
const OPEN = ['params', 'thermal', 'rain'];
const TITLES: Record<string, string> = {
  params: 'Water and erosion',
  thermal: 'Thermal weathering',
  wind: 'Wind and sand',
  rain: 'Rain',
  'rain.drops': 'Raindrops',
  'rain.season': 'Seasons',
  boundary: 'Sides',
  '': 'Time step',
  time: 'Time step',
};

export class ParametersPanel {
  readonly element = el('aside', { class: 'panel right', 'aria-label': 'Parameters' });
  private readonly body = el('div', { class: 'panel-body' });
  private readonly macros: MacrosPanel;
  private controls = new Map<string, Control>();
  private switches = new Map<string, HTMLInputElement>();
  private shape = '';

  constructor(
    private readonly app: App,
    landscapes: () => void,
    show: (view: View) => void,
  ) {
    this.macros = new MacrosPanel(app, (key) => this.reveal(key), show);
    const presets = button('Presets...', () => showPresets(app));
    presets.title = t('Named sets of parameters');
    const cards = button('Landscapes...', landscapes);
    cards.title = t('Laws and phases of six landscapes, for this land or with their own');
    this.element.append(el('header', {}, el('h2', {}, 'Parameters'), cards, presets), this.body);
    app.on('describe', () => this.update());
  }

  private update(): void {
    const { description } = this.app;
    if (!description) return;
    const shape = JSON.stringify([
      description.sections.map((section) => [section.name, section.rows.map((row) => row.name)]),
      description.materials.map((material) => material.name),
    ]);
    if (shape !== this.shape) {
      this.shape = shape;
      this.build(description);
    }
    this.macros.update();
    for (const section of description.sections) {
      for (const row of section.rows) this.controls.get(keyOf(section, row))?.show(row);
      const box = this.switches.get(section.name);
      if (box) box.checked = section.on;
    }
    description.materials.forEach((material, index) => {
      for (const row of description.materialRows)
        this.controls
          .get(`material.${index}.${row.name}`)
          ?.show({ ...row, value: material[row.name] ?? row.default, scene: row.scene });
    });
  }

  private build(description: Description): void {
    this.controls.clear();
    this.switches.clear();
    this.body.replaceChildren(this.macros.element);
    for (const section of description.sections)
      if (section.rows.length) this.body.append(this.section(section));
    description.materials.forEach((material, index) =>
      this.body.append(this.material(description, index, material.name, material.color)),
    );
  }

  private section(section: Section): HTMLElement {
    const rows = section.rows.map((row) => {
      const key = keyOf(section, row);
      const made = control(row, {
        change: (value) => this.set(key, value),
        reset: () => this.reset(key),
      });
      made.element.dataset['key'] = key;
      this.controls.set(key, made);
      return made.element;
    });
    const title = TITLES[section.name] ?? words(section.name);
    const summary = section.summary ? el('p', { class: 'summary' }, `${section.summary}.`) : null;
    const part = fold(
      title,
      OPEN.includes(section.name),
      this.switchOf(section, title),
      summary,
      ...rows,
    );
    part.dataset['section'] = section.name;
    return part;
  }

  private switchOf(section: Section, title: string): HTMLElement | null {
    if (!section.addOn) return null;
    const box = el('input', {
      type: 'checkbox',
      class: 'switch',
      checked: section.on,
      'aria-label': `${title} on`,
    });
    box.addEventListener(
      'change',
      () =>
        void this.app.act('switch', { add_on: section.name, on: box.checked }, performance.now()),
    );
    this.switches.set(section.name, box);
    return el(
      'div',
      { class: 'row flag' },
      el('span', { class: 'row-name' }, 'On'),
      el('span', { class: 'row-parts' }, box),
    );
  }

  private material(
    description: Description,
    index: number,
    name: string,
    color: string,
  ): HTMLElement {
    const rows = description.materialRows.map((row) => {
      const value = description.materials[index]![row.name] ?? row.default;
      const made = control(
        { ...row, value, scene: value },
        {
          change: (next) => this.app.refusal('material', { index, key: row.name, value: next }),
        },
      );
      this.controls.set(`material.${index}.${row.name}`, made);
      return made.element;
    });
    const part = fold(`Material: ${name}`, false, ...rows);
    const patch = el('span', { class: 'patch' });
    patch.style.background = color;
    part.querySelector('summary')?.append(patch);
    return part;
  }

  private set(key: string, value: Value): Promise<string | null> {
    return this.app.refusal('set', { key, value });
  }

  private reset(key: string): void {
    void this.app.act('reset', { key }, performance.now());
  }

  /** Brings a parameter to where one looks. */
  reveal(key: string): void {
    const item = this.controls.get(key)?.element;
    const part = item?.closest('details');
    if (!item || !part) return;
    part.open = true;
    item.scrollIntoView({ block: 'center' });
    item.querySelector<HTMLElement>('input.number, select, input')?.focus();
    item.classList.add('shown');
    setTimeout(() => item.classList.remove('shown'), PAUSES.shown);
  }
}
