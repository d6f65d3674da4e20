/** Controls for rows of the engine's tables: a slider and a field, a switch, a list. */
import type { Row, Value } from '../protocol/types';
import { el, format, icon, words } from './dom';
import { ICONS } from './icons';

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

/** The part of a range that a slider covers: all of a small one, else around the default. */
export function spanOf(row: Row): Span | null {
  const { low, high } = row;
  const wide = high - low;
  const tiny = Math.abs(Number(row.default)) > 0 && Math.abs(Number(row.default)) < wide / 200;
  if (wide <= 400 && !tiny && (row.unit === 'deg' || high <= 16)) return { low, high, curve: 1 };
  if (low < 0) return null;
  const usual = Math.max(Number(row.default) || 0, Number(row.scene) || 0);
  const reach = usual > 0 ? 10 * usual : (REACH[row.unit] ?? 1);
  const most = Math.max(reach, 1.25 * (Number(row.value) || 0));
  return { low, high: Math.min(most, high), curve: usual > 0 || row.unit === 'm/s' ? 2 : 1 };
}

export interface Control {
  readonly row: Row;
  readonly element: HTMLElement;
  /** Shows another value, unless a hand is just changing it. */
  show(row: Row): void;
}

export interface ControlHooks {
  change(value: Value): void;
  reset?: () => void;
}

function same(a: Value, b: Value): boolean {
  if (typeof a === 'number' && typeof b === 'number')
    return Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));
  return a === b;
}

/** Calls at most every 50 ms, and always with the last value. */
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
      timer = window.setTimeout(send, 50);
    };
    send();
  };
}

function numberControl(
  row: Row,
  name: string,
  hooks: ControlHooks,
): Omit<Control, 'element'> & { parts: Node[] } {
  let span = spanOf(row);
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
  const send = calmly(hooks.change);
  const field = el('input', {
    type: 'text',
    inputMode: 'decimal',
    class: 'number',
    value: format(Number(row.value)),
    'aria-label': `${name}${row.unit ? ` in ${row.unit}` : ''}`,
    title: row.help,
  });
  const slider = el('input', {
    type: 'range',
    min: '0',
    max: '1000',
    step: 'any',
    value: String(toSlider(Number(row.value))),
    'aria-label': `${name}, slider`,
    title: row.help,
  });
  const describe = (value: number): void =>
    slider.setAttribute('aria-valuetext', `${format(value)} ${row.unit}`.trim());
  describe(Number(row.value));
  slider.addEventListener('input', () => {
    const value = fromSlider(Number(slider.value));
    field.value = format(value);
    describe(value);
    send(value);
  });
  field.addEventListener('change', () => {
    const value = Number(field.value.replace(',', '.'));
    const good =
      field.value.trim() !== '' && Number.isFinite(value) && value >= row.low && value <= row.high;
    field.classList.toggle('wrong', !good);
    field.setAttribute('aria-invalid', String(!good));
    field.title = good ? row.help : `from ${format(row.low)} to ${format(row.high)} ${row.unit}`;
    if (!good) return;
    if (span && value > span.high) span = { ...span, high: 1.25 * value };
    slider.value = String(toSlider(value));
    hooks.change(value);
  });
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') field.blur();
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    const now = Number(field.value) || 0;
    const step = row.kind === 'integer' ? 1 : Math.abs(now) * 0.05 || 0.001;
    field.value = format(
      Math.min(Math.max(now + (event.key === 'ArrowUp' ? step : -step), row.low), row.high),
    );
    field.dispatchEvent(new Event('change'));
  });
  const parts: Node[] = span ? [slider, field] : [field];
  return {
    row,
    parts,
    show(next) {
      if (slider.matches(':active') || document.activeElement === field) return;
      const value = Number(next.value);
      if (span && value > span.high) span = { ...span, high: 1.25 * value };
      slider.value = String(toSlider(value));
      field.value = format(value);
      field.classList.remove('wrong');
      describe(value);
    },
  };
}

/** The control of a row; `hooks.reset` adds a button that goes back to the scene's value. */
export function control(row: Row, hooks: ControlHooks, label = words(row.name)): Control {
  let parts: Node[];
  let show: (row: Row) => void;
  if (row.kind === 'flag') {
    const box = el('input', {
      type: 'checkbox',
      class: 'switch',
      checked: row.value === true,
      'aria-label': label,
      title: row.help,
    });
    box.addEventListener('change', () => hooks.change(box.checked));
    parts = [box];
    show = (next) => (box.checked = next.value === true);
  } else if (row.kind === 'choice') {
    const list = el('select', { 'aria-label': label, title: row.help });
    for (const name of row.unit.split('|')) list.append(el('option', { value: name }, words(name)));
    list.value = String(row.value);
    list.addEventListener('change', () => hooks.change(list.value));
    parts = [list];
    show = (next) => (list.value = String(next.value));
  } else {
    const made = numberControl(row, label, hooks);
    parts = made.parts;
    show = made.show;
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
  );
  const mark = (next: Row): void => {
    element.classList.toggle('changed', hooks.reset !== undefined && !same(next.value, next.scene));
  };
  mark(row);
  const made = {
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
