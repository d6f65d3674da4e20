// SPDX-License-Identifier: MIT
// Starts `gully studio` for a test, and counts what fails.
import {spawn} from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import {Page, sleep} from './client.mjs';

export const [gully, root] = process.argv.slice(2);

// A folder with an index.html is all the server asks of a page.
export function makePage(folder) {
    fs.mkdirSync(path.join(folder, 'assets'), {recursive: true});
    fs.writeFileSync(path.join(folder, 'index.html'), '<!doctype html><title>a page</title>\n');
    fs.writeFileSync(path.join(folder, 'assets', 'page.js'), 'export {};\n');
    return folder;
}

// A scene that is quick to run, of a size that fits no tile.
export function writeScene(file, {width = 200, height = 150, ...more} = {}) {
    fs.writeFileSync(file, JSON.stringify({
        gully: 1, terrain: {generate: 'mountains', width, height, relief: 300, seed: 3}, cell_size: [10, 10],
        model: 'pipe', thermal: {}, rain: {rate: 1e-3}, boundary: {east: 'open'}, steps: 1000000, ...more,
    }));
    return file;
}

export class Server {
    static async start(folder, words = [], seconds = 60) {
        const server = new Server();
        const page = makePage(path.join(folder, 'page'));
        server.process = spawn(gully, ['studio', '--no-browser', '--page', page, ...words],
            {cwd: folder, stdio: ['ignore', 'pipe', 'pipe']});
        server.out = server.err = '';
        server.process.stdout.on('data', (bytes) => { server.out += bytes; });
        server.process.stderr.on('data', (bytes) => { server.err += bytes; });
        server.ended = new Promise((resolve) => {
            server.process.on('exit', (code, signal) => resolve(code ?? signal));
        });
        let code;
        server.ended.then((value) => { code = value; });
        for (let waited = 0; !server.out.includes('\n'); waited += 0.02) {
            if (code !== undefined) throw new Error(`gully studio ended with ${code}: ${server.err}`);
            if (waited > seconds) throw new Error('gully studio does not start');
            await sleep(0.02);
        }
        server.address = server.out.match(/^Gully studio: (http:\/\/[^ ]*)\n$/)?.[1];
        if (!server.address) throw new Error(`this is not one line with an address: ${server.out}`);
        return server;
    }

    // A page that has been greeted.
    async page(options) {
        const page = await Page.connect(this.address, options);
        page.hello = await page.event('hello', 30);
        return page;
    }

    // Ends it, and gives its exit code.
    stop(signal = 'SIGTERM') {
        this.process.kill(signal);
        return this.ended;
    }
}

let failures = 0;
let checks = 0;

export function check(holds, what) {
    checks++;
    if (holds) return;
    failures++;
    console.error(`FAILED: ${what}`);
}

export function equal(got, wanted, what) {
    check(JSON.stringify(got) === JSON.stringify(wanted), `${what}: ${JSON.stringify(got)} instead of ${JSON.stringify(wanted)}`);
}

// Runs tests one after another, each in a folder of its own below the present one.
export async function run(tests) {
    for (const [name, test] of Object.entries(tests)) {
        const folder = path.resolve(name);
        fs.mkdirSync(folder);
        const servers = [];
        const start = async (...words) => {
            const server = await Server.start(folder, ...words);
            servers.push(server);
            return server;
        };
        try {
            await test({folder, start});
        } catch (error) {
            check(false, `${name}: ${error.stack}`);
        }
        for (const server of servers) {
            await server.stop('SIGKILL');
            if (/Sanitizer|runtime error/.test(server.err)) check(false, `${name}: ${server.err}`);
        }
    }
    console.log(failures ? `${failures} of ${checks} checks failed` : `${checks} checks passed`);
    process.exit(failures ? 1 : 0);
}
