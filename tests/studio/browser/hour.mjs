// An hour of a restless user: every tool, key and sheet, undo, reload, kill, at random, from a seed. No error may come,
// the memory of page and server stays bounded, and the session, played again, comes to the same hashes.
//   node hour.mjs GULLY SOURCE PAGE [MINUTES] [SEED]      in a folder of its own
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { check, openBrowser, Page, Server, sleep, until } from './studio.mjs';

const [gully, source, pageFolder, minutes = '60', seedText = '1'] = process.argv.slice(2);
const end = Date.now() + 60_000 * Number(minutes);
const MOST_SERVER = 1500e6; // [bytes]
const MOST_PAGE = 400e6;
const REMEMBERED = 30;

let seed = Number(seedText) >>> 0;
const random = () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32;
};
const pick = (list) => list[Math.floor(random() * list.length)];

const scene = {
    gully: 1,
    terrain: { generate: 'mountains', width: 256, height: 256, seed: 3, relief: 500 },
    cell_size: [10, 10],
    model: 'pipe',
    materials: [{ name: 'rock' }, { name: 'soil', color: '#8a6a44' }],
    layers: { soil: 2 },
    params: { pipes: 8, friction: 1.6 },
    thermal: { rate: 0.2, talus: 34 },
    program: [
        { name: 'wet', steps: 400, set: { 'rain.rate': 1e-3 } },
        { name: 'dry', steps: 100, set: { 'params.evaporation': 0.03 } },
    ],
};
writeFileSync('scene.json', JSON.stringify(scene));

const browser = await openBrowser(`${source}/studio/web`);
let server = await Server.start(gully, pageFolder, process.cwd(), 'scene.json');
let page = await Page.open(browser, server.address, { width: 1000, height: 640 });
const done = [];

/** Of what a command says in time that it will not do it, nothing is made. */
const quick = { timeout: 2000 };
const somewhere = () => ({ x: 260 + random() * 380, y: 120 + random() * 330 });

async function drag() {
    const { mouse } = page.tab;
    let at = somewhere();
    await mouse.move(at.x, at.y);
    await mouse.down({ button: pick(['left', 'left', 'left', 'right', 'middle']) });
    for (let k = 0; k < 5; k++) {
        at = { x: at.x + 40 * (random() - 0.5), y: at.y + 40 * (random() - 0.5) };
        await mouse.move(at.x, at.y);
    }
    for (const button of ['left', 'right', 'middle']) await mouse.up({ button });
}

/** Puts a slider somewhere in its range. */
const slide = (slider) =>
    slider.evaluate(
        (e, share) => {
            e.value = String(Number(e.min) + share * (Number(e.max) - Number(e.min)));
            for (const event of ['input', 'change']) e.dispatchEvent(new Event(event, { bubbles: true }));
        },
        random(),
        quick,
    );

const KEYS = ['v', 'b', 'c', 't', 'o', 'l', 'f', 'g', 'h', 'Home', '[', ']', '1', '2', '3', '4', '5', '6', '.', 'q', 'e', '+', '-', 'PageUp',
    'PageDown', 'Tab', 'Enter', 'ArrowUp', 'ArrowLeft', 'Escape', 'Delete', '\\', 'Shift+1', 'Control+a', 'Control+c', 'Control+v'];

