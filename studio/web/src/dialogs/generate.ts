/** Making a landscape: a kind, its parameters, a picture that follows the sliders, a dice, variants beside each other. */
import type { App } from '../app';
import type { Row } from '../protocol/types';
import { control, type Control } from '../ui/control';
import { el, format, iconButton, words } from '../ui/dom';
import { ICONS } from '../ui/icons';
import { complain } from '../ui/notes';
import { labelled, numberField } from './forms';
import { relief, type Preview } from './relief';
import { t } from '../ui/language';

interface Sketch {
  seed: number;
  preview: Preview;
}

const VARIANTS = 5; // the chosen one and four others
const SIZES = [256, 512, 1024, 2048, 4096];
const SEEDS = 1_000_000;

export class Generator {
  readonly element = el('div', { class: 'generator' });
  private readonly kind = el('select', { 'aria-label': 'Kind' });
  private readonly summary = el('p', { class: 'summary' });
  private readonly size = el('select', { 'aria-label': 'Resolution' });
  private readonly width = numberField('10', 'Width in km');
  private readonly picture = el('canvas', { class: 'sketch', 'aria-label': 'Preview' });
  private readonly variants = el('div', {
    class: 'variants',
    role: 'group',
    'aria-label': 'Variants',
  });
  private readonly steepness = el('p', { class: 'summary' });
  private readonly controls: Control[] = [];
  private readonly params: Record<string, number> = {};
  private asking = false;
  private again = false;

  constructor(private readonly app: App) {
    const { hello } = app;
    for (const { name } of hello?.generators ?? [])
      this.kind.append(el('option', { value: name }, words(name)));
    for (const size of SIZES)
      this.size.append(
        el('option', { value: String(size), selected: size === 1024 }, `${size} x ${size}`),
      );
    this.kind.addEventListener('change', () => this.refresh());
    this.width.addEventListener('input', () => this.refresh());
    const rows = hello?.generate ?? [];
    for (const row of rows) this.params[row.name] = Number(row.default);
    this.params['seed'] = this.roll();
    const items = rows.map((row) => this.row(row));
    this.element.append(
      el('div', {}, this.picture, this.variants),
      el(
        'div',
        {},
        labelled('Kind', this.kind),
        this.summary,
        ...items,
        labelled('Resolution', this.size, 'cells; the same land at any of them'),
        labelled('Width [km]', this.width, 'of the whole: apart from the resolution'),
        this.steepness,
      ),
    );
    this.refresh();
  }

  /** Keys of the command `new`. */
  keys(): Record<string, unknown> {
    const side = Number(this.size.value);
    const cell = (1000 * this.kilometres()) / side;
    const { kind, params } = this;
    return { generate: kind.value, width: side, height: side, cell_size: cell, params };
  }

  private kilometres(): number {
    return Number(this.width.value.replace(',', '.')) || 10;
  }

  private roll(): number {
    return 1 + Math.floor(Math.random() * SEEDS);
  }

  private row(row: Row): HTMLElement {
    // A seed has no slider: a dice is what it is for.
    const whole = row.high <= 20 || row.name === 'relief';
    const high = row.name === 'relief' ? 4000 : row.high;
    const plain = row.name === 'seed';
    const item = control(
      { ...row, high, value: this.params[row.name]!, scene: row.default, whole, plain },
      {
        change: (value) => {
          this.params[row.name] = Number(value);
          this.refresh();
        },
      },
      words(row.name),
    );
    item.element.dataset['generate'] = row.name;
    this.controls.push(item);
    if (row.name !== 'seed') return item.element;
    const dice = iconButton('Roll the dice', ICONS['dice']!, () => this.setSeed(this.roll()));
    return el('div', { class: 'seed-line' }, item.element, dice);
  }

  private setSeed(seed: number): void {
    this.params['seed'] = seed;
    const item = this.controls.find(({ row }) => row.name === 'seed');
    item?.show({ ...item.row, value: seed });
    this.refresh();
  }

  /** One question at a time; the last one is always asked. */
  private refresh(): void {
    const info = this.app.hello?.generators.find(({ name }) => name === this.kind.value);
    this.summary.textContent = info ? t(`${words(info.summary)}.`) : '';
    if (this.asking) {
      this.again = true;
      return;
    }
    this.asking = true;
    const keys = { generate: this.kind.value, params: this.params, variants: VARIANTS };
    this.app.connection
      .do('sketch', keys)
      .then((reply) => this.show(reply['sketches'] as Sketch[]))
      .catch(complain)
      .finally(() => {
        this.asking = false;
        if (!this.again) return;
        this.again = false;
        this.refresh();
      });
  }

  private show([chosen, ...others]: Sketch[]): void {
    const metres = 1000 * this.kilometres();
    const high = this.params['relief'] ?? 0;
    const steep = ({ width }: Preview): number => high / (metres / width);
    relief(this.picture, chosen!.preview, steep(chosen!.preview), false);
    const cell = metres / Number(this.size.value);
    this.steepness.textContent = t(
      `${format(high, 4)} m of relief on ${format(metres / 1000, 4)} km, cells of ${format(cell, 3)} m.`,
    );
    this.variants.replaceChildren(
      ...others.map(({ seed, preview }) => {
        const canvas = el('canvas', {});
        relief(canvas, preview, steep(preview), false);
        return el(
          'button',
          {
            type: 'button',
            class: 'variant',
            title: `Seed ${seed}`,
            'aria-label': `Variant with seed ${seed}`,
            on: { click: () => this.setSeed(seed) },
          },
          canvas,
        );
      }),
    );
  }
}
