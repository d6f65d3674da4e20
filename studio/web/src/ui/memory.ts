// SPDX-License-Identifier: MIT
/** Keeps a text in the browser, if it lets us; without a value: what was kept. */
export function remember(key: string, value?: string): string | null {
  try {
    if (value !== undefined) localStorage.setItem(key, value);
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
