// SPDX-License-Identifier: MIT
/** Controls for rows of the engine's tables: a slider and a field, a switch, a list. */
import type { Row, Value } from '../protocol/types';
import { el, format, icon, words } from './dom';
import { PAUSES } from '../view/pauses';
import { ICONS } from './icons';
import { t } from './language';

/** How far a slider goes where the default is 0 and the range says nothing, by unit. */
const REACH: Record<string, number> = {
  'm/s': 5e-3,
  '1/s': 100,
  m: 500,
  m2: 400,
  s: 1000,
  '1/m': 1,
  '': 1,
  deg: 180,
};

interface Span {
  low: number;
  high: number;
  /** Value = low + (high - low) * t ^ curve. */
  curve: number;
}

/** The part of a range that a slider covers: all of a small one, else around the default. It does not depend on the value. */
export function spanOf(row: Row): Span | null {
  const { low, high } = row;
  if (row.plain) return null;
  if (row.whole) return { low, high, curve: 1 };
  const wide = high - low;
  const tiny = Math.abs(Number(row.default)) > 0 && Math.abs(Number(row.default)) < wide / 200;
  if (wide <= 400 && !tiny && (row.unit === 'deg' || high <= 16)) return { low, high, curve: 1 };
  if (low < 0) return null;
  const usual = Math.max(Number(row.default) || 0, Number(row.scene) || 0);
  const reach = usual > 0 ? 10 * usual : (REACH[row.unit] ?? 1);
  return { low, high: Math.min(reach, high), curve: usual > 0 || row.unit === 'm/s' ? 2 : 1 };
}

export interface Control {
  row: Row;
  readonly element: HTMLElement;
  /** Shows another value, unless a hand is just changing it. */
  show(row: Row): void;
}

export interface ControlHooks {
  /** May say why a value is refused; null = it is taken. */
  change(value: Value): void | Promise<string | null>;
  reset?: () => void;
}

function same(a: Value, b: Value): boolean {
  if (typeof a === 'number' && typeof b === 'number')
    return Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));
  return a === b;
}

/** Calls now and then, and always with the last value. */
function calmly(call: (value: Value) => void): (value: Value) => void {
  let timer = 0;
  let last: Value;
  let waiting = false;
  return (value) => {
    last = value;
    waiting = true;
    if (timer) return;
    const send = (): void => {
      timer = 0;
      if (!waiting) return;
      waiting = false;
      call(last);
      timer = window.setTimeout(send, PAUSES.slider);
    };
    send();
  };
}

/** A line under a control that says why a value was refused. */
class Reason {
  readonly element = el('span', { class: 'reason', role: 'alert', hidden: true });
  private timer = 0;

  show(text: string | null): void {
    clearTimeout(this.timer);
    this.element.textContent = text ? t(text) : '';
    this.element.hidden = !text;
    if (text) this.timer = window.setTimeout(() => this.show(null), PAUSES.reason);
  }
}

/** A field as wide as its text: no digit is cut. */
function fit(field: HTMLInputElement): void {
  field.style.width = `${Math.max(field.value.length, 4) + 2}ch`;
}

/** Digits of a field: all that a float has. */
const DIGITS = 7;

