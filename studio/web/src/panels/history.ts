// SPDX-License-Identifier: MIT
/** The history as a list: what was done, at which step, with values before and after; and pins. */
import type { App } from '../app';
import type { HistoryEntry, PinnedState, Value } from '../protocol/types';
import { button, count, el, fold, format, iconButton, words } from '../ui/dom';
import { ICONS } from '../ui/icons';
import type { Compare } from './compare';
import { t } from '../ui/language';

/** Entries that are shown; older ones are still there to undo. */
const SHOWN = 60;

const say = (value: Value): string =>
  typeof value === 'number'
    ? format(value)
    : value === true
      ? 'on'
      : value === false
        ? 'off'
        : words(String(value));

/** The name of a parameter as its row says it: "params.capacity" -> "Capacity". */
function parameterName(key: string): string {
  const dot = key.lastIndexOf('.');
  const section = key.slice(0, dot);
  const name = words(key.slice(dot + 1));
  return dot < 0 || section === 'params' ? name : `${words(section)}: ${name.toLowerCase()}`;
}

export function entryName(app: App, { name }: HistoryEntry): string {
  const sections = app.description?.sections ?? [];
  const isKey = sections.some((section) =>
    section.rows.some((row) => name === (section.name ? `${section.name}.${row.name}` : row.name)),
  );
  return isKey ? parameterName(name) : words(name);
}

export class HistoryPanel {
  private readonly list = el('ol', {
    class: 'history',
    'aria-label': 'What was done, the newest first',
  });
  private readonly pinList = el('ul', { class: 'history pins', 'aria-label': 'Pins' });
  private readonly name = el('input', {
    type: 'text',
    maxLength: 40,
    placeholder: 'Name of this state',
    'aria-label': 'Name of the pin',
  });
  readonly element: HTMLDetailsElement;
  private asking = false;
  private again = false;
  private shape = '';
  private content = '';

  constructor(
    private readonly app: App,
    private readonly compare: Compare,
  ) {
    const pin = button('Pin', () => void this.pin());
    pin.title = t('Keep this state to compare with it later, as long as the studio runs');
    this.name.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') void this.pin();
    });
    this.element = fold(
      'History',
      false,
      el('div', { class: 'pin-line' }, this.name, pin),
      this.pinList,
      this.list,
    );
    this.element.addEventListener('toggle', () => void this.refresh());
    app.on('describe', () => void this.refresh());
    app.on('status', () => {
      const { status } = app;
      const shape = JSON.stringify([status?.depth, status?.undo, status?.redo, status?.compare]);
      if (shape === this.shape) return;
      this.shape = shape;
      void this.refresh();
    });
  }

  /** Asks for the list, if somebody sees it. */
  private async refresh(): Promise<void> {
    if (!this.element.open && !this.compare.on) return;
    if (this.asking) {
      this.again = true;
      return;
    }
    this.asking = true;
    const reply = await this.app.do('history');
    this.asking = false;
    if (reply) this.show(reply['entries'] as HistoryEntry[], reply['pins'] as PinnedState[]);
    if (!this.again) return;
    this.again = false;
    void this.refresh();
  }

  private async pin(): Promise<void> {
    const name = this.name.value.trim() || `Step ${this.app.status?.step ?? 0}`;
    if (!(await this.app.do('pin', { name }))) return;
    this.name.value = '';
    await this.refresh();
  }

  private async unpin(pin: number): Promise<void> {
    await this.app.do('unpin', { pin });
    await this.refresh();
  }

  /** A list that is as before stays: an entry that is being clicked must not go away. */
  private show(entries: HistoryEntry[], pins: PinnedState[]): void {
    const content = JSON.stringify([
      entries,
      pins,
      entries.map((entry) => entryName(this.app, entry)),
    ]);
    if (content === this.content) return;
    this.content = content;
    this.compare.offer(entries, pins);
    this.pinList.replaceChildren(
      ...pins.map(({ pin, name, step }) =>
        el(
          'li',
          {},
          el('span', { class: 'entry-name' }, name, el('small', {}, ` step ${count(step)}`)),
          iconButton(
            `Compare with ${name}`,
            ICONS['compare']!,
            () => void this.compare.with('pin', pin),
          ),
          iconButton(`Remove the pin ${name}`, ICONS['close']!, () => void this.unpin(pin)),
        ),
      ),
    );
    const newest = [...entries].reverse().slice(0, SHOWN);
    this.list.replaceChildren(...newest.map((entry) => this.item(entry)));
    if (newest.length === 0)
      this.list.append(el('li', { class: 'summary' }, 'Nothing was done yet.'));
  }

  private item(entry: HistoryEntry): HTMLElement {
    const name = entryName(this.app, entry);
    const changes = entry.changes
      .slice(0, 4)
      .map(({ key, before, after }) =>
        entry.changes.length === 1 && name === parameterName(key)
          ? `${say(before)} → ${say(after)}`
          : `${parameterName(key)} ${say(before)} → ${say(after)}`,
      );
    if (entry.changes.length > 4) changes.push(`and ${entry.changes.length - 4} more`);
    return el(
      'li',
      { class: entry.undone ? 'undone' : '' },
      el(
        'button',
        {
          type: 'button',
          class: 'entry',
          title: entry.undone ? 'Redo up to here' : 'Undo what came after it',
          on: { click: () => void this.goTo(entry) },
        },
        el('span', { class: 'entry-name' }, name, el('small', {}, ` step ${count(entry.step)}`)),
        ...changes.map((text) => el('small', { class: 'entry-change' }, text)),
      ),
      iconButton(
        `Compare with ${entry.undone ? 'after' : 'before'} ${name}`,
        ICONS['compare']!,
        () => void this.compare.with('entry', entry.number),
      ),
    );
  }

  /** Undoes or redoes until the entry is the last one that holds. */
  private async goTo(entry: HistoryEntry): Promise<void> {
    const reply = await this.app.do('history'); // the status may not have come yet
    if (!reply) return;
    const held = (reply['entries'] as HistoryEntry[]).filter(({ undone }) => !undone);
    const depth = held.at(-1)?.number ?? 0;
    const way = entry.number > depth ? 'redo' : 'undo';
    for (let k = Math.abs(entry.number - depth); k > 0; k--)
      if (!(await this.app.act(way, {}, performance.now()))) return;
  }
}
