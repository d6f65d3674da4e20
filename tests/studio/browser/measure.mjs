// SPDX-License-Identifier: MIT
// How quick the studio is with one page in a Chromium that watches the demo (docs/figures.md):
//   node measure.mjs GULLY SOURCE PAGE [ROUNDS]      in a folder of its own
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { openBrowser, Page, Server, sleep } from './studio.mjs';

const [gully, source, pageFolder] = process.argv.slice(2);
const SECONDS = 8;
const ROUNDS = Number(process.argv[5] ?? 4);

const sorted = (list) => [...list].sort((a, b) => a - b);
const median = (list) => sorted(list)[list.length >> 1];
const say = (what, text) => console.log(`${what.padEnd(28)}${text}`);

/** Steps per second of `gully run` in the seasons that the page watches too: the studio begins in the demo's rain. */
function runRate() {
    const scene = JSON.parse(readFileSync(`${source}/scenes/demo.json`));
    scene.program = scene.program.filter(({ model }) => !model);
    writeFileSync('seasons.json', JSON.stringify({ ...scene, repeat: 100 }));
    const words = ['run', 'seasons.json', '--steps', '1500', '-o', 'run', '--json', '--quiet'];
    const report = JSON.parse(execFileSync(gully, words, { maxBuffer: 1 << 26 }));
    return report.steps / report.times.simulate;
}

async function watchedRate(page) {
    const stepsDone = () => page.ask(async () => (await window.gully.do('status')).step);
    const [before, start] = [await stepsDone(), Date.now()];
    await sleep(1000 * SECONDS);
    return (1000 * ((await stepsDone()) - before)) / (Date.now() - start);
}

/** From the mouse to the picture that shows what it did, in four strokes of ten moves [ms]. */
async function brushTimes(page) {
    const { x, y } = await page.place(0.5, 0.55);
    await page.tab.getByRole('button', { name: 'Raise', exact: true }).click();
    await page.ask(() => (window.gully.stage.book.latencies.length = 0));
    for (let stroke = 0; stroke < 4; stroke++) {
        await page.tab.mouse.move(x - 20, y);
        await page.tab.mouse.down();
        for (let i = 1; i <= 10; i++) {
            await page.tab.mouse.move(x - 20 + 4 * i, y);
            await sleep(60);
        }
        await page.tab.mouse.up();
        await sleep(300);
    }
    return sorted(await page.ask(() => window.gully.latencies()));
}

function sayBrush(what, times) {
    say(what, `median ${median(times).toFixed(0)} ms, nine of ten within ${times[Math.floor(times.length * 0.9)].toFixed(0)} ms`);
}

/** A studio and a page that watches it; the last one is also brushed. */
async function visit(last) {
    rmSync('.gully', { recursive: true, force: true }); // else it offers the session before
    const server = await Server.start(gully, pageFolder, '.');
    const browser = await openBrowser(`${source}/studio/web`);
    const page = await Page.open(browser, server.address);
    const firstLand = await page.ask(() => window.gully.info().firstLand);
    await page.tab.getByRole('button', { name: 'Got it' }).click();
    await sleep(2000);
    const rate = await watchedRate(page);
    if (last) {
        sayBrush('brush while it plays', await brushTimes(page));
        await page.pause();
        await page.idle();
        sayBrush('brush while it is paused', await brushTimes(page));
    }
    await browser.close();
    await server.stop();
    return { rate, firstLand };
}

// Runs and visits in turn: the machine may be faster at one time than at another.
const [full, visits] = [[runRate()], []];
for (let round = 1; round <= ROUNDS; round++) {
    visits.push(await visit(round === ROUNDS));
    full.push(runRate());
}
const watched = visits.map(({ rate }) => rate);
const percent = (a, b) => `${((100 * a) / b).toFixed(0)} %`;
say('first land', `${visits.map(({ firstLand }) => firstLand.toFixed(0)).join(', ')} ms after navigation`);
say('steps/s, gully run', full.map((rate) => rate.toFixed(1)).join(', '));
say('steps/s, watched', watched.map((rate) => rate.toFixed(1)).join(', '));
say('watched / run', `${percent(median(watched), median(full))} by the medians, ${percent(Math.max(...watched), Math.max(...full))} by the best`);
