// SPDX-License-Identifier: MIT
// A studio and a browser for the tests of the page: starts the program, opens the page, speaks with it.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { existsSync } from 'node:fs';

const PATIENCE = 120_000; // [ms]; machines may be busy

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits until a question has a true answer, and gives it. */
export async function until(what, question, patience = PATIENCE) {
    const end = Date.now() + patience;
    for (;;) {
        const answer = await question();
        if (answer) return answer;
        if (Date.now() > end) throw new Error(`waited in vain for: ${what}`);
        await sleep(40);
    }
}

/** No sheet lies over the page: what a test before has left open is closed. */
export const openSheetless = (page) =>
    until('no sheet', async () => {
        if ((await page.tab.locator('dialog[open]').count()) === 0) return true;
        await page.tab.keyboard.press('Escape');
        return false;
    });

export function check(truth, what) {
    if (!truth) throw new Error(`not so: ${what}`);
}

export class Server {
    /** Starts the program in a folder; `input`: a scene, or nothing for the demo. */
    static async start(gully, page, folder, input, more = []) {
        const server = new Server();
        const words = ['studio', '--no-browser', '--page', page, ...more, ...(input ? [input] : [])];
        server.process = spawn(gully, words, { cwd: folder });
        server.said = '';
        server.process.stdout.on('data', (bytes) => (server.said += bytes));
        server.process.stderr.on('data', (bytes) => (server.said += bytes));
        server.ended = new Promise((resolve) => server.process.on('exit', resolve));
        server.address = await until('the address of the studio', () => /http:\S+/.exec(server.said)?.[0]).catch(() => {
            throw new Error(`the studio did not start: ${server.said}`);
        });
        return server;
    }

    async stop(signal = 'SIGTERM') {
        this.process.kill(signal);
        await this.ended;
    }
}

export async function openBrowser(web) {
    const { chromium } = createRequire(`${web}/`)('playwright-core');
    const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
        existsSync,
    );
    check(executablePath, 'there is a Chromium (scripts/needs.sh test installs it)');
    return chromium.launch({
        executablePath,
        args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
    });
}

const TALK = 40; // messages that a failure shows

/** A page, and what can be asked of it. `troubles` collects errors and requests to elsewhere; `talk` the last messages. */
export class Page {
    static async open(browser, address, viewport = { width: 1280, height: 720 }) {
        const page = new Page();
        page.troubles = [];
        page.talk = [];
        page.context = await browser.newContext({ viewport, acceptDownloads: true });
        page.tab = await page.context.newPage();
        page.tab.setDefaultTimeout(PATIENCE);
        page.tab.on('pageerror', (error) => page.troubles.push(error.message));
        page.tab.on('console', (message) => message.type() === 'error' && page.troubles.push(message.text()));
        page.tab.on('request', (request) => {
            const { protocol, host } = new URL(request.url());
            const own = protocol === 'blob:' || protocol === 'data:' || host === new URL(address).host;
            if (!own) page.troubles.push(`asked for ${request.url()}`);
        });
        page.tab.on('websocket', (socket) => {
            socket.on('framesent', ({ payload }) => page.note('>', payload));
            socket.on('framereceived', ({ payload }) => page.note('<', payload));
        });
        await page.tab.goto(address);
        await page.seen();
        return page;
    }

    /** Keeps a message; pictures, states and descriptions only fill it. */
    note(way, payload) {
        if (typeof payload !== 'string' || /"event"|"do":"(status|want|ack)"|"dt":/.test(payload.slice(0, 80))) return;
        this.talk.push(`${way} ${payload.slice(0, 160)}`);
        if (this.talk.length > TALK) this.talk.shift();
    }

    ask(question, ...words) {
        return this.tab.evaluate(question, ...words);
    }

    /** The land has been drawn. */
    seen() {
        return until('the land', () =>
            this.ask(() => window.gully?.info().firstLand > 0 && window.gully.status() !== null),
        );
    }

    hash() {
        return this.ask(() => window.gully.hash());
    }

    /** The picture shows the engine's ground at a place: a brush acts on what is seen. */
    shows({ u, v }) {
        return until('the picture to show the ground', () =>
            this.ask(
                async ([u, v]) => {
                    const { field } = window.gully.stage;
                    const at = [u * field.size[0], v * field.size[1]];
                    const { values } = await window.gully.do('pick', { at });
                    return Math.abs(field.surface(...at) - values.terrain - values.water) < 10; // [m]
                },
                [u, v],
            ),
        );
    }

    async fields() {
        return JSON.parse(await this.hash());
    }

    /** The engine's state as the page knows it, once all that was asked before has been done. */
    status() {
        const known = () =>
            this.ask(async () => {
                const now = await window.gully.do('status');
                const known = window.gully.status();
                const same = ['name', 'unsaved', 'undo', 'redo', 'depth', 'playing', 'to_go'].every(
                    (key) => (now[key] ?? null) === known[key],
                );
                return same ? { ...known, stroke: now.stroke } : null;
            });
        return until('the page to know the state', known);
    }

    /** Pauses with the button, if it runs. */
    async pause() {
        await until('the pause', async () => {
            if (!(await this.status()).playing) return true;
            // It may pause by itself meanwhile: then there is no such button any more.
            const button = this.tab.getByRole('button', { name: 'Pause', exact: true });
            await button.click({ timeout: 2000 }).catch(() => undefined);
            await sleep(200);
            return false;
        });
    }

    idle() {
        return this.ask(() => window.gully.idle());
    }

    /** A place near these shares of the land's sides that no hill hides: its shares, and where it is on the screen. */
    place(u, v) {
        return this.ask(
            ([u, v]) => {
                const { stage, screen } = window.gully;
                const [width, height] = stage.field.size;
                for (let k = 0; k < 400; k++) {
                    const away = 0.004 * k;
                    const [s, t] = [u + away * Math.cos(2.4 * k), v + away * Math.sin(2.4 * k)];
                    const at = screen(s * width, t * height);
                    if (!at || at.x < 250 || at.x > 960 || at.y < 60 || at.y > 630) continue;
                    const hit = stage.camera.pick(at.x, at.y);
                    if (hit && Math.hypot(hit.x - s * width, hit.z - t * height) < 0.005 * width)
                        return { ...at, u: s, v: t };
                }
                throw new Error('all of it is hidden');
            },
            [u, v],
        );
    }

    height(u, v) {
        return this.ask(
            ([x, y]) => {
                const { field } = window.gully.stage;
                return field.surface(x * field.size[0], y * field.size[1]);
            },
            [u, v],
        );
    }

    /** Names and numbers of the panels that are cut off, as the window is now. */
    clipped() {
        return this.ask(() =>
            [...document.querySelectorAll('.tool span, .row-name, .phase-name, .macro-head b, .macro-reading, .panel .button, .panel .chip, input.number')]
                .filter((e) => e.offsetParent && e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display !== 'inline')
                .map((e) => `${e.ariaLabel ?? e.textContent}: ${e.value ?? ''}`),
        );
    }

    async close() {
        await this.context.close();
    }
}
