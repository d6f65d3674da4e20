// SPDX-License-Identifier: MIT
/** What goes to other programs: one field or mesh, or all that an engine takes as one zip. */
import type { App } from '../app';
import type { ExportPreset, Named } from '../protocol/types';
import { sheet } from '../ui/dialog';
import { button, bytes, el, words } from '../ui/dom';
import { downloadBlob, downloadFrom } from '../ui/download';
import { complain, note } from '../ui/notes';
import { Zip } from '../ui/zip';
import { labelled, numberField } from './forms';
import { t } from '../ui/language';

const FIELDS = ['terrain', 'water', 'sediment', 'flow', 'wear', 'deposit', 'hardness'];
const MAPS = ['slope', 'aspect', 'curvature-mean', 'wetness'];
const PICTURES = ['normal', 'splat'];

/** Parts of the zip: what the engine exports, and whether they are in it at first. */
const PARTS: [field: string, on: boolean][] = [
  ...['water', 'sediment', 'flow', 'wear', 'deposit'].map((name): [string, boolean] => [
    name,
    true,
  ]),
  ['hardness', false],
  ['slope', true],
  ['wetness', false],
  ['curvature-mean', false],
  ['normal', true],
  ['splat', true],
  ['mesh', true],
];

const HELP: Record<string, string> = {
  normal: 'normals as colours, green to the north; to the south for Unreal',
  splat: 'red rock, green wet ground, blue meadow, alpha scree',
  mesh: 'triangles within an error',
};

function listOf(items: Named[], label: string): HTMLSelectElement {
  const list = el('select', { 'aria-label': label });
  for (const { name, summary } of items)
    list.append(
      el(
        'option',
        { value: name, title: summary },
        summary ? `${words(name)}: ${summary}` : words(name),
      ),
    );
  return list;
}

/** What `export` answers. */
interface Exported {
  name: string;
  size: number;
  sidecar?: string;
  width?: number;
  height?: number;
}

export class ExportSheet {
  private readonly what: HTMLSelectElement;
  private readonly preset: HTMLSelectElement;
  private readonly format = el('select', { 'aria-label': 'Format' });
  private readonly width = numberField('', 'Width in samples');
  private readonly height = numberField('', 'Height in samples');
  private readonly low = numberField('', 'Height of black in m');
  private readonly high = numberField('', 'Height of white in m');
  private readonly error = numberField('1', 'Error of the mesh in m');
  private readonly flip = el('input', {
    type: 'checkbox',
    class: 'switch',
    'aria-label': 'Flip upside down',
  });
  private readonly hint = el('p', { class: 'summary' });
  private readonly progress = el('progress', { max: 1, hidden: true, 'aria-label': 'Exporting' });
  private readonly parts = new Map<string, HTMLInputElement>();
  private stopped = false;

  constructor(private readonly app: App) {
    const { hello } = app;
    const names = [...FIELDS, ...MAPS, ...PICTURES, 'mesh'];
    this.what = listOf(
      names.map((name) => ({ name, summary: '' })),
      'What to export',
    );
    this.preset = listOf([{ name: '', summary: '' }, ...(hello?.presets ?? [])], 'Preset');
    this.preset.options[0]!.textContent = t('None: choose a format');
    for (const list of [this.what, this.preset])
      list.addEventListener('change', () => this.update());
    this.update();
  }

  private chosen(): ExportPreset | undefined {
    return this.app.hello?.presets.find(({ name }) => name === this.preset.value);
  }

  private update(): void {
    const { hello } = this.app;
    if (!hello) return;
    const mesh = this.what.value === 'mesh';
    const picture = PICTURES.includes(this.what.value);
    const chosen = this.chosen();
    const formats = mesh
      ? hello.meshes
      : picture
        ? [{ name: 'png', summary: '' }]
        : chosen?.formats
          ? hello.formats.filter(({ name }) => chosen.formats.split(/[|, ]+/).includes(name))
          : hello.formats;
    this.format.replaceChildren();
    if (chosen && !mesh && !picture)
      this.format.append(el('option', { value: '' }, 'As the preset says'));
    for (const { name, summary } of formats)
      this.format.append(el('option', { value: name }, summary ? `${name}: ${summary}` : name));
    for (const input of [this.low, this.high, this.flip]) input.disabled = mesh || picture;
    for (const input of [this.width, this.height]) input.disabled = mesh;
    this.error.disabled = !mesh;
    this.hint.textContent = t(
      mesh
        ? 'Triangles of the whole terrain.'
        : chosen
          ? `${words(chosen.summary)}.${chosen.sizes ? ` Sizes: ${chosen.sizes.join(', ')}.` : ''}`
          : 'Empty sizes keep those of the terrain.',
    );
  }

