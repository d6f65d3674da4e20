// SPDX-License-Identifier: MIT
// Six kinds of generators in the studio, each in the palette that the studio chooses for it: one picture for docs/studio.md.
//   node kinds.mjs GULLY SOURCE PAGE PNG      in a folder of its own
import { writeFileSync } from 'node:fs';
import { openBrowser, Page, Server, until } from './studio.mjs';

const [gully, source, pageFolder, png] = process.argv.slice(2);
const KINDS = [
    ['mountains', { relief: 1400, seed: 7 }],
    ['canyon', { relief: 700, seed: 3 }],
    ['volcano', { relief: 1500, seed: 5 }],
    ['island', { relief: 900, seed: 4 }, { sea: 40 }],
    ['dunes', { relief: 130, seed: 2 }],
    ['warped', { relief: 700, seed: 6 }],
];
const [WIDTH, HEIGHT] = [340, 230];

const server = await Server.start(gully, pageFolder, '.');
const browser = await openBrowser(`${source}/studio/web`);
const page = await Page.open(browser, server.address, { width: WIDTH, height: HEIGHT + 42 });
await page.tab.getByRole('button', { name: 'Got it' }).click();
await page.pause();
await page.tab.locator('#picture').focus();
await page.tab.keyboard.press('h');
const pictures = [];
for (const [kind, params, look] of KINDS) {
    await page.ask(([kind, params]) => window.gully.do('new', { generate: kind, width: 768, height: 768, cell_size: 10, params }), [kind, params]);
    await until(kind, () => page.ask((kind) => window.gully.description().world.terrain.startsWith(kind) && window.gully.stage.loop.ready, kind));
    await page.ask((look) => {
        const { stage } = window.gully;
        if (look) stage.setLook({ ...stage.look, ...look }, stage.palette);
        stage.camera.frame();
        stage.camera.distance *= 0.72;
        stage.camera.keep();
    }, look);
    await page.ask(() => document.activeElement.blur());
    await page.idle();
    console.log(kind, await page.ask(() => window.gully.stage.palette.name));
    pictures.push((await page.tab.locator('#picture').screenshot()).toString('base64'));
}
const sheet = await page.ask(
    async ([pictures, width, height]) => {
        const sheet = document.createElement('canvas');
        [sheet.width, sheet.height] = [3 * width, 2 * height];
        for (const [k, bytes] of pictures.entries()) {
            const image = new Image();
            image.src = `data:image/png;base64,${bytes}`;
            await image.decode();
            sheet.getContext('2d').drawImage(image, (k % 3) * width, Math.floor(k / 3) * height, width, height);
        }
        return sheet.toDataURL('image/png').split(',')[1];
    },
    [pictures, WIDTH, HEIGHT],
);
writeFileSync(png, Buffer.from(sheet, 'base64'));
await browser.close();
await server.stop();
