// SPDX-License-Identifier: MIT
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
