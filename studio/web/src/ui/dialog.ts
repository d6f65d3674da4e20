/** Modal sheets, one at a time: the browser's own dialog, with a title and buttons. */
import { el, iconButton } from './dom';
import { ICONS } from './icons';

let open: HTMLDialogElement | null = null;

export interface Sheet {
  close(): void;
  body: HTMLElement;
}

export function sheet(title: string, body: (Node | string)[], buttons: HTMLElement[] = [], wide = false): Sheet {
  open?.close();
  const close = (): void => dialog.close();
  const content = el('div', { class: 'sheet-body' }, ...body);
  const dialog = el(
    'dialog',
    { class: wide ? 'sheet wide' : 'sheet', 'aria-label': title },
    el('header', {}, el('h2', {}, title), iconButton('Close', ICONS['close']!, close, 'Esc')),
    content,
    buttons.length ? el('footer', {}, ...buttons) : null,
  );
  dialog.addEventListener('close', () => {
    dialog.remove();
    if (open === dialog) open = null;
  });
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) close(); // beside the sheet
  });
  document.body.append(dialog);
  dialog.showModal();
  open = dialog;
  return { close, body: content };
}

export const sheetIsOpen = (): boolean => open !== null;
