// SPDX-License-Identifier: MIT
/** New, open, save, export, and what to do with a file that was dropped. */
import type { App } from '../app';
import type { Named } from '../protocol/types';
import type { StampTool } from '../tools/stamp';
import { button, bytes, count, el, format, words } from '../ui/dom';
import { confirm, sheet } from '../ui/dialog';
import { downloadBlob, gunzip, gzip } from '../ui/download';
import { complain, note, offerIn } from '../ui/notes';
import { ExportSheet } from './export';
import { labelled } from './forms';
import { Generator } from './generate';
import type { Preview } from './relief';
import { heightsOf as heightsIn } from '../tools/ghost';
import { heightsOf, ImportSheet, type ImportChoice } from './import';
import { isLandscape, landscapeCard } from './landscapes';

function cardsOf(items: Named[], choose: (name: string) => void): HTMLElement {
  const cards = el('div', { class: 'cards' });
  for (const { name, summary } of items)
    cards.append(
      el(
        'button',
        { type: 'button', class: 'card', on: { click: () => choose(name) } },
        el('b', {}, words(name.replace(/-/g, ' '))),
        el('small', {}, summary),
      ),
    );
  return cards;
}

export class Files {
  readonly picker = el('input', {
    type: 'file',
    multiple: true,
    hidden: true,
    'aria-label': 'Choose a file',
  });
  /** Is told the scene of the next landscape. */
  expect: (scene: string) => void = () => undefined;
  private stamping = false;

  constructor(
    private readonly app: App,
    private readonly stamp: StampTool,
    private readonly choose: (tool: string) => void,
  ) {
    this.picker.addEventListener('change', () => {
      const files = [...(this.picker.files ?? [])];
      this.picker.value = '';
      if (files.length) void (this.stamping ? this.useAsStamp(files[0]!) : this.offer(files));
    });
  }

  pick(stamping: boolean): void {
    this.stamping = stamping;
    this.picker.click();
  }

  // ---- new and open -----------------------------------------------------------------------------

  /** Lets another session take the place of this one: asks if it has something unsaved, and knows the way back. */
  private async replace(begin: () => Promise<unknown>): Promise<void> {
    const answer = this.app.status?.unsaved ? await this.askToSave() : 'leave';
    if (answer === 'stay' || (answer === 'save' && !(await this.saveSession()))) return;
    const before = this.app.hello?.session;
    await begin();
    const { hello } = this.app;
    if (hello?.recover?.replaced && hello.session !== before)
      offerIn('The landscape before was not saved.', 'Go back', () => void this.goBack());
  }

  private askToSave(): Promise<'save' | 'leave' | 'stay'> {
    return new Promise((resolve) => {
      const answer = (value: 'save' | 'leave' | 'stay'): void => {
        resolve(value);
        made.close();
      };
      const made = sheet(
        'This landscape is not saved',
        [el('p', {}, 'Save it before another one takes its place?')],
        [
          button('Do not save', () => answer('leave')),
          button('Save...', () => answer('save'), 'primary'),
        ],
        false,
        () => resolve('stay'),
      );
    });
  }

  /** What was there before another session took its place. */
  private async goBack(): Promise<void> {
    if (await this.app.do('recover', { take: true })) note('Everything is as it was.');
  }

  newSession(): void {
    const { hello } = this.app;
    if (!hello) return;
    const begin = async (keys: Record<string, unknown>): Promise<void> => {
      made.close();
      await this.replace(async () => {
        note('Making it...');
        if (typeof keys['example'] === 'string') this.expect(keys['example']);
        return await this.app.do('new', keys);
      });
    };
    const generator = new Generator(this.app);
    const go = button('Generate', () => void begin(generator.keys()), 'primary');
    const made = sheet(
      'New landscape',
      [
        el('h3', {}, 'A landscape'),
        el(
          'div',
          { class: 'cards pictures' },
          ...hello.examples.filter(isLandscape).map((example) =>
            landscapeCard(
              example,
              button('Begin with it', () => void begin({ example: example.name })),
            ),
          ),
        ),
        el('h3', {}, 'Or make one'),
        generator.element,
        el('h3', {}, 'This one, finer'),
        ...this.finer(() => made.close()),
        el('h3', {}, 'An example'),
        cardsOf(
          hello.examples.filter((example) => !isLandscape(example)),
          (name) => void begin({ example: name }),
        ),
      ],
      [go],
      true,
    );
  }

