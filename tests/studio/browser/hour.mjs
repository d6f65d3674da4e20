// SPDX-License-Identifier: MIT
// An hour of a restless user: every tool, key and sheet, undo, reload, kill, at random, from a seed. No error may come,
// the memory of page and server stays bounded, and the session, played again, comes to the same hashes.
//   node hour.mjs GULLY SOURCE PAGE [MINUTES] [SEED]      in a folder of its own
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { check, openBrowser, openSheetless, Page, Server, sleep, until } from './studio.mjs';

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
const [tally, impossible] = [{}, {}];

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

/** One of the elements that there are. */
async function some(selector) {
    const all = page.tab.locator(selector);
    const count = await all.count();
    if (!count) throw new Error(`not visible: ${selector}`);
    return all.nth(Math.floor(random() * count));
}

const SHEETS = ['Settings', 'Help', 'Pictures and films', 'What steps', 'Edit the phases', 'Presets...', 'Landscapes...', 'New landscape', 'Open', 'Save', 'Export'];
async function openSheet() {
    if (random() < 0.3) {
        await page.tab.locator('#picture').focus();
        await page.tab.keyboard.press(pick(['n', 'Control+o', 'Control+s', 'Control+e', '?']));
    } else await page.tab.getByRole('button', { name: pick(SHEETS), exact: true }).first().click(quick);
    await page.tab.locator('dialog[open]').waitFor(quick);
}

/** Of a sheet: what takes the page elsewhere, or makes a file. Actions of their own do that. */
const ELSEWHERE = /Generate|Begin with|Double|Open|Save|file|Export|picture|Turntable|lapse|tour|Computing|Replace|Language/;
async function fiddle() {
    const { tab } = page;
    const control = await some('dialog[open] :is(button, select, input[type=checkbox], input[type=range]):visible:enabled');
    const { tag, type, name } = await control.evaluate((e) => ({ tag: e.tagName, type: e.type, name: e.ariaLabel ?? e.textContent }), null, quick);
    if (ELSEWHERE.test(name)) return;
    if (type === 'range') await slide(control);
    else if (tag === 'SELECT') await control.selectOption({ index: Math.floor(random() * (await control.locator('option').count())) }, quick);
    else await control.click(quick);
    await tab.waitForTimeout(100);
}

const KEYS = ['v', 'b', 'c', 't', 'o', 'l', 'f', 'g', 'h', 'Home', '[', ']', '1', '2', '3', '4', '5', '6', '.', 'q', 'e', '+', '-', 'PageUp',
    'PageDown', 'Tab', 'Enter', 'ArrowUp', 'ArrowLeft', 'Escape', 'Delete', '\\', 'Shift+1', 'Control+a', 'Control+c', 'Control+v'];