function numberControl(
  row: Row,
  name: string,
  change: (value: Value) => void,
  reason: Reason,
): { parts: Node[]; show: (row: Row) => void } {
  const span = spanOf(row);
  let inForce = Number(row.value);
  const toSlider = (value: number): number => {
    if (!span) return 0;
    const share = Math.min(Math.max((value - span.low) / (span.high - span.low), 0), 1);
    return 1000 * share ** (1 / span.curve);
  };
  const fromSlider = (place: number): number => {
    if (!span) return 0;
    const value = span.low + (span.high - span.low) * (place / 1000) ** span.curve;
    return row.kind === 'integer' ? Math.round(value) : Number(value.toPrecision(3));
  };
  const send = calmly(change);
  const field = el('input', {
    type: 'text',
    inputMode: 'decimal',
    class: 'number',
    'aria-label': `${name}${row.unit ? ` in ${row.unit}` : ''}`,
    title: row.help,
  });
  const slider = el('input', {
    type: 'range',
    min: '0',
    max: '1000',
    step: 'any',
    'aria-label': `${name}, slider`,
    title: row.help,
  });
  const write = (value: number): void => {
    field.value = format(value, DIGITS);
    field.dataset['shown'] = field.value;
    fit(field);
    slider.setAttribute('aria-valuetext', `${format(value)} ${row.unit}`.trim());
  };
  const put = (value: number): void => {
    write(value);
    slider.value = String(toSlider(value));
  };
  put(inForce);
  slider.addEventListener('input', () => {
    const value = fromSlider(Number(slider.value));
    write(value);
    send(value);
  });
  field.addEventListener('input', () => fit(field));
  field.addEventListener('change', () => {
    const value = Number(field.value.replace(',', '.'));
    const empty = field.value.trim() === '';
    if (empty || !Number.isFinite(value) || value < row.low || value > row.high) {
      const range = `from ${format(row.low)} to ${format(row.high)} ${row.unit}`.trim();
      const said = empty ? 'Nothing' : field.value;
      put(inForce);
      reason.show(`${said} is refused: a number ${range} is wanted.`);
      return;
    }
    reason.show(null);
    put(value);
    change(value);
  });
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') field.blur();
    if (event.key === 'Escape') {
      put(inForce);
      field.blur();
    }
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    const now = Number(field.value) || 0;
    const step = row.kind === 'integer' ? 1 : Math.abs(now) * 0.05 || 0.001;
    const next = now + (event.key === 'ArrowUp' ? step : -step);
    field.value = format(Math.min(Math.max(next, row.low), row.high));
    field.dispatchEvent(new Event('change'));
  });
  return {
    parts: span ? [slider, field] : [field],
    show(next) {
      inForce = Number(next.value);
      const typing = document.activeElement === field && field.value !== field.dataset['shown'];
      if (slider.matches(':active') || typing) return;
      put(inForce);
    },
  };
}

/** The control of a row; `hooks.reset` adds a button that goes back to the scene's value. */
export function control(row: Row, hooks: ControlHooks, label = words(row.name)): Control {
  let parts: Node[];
  let show: (row: Row) => void;
  const reason = new Reason();
  /** A value that is refused goes back to the one in force. */
  const change = (value: Value): void => {
    const answer = hooks.change(value);
    if (!(answer instanceof Promise)) return;
    void answer.then((refused) => {
      reason.show(refused);
      if (refused) show(made.row);
    });
  };
  if (row.kind === 'flag') {
    const box = el('input', {
      type: 'checkbox',
      class: 'switch',
      checked: row.value === true,
      'aria-label': label,
      title: row.help,
    });
    box.addEventListener('change', () => change(box.checked));
    parts = [box];
    show = (next) => (box.checked = next.value === true);
  } else if (row.kind === 'choice') {
    const list = el('select', { 'aria-label': label, title: row.help });
    for (const name of row.unit.split('|')) list.append(el('option', { value: name }, words(name)));
    list.value = String(row.value);
    list.addEventListener('change', () => change(list.value));
    parts = [list];
    show = (next) => (list.value = String(next.value));
  } else {
    ({ parts, show } = numberControl(row, label, change, reason));
  }
  const unit = row.kind === 'number' || row.kind === 'integer' ? row.unit : '';
  const reset = hooks.reset
    ? el(
        'button',
        {
          type: 'button',
          class: 'reset',
          title: `Back to ${typeof row.scene === 'number' ? format(row.scene) : String(row.scene)}`,
          'aria-label': `Reset ${label}`,
          on: { click: hooks.reset },
        },
        icon(ICONS['reset']!),
      )
    : null;
  const element = el(
    'div',
    { class: `row ${row.kind}`, title: row.help },
    el('span', { class: 'row-name' }, label, unit ? el('small', {}, ` ${unit}`) : null),
    el('span', { class: 'row-parts' }, ...parts),
    reset,
    reason.element,
  );
  const mark = (next: Row): void => {
    element.classList.toggle('changed', hooks.reset !== undefined && !same(next.value, next.scene));
  };
  mark(row);
  const made: Control = {
    row,
    element,
    show(next: Row) {
      made.row = next;
      show(next);
      mark(next);
    },
  };
  return made;
}
