/** The right panel: everything that can be set, built from the engine's own tables. */
import type { App } from '../app';
import { keyOf, rowsOf } from '../macros';
import type { Description, Row, Section, Value } from '../protocol/types';
import { PRESETS, type Preset } from '../presets';
import { control, type Control } from '../ui/control';
import { button, el, fold, words } from '../ui/dom';
import { PAUSES } from '../view/pauses';
import { note } from '../ui/notes';
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
  private readonly presets = el('select', {
    class: 'presets',
    'aria-label': 'Presets',
    title: 'Named sets of parameters',
  });
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
    this.presets.append(
      el('option', { value: '' }, 'Presets...'),
      el('option', { value: 'scene' }, 'As the scene says'),
    );
    for (const preset of PRESETS)
      this.presets.append(el('option', { value: preset.name, title: preset.summary }, preset.name));
    this.presets.addEventListener('change', () => void this.apply(this.presets.value));
    const cards = button('Landscapes...', landscapes);
    cards.title = t('Laws and phases of six landscapes, for this land or with their own');
    this.element.append(
      el('header', {}, el('h2', {}, 'Parameters'), cards, this.presets),
      this.body,
    );
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

  private row(key: string): Row | undefined {
    return this.app.description ? rowsOf(this.app.description).get(key) : undefined;
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

  private async apply(name: string): Promise<void> {
    this.presets.value = '';
    if (name === 'scene') {
      await this.resetAll();
      return;
    }
    const preset = PRESETS.find((candidate) => candidate.name === name);
    if (preset) await this.use(preset);
  }

  /** One entry of the history, and a word about what it does to the phases. */
  private async use(preset: Preset): Promise<void> {
    const { description } = this.app;
    if (description?.world.model !== 'pipe') {
      note('The presets are made for the law "pipe".', 'error');
      return;
    }
    const set = Object.fromEntries(Object.entries(preset.set).filter(([key]) => this.row(key)));
    const change = { name: preset.name, set, switch: preset.switches ?? {} };
    if (!(await this.app.act('change', change, performance.now()))) return;
    note(`${preset.name}: ${preset.summary}. ${phasesOf(description, Object.keys(set))}`);
  }

  private async resetAll(): Promise<void> {
    const change = { name: 'As the scene says', clear: true };
    if (await this.app.act('change', change, performance.now()))
      note('All parameters are as the scene says, phase by phase.');
  }
}

/** What a preset's values do to phases that set some of them otherwise. */
function phasesOf({ phases }: Description, keys: string[]): string {
  if (phases.length < 2) return '';
  const touched = phases.filter(({ set }) => keys.some((key) => keysOf(set).includes(key)));
  if (!touched.length) return 'It holds in all phases.';
  const lost = [...new Set(touched.flatMap(({ set }) => keysOf(set)))].filter((key) =>
    keys.includes(key),
  );
  const names = touched.map(({ name }) => words(name)).join(', ');
  return `It holds in all phases: in ${names} it takes the place of ${lost.map(words).join(', ')}.`;
}

/** {"rain": {"rate": 1}} and {"rain.rate": 1} are the same. */
function keysOf(set: Record<string, unknown>, before = ''): string[] {
  return Object.entries(set).flatMap(([key, value]) =>
    value && typeof value === 'object'
      ? keysOf(value as Record<string, unknown>, `${before}${key}.`)
      : [before + key],
  );
}