const actions = {
    tool: async () => page.tab.locator(`.tool >> nth=${Math.floor(random() * 18)}`).click(quick),
    drag,
    paint: async () => {
        await page.tab.locator(`.tool >> nth=${1 + Math.floor(random() * 12)}`).click(quick);
        await drag();
    },
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
    setting: async () => slide(await some('.tool-settings input[type=range]:visible')),
    look: async () => {
        if (!(await page.tab.locator('[data-look]').first().isVisible())) await page.tab.getByText('Look', { exact: true }).last().click(quick);
        await slide(await some('[data-look] input[type=range]'));
    },
    cut: async () => slide(await some('[data-cut] input[type=range]:visible')),
    view: async () => (await some('.views .chip:visible')).click(quick),
    sheet: async () => {
        await openSheet();
        for (let k = Math.floor(3 * random()); k > 0; k--) await fiddle();
    },
    language: async () => {
        if (random() > 0.2) return;
        const choose = async (settings, language, code) => {
            await openSheetless(page); // an older session may be offered
            await page.tab.getByRole('button', { name: settings }).click();
            await page.tab.getByRole('combobox', { name: language }).selectOption(code);
            await until(code, () => page.ask((code) => document.documentElement.lang === code, code).catch(() => false));
            await page.seen();
        };
        await choose('Settings', 'Language', 'de');
        await choose('Einstellungen', 'Sprache', 'en');
    },
    tour: async () => {
        if (random() > 0.2) return;
        await page.tab.getByRole('button', { name: 'Help' }).click(quick);
        await page.tab.getByRole('button', { name: 'Take the tour' }).click(quick);
        const tour = page.tab.getByRole('dialog', { name: 'Tour' });
        while (await tour.getByRole('button', { name: 'Next' }).count()) await tour.getByRole('button', { name: 'Next' }).click(quick);
        await tour.getByRole('button', { name: 'Done' }).click(quick);
    },
    run: async () => {
        await page.tab.getByRole('textbox', { name: 'Steps to run' }).fill(String(Math.ceil(40 * random())), quick);
        await page.tab.getByRole('button', { name: pick(['Run', 'Run', 'To the end', 'Repeat']), exact: true }).click(quick);
    },
    pin: async () => {
        const { pins } = await page.ask(() => window.gully.do('history'));
        if (pins.length > 8) await page.ask((pin) => window.gully.do('unpin', { pin }), pick(pins).pin);
        else await page.ask(() => window.gully.do('pin', { name: 'a moment' }));
    },
    compare: async () => {
        if (await page.tab.locator('.compare').isHidden()) await page.tab.getByRole('button', { name: 'Compare', exact: true }).click(quick);
        const list = page.tab.getByRole('combobox', { name: 'Compare with' });
        await list.selectOption({ index: Math.floor(random() * (await list.locator('option').count())) }, quick);
        await (await some('.compare .modes .chip')).click(quick);
    },
    history: async () => {
        const entries = page.tab.locator('.history .entry:visible');
        if (!(await entries.count())) await page.tab.locator('summary', { hasText: 'History' }).click(quick);
        await (await some('.history .entry:visible')).click(quick);
    },
    drop: async () => {
        if (random() > 0.3) return;
        const side = 24 + Math.floor(40 * random());
        const row = () => Array.from({ length: side }, () => Math.round(90 * random())).join(' ');
        const grid = `ncols ${side}\nnrows ${side}\nxllcorner 0\nyllcorner 0\ncellsize 9\n${Array.from({ length: side }, row).join('\n')}\n`;
        await page.ask((text) => {
            const transfer = new DataTransfer();
            transfer.items.add(new File([text], 'bump.asc'));
            window.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
        }, grid);
        await page.tab.getByRole('button', { name: 'Use as a stamp' }).click({ timeout: 20_000 });
        const at = somewhere();
        await page.tab.mouse.click(at.x, at.y);
    },
    another: async () => {
        if (random() > 0.1) return;
        await page.tab.locator('#picture').focus();
        await page.tab.keyboard.press('n');
        const dialog = page.tab.getByRole('dialog');
        const { width } = await page.ask(() => window.gully.description().world);
        if (width <= 256 && random() < 0.3) await dialog.getByRole('button', { name: 'Double the resolution' }).click(quick);
        else {
            await dialog.getByRole('combobox', { name: 'Resolution' }).selectOption('256', quick);
            const kinds = dialog.getByRole('combobox', { name: 'Kind' });
            await kinds.selectOption({ index: Math.floor(random() * (await kinds.locator('option').count())) }, quick);
            await dialog.getByRole('button', { name: 'Generate' }).click(quick);
        }
        await page.tab.getByRole('button', { name: 'Do not save' }).click({ timeout: 5000 }).catch(() => undefined);
        await until('the other landscape', async () => (await page.tab.locator('dialog[open]').count()) === 0);
        if (random() < 0.5) await page.tab.getByRole('button', { name: 'Go back' }).click(quick);
    },
    export: async () => {
        if (random() > 0.3) return;
        await page.tab.keyboard.press('Control+e');
        const coming = page.tab.waitForEvent('download', { timeout: 60_000 });
        coming.catch(() => undefined);
        await page.tab.getByRole('button', { name: pick(['Export', 'Export all as a zip']), exact: true }).last().click(quick);
        await (await coming).delete();
    },
    window: async () => page.tab.setViewportSize(pick([{ width: 1000, height: 640 }, { width: 1280, height: 720 }, { width: 800, height: 600 }])),
    otherPage: async () => {
        if (random() > 0.1) return;
        const other = await Page.open(browser, server.address, { width: 700, height: 500 });
        await other.ask(() => window.gully.do('play', { on: true }));
        await sleep(1000);
        check(other.troubles.length === 0, `no error on another page: ${other.troubles}`);
        await other.close();
    },
    scrub: async () => slide(page.tab.getByRole('slider', { name: 'Past, in steps' })),
    start: async () => page.tab.getByRole('button', { name: 'Back to the start', exact: true }).click(quick),
    phase: async () => page.tab.locator('.phase').first().click(quick),
    palette: async () => page.ask((k) => document.querySelectorAll('.swatch')[k]?.click(), Math.floor(random() * 8)),
    reload: async () => {
        if (random() > 0.15) return;
        await page.tab.reload();
        await page.seen();
        await openSheetless(page);
    },
    kill: async () => {
        if (random() > 0.06) return;
        const port = new URL(server.address).port;
        const { unsaved } = await page.status();
        await sleep(1500);
        await server.stop(pick(['SIGKILL', 'SIGINT']));
        server = await Server.start(gully, pageFolder, process.cwd(), 'scene.json', ['--port', port]);
        killed = Infinity;
        await page.tab.goto(server.address);
        await page.seen();
        const offered = await page.ask(() => Boolean(window.gully.hello().recover));
        check(offered || !unsaved, 'what was not saved is offered');
        if (offered) await page.tab.getByRole('button', { name: 'Recover' }).click();
        await until('the session', async () => (await page.tab.locator('dialog[open]').count()) === 0);
        killed = Date.now();
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
        tally[name] = (tally[name] ?? 0) + 1;
        if (done.length > REMEMBERED) done.shift();
        await actions[name]().catch((error) => {
            const whole = ['language', 'kill', 'reload'].includes(name); // half of these is no state to go on from
            // A sheet may be drawn anew between looking and acting.
            if (whole || !/Timeout|intercepts|not enabled|not visible|not attached|not a <select>/.test(error.message)) throw error;
            done.push('(not possible)');
            impossible[name] = (impossible[name] ?? 0) + 1;
        });
        await openSheetless(page);
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
    console.log(Object.keys(actions).map((name) => `${name} ${(tally[name] ?? 0) - (impossible[name] ?? 0)} of ${tally[name] ?? 0}`).join(', '));
} catch (error) {
    await page.tab.screenshot({ path: 'failed.png' }).catch(() => undefined);
    const last = browser.contexts().at(-1).pages()[0]; // the other page, if it was about to open
    await last?.screenshot({ path: 'failed-other.png' }).catch(() => undefined);
    const state = await page.ask(() => window.gully.status()).catch((wrong) => wrong.message);
    console.error(`after ${count}: ${done.join(', ')}\nthe page knows: ${JSON.stringify(state)}\nthe server said: ${server.said}`);
    throw error;
} finally {
    await browser.close();
    await server.stop('SIGKILL');
}
