// SPDX-License-Identifier: MIT
// Builds the page: `npm run build -- --outDir DIR` (or GULLY_PAGE=DIR). Everything it needs is in that folder.
import { defineConfig } from 'vite';

declare const process: { env: Record<string, string | undefined> };

export default defineConfig({
  base: './',
  worker: { format: 'es' },
  build: {
    outDir: process.env['GULLY_PAGE'] ?? 'dist',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0, // the page's security policy allows no scripts in data: addresses
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1000,
  },
});
