// SPDX-License-Identifier: MIT
/** Small helpers to make elements; no framework. Texts are put into the user's language here. */
import { t } from './language';
import { remember } from './memory';

export { remember } from './memory';

type Child = Node | string | null | false | undefined;
type Props = Record<string, unknown>;

/** Properties that people read. */
const READ = new Set(['title', 'aria-label', 'placeholder']);

/** An element. Keys: `class`, `on` (an object of listeners), `aria-...`, `data-...`, else properties. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [key, given] of Object.entries(props)) {
    if (given === undefined) continue;
    const value = READ.has(key) ? t(given as string) : given;
    if (key === 'class') element.className = value as string;
    else if (key === 'on')
      for (const [type, listener] of Object.entries(value as Record<string, EventListener>))
        element.addEventListener(type, listener);
    else if (key.includes('-') || key === 'role' || key === 'for')
      element.setAttribute(key, value as string);
    else (element as unknown as Props)[key] = value;
  }
  for (const child of children)
    if (child) element.append(typeof child === 'string' ? t(child) : child);
  return element;
}

const SVG = 'http://www.w3.org/2000/svg';

/** A picture of 24 x 24, drawn with lines. */
export function icon(path: string): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  svg.classList.add('icon');
  for (const d of path.split('|')) {
    const line = document.createElementNS(SVG, 'path');
    line.setAttribute('d', d);
    svg.append(line);
  }
  return svg;
}

/** A button with a picture; its name is for assistive tools and, with the shortcut, for the tooltip. */
export function iconButton(
  name: string,
  path: string,
  click: () => void,
  shortcut = '',
): HTMLButtonElement {
  return el(
    'button',
    {
      type: 'button',
      class: 'icon-button',
      title: shortcut ? `${name} (${shortcut})` : name,
      'aria-label': name,
      on: { click },
    },
    icon(path),
  );
}

export function button(name: string, click: () => void, kind = ''): HTMLButtonElement {
  return el('button', { type: 'button', class: `button ${kind}`, on: { click } }, name);
}

/** A part of a panel that can be folded away; what was folded stays so. */
export function fold(title: string, open: boolean, ...children: Child[]): HTMLDetailsElement {
  const key = `gully.fold.${title}`;
  const kept = remember(key);
  const details = el('details', { class: 'fold', open: kept ? kept === 'open' : open });
  details.append(el('summary', {}, title), el('div', { class: 'fold-body' }, ...children));
  details.addEventListener('toggle', () => remember(key, details.open ? 'open' : 'shut'));
  return details;
}

/** A number as a person would write it. */
export function format(value: number, digits = 4): string {
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '–';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e30) return 'forever';
  if (size >= 1e6 || size < 1e-4) return value.toExponential(digits - 2).replace(/\.?0*e\+?/, 'e');
  return String(Number(value.toPrecision(digits)));
}

/** 12,345 or 1.2 M. */
export function count(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e9) return `${format(value / 1e9, 3)} G`;
  if (size >= 1e6) return `${format(value / 1e6, 3)} M`;
  if (size >= 1e4) return `${format(value / 1e3, 3)} k`;
  return String(Math.round(value));
}

/** 2.1 GB, 834 kB. */
export function bytes(value: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  let k = 0;
  while (value >= 999.5 && k < units.length - 1) {
    value /= 1000;
    k++;
  }
  return `${format(value, k ? 3 : 4)} ${units[k]!}`;
}

/** 12 345: a comma or a point between thousands would be a decimal point to half of the world. */
const grouped = (value: number): string =>
  Math.round(value).toLocaleString('en').replace(/,/g, '\u202f');

/** Cubic metres as 1 234 m³, 1.2 million m³, 3.4 km³. */
export function volume(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e8) return `${format(value / 1e9, 3)} km³`;
  if (size >= 1e6) return `${format(value / 1e6, 3)} million m³`;
  return `${grouped(value)} m³`;
}

/** A share of the work and the time since it began [ms] -> "12 s left". */
export function remaining(share: number, passed: number): string {
  if (share < 0.02 || passed < 500) return '';
  const seconds = ((passed / share) * (1 - share)) / 1000;
  return seconds < 60 ? `${Math.ceil(seconds)} s left` : `${Math.ceil(seconds / 60)} min left`;
}

/** Simulated seconds as 3 d 4 h, 12 min 5 s; years as 1.2 million years. */
export function duration(time: number, unit = 's'): string {
  if (unit !== 's') {
    const years = time >= 1e6 ? `${format(time / 1e6, 3)} million` : grouped(time);
    return unit === 'a' || unit === 'yr' || unit === 'years'
      ? `${years} years`
      : `${years} ${unit}`;
  }
  const seconds = time;
  const s = Math.floor(seconds);
  if (s < 60) return `${format(seconds, 3)} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min ${s % 60} s`;
  if (s < 86400) return `${Math.floor(s / 3600)} h ${Math.floor((s % 3600) / 60)} min`;
  return `${Math.floor(s / 86400)} d ${Math.floor((s % 86400) / 3600)} h`;
}

/** "rain.drops" -> "Rain drops", "drops_per_second" -> "Drops per second". */
export function words(name: string): string {
  return upper(name.replace(/[._]/g, ' '));
}

export const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
