// SPDX-License-Identifier: MIT
/** Making a landscape: layers of generators, a picture that follows the sliders, dice, variants beside each other. */
import type { App } from '../app';
import type { Row } from '../protocol/types';
import { button, el, format, iconButton, words } from '../ui/dom';
import { ICONS } from '../ui/icons';
import { t } from '../ui/language';
import { labelled, numberField } from './forms';
import {
  landOf,
  MASK_PARAMS,
  MOST_LAYERS,
  refusalOf,
  sizeOf,
  type LayerDraft,
  type MaskPicture,
} from './layer_draft';
import { LayerForm, MASK_NAMES, roll } from './layer_form';
import { relief, type Preview } from './relief';

interface Sketch {
  seed: number;
  /** The range of the land [m]. */
  low: number;
  high: number;
  preview: Preview;
}

const VARIANTS = 5; // the chosen one and four others
const SIZES = [256, 512, 1024, 2048, 4096];

/** A layer that is put onto others is a detail. */
const DETAIL = 0.25;

export class Generator {
  readonly element = el('div', { class: 'generator' });
  private readonly size = el('select', { 'aria-label': 'Resolution' });
  private readonly width = numberField('10', 'Width in km');
  private readonly picture = el('canvas', { class: 'sketch', 'aria-label': 'Preview' });
  private readonly variants = el('div', {
    class: 'variants',
    role: 'group',
    'aria-label': 'Variants',
  });
  private readonly refused = el('p', { class: 'sheet-error', role: 'alert', hidden: true });
  private readonly steepness = el('p', { class: 'summary' });
  private readonly list = el('ol', { class: 'layers', 'aria-label': 'Layers' });
  private readonly adds = button('Add a layer', () => this.add());
  private readonly form = el('div', {});
  /** From the lowest up. */
  private readonly layers: LayerDraft[] = [];
  private chosen = 0;
  /** The range of what was sketched last [m]. */
  private range: [low: number, high: number] = [0, 0];
  private asking = false;
  private again = false;

  constructor(private readonly app: App) {
    for (const size of SIZES)
      this.size.append(
        el('option', { value: String(size), selected: size === 1024 }, `${size} x ${size}`),
      );
    this.width.addEventListener('input', () => this.refresh());
    this.layers.push(this.fresh(app.hello?.generators[0]?.name ?? ''));
    this.element.append(
      el(
        'div',
        {},
        this.picture,
        this.refused,
        this.variants,
        el('div', { class: 'layers-part' }, this.list, this.adds),
      ),
      el(
        'div',
        {},
        this.form,
        labelled('Resolution', this.size, 'cells; the same land at any of them'),
        labelled('Width [km]', this.width, 'of the whole: apart from the resolution'),
        this.steepness,
      ),
    );
    this.rebuild();
  }

  /** Keys of the command `new`. */
  keys(): Record<string, unknown> {
    const [width, height] = this.cells();
    const cell = (1000 * this.kilometres()) / width;
    return { ...landOf(this.layers), width, height, cell_size: cell };
  }

  /** How many cells the land has: as asked for, or as a picture among its masks. */
  private cells(): [width: number, height: number] {
    const side = Number(this.size.value);
    return sizeOf(this.layers) ?? [side, side];
  }

  /** A picture for a mask comes to the engine, which says what it is like. */
  private async bring(file: File): Promise<MaskPicture | null> {
    try {
      const path = await this.app.connection.upload(file);
      const seen = await this.app.connection.do('inspect', { file: path });
      const [width, height, low, high] = ['width', 'height', 'low', 'high'].map((key) =>
        Number(seen[key]),
      ) as [number, number, number, number];
      return { file: path, name: file.name, width, height, low, high };
    } catch (error) {
      this.refuse(error);
      return null;
    }
  }

  private kilometres(): number {
    return Number(this.width.value.replace(',', '.')) || 10;
  }

  // ---- layers -----------------------------------------------------------------------------------

  private fresh(kind: string): LayerDraft {
    const rows = this.app.hello?.generate ?? [];
    const params = (own: (row: Row) => boolean): Record<string, number> => ({
      ...Object.fromEntries(rows.filter(own).map((row) => [row.name, Number(row.default)])),
      seed: roll(),
    });
    const mask = { low: 0, high: 1, fade: 0, invert: false, ranged: false, picture: null };
    const masks = params(({ name }) => MASK_PARAMS.includes(name));
    return {
      kind,
      params: params(() => true),
      blend: 'add',
      amount: 1,
      mask: { ...mask, form: 'none', kind: 'fbm', params: masks },
    };
  }

  private add(): void {
    const layer = this.fresh('fbm');
    layer.params['relief'] = Math.round(DETAIL * (this.range[1] - this.range[0]));
    this.layers.push(layer);
    this.choose(this.layers.length - 1);
    this.rebuild();
  }

