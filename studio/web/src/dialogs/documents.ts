/** The documents that come with the page, to be read in it. */
import { sheet } from '../ui/dialog';
import { button, el } from '../ui/dom';
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

/** Headings and paragraphs of a Markdown text; what is set in columns stays so. */
export function blocksOf(text: string): [kind: 'h3' | 'h4' | 'p' | 'pre', text: string][] {
  const blocks: [kind: 'h3' | 'h4' | 'p' | 'pre', text: string][] = [];
  const parts = text.split(/(```[^]*?```|(?:^\|.*\n?)+)/m);
  for (const part of parts) {
    if (part.startsWith('```')) blocks.push(['pre', part.replace(/^```.*\n|```$/g, '')]);
    else if (part.startsWith('|')) blocks.push(['pre', part.trimEnd()]);
    else
      for (const piece of part.split(/\n\s*\n/).map((one) => one.trim())) {
        const heading = /^(#+)\s+([^\n]*)\n?([^]*)$/.exec(piece);
        if (heading) blocks.push([heading[1]!.length > 2 ? 'h4' : 'h3', heading[2]!]);
        const rest = (heading ? heading[3]! : piece)
          .replace(/!\[[^\]]*\]\([^)]*\)/g, '')
          .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
          .replace(/[`*]/g, '');
        if (rest.trim()) blocks.push(['p', rest.trim()]);
      }
  }
  return blocks;
}

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
