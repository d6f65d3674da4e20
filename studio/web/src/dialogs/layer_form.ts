// SPDX-License-Identifier: MIT
/** The controls of one layer: its generator, how it goes onto what is below, and where. */
import type { Hello, Row, Value } from '../protocol/types';
import { control } from '../ui/control';
import { button, el, iconButton, words } from '../ui/dom';
import { ICONS } from '../ui/icons';
import { t } from '../ui/language';
import { labelled } from './forms';
import {
  blendWith,
  MASK_PARAMS,
  maskAs,
  type LayerDraft,
  type MaskForm,
  type MaskPicture,
} from './layer_draft';

export const MASK_NAMES: Record<MaskForm, string> = {
  none: 'Everywhere',
  height: 'Between heights',
  slope: 'Between slopes',
  generate: 'Where a pattern is',
  file: 'Where a picture is bright',
};

/** Units and bounds of a mask's range. */
const RANGES: Record<MaskForm, Pick<Row, 'unit' | 'low' | 'high'>> = {
  none: { unit: '', low: 0, high: 1 },
  height: { unit: 'm', low: -40000, high: 40000 },
  slope: { unit: 'deg', low: 0, high: 90 },
  generate: { unit: '', low: 0, high: 1 },
  file: { unit: '', low: 0, high: 1 },
};

const SEEDS = 1_000_000;

export const roll = (): number => 1 + Math.floor(Math.random() * SEEDS);

export interface LayerHooks {
  /** A value is another one. */
  change: () => void;
  /** There are other controls now. */
  rebuild: () => void;
  /** Brings a picture to the engine; null = it is none, and that was said. */
  bring: (file: File) => Promise<MaskPicture | null>;
  /** The range of the land that is sketched [m]. */
  range: () => [low: number, high: number];
}

/** Several layers: then it matters how one goes onto those below. */
export class LayerForm {
  constructor(
    private readonly hello: Hello,
    private readonly layer: LayerDraft,
    private readonly several: boolean,
    private readonly hooks: LayerHooks,
  ) {}

  controls(): HTMLElement[] {
    const { hello, layer } = this;
    const summary = hello.generators.find(({ name }) => name === layer.kind)?.summary;
    const kind = this.kinds('Kind', layer.kind, (name) => (layer.kind = name));
    const rows = hello.generate.map((row) =>
      this.seeded(this.usual(row), layer.params, 'generate', 'Roll the dice'),
    );
    const onto = this.several ? [...this.blending(), ...this.masking()] : [];
    return [
      labelled('Kind', kind),
      el('p', { class: 'summary' }, summary ? t(`${words(summary)}.`) : ''),
      ...rows,
      ...onto,
    ];
  }

  private kinds(label: string, value: string, choose: (name: string) => void): HTMLSelectElement {
    const list = el('select', { 'aria-label': label });
    for (const { name } of this.hello.generators)
      list.append(el('option', { value: name }, words(name)));
    list.value = value;
    list.addEventListener('change', () => {
      choose(list.value);
      this.hooks.rebuild();
    });
    return list;
  }

  /** As far as sliders go; a seed has none: a dice is what it is for. */
  private usual(row: Row): Row {
    const factors = this.several && this.layer.blend === 'multiply';
    const high = row.name === 'relief' && !factors ? 4000 : row.high;
    const whole = row.high <= 20 || (row.name === 'relief' && !factors);
    const scene = row.name === 'relief' && factors ? 1 : row.default;
    return { ...row, high, whole, plain: row.name === 'seed', default: scene, scene };
  }

  /** A row of an object, with a dice if it is the seed. */
  private seeded(row: Row, params: Record<string, number>, of: string, title: string): HTMLElement {
    const item = this.row(row, params[row.name]!, of, (value) => {
      params[row.name] = Number(value);
    });
    if (row.name !== 'seed') return item;
    const dice = iconButton(title, ICONS['dice']!, () => {
      params['seed'] = roll();
      this.hooks.rebuild();
    });
    return el('div', { class: 'seed-line' }, item, dice);
  }

  private row(
    row: Row,
    value: Value,
    of: string,
    put: (value: Value) => void,
    label = words(row.name),
  ): HTMLElement {
    const change = (given: Value): void => {
      put(given);
      this.hooks.change();
    };
    const { element } = control({ ...row, value }, { change }, label);
    element.dataset[of] = row.name;
    return element;
  }