  private choose(index: number): void {
    this.chosen = Math.min(Math.max(index, 0), this.layers.length - 1);
  }

  private remove(index: number): void {
    this.layers.splice(index, 1);
    this.choose(this.chosen > index ? this.chosen - 1 : this.chosen);
    this.rebuild();
  }

  private swap(a: number, b: number): void {
    const { layers } = this;
    [layers[a], layers[b]] = [layers[b]!, layers[a]!];
    if (this.chosen === a || this.chosen === b) this.choose(this.chosen === a ? b : a);
    this.rebuild();
  }

  private item({ kind, blend, mask }: LayerDraft, index: number): HTMLElement {
    const small = (name: string, path: string, on: boolean, click: () => void): HTMLElement => {
      const made = iconButton(name, ICONS[path]!, click);
      made.disabled = !on;
      return made;
    };
    const onto = index > 0 || blend !== 'add' ? words(blend) : '';
    return el(
      'li',
      { 'data-layer': String(index) },
      el(
        'button',
        {
          type: 'button',
          class: 'layer',
          'aria-pressed': String(index === this.chosen),
          on: {
            click: () => {
              this.choose(index);
              this.rebuild();
              this.list.querySelector<HTMLElement>('[aria-pressed=true]')?.focus();
            },
          },
        },
        el('b', {}, words(kind)),
        el('small', {}, onto),
        el('small', {}, mask.form === 'none' ? '' : MASK_NAMES[mask.form]),
      ),
      small('Higher', 'up', index + 1 < this.layers.length, () => this.swap(index, index + 1)),
      small('Deeper', 'down', index > 0, () => this.swap(index, index - 1)),
      small('Remove the layer', 'close', true, () => this.remove(index)),
    );
  }

  /** Shows the layers, the highest on top, and the controls of the chosen one. */
  private rebuild(): void {
    const { hello } = this.app;
    const several = this.layers.length > 1;
    const items = several ? this.layers.map((layer, k) => this.item(layer, k)) : [];
    this.list.hidden = !several;
    this.list.replaceChildren(...items.reverse());
    this.size.disabled = sizeOf(this.layers) !== null;
    this.adds.disabled = this.layers.length >= MOST_LAYERS;
    const layer = this.layers[this.chosen];
    if (!hello || !layer) return;
    const form = new LayerForm(hello, layer, several, {
      change: () => this.refresh(),
      rebuild: () => this.rebuild(),
      bring: (file) => this.bring(file),
      range: () => this.range,
    });
    const held = document.activeElement?.getAttribute('aria-label');
    this.form.replaceChildren(...form.controls());
    for (const field of this.form.querySelectorAll<HTMLElement>('[aria-label]'))
      if (held && field.getAttribute('aria-label') === held) field.focus();
    this.refresh();
  }

  // ---- pictures ---------------------------------------------------------------------------------

  private setSeed(seed: number): void {
    this.layers[this.chosen]!.params['seed'] = seed;
    this.rebuild();
  }

  /** One question at a time; the last one is always asked. */
  private refresh(): void {
    if (this.asking) {
      this.again = true;
      return;
    }
    this.asking = true;
    const vary = this.layers.length > 1 ? this.chosen : undefined;
    this.app.connection
      .do('sketch', { ...this.keys(), variants: VARIANTS, vary })
      .then((reply) => this.show(reply['sketches'] as Sketch[]))
      .catch((error: unknown) => this.refuse(error))
      .finally(() => {
        this.asking = false;
        if (!this.again) return;
        this.again = false;
        this.refresh();
      });
  }

  /** What the engine says of a value that it does not take; the picture stays as it was. */
  private refuse(error: unknown): void {
    const text = error instanceof Error ? error.message : String(error);
    this.refused.textContent = t(refusalOf(text));
    this.refused.hidden = false;
  }

  private show([chosen, ...others]: Sketch[]): void {
    const metres = 1000 * this.kilometres();
    const draw = (canvas: HTMLCanvasElement, { low, high, preview }: Sketch): void =>
      relief(canvas, preview, (high - low) / (metres / preview.width), false);
    const { low, high } = chosen!;
    this.range = [low, high];
    this.refused.hidden = true;
    draw(this.picture, chosen!);
    const cell = metres / this.cells()[0];
    this.steepness.textContent = t(
      `${format(high - low, 4)} m of relief on ${format(metres / 1000, 4)} km, cells of ${format(cell, 3)} m.`,
    );
    this.variants.replaceChildren(
      ...others.map((sketch) => {
        const canvas = el('canvas', {});
        draw(canvas, sketch);
        return el(
          'button',
          {
            type: 'button',
            class: 'variant',
            title: `Seed ${sketch.seed}`,
            'aria-label': `Variant with seed ${sketch.seed}`,
            on: { click: () => this.setSeed(sketch.seed) },
          },
          canvas,
        );
      }),
    );
  }
}
