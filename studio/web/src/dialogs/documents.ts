// SPDX-License-Identifier: MIT
/** The documents that come with the page, to be read in it. */
import { sheet } from '../ui/dialog';
import { button, el } from '../ui/dom';
import { blocksOf } from '../ui/markdown';
import { complain } from '../ui/notes';

const FILES = import.meta.glob<string>(
  '../../../../docs/{studio,models,parameters,scenes,sessions,formats,materials,realism,devices}.md',
  { eager: true, query: '?url', import: 'default' },
);

const TITLES: Record<string, string> = {
  studio: 'The studio',
  models: 'Laws',
  parameters: 'All parameters',
  scenes: 'Scenes',
  sessions: 'Sessions',
  formats: 'File formats',
  realism: 'Is it like real land?',
  devices: 'Graphics cards',
};

async function read(title: string, url: string): Promise<void> {
  try {
    const text = await (await fetch(url)).text();
    const blocks = blocksOf(text).map(([kind, piece]) => {
      const block = el(kind, {});
      block.textContent = piece; // documents are English
      return block;
    });
    sheet(title, [el('div', { class: 'document', lang: 'en' }, ...blocks)], [], true);
  } catch (error) {
    complain(error);
  }
}

/** Buttons that open them. */
export function documentLinks(): HTMLElement {
  const links = Object.entries(FILES).flatMap(([path, url]) => {
    const name = /([a-z]+)\.md$/.exec(path)?.[1] ?? '';
    const title = TITLES[name];
    return title ? [button(title, () => void read(title, url))] : [];
  });
  return el('div', { class: 'buttons documents' }, ...links);
}