  /** The present land in cells half as large: what that is, and a button. */
  private finer(close: () => void): HTMLElement[] {
    const world = this.app.description?.world;
    if (!world) return [];
    const { width, height, cell } = world;
    const size = (factor: number): string => `${factor * width} x ${factor * height}`;
    const begin = async (): Promise<void> => {
      close();
      await this.replace(async () => {
        note('Doubling the cells...');
        const made = await this.app.do('double');
        if (made) note(`${size(2)} cells of ${format(cell[0] / 2)} m: the land as it was.`);
      });
    };
    return [
      el(
        'p',
        { class: 'summary' },
        `${size(2)} cells of ${format(cell[0] / 2)} m, not ${size(1)} of ${format(cell[0])} m: a landscape of its own, which goes on from here with the same ground, layers, water, phases and sources. No volume changes.`,
      ),
      button('Double the resolution', () => void begin()),
    ];
  }

  /** A landscape takes the place of this one. */
  beginWith(example: string): void {
    void this.replace(async () => {
      this.expect(example);
      return await this.app.do('new', { example });
    });
  }

  async openSession(): Promise<void> {
    const reply = await this.app.do('sessions');
    if (!reply) return;
    const sessions = (reply['sessions'] ?? []) as {
      name: string;
      terrain: string;
      steps: number;
    }[];
    const open = async (name: string): Promise<void> => {
      made.close();
      await this.replace(async () => await this.app.do('open', { session: name }));
    };
    const items = sessions.map(({ name, terrain, steps }) => ({
      name,
      summary: `${terrain}, ${count(steps)} steps`,
    }));
    const list = el('div', { class: 'cards' });
    for (const { name, summary } of items)
      list.append(
        el(
          'button',
          { type: 'button', class: 'card', on: { click: () => void open(name) } },
          el('b', {}, name),
          el('small', {}, summary),
        ),
      );
    const made = sheet(
      'Open',
      [
        el('h3', {}, 'Sessions that were saved'),
        sessions.length ? list : el('p', { class: 'summary' }, 'None yet: save one with Ctrl+S.'),
        el('h3', {}, 'A file'),
        el(
          'p',
          { class: 'summary' },
          'A heightmap (GeoTIFF, PNG, EXR, ASC, HGT, ...), a scene, or a session as one file. Dropping it on the page does the same.',
        ),
      ],
      [
        button(
          'Choose a file...',
          () => {
            made.close();
            this.pick(false);
          },
          'primary',
        ),
      ],
    );
  }

  /** A name for a session that has none: of what it is made, as the terrain says it. */
  private proposal(): string {
    const { status, description } = this.app;
    const made = description?.world.terrain.split(',')[0]?.replace(/\.[a-z0-9]+$/i, '') ?? '';
    return status?.name || made.replace(/[^A-Za-z0-9_ -]+/g, ' ').trim() || 'landscape';
  }

  /** Whether a name is free, is this session's own, or may be taken from another. */
  private async mayTake(name: string): Promise<boolean> {
    const reply = await this.app.do('sessions');
    const sessions = (reply?.['sessions'] ?? []) as { name: string; terrain: string }[];
    const other = sessions.find((session) => session.name === name);
    if (!reply || !other || name === this.app.status?.name) return reply !== null;
    return await confirm(
      `There is another ${name}`,
      `It holds ${other.terrain}. Replace it?`,
      'Replace it',
    );
  }

  /** Whether it was saved. */
  saveSession(proposed = this.proposal()): Promise<boolean> {
    return new Promise((resolve) => {
      const name = el('input', {
        type: 'text',
        value: proposed,
        'aria-label': 'Name of the session',
        maxLength: 64,
        pattern: '[A-Za-z0-9_ \\-]+',
      });
      let saving = false;
      const save = async (): Promise<void> => {
        const session = name.value.trim();
        saving = true;
        const done =
          (await this.mayTake(session)) &&
          (await this.app.do('save', { session, replace: true })) !== null;
        saving = false;
        if (done) {
          resolve(true);
          made.close();
          note(`Saved as ${session}.`);
        } else if (!made.body.isConnected) {
          resolve(await this.saveSession(session)); // it has given way to a question
        }
      };
      name.addEventListener('keydown', (event) => event.key === 'Enter' && void save());
      const made = sheet(
        'Save the session',
        [
          labelled('Name', name, 'letters, digits, -, _ and spaces'),
          el(
            'p',
            { class: 'summary' },
            'With the terrain as it is, and everything that was done to it.',
          ),
        ],
        [
          button('As one file...', () => void this.share(name.value.trim() || proposed)),
          button('Save', () => void save(), 'primary'),
        ],
        false,
        () => {
          if (!saving) resolve(false);
        },
      );
      name.select();
    });
  }

