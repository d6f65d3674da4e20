// SPDX-License-Identifier: MIT
/** Pictures larger than the screen, also without a sky; films that turn around the land or watch it change. */
import { MathUtils } from 'three';
import type { App } from '../app';
import { sheet } from '../ui/dialog';
import { button, bytes, el } from '../ui/dom';
import { downloadBlob } from '../ui/download';
import { complain, note } from '../ui/notes';
import { shoot, type FilmDef } from '../view/film';
import { labelled, numberField } from './forms';

const FILMS: Record<string, [width: number, height: number]> = {
  '640 x 360': [640, 360],
  '1280 x 720': [1280, 720],
  '1920 x 1080': [1920, 1080],
};
const RATE = 30;
/** A frame of a step that was asked for comes within this time, or the program is over [ms]. */
const PATIENCE = 60_000;

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export class PicturesSheet {
  private readonly times = el('select', { 'aria-label': 'Size of the picture' });
  private readonly clear = el('input', {
    type: 'checkbox',
    class: 'switch',
    'aria-label': 'Without sky',
  });
  private readonly film = el('select', { 'aria-label': 'Size of the film' });
  private readonly seconds = numberField('8', 'Length in seconds');
  private readonly steps = numberField('4', 'Steps between two pictures');
  private readonly turns = el('input', {
    type: 'checkbox',
    class: 'switch',
    'aria-label': 'Turn meanwhile',
  });
  private readonly progress = el('progress', { max: 1, hidden: true, 'aria-label': 'Making it' });
  private readonly buttons: HTMLButtonElement[] = [];
  private readonly stop = button('Stop', () => (this.stopped = true));
  private stopped = false;

  constructor(private readonly app: App) {
    for (const times of [1, 2, 4])
      this.times.append(
        el(
          'option',
          { value: String(times) },
          times === 1 ? 'As on the screen' : `${times} times as large`,
        ),
      );
    this.times.value = '4';
    for (const size of Object.keys(FILMS)) this.film.append(el('option', { value: size }, size));
    this.film.value = '1280 x 720';
    this.stop.hidden = true;
  }

  open(): void {
    const make = (name: string, work: () => Promise<void>): HTMLButtonElement => {
      const item = button(name, () => void this.work(work), 'primary');
      this.buttons.push(item);
      return item;
    };
    sheet(
      'Pictures and films',
      [
        el('h3', {}, 'A picture'),
        el(
          'div',
          { class: 'form' },
          labelled('Size', this.times),
          labelled('Without sky', this.clear, 'what is not land is transparent'),
        ),
        el(
          'div',
          { class: 'buttons' },
          make('Take the picture', () => this.picture()),
        ),
        el('h3', {}, 'A film'),
        el(
          'div',
          { class: 'form' },
          labelled('Size', this.film),
          labelled('Length [s]', this.seconds),
          labelled('Steps', this.steps, 'between two pictures of a time-lapse'),
          labelled('Turn', this.turns, 'the time-lapse turns around the land'),
        ),
        el(
          'div',
          { class: 'buttons' },
          make('Turntable', () => this.turntable()),
          make('Time-lapse', () => this.timeLapse()),
          this.stop,
          this.progress,
        ),
      ],
      [],
      false,
      () => (this.stopped = true),
    );
  }

  private async work(work: () => Promise<void>): Promise<void> {
    this.stopped = false;
    this.progress.hidden = this.stop.hidden = false;
    for (const item of this.buttons) item.disabled = true;
    try {
      await work();
    } catch (error) {
      complain(error);
    }
    this.progress.hidden = this.stop.hidden = true;
    for (const item of this.buttons) item.disabled = false;
  }

  private save(blob: Blob | null, kind: string, extension: string): void {
    if (!blob) return;
    const step = String(this.app.status?.step ?? 0).padStart(6, '0');
    const name = `gully-${kind}-${step}.${extension}`;
    downloadBlob(blob, name);
    note(`${name}, ${bytes(blob.size)}`);
  }

  private async picture(): Promise<void> {
    const { stage } = this.app;
    const times = Number(this.times.value) * window.devicePixelRatio;
    const canvas = await stage.painter.photographer.picture({
      width: Math.round(stage.canvas.clientWidth * times),
      height: Math.round(stage.canvas.clientHeight * times),
      clear: this.clear.checked,
      progress: (share) => (this.progress.value = share),
    });
    const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'));
    this.save(blob, 'picture', 'png');
  }

  private async shoot(kind: string, ready: FilmDef['ready'], count: number): Promise<void> {
    const { stage } = this.app;
    const view = stage.camera.view();
    const [width, height] = FILMS[this.film.value]!;
    try {
      const film = await shoot(stage, {
        width,
        height,
        rate: RATE,
        count,
        ready,
        progress: (share) => (this.progress.value = share),
        stopped: () => this.stopped,
      });
      this.save(film, kind, 'webm');
    } finally {
      stage.camera.recall(view);
    }
  }

  private count(): number {
    const seconds = Number(this.seconds.value.replace(',', '.'));
    return Math.round(RATE * MathUtils.clamp(Number.isFinite(seconds) ? seconds : 8, 0.1, 600));
  }

  private turn(azimuth: number): void {
    const { camera } = this.app.stage;
    camera.recall({ ...camera.view(), azimuth });
  }

  private async turntable(): Promise<void> {
    const count = this.count();
    const { azimuth } = this.app.stage.camera;
    const ready = (index: number): Promise<boolean> => {
      this.turn(azimuth + (2 * Math.PI * index) / count);
      return Promise.resolve(true);
    };
    await this.shoot('turntable', ready, count);
  }

  private async timeLapse(): Promise<void> {
    const { app } = this;
    if (app.status?.playing) app.play(false);
    const count = this.count();
    const steps = Math.max(1, Math.round(Number(this.steps.value) || 1));
    const { azimuth } = app.stage.camera;
    const ready = async (index: number): Promise<boolean> => {
      if (this.turns.checked) this.turn(azimuth + (2 * Math.PI * index) / count);
      return index === 0 || (await this.advance(steps));
    };
    await this.shoot('time-lapse', ready, count);
  }

  /** So many steps, until the page shows them; false at the end of the program. */
  private async advance(steps: number): Promise<boolean> {
    const { app } = this;
    const before = Number((await app.connection.do('status'))['step']);
    await app.connection.do('step', { steps });
    const end = performance.now() + PATIENCE;
    while (performance.now() < end) {
      if (app.stage.step >= before + steps) return true;
      const { status } = app;
      if (status?.ended && status.step === before) return false;
      await wait(10);
    }
    return false;
  }
}
