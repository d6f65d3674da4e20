// SPDX-License-Identifier: MIT
// A plain static server: files of a folder, nothing else. With `isolated` it sends the two headers that let a page have
// threads (cross-origin isolation).
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';

const TYPES = {
    '.html': 'text/html',
    '.js': 'text/javascript',
    '.mjs': 'text/javascript',
    '.css': 'text/css',
    '.svg': 'image/svg+xml',
    '.wasm': 'application/wasm',
};

/** Serves a folder; gives the address and a way to stop. */
export async function serve(folder, isolated) {
    const server = createServer(async (request, response) => {
        const { pathname } = new URL(request.url, 'http://x');
        const path = join(folder, normalize(pathname === '/' ? '/index.html' : pathname));
        const headers = { 'Content-Type': TYPES[extname(path)] ?? 'application/octet-stream' };
        if (isolated) {
            headers['Cross-Origin-Opener-Policy'] = 'same-origin';
            headers['Cross-Origin-Embedder-Policy'] = 'require-corp';
        }
        try {
            const bytes = await readFile(path);
            response.writeHead(200, headers).end(bytes);
        } catch {
            response.writeHead(404).end();
        }
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    return {
        address: `http://127.0.0.1:${server.address().port}/`,
        stop: () => {
            server.closeAllConnections();
            server.close();
        },
    };
}
