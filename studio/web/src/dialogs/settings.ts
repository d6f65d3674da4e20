// SPDX-License-Identifier: MIT
/** What the page is like for whoever uses it: language, panels, fingers; the tour; documents. */
import { sheet } from '../ui/dialog';
import { button, el } from '../ui/dom';
import { chooseLanguage, LANGUAGES, translator } from '../ui/language';
import type { Language } from '../ui/language';
import { applyTheme, theme, THEMES, type Theme } from '../ui/theme';
import { fingerPaints, setFingerPaints } from '../ui/touch';
import { documentLinks } from './documents';
import { labelled } from './forms';

const THEME_NAMES: Record<Theme, string> = {
  dark: 'Dark',
  light: 'Light',
  system: 'As the system',
};

export function showSettings(tour: () => void): void {
  const language = el('select', { 'aria-label': 'Language' });
  for (const [code, name] of LANGUAGES)
    language.append(el('option', { value: code, lang: code }, name));
  language.value = translator.language;
  language.addEventListener('change', () => {
    chooseLanguage(language.value as Language);
    location.reload(); // the session goes on
  });
  const panels = el('select', { 'aria-label': 'Panels' });
  for (const name of THEMES) panels.append(el('option', { value: name }, THEME_NAMES[name]));
  panels.value = theme();
  panels.addEventListener('change', () => applyTheme(panels.value as Theme));
  const finger = el('input', {
    type: 'checkbox',
    class: 'switch',
    checked: fingerPaints(),
    'aria-label': 'A finger paints',
  });
  finger.addEventListener('change', () => setFingerPaints(finger.checked));
  const made = sheet('Settings', [
    el(
      'div',
      { class: 'form' },
      labelled('Language', language),
      labelled('Panels', panels),
      labelled('A finger paints', finger, 'else it looks around, and a pen paints'),
    ),
    el('h3', {}, 'To learn'),
    el(
      'div',
      { class: 'buttons' },
      button(
        'Take the tour',
        () => {
          made.close();
          tour();
        },
        'primary',
      ),
    ),
    el('h3', {}, 'Documents'),
    documentLinks(),
  ]);
}
