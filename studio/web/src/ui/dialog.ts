// SPDX-License-Identifier: MIT
/** Modal sheets, one at a time: the browser's own dialog, with a title and buttons. */
import { button, el, iconButton } from './dom';
import { ICONS } from './icons';

/** Closes the one that is open. */
let shut: (() => void) | null = null;

export interface Sheet {
  close(): void;
  body: HTMLElement;
}

export function sheet(
  title: string,
  body: (Node | string)[],
  buttons: HTMLElement[] = [],
  wide = false,
  closed: () => void = () => undefined,
): Sheet {
  shut?.();
  const close = (): void => {
    if (dialog.open) dialog.close();
    dialog.remove(); // at once: the event comes later
    if (shut === close) shut = null;
    closed();
  };
  const content = el('div', { class: 'sheet-body' }, ...body);
  const dialog = el(
    'dialog',
    { class: wide ? 'sheet wide' : 'sheet', 'aria-label': title },
    el('header', {}, el('h2', {}, title), iconButton('Close', ICONS['close']!, close, 'Esc')),
    content,
    buttons.length ? el('footer', {}, ...buttons) : null,
  );
  dialog.addEventListener('close', close); // by the Escape key
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) close(); // beside the sheet
  });
  document.body.append(dialog);
  dialog.showModal();
  shut = close;
  return { close, body: content };
}

/** Asks; closing it means no. */
export function confirm(title: string, question: string, yes: string): Promise<boolean> {
  return new Promise((resolve) => {
    const answer = (value: boolean): void => {
      resolve(value);
      made.close();
    };
    const made = sheet(
      title,
      [el('p', {}, question)],
      [button('Cancel', () => answer(false)), button(yes, () => answer(true), 'primary')],
      false,
      () => resolve(false),
    );
  });
}

/** Escape closes a dialog some time before its event says so. */
export const sheetIsOpen = (): boolean => document.querySelector('dialog[open]') !== null;