  private blending(): HTMLElement[] {
    const { layer, hello } = this;
    const relief = Number(hello.generate.find(({ name }) => name === 'relief')?.default ?? 0);
    return hello.blend.map((row) =>
      row.name === 'blend'
        ? this.row(row, layer.blend, 'blend', (value) => {
            blendWith(layer, String(value), relief);
            this.hooks.rebuild();
          })
        : this.row(row, layer.amount, 'blend', (value) => (layer.amount = Number(value))),
    );
  }

  private masking(): HTMLElement[] {
    const { mask } = this.layer;
    const forms = el('select', { 'aria-label': 'Where' });
    for (const [form, name] of Object.entries(MASK_NAMES))
      forms.append(el('option', { value: form }, name));
    forms.value = mask.form;
    forms.addEventListener('change', () => {
      maskAs(mask, forms.value as MaskForm, ...this.hooks.range());
      this.hooks.rebuild();
    });
    const shown = mask.form === 'file' ? this.picture() : this.pattern();
    const counts = mask.form !== 'none' && (mask.form !== 'file' || mask.picture);
    const rows = counts ? [...shown, ...this.ranged(), ...this.range()] : shown;
    return [labelled('Where', forms, 'where the layer counts: its mask'), ...rows];
  }

  /** The picture of a mask: chosen, or to be chosen. */
  private picture(): HTMLElement[] {
    const { mask } = this.layer;
    const choose = el('input', {
      type: 'file',
      hidden: true,
      accept: 'image/*,.tif,.tiff,.exr,.asc,.r16,.raw',
      'aria-label': 'Picture of the mask',
    });
    choose.addEventListener('change', () => {
      const file = choose.files?.[0];
      if (!file) return;
      void this.hooks.bring(file).then((picture) => {
        mask.picture = picture ?? mask.picture;
        this.hooks.rebuild();
      });
    });
    const { picture } = mask;
    const said = picture ? `${picture.name}, ${picture.width} x ${picture.height}` : '';
    return [
      el(
        'div',
        { class: 'mask-picture' },
        button('Choose a picture...', () => choose.click()),
        el('small', { title: 'the land gets as many cells as it has' }, said),
        choose,
      ),
    ];
  }

  /** The generator of a mask. */
  private pattern(): HTMLElement[] {
    const { mask } = this.layer;
    if (mask.form !== 'generate') return [];
    const own = this.hello.generate.filter(({ name }) => MASK_PARAMS.includes(name));
    return [
      labelled(
        'Pattern',
        this.kinds('Pattern', mask.kind, (name) => (mask.kind = name)),
      ),
      ...own.map((row) =>
        this.seeded(this.usual(row), mask.params, 'mask', "Roll the pattern's dice"),
      ),
    ];
  }

  /** Whether a range of a pattern or a picture counts, or its values. */
  private ranged(): HTMLElement[] {
    const { mask } = this.layer;
    if (mask.form !== 'generate' && mask.form !== 'file') return [];
    const ranged: Row = {
      ...RANGES.none,
      name: 'range',
      kind: 'flag',
      help: 'it counts where the values are within a range; else as much as they are high',
      default: false,
      value: mask.ranged,
      scene: false,
    };
    return [
      this.row(ranged, mask.ranged, 'mask', (value) => {
        mask.ranged = value === true;
        this.hooks.rebuild();
      }),
    ];
  }

  private range(): HTMLElement[] {
    const { mask } = this.layer;
    const whole = mask.form !== 'height';
    const end = (name: 'low' | 'high', label: string, help: string): HTMLElement => {
      const more = { kind: 'number', help, default: 0, scene: 0, whole, plain: !whole } as const;
      const row: Row = { ...RANGES[mask.form], ...more, name, value: mask[name] };
      return this.row(row, mask[name], 'mask', (value) => (mask[name] = Number(value)), label);
    };
    const hasRange = mask.form === 'height' || mask.form === 'slope' || mask.ranged;
    const { unit, high } = RANGES[mask.form];
    const rows = this.hello.mask.map((row) => {
      if (row.name === 'invert')
        return this.row(row, mask.invert, 'mask', (value) => (mask.invert = value === true));
      if (!hasRange) return false;
      const fade = { ...row, unit, high, whole, plain: !whole };
      return this.row(fade, mask.fade, 'mask', (value) => (mask.fade = Number(value)));
    });
    return [
      hasRange && end('low', 'From', 'where the range begins'),
      hasRange && end('high', 'Up to', 'where the range ends'),
      ...rows,
    ].filter((row) => row !== false);
  }
}
