// SPDX-License-Identifier: MIT
/**
 * Texts in the language of the user. Where they are used they are English; texts.tsv has what they are in others, a
 * column for each. In it `{}` stands for what a text is filled with, which may itself be a text of the table.
 */
import { remember } from './memory';
import table from '../texts.tsv?raw';

export type Language = 'en' | 'de';

const KEY = 'gully.language';
export const LANGUAGES: readonly [Language, string][] = [
  ['en', 'English'],
  ['de', 'Deutsch'],
];

function preferred(): Language {
  const wished = [remember(KEY), ...(globalThis.navigator?.languages ?? [])];
  for (const tag of wished) {
    const found = LANGUAGES.find(([code]) => tag?.toLowerCase().startsWith(code));
    if (found) return found[0];
  }
  return 'en';
}

/** English, and a language beside it. */
export function columnOf(language: Language): Map<string, string> {
  const [head, ...lines] = table.trimEnd().split('\n');
  const column = head!.split('\t').indexOf(language);
  return new Map(
    lines.map((line) => {
      const cells = line.split('\t');
      return [cells[0]!, cells[column]!];
    }),
  );
}

interface Pattern {
  fits: RegExp;
  into: string;
}

/** The longest ones first: they say most about what fits. */
function patternsOf(table: ReadonlyMap<string, string>): Pattern[] {
  return [...table]
    .filter(([text]) => text.includes('{}'))
    .sort(([a], [b]) => b.length - a.length)
    .map(([text, into]) => {
      const parts = text.split('{}').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
      return { fits: new RegExp(`^${parts.join('(.*?)')}$`, 's'), into };
    });
}

/** A translator into a language, which also knows what it could not translate. */
export class Translator {
  readonly missing = new Set<string>();
  private readonly table: ReadonlyMap<string, string>;
  private readonly patterns: Pattern[];
  private readonly known = new Map<string, string>();
  /** What came out: put in once more it stays. */
  private readonly made: Set<string>;
  private depth = 0; // of texts within texts

  constructor(readonly language: Language) {
    this.table = language === 'en' ? new Map() : columnOf(language);
    this.patterns = patternsOf(this.table);
    this.made = new Set(this.table.values());
  }

  text(text: string): string {
    if (this.language === 'en' || !/\p{L}{2}/u.test(text) || this.made.has(text)) return text;
    const bare = text.trim();
    if (bare !== text) return text.replace(bare, () => this.text(bare));
    const known = this.table.get(text) ?? this.known.get(text);
    if (known !== undefined) return known;
    this.depth++;
    const made = this.filled(text) ?? this.parted(text);
    this.depth--;
    if (made !== null) this.made.add(made);
    else if (this.depth === 0) this.missing.add(text);
    else return text; // a part of a text, perhaps not one that it has
    if (this.known.size > MOST_KNOWN) {
      this.known.clear();
      this.made.clear();
      for (const into of this.table.values()) this.made.add(into);
    }
    this.known.set(text, made ?? text);
    return made ?? text;
  }

  private filled(text: string): string | null {
    for (const { fits, into } of this.patterns) {
      const found = fits.exec(text);
      if (!found) continue;
      const parts = found.slice(1).map((part) => this.text(part));
      // "{} of {}" fits half a sentence too: better all of it in English than words of two languages.
      const mixes = parts.some(
        (part, k) => part === found[k + 1] && /\p{L}+ \p{L}+ \p{L}+/u.test(part),
      );
      if (mixes) continue;
      let k = 0;
      return into.replace(/\{\}/g, () => parts[k++] ?? '');
    }
    return null;
  }

  /** "Rain: a summary." and "One sentence. Another one." */
  private parted(text: string): string | null {
    for (const between of [': ', '. ']) {
      const at = text.indexOf(between);
      if (at < 1 || at + between.length >= text.length) continue;
      const [first, rest] = [text.slice(0, at), text.slice(at + between.length)];
      const known = (part: string): string | undefined =>
        this.table.get(part) ?? this.table.get(`${part}.`)?.replace(/\.$/, '');
      const after = this.text(rest);
      const mixes = after === rest && /\p{L}{2}/u.test(rest);
      if (known(first) !== undefined && !mixes) return known(first)! + between + after;
    }
    const end = /^(.*)\.$/s.exec(text)?.[1];
    const whole = end && (this.table.get(end) ?? this.table.get(lower(end)));
    if (whole) return `${upper(whole)}.`;
    const small = this.table.get(lower(text));
    return small === undefined ? null : upper(small);
  }
}

const MOST_KNOWN = 5000;
const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

export const translator = new Translator(preferred());

export const t = (text: string): string => translator.text(text);

/** From the next start of the page on. */
export function chooseLanguage(language: Language): void {
  remember(KEY, language);
}
