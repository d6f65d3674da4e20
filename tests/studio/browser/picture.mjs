// SPDX-License-Identifier: MIT
// The picture of the studio in the README: the demo in its wet season, a brush in hand.
//   node picture.mjs GULLY SOURCE PAGE PNG      in a folder of its own
import { openBrowser, Page, Server, until } from './studio.mjs';

const [gully, source, pageFolder, png] = process.argv.slice(2);
const server = await Server.start(gully, pageFolder, '.');
const browser = await openBrowser(`${source}/studio/web`);
const page = await Page.open(browser, server.address);
await page.tab.getByRole('button', { name: 'Got it' }).click();
await page.pause();
await page.ask(() => window.gully.do('new', { example: 'demo' }));
await page.pause();
const stepsDone = () => page.ask(async () => (await window.gully.do('status')).step);
await page.ask((steps) => window.gully.do('step', { steps }), 420 - (await stepsDone()));
await until('step 420', async () => (await stepsDone()) === 420);
await page.tab.getByRole('button', { name: /^Raise/ }).click();
const place = await page.place(0.45, 0.55);
await page.tab.mouse.move(place.x, place.y);
await page.idle();
await page.tab.screenshot({ path: png });
await browser.close();
await server.stop();