const actions = {
    tool: async () => page.tab.locator(`.tool >> nth=${Math.floor(random() * 18)}`).click(quick),
    drag,
    dragWithKeys: async () => {
        const key = pick(['Control', 'Shift', 'Alt']);
        await page.tab.keyboard.down(key);
        await drag();
        await page.tab.keyboard.up(key);
    },
    key: async () => page.tab.keyboard.press(pick(KEYS)),
    play: async () => page.tab.keyboard.press(' '),
    undo: async () => page.tab.keyboard.press(pick(['Control+z', 'Control+z', 'Control+y'])),
    wheel: async () => {
        const at = somewhere();
        await page.tab.mouse.move(at.x, at.y);
        await page.tab.mouse.wheel(0, 600 * (random() - 0.5));
    },
    macro: async () => slide(page.tab.locator(`.macro >> nth=${Math.floor(random() * 5)}`).locator('input')),
    slider: async () => {
        const rows = page.tab.locator('.panel.right .row input[type=range]:visible');
        const count = await rows.count();
        if (count) await slide(rows.nth(Math.floor(random() * count)));
    },
    preset: async () => page.tab.getByRole('combobox', { name: 'Presets' }).selectOption({ index: Math.floor(random() * 9) }, quick),
    sheet: async () => {
        await page.tab.locator('#picture').focus();
        await page.tab.keyboard.press(pick(['n', 'Control+o', 'Control+s', 'Control+e', '?']));
        await sleep(200);
        await page.tab.keyboard.press('Escape');
    },
    scrub: async () => slide(page.tab.getByRole('slider', { name: 'Past, in steps' })),
    start: async () => page.tab.getByRole('button', { name: 'Back to the start' }).click(quick),
    phase: async () => page.tab.locator('.phase').first().click(quick),
    palette: async () => page.ask((k) => document.querySelectorAll('.swatch')[k]?.click(), Math.floor(random() * 8)),
    reload: async () => {
        if (random() > 0.15) return;
        await page.tab.reload();
        await page.seen();
    },
    kill: async () => {
        if (random() > 0.06) return;
        const port = new URL(server.address).port;
        await sleep(1500);
        await server.stop(pick(['SIGKILL', 'SIGINT']));
        server = await Server.start(gully, pageFolder, process.cwd(), 'scene.json', ['--port', port]);
        killed = Date.now();
        await page.tab.goto(server.address);
        await page.seen();
        await page.tab.getByRole('button', { name: 'Recover' }).click({ timeout: 20_000 });
        await until('the session', async () => (await page.tab.locator('dialog[open]').count()) === 0);
    },
};

/** While a server starts again, its page cannot reach it and says so, sometimes a little later. */
const AFTER_KILL = 20_000; // [ms]
let killed = -Infinity;
function troubles() {
    if (Date.now() < killed + AFTER_KILL)
        page.troubles = page.troubles.filter((text) => !/WebSocket|ERR_CONNECTION/.test(text));
    return page.troubles;
}

const serverBytes = () => 1024 * Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.process.pid}/status`, 'utf8'))[1]);
const pageBytes = () => page.ask(() => performance.memory?.usedJSHeapSize ?? 0);

/** Saved, and played again from its beginning. */
async function replays() {
    await page.ask(async () => {
        await window.gully.do('play', { on: false });
        await window.gully.do('release');
        await window.gully.do('end');
        await window.gully.do('save', { session: 'hour', replace: true });
    });
    execFileSync(gully, ['replay', 'sessions/hour'], { stdio: 'pipe' });
}

let count = 0;
let highest = { server: 0, page: 0 };
try {
    await page.tab.getByRole('button', { name: 'Got it' }).click();
    while (Date.now() < end) {
        const name = pick(Object.keys(actions));
        done.push(name);
        if (done.length > REMEMBERED) done.shift();
        await actions[name]().catch((error) => {
            if (!/Timeout|intercepts|not enabled|not visible/.test(error.message)) throw error;
            done.push('(not possible)');
        });
        await page.tab.keyboard.press('Escape');
        check(troubles().length === 0, `no error: ${page.troubles.join('\n')}`);
        if (++count % 25 === 0) {
            highest = { server: Math.max(highest.server, serverBytes()), page: Math.max(highest.page, await pageBytes()) };
            check(highest.server < MOST_SERVER && highest.page < MOST_PAGE, `bounded memory: ${JSON.stringify(highest)}`);
            const answers = await page.ask(() => window.gully.do('status').then(({ step }) => step >= 0));
            check(answers, 'the engine answers');
        }
    }
    await replays();
    const mb = (bytes) => `${Math.round(bytes / 1e6)} MB`;
    console.log(`${count} things done in ${minutes} min, no error; server at most ${mb(highest.server)}, page ${mb(highest.page)}; replayed to the same hashes`);
} catch (error) {
    await page.tab.screenshot({ path: 'failed.png' }).catch(() => undefined);
    console.error(`after ${count}: ${done.join(', ')}\nthe server said: ${server.said}`);
    throw error;
} finally {
    await browser.close();
    await server.stop('SIGKILL');
}
