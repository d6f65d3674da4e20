// SPDX-License-Identifier: MIT
/** Parts of the sheets: fields with their names. */
import { el } from '../ui/dom';

export function labelled(name: string, input: HTMLElement, help = ''): HTMLElement {
  return el('label', { class: 'labelled', title: help }, el('span', {}, name), input);
}

export const numberField = (value: string, label: string): HTMLInputElement =>
  el('input', { type: 'text', inputMode: 'decimal', class: 'number', value, 'aria-label': label });
