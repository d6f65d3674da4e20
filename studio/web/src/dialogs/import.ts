// SPDX-License-Identifier: MIT
/** The sheet for rasters that come: what they are, what their numbers mean, and a preview. */
import type { App } from '../app';
import { button, count, el, format } from '../ui/dom';
import { sheet, type Sheet } from '../ui/dialog';
import { labelled, numberField } from './forms';
import { relief, typicalSlope, type Preview } from './relief';
import { t } from '../ui/language';
import { PAUSES } from '../view/pauses';

/** The answer to `inspect`: docs/protocol.md. */
interface Inspection {
  width: number;
  height: number;
  cell: [number, number];
  low: number;
  high: number;
  holes: number;
  type: string;
  driver: string;
  bands: number;
  /** The greatest number of an image's type; 0 = its numbers are no counts. */
  counts: number;
  sidecar: boolean;
  placed: boolean;
  notes: string;
  guess: { range?: [number, number]; cell: number } | null;
  preview: Preview;
}

export interface ImportChoice {
  as: 'terrain' | 'stamp';
  read: Record<string, unknown>;
  flip: boolean;
}

/** Slopes that are rare on real land [deg]. */
const WALL = 45;

/** Which of several files has the heights; the others go with it. */
export function heightsOf(files: File[]): File | undefined {
  const beside = (file: File): boolean =>
    files.some(
      (other) =>
        other !== file &&
        file.name.startsWith(other.name.replace(/\.[^.]+$/, '')) &&
        /\.(json|prj|[a-z]{2,3}w|wld|hdr|xml)$/i.test(file.name) &&
        !/\.(json|prj|[a-z]{2,3}w|wld|hdr|xml)$/i.test(other.name),
    );
  return files.find((file) => !beside(file));
}

export class ImportSheet {
  private readonly low = numberField('', 'Height of black in m');
  private readonly high = numberField('', 'Height of white in m');
  private readonly cell = numberField('', 'Cell size in m');
  private readonly extent = numberField('', 'Width of the whole in km');
  private readonly nodata = numberField('', 'Number without a height');
  private readonly band = numberField('1', 'Band');
  private readonly unit = el('select', { 'aria-label': 'Unit of heights' });
  private readonly flip = el('input', {
    type: 'checkbox',
    class: 'switch',
    'aria-label': 'Upside down',
  });
  private readonly canvas = el('canvas', { class: 'import-preview', 'aria-label': 'Preview' });
  private readonly facts = el('p', { class: 'import-facts' });
  private readonly warning = el('p', { class: 'import-warning', role: 'status' });
  private readonly notes = el('p', { class: 'summary' });
  private readonly form = el('div', { class: 'form' });
  private found: Inspection | null = null;
  private guessed = false;
  private timer = 0;
  private made: Sheet | null = null;

  constructor(
    private readonly app: App,
    private readonly path: string,
    private readonly title: string,
    private readonly choose: (choice: ImportChoice) => void,
  ) {
    for (const [value, name] of [
      ['', 'As the file says, or metres'],
      ['m', 'Metres'],
      ['ft', 'Feet'],
      ['ftUS', 'US survey feet'],
      ['cm', 'Centimetres'],
    ])
      this.unit.append(el('option', { value }, name));
    for (const input of [this.low, this.high, this.nodata, this.band])
      input.addEventListener('input', () => this.soon());
    this.unit.addEventListener('change', () => this.soon());
    this.flip.addEventListener('change', () => this.show());
    this.cell.addEventListener('input', () => {
      this.extent.value = format((Number(this.cell.value) * (this.found?.width ?? 0)) / 1000, 5);
      this.show();
    });
    this.extent.addEventListener('input', () => {
      this.cell.value = format((1000 * Number(this.extent.value)) / (this.found?.width ?? 1), 5);
      this.show();
    });
  }

  /** Looks at the file, guesses, and asks. Throws why it cannot be read. */
  async open(): Promise<void> {
    await this.inspect({});
    const guess = this.found!.guess;
    this.guessed = guess !== null;
    if (guess) {
      this.cell.value = format(guess.cell, 5);
      [this.low.value, this.high.value] = (guess.range ?? ['', '']).map(String) as [string, string];
      if (guess.range) await this.inspect(this.told());
    }
    this.build();
    this.show();
  }