  open(): void {
    const one = button('Export', () => void this.one(), 'primary');
    const all = button('Export all as a zip', () => void this.all(all), 'primary');
    const parts = PARTS.map(([name, on]) => {
      const box = el('input', { type: 'checkbox', checked: on, 'aria-label': `Pack ${name}` });
      this.parts.set(name, box);
      return el('label', { class: 'part', title: HELP[name] ?? '' }, box, ` ${words(name)}`);
    });
    sheet(
      'Export',
      [
        el('div', { class: 'form' }, labelled('For', this.preset)),
        this.hint,
        el('h3', {}, 'All of it'),
        el(
          'p',
          { class: 'summary' },
          'The terrain as the preset wants it, masks and maps of the same size, a mesh, and a list of what they are.',
        ),
        el('div', { class: 'parts', role: 'group', 'aria-label': 'Parts' }, ...parts),
        el('div', { class: 'form' }, labelled('Error of the mesh [m]', this.error)),
        el('div', { class: 'buttons' }, all, this.progress),
        el('h3', {}, 'One field'),
        el(
          'div',
          { class: 'form' },
          labelled('What', this.what),
          labelled('Format', this.format),
          labelled('Width', this.width),
          labelled('Height', this.height),
          labelled('Black at [m]', this.low),
          labelled('White at [m]', this.high),
          labelled('Upside down', this.flip),
        ),
      ],
      [one],
      false,
      () => (this.stopped = true),
    );
  }

  private async one(): Promise<void> {
    const keys: Record<string, unknown> = { field: this.what.value };
    const mesh = this.what.value === 'mesh';
    const picture = PICTURES.includes(this.what.value);
    if (this.format.value && !picture) keys['format'] = this.format.value;
    if (mesh) keys['error'] = this.errorValue();
    if (!mesh) {
      if (this.preset.value && !picture) keys['preset'] = this.preset.value;
      if (this.flip.checked && !picture) keys['flip'] = true;
      const { width, height, low, high } = this;
      for (const [key, input] of Object.entries({ width, height, low, high }))
        if (input.value.trim() && !input.disabled) keys[key] = Number(input.value);
    }
    const made = (await this.app.do('export', keys)) as Exported | null;
    if (!made) return;
    downloadFrom(await this.app.connection.download(made.name), made.name);
    const { sidecar } = made;
    if (sidecar)
      setTimeout(
        () =>
          void this.app.connection.download(sidecar).then((href) => downloadFrom(href, sidecar)),
        300,
      );
    note(`${made.name}, ${bytes(made.size)}`);
  }

  private errorValue(): number {
    const value = Number(this.error.value.replace(',', '.'));
    return Number.isFinite(value) && value >= 0 ? value : 1;
  }

  /** All parts of the same step: time stands still meanwhile. */
  private async all(start: HTMLButtonElement): Promise<void> {
    const resume = this.app.status?.playing === true;
    if (resume) this.app.play(false);
    start.disabled = true;
    this.progress.hidden = false;
    try {
      const zip = await this.pack();
      if (zip) {
        const step = String(this.app.status?.step ?? 0).padStart(6, '0');
        const blob = zip.finish();
        const name = `gully-${this.preset.value || 'terrain'}-${step}.zip`;
        downloadBlob(blob, name);
        note(`${name}, ${bytes(blob.size)}`);
      }
    } catch (error) {
      complain(error);
    } finally {
      start.disabled = false;
      this.progress.hidden = true;
      if (resume) this.app.play(true);
    }
  }

  private async pack(): Promise<Zip | null> {
    const { world } = this.app.description!;
    const zip = new Zip();
    const names = ['terrain', ...PARTS.map(([name]) => name)].filter(
      (name) => name === 'terrain' || this.parts.get(name)?.checked,
    );
    const list: Record<string, unknown>[] = [];
    let size: { width?: number; height?: number } = {};
    for (const [index, name] of names.entries()) {
      if (this.stopped) return null;
      this.progress.value = index / names.length;
      const made = await this.exported(name, size);
      if (name === 'terrain' && made.width && made.height)
        size = { width: made.width, height: made.height };
      await this.put(zip, made.name);
      if (made.sidecar) await this.put(zip, made.sidecar);
      list.push({ file: made.name, what: name, about: HELP[name] });
    }
    const about = {
      made_by: `Gully ${this.app.hello?.version ?? ''}`,
      terrain: world.terrain,
      step: this.app.status?.step,
      preset: this.preset.value || null,
      width_m: world.width * world.cell[0],
      height_m: world.height * world.cell[1],
      ...size,
      files: list,
    };
    await zip.add('contents.json', `${JSON.stringify(about, null, 2)}\n`);
    return zip;
  }

  private async exported(name: string, size: object): Promise<Exported> {
    let keys: Record<string, unknown> = { field: name, format: 'png16', ...size };
    if (name === 'terrain')
      keys = {
        field: name,
        ...(this.preset.value ? { preset: this.preset.value } : { format: 'tif' }),
      };
    if (name === 'mesh') keys = { field: name, format: 'glb', error: this.errorValue() };
    if (name === 'normal' && this.preset.value === 'unreal') keys['field'] = 'normal-dx';
    if (name === 'normal' || name === 'splat') delete keys['format'];
    return (await this.app.connection.do('export', keys)) as unknown as Exported;
  }

  private async put(zip: Zip, name: string): Promise<void> {
    const file = await fetch(await this.app.connection.download(name));
    if (!file.ok) throw new Error(`${name} cannot be read`);
    await zip.add(name, await file.blob());
  }
}
