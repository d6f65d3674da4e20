// SPDX-License-Identifier: MIT
/** Dark or light panels, as the user or the system likes it. */
import { remember } from './memory';

export const THEMES = ['dark', 'light', 'system'] as const;
export type Theme = (typeof THEMES)[number];
const KEY = 'gully.theme';
const bright = matchMedia('(prefers-color-scheme: light)');

export function theme(): Theme {
  const kept = remember(KEY);
  return THEMES.find((name) => name === kept) ?? 'dark';
}

export function applyTheme(chosen: Theme = theme()): void {
  remember(KEY, chosen);
  const light = chosen === 'light' || (chosen === 'system' && bright.matches);
  document.documentElement.dataset['theme'] = light ? 'light' : 'dark';
  document.documentElement.style.colorScheme = light ? 'light' : 'dark';
}

bright.addEventListener('change', () => applyTheme());