  // ---- files that come --------------------------------------------------------------------------

  /** Files were dropped or chosen: a scene opens, a raster may also become a stamp. Others are what goes with it. */
  async offer(files: File[]): Promise<void> {
    const shared = files.find(({ name }) => /\.tar(\.gz)?$/i.test(name));
    const file = shared ?? heightsOf(files);
    if (!file) return;
    try {
      note(`Reading ${file.name}...`);
      if (shared) {
        await this.unpack(shared);
        return;
      }
      let path = '';
      for (const each of [...files.filter((other) => other !== file), file])
        path = await this.app.connection.upload(each);
      if (/\.json$/i.test(file.name)) {
        await this.open(file.name, { file: path });
        return;
      }
      const choose = ({ as, read, flip }: ImportChoice): void => {
        if (as === 'stamp') void this.useAsStamp(file);
        else void this.open(file.name, { file: path, read, flip });
      };
      await new ImportSheet(this.app, path, file.name, choose).open();
    } catch (error) {
      sheet(`${file.name} cannot be opened`, []);
      complain(error);
    }
  }

  private async open(name: string, keys: Record<string, unknown>): Promise<void> {
    await this.replace(async () => {
      try {
        await this.app.connection.do('open', keys);
      } catch (error) {
        sheet(`${name} cannot be opened`, []);
        complain(error);
      }
    });
  }

  private async useAsStamp(file: File): Promise<void> {
    try {
      const path = await this.app.connection.upload(file);
      const reply = await this.app.connection.do('add_raster', { file: path });
      this.stamp.use({
        kind: 'raster',
        name: String(reply['raster']),
        title: file.name,
        width: Number(reply['width']),
        height: Number(reply['height']),
        low: Number(reply['low']),
        high: Number(reply['high']),
        heights: heightsIn(
          reply['preview'] as Preview,
          Number(reply['low']),
          Number(reply['high']),
        ),
      });
      this.choose('stamp');
    } catch (error) {
      complain(error);
    }
  }

  // ---- files that go ----------------------------------------------------------------------------

  exportField(): void {
    new ExportSheet(this.app).open();
  }

  /** The session as one file, with all that its scene needs. */
  private async share(session: string): Promise<void> {
    note('Packing it...');
    const reply = await this.app.do('pack', { session });
    if (!reply) return;
    try {
      const name = String(reply['name']);
      const made = await fetch(await this.app.connection.download(name));
      const blob = await gzip(await made.blob());
      downloadBlob(blob, `${name}.gz`);
      note(`${name}.gz, ${bytes(blob.size)}: whoever gets it drops it onto a page like this.`);
    } catch (error) {
      complain(error);
    }
  }

  /** A session as one file becomes one of the saved ones, and opens. */
  private async unpack(file: File): Promise<void> {
    const name = file.name.replace(/\.gz$/i, '');
    const plain = /\.gz$/i.test(file.name) ? await gunzip(file) : file;
    const path = await this.app.connection.upload(new File([plain], name));
    const reply = await this.app.connection.do('unpack', { file: path });
    await this.open(file.name, { session: String(reply['session']) });
  }

  async screenshot(): Promise<void> {
    const blob = await this.app.stage.painter.screenshot();
    if (!blob) return;
    downloadBlob(blob, `gully-${String(this.app.status?.step ?? 0).padStart(6, '0')}.png`);
    note('The picture is among your downloads.');
  }

  /** What an earlier studio has left unsaved is offered. */
  recover(): void {
    const recover = this.app.hello?.recover;
    if (!recover || recover.replaced) return;
    const decide = async (take: boolean): Promise<void> => {
      made.close();
      await this.app.do('recover', { take });
      if (this.app.hello) this.app.hello.recover = null;
      note(take ? 'Welcome back: everything is as it was.' : 'Discarded.');
    };
    const made = sheet(
      'The last session was not saved',
      [
        el(
          'p',
          {},
          `There is ${recover.terrain || 'a landscape'} after ${count(recover.steps)} steps. Go on with it?`,
        ),
      ],
      [
        button('Discard it', () => void decide(false)),
        button('Recover', () => void decide(true), 'primary'),
      ],
    );
  }
}