  /** What the reader is told: only what differs from what the file says. */
  private told(): Record<string, unknown> {
    const read: Record<string, unknown> = {};
    const { low, high, cell, nodata, band, unit } = this;
    if (low.value.trim() && high.value.trim())
      read['range'] = [Number(low.value), Number(high.value)];
    if (cell.value.trim()) read['cell'] = [Number(cell.value)];
    if (nodata.value.trim()) read['nodata_in'] = Number(nodata.value);
    if (band.value.trim() && Number(band.value) !== 1) read['band'] = Number(band.value);
    if (unit.value) read['unit'] = unit.value;
    return read;
  }

  private async inspect(read: Record<string, unknown>): Promise<void> {
    const keys = Object.keys(read).length ? { file: this.path, read } : { file: this.path };
    this.found = (await this.app.connection.do('inspect', keys)) as unknown as Inspection;
  }

  private soon(): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      this.inspect(this.told()).then(
        () => this.show(),
        (error: unknown) => this.warn(error instanceof Error ? error.message : String(error)),
      );
    }, PAUSES.typing);
  }

  private build(): void {
    const found = this.found!;
    const fields: [string, HTMLElement, string][] = [];
    if (found.counts > 0 && !found.sidecar)
      fields.push(
        ['Black at [m]', this.low, 'the height that the number 0 stands for'],
        ['White at [m]', this.high, `the height that the number ${found.counts} stands for`],
      );
    else fields.push(['Heights in', this.unit, 'what its heights are in']);
    fields.push(
      ['Cell [m]', this.cell, 'metres from one sample to the next'],
      ['Width [km]', this.extent, 'of the whole'],
      ['No height at', this.nodata, 'a number that means that there is nothing'],
    );
    if (found.bands > 1) fields.push(['Band', this.band, `of ${found.bands}`]);
    fields.push(['Upside down', this.flip, 'the first row is the southernmost']);
    this.form.replaceChildren(...fields.map(([name, input, help]) => labelled(name, input, help)));
    if (!this.cell.value) this.cell.placeholder = format(found.cell[0], 5);
    this.extent.value = format((this.cellSize() * found.width) / 1000, 5);
    const answer = (as: ImportChoice['as']): void => {
      this.made?.close();
      this.choose({ as, read: this.told(), flip: this.flip.checked });
    };
    this.made = sheet(
      this.title,
      [
        el(
          'div',
          { class: 'import' },
          el('div', {}, this.canvas, this.facts, this.warning),
          el('div', {}, this.form, this.notes),
        ),
      ],
      [
        button('Use as a stamp', () => answer('stamp')),
        button('Open as terrain', () => answer('terrain'), 'primary'),
      ],
      true,
    );
  }

  private cellSize(): number {
    return Number(this.cell.value) || this.found!.cell[0];
  }

  private warn(text: string): void {
    this.warning.textContent = t(text);
    this.warning.hidden = !text;
  }

  private show(): void {
    const { found } = this;
    if (!found) return;
    const cell = this.cellSize();
    const span = found.high - found.low;
    const far =
      (cell * Math.max(found.width, found.height)) /
      Math.max(found.preview.width, found.preview.height);
    relief(this.canvas, found.preview, span / far, this.flip.checked);
    const slope = typicalSlope(found.preview, span / far);
    this.facts.textContent = [
      `${found.width} x ${found.height} samples`,
      `${format(found.low, 5)} to ${format(found.high, 5)} m`,
      `${format((cell * found.width) / 1000, 3)} km wide`,
      `slopes of about ${Math.round(slope)}°`,
      found.holes ? `${count(found.holes)} without a height` : '',
    ]
      .filter(Boolean)
      .map(t)
      .join(' · ');
    this.warn(
      slope > WALL
        ? 'These are walls: less height between black and white, or larger cells, make land of it.'
        : span === 0
          ? 'It is flat: all heights are the same.'
          : '',
    );
    const guessed = this.guessed
      ? 'The file does not say what its numbers mean: cell and heights are guessed from its size. '
      : found.sidecar
        ? 'Its sidecar says what the numbers mean. '
        : '';
    this.notes.textContent = t(guessed) + found.notes.split('\n').filter(Boolean).join('. ');
  }
}
