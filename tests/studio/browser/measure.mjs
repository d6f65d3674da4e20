// How quick the studio is with one page in a Chromium that watches the demo (docs/performance.md):
//   node measure.mjs GULLY SOURCE PAGE      in a folder of its own
import { execFileSync } from 'node:child_process';
import { openBrowser, Page, Server, sleep } from './studio.mjs';

const [gully, source, pageFolder] = process.argv.slice(2);
const SECONDS = 8;

const sorted = (list) => [...list].sort((a, b) => a - b);
const say = (what, text) => console.log(`${what.padEnd(28)}${text}`);

/** Steps per second of `gully run` in the wet season, in which the page watches too. */
function runRate() {
    const words = ['run', `${source}/scenes/demo.json`, '--steps', '450', '-o', 'run', '--json', '--quiet'];
    const report = JSON.parse(execFileSync(gully, words, { maxBuffer: 1 << 26 }));
    return report.steps / report.wall_time;
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
    await page.ask(() => (window.gully.stage.latencies.length = 0));
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
    say(what, `median ${times[times.length >> 1].toFixed(0)} ms, nine of ten within ${times[Math.floor(times.length * 0.9)].toFixed(0)} ms`);
}

const full = [runRate()];
const server = await Server.start(gully, pageFolder, '.');
const browser = await openBrowser(`${source}/studio/web`);
const page = await Page.open(browser, server.address);
say('first land', `${(await page.ask(() => window.gully.info().firstLand)).toFixed(0)} ms after navigation`);
await page.tab.getByRole('button', { name: 'Got it' }).click();
await sleep(2000);
const watched = await watchedRate(page);
sayBrush('brush while it plays', await brushTimes(page));
await page.pause();
await page.idle();
sayBrush('brush while it is paused', await brushTimes(page));
await browser.close();
await server.stop();
full.push(runRate());
const mean = (full[0] + full[1]) / 2;
say('steps/s, watched', watched.toFixed(1));
say('steps/s, gully run', `${full.map((rate) => rate.toFixed(1)).join(' before, ')} after; watched is ${((100 * watched) / mean).toFixed(0)} % of the mean`);
