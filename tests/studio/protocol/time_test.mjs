// SPDX-License-Identifier: MIT
// Time and what is done in one go: the end, the past, phases, presets; who watches, colours, messages.
import fs from 'node:fs';
import path from 'node:path';
import {check, equal, run, writeScene} from './server.mjs';
import {request, sleep} from './client.mjs';

const hashes = async (page) => (await page.do({do: 'hash'})).hashes;
const status = (page) => page.do({do: 'status'});

// Waits until what was asked for is done.
async function stepped(page, step, seconds = 30) {
    for (let k = 0; k < seconds * 20; k++) {
        if ((await status(page)).step >= step) return status(page);
        await sleep(0.05);
    }
    throw new Error(`step ${step} does not come`);
}

// Does something, and gives what the session is like after that.
async function described(page, command) {
    page.drain('describe');
    await page.do(command, 60);
    return (await page.event('describe')).describe;
}
const rainOf = ({sections}) => sections.find(({name}) => name === 'rain').rows[0].value;

const PROGRAM = {
    steps: undefined,
    program: [
        {name: 'wet', steps: 12, set: {'rain.rate': 2e-3}},
        {name: 'dry', steps: 8, set: {'rain.rate': 0, 'params.evaporation': 0.03}},
    ],
};

await run({
    async aPresetIsOneEntry({folder, start}) {
        const server = await start([writeScene(path.join(folder, 'scene.json'))]);
        const page = await server.page();
        const before = await status(page);
        const set = await described(page, {do: 'change', name: 'Flash floods',
            set: {'rain.rate': 3e-3, 'params.capacity': 1.5}, switch: {thermal: false}});
        const after = await status(page);
        equal([after.depth, after.undo], [before.depth + 1, 'Flash floods'], 'one entry, named for people');
        equal(rainOf(set), 3e-3, 'it is set');
        equal(rainOf(await described(page, {do: 'undo'})), 1e-3, 'one undo takes all of it back');
        const wrong = await page.ask({do: 'change', name: 'x', set: {'rain.rate': 3e-3, 'params.capacity': -7}});
        check(/capacity|value/.test(wrong.error) && (await status(page)).depth === before.depth,
            `a value that is refused refuses all: ${wrong.error}`);
        check((await page.ask({do: 'change', name: 'x', switch: {rust: true}})).error?.includes('add-on'), 'no such add-on');
    },

    async theEndIsAnEnd({folder, start}) {
        const server = await start([writeScene(path.join(folder, 'scene.json'), PROGRAM)]);
        const page = await server.page();
        await page.do({do: 'play', on: true});
        let now = await stepped(page, 20);
        await sleep(0.3);
        now = await status(page);
        equal([now.step, now.playing, now.ended], [20, false, true], 'it stops at the end and says so');
        await page.do({do: 'step', cycle: true});
        await stepped(page, 40);
        await sleep(0.2);
        equal((await status(page)).step, 40, 'one cycle and stop');
        await page.do({do: 'step', steps: 7});
        await stepped(page, 47);
        await sleep(0.2);
        equal((await status(page)).step, 47, 'seven steps and stop');
        await page.do({do: 'repeat', on: true});
        await page.do({do: 'play', on: true});
        await stepped(page, 100);
        await page.do({do: 'play', on: false});
        await page.do({do: 'phase', index: 0, hold: true});
        check((await page.ask({do: 'step', cycle: true})).error?.includes('held'), 'a held phase has no end');
    },

    async thePastCanBeVisited({folder, start}) {
        const server = await start([writeScene(path.join(folder, 'scene.json'))]);
        const page = await server.page();
        const beginning = await hashes(page);
        await page.do({do: 'step', steps: 30});
        await stepped(page, 30);
        const at30 = await hashes(page);
        await page.do({do: 'stroke', brush: 'raise', radius: 100, strength: 20, points: [[500, 500]]});
        await page.do({do: 'end'});
        await page.do({do: 'step', steps: 20});
        await stepped(page, 50);
        const at50 = await hashes(page);
        const {depth, reach, moments} = await status(page);
        check(reach === 50 && moments[0] === 0, `the start is kept: ${moments}`);

        equal((await page.do({do: 'seek', step: 25}, 60)).step, 25, 'back to step 25');
        equal([(await status(page)).depth, (await status(page)).reach], [depth + 1, 50], 'one entry; the present can be reached');
        await page.do({do: 'seek', step: 45}, 60);
        equal((await status(page)).depth, depth + 1, 'a journey is one entry');
        await page.do({do: 'seek', step: 30}, 60);
        const edited = await hashes(page);
        check(edited.terrain !== at30.terrain, 'what was done at a step belongs to it');
        await page.do({do: 'seek', step: 0}, 60);
        equal(await hashes(page), beginning, 'the start, to the bit');
        await page.do({do: 'step', steps: 30});
        await stepped(page, 30);
        equal(await hashes(page), at30, 'and on from there, without what came later');
        await page.do({do: 'undo'});
        equal(await hashes(page), at50, 'undo comes back to the present');
        await page.do({do: 'set', key: 'rain.rate', value: 5e-3});
        const again = await described(page, {do: 'seek', step: 0, keep: true});
        equal(await hashes(page), beginning, 'the start again');
        equal(rainOf(again), 5e-3, 'with the parameters of the present');
        check((await page.ask({do: 'seek', step: 99999})).error?.includes('step'), 'no future');
        await page.do({do: 'step', steps: 10});
        await stepped(page, 10);
        const last = await hashes(page);
        await page.do({do: 'save', session: 'past'});
        await page.do({do: 'new', generate: 'fbm', width: 64}, 60);
        await page.do({do: 'open', session: 'past'}, 60);
        equal(await hashes(page), last, 'a saved session has it');
        await page.do({do: 'seek', step: 0}, 60);
        const start2 = await hashes(page);
        equal(start2.terrain, beginning.terrain, 'also a session that was opened knows its start');
    },

    async phasesAreEdited({folder, start}) {
        const server = await start([writeScene(path.join(folder, 'scene.json'), PROGRAM)]);
        const page = await server.page();
        const phases = page.hello.describe.phases;
        equal(phases.map(({name, steps, set}) => [name, steps, set]), [['wet', 12, PROGRAM.program[0].set],
            ['dry', 8, PROGRAM.program[1].set]], 'phases say what they set');
        const mine = [{name: 'dry', steps: 4, set: {'rain.rate': 0}}, {name: 'storm', steps: 3, set: {'rain.rate': 9e-3}},
            {name: 'wet', steps: 5, set: {}}];
        const describe = await described(page, {do: 'program', phases: mine});
        equal(describe.phases.map(({name, steps}) => [name, steps]), [['dry', 4], ['storm', 3], ['wet', 5]], 'another program');
        equal((await status(page)).phase_name, 'wet', 'it goes on in the phase that it was in');
        const wrong = await page.ask({do: 'program', phases: [{name: 'x', steps: -1}]});
        check(/steps/.test(wrong.error) && !/:\d+:/.test(wrong.error), `what is wrong: ${wrong.error}`);
        await page.do({do: 'phase', index: 0});
        await page.do({do: 'play', on: true});
        await stepped(page, 12);
        await sleep(0.3);
        const end = await status(page);
        equal([end.step, end.ended], [12, true], 'its end');
        const hash = await hashes(page);
        await page.do({do: 'save', session: 'phases'});
        await page.do({do: 'new', generate: 'fbm', width: 64}, 60);
        await page.do({do: 'open', session: 'phases'}, 60);
        equal(await hashes(page), hash, 'a saved session has its program');
        equal((await status(page)).phase_name, 'dry', 'at its beginning again');
    },

    async landscapesAreRules({folder, start}) {
        const server = await start([writeScene(path.join(folder, 'scene.json'))]);
        const page = await server.page();
        for (const name of ['alpine', 'badlands', 'canyon', 'island', 'dunes', 'valley']) {
            const example = page.hello.examples.find((item) => item.name === name);
            check(/\d+ steps of \w+/.test(example?.rules), `${name} says what it does: ${example?.rules}`);
            const {depth} = await status(page);
            await page.do({do: 'rules', example: name}, 60);
            const now = await status(page);
            equal([now.depth, now.undo], [depth + 1, name], 'one entry');
            await page.do({do: 'step', steps: 3});
            await stepped(page, now.step + 3);
            const later = await status(page);
            check(!later.warning, `${name} runs: ${later.warning}`);
            await page.do({do: 'undo'});
            equal((await status(page)).depth, depth, 'undone in one');
        }
        check((await page.ask({do: 'rules', example: 'moon'})).error?.includes('no such example'), 'no such rules');
    },

    async longWorkCanBeGivenUp({folder, start}) {
        const server = await start([writeScene(path.join(folder, 'scene.json'), {width: 700, height: 700})]);
        const page = await server.page();
        await page.do({do: 'step', steps: 240});
        await stepped(page, 240, 120);
        const hash = await hashes(page);
        page.drain('status');
        const going = page.ask({do: 'seek', step: 230}, 60);
        const {busy} = await page.wait((item) => item.event === 'status' && item.busy, 'progress');
        check(busy.what && busy.share >= 0 && busy.can_cancel, `it says what it does and how far it is: ${JSON.stringify(busy)}`);
        page.send({do: 'cancel'});
        const answer = await going;
        check(answer.error || answer.step === 230, `it is given up: ${answer.error}`);
        check(answer.error, 'in time');
        equal(await hashes(page), hash, 'and all is as it was');
    },

    async whoIsNotWatchedPauses({folder, start}) {
        const server = await start([writeScene(path.join(folder, 'scene.json'))]);
        const page = await server.page();
        await page.do({do: 'play', on: true});
        await stepped(page, 5);
        await page.do({do: 'watch', on: false});
        await sleep(6);
        const {step, playing} = await status(page);
        await sleep(1);
        equal([(await status(page)).step, playing], [step, true], 'nobody looks, nothing steps');
        await page.do({do: 'unwatched', on: true});
        await stepped(page, step + 5);
        await page.do({do: 'unwatched', on: false});
        await page.do({do: 'watch', on: true});
        await stepped(page, (await status(page)).step + 5);
    },

    async coloursComeBack({folder, start}) {
        const server = await start([writeScene(path.join(folder, 'scene.json'))]);
        const page = await server.page();
        const first = (await status(page)).scale;
        check(first.relief > 50 && first.steep > 0, `a scale: ${JSON.stringify(first)}`);
        await page.do({do: 'stroke', brush: 'raise', radius: 600, strength: 900, points: [[900, 700]]});
        await page.do({do: 'end'});
        equal((await status(page)).scale, first, 'an edit does not change it');
        await page.do({do: 'step', steps: 200});
        await stepped(page, 200);
        await sleep(1.5);
        const later = (await status(page)).scale;
        check(later.wear > first.wear || later.flow > first.flow, 'time does');
        const other = await server.page();
        equal((await status(other)).scale, later, 'two pages agree');
        await page.do({do: 'undo'});
        equal((await status(page)).scale, first, 'undo brings it back');
    },

    async messagesNameTheFile({folder, start}) {
        const server = await start([writeScene(path.join(folder, 'scene.json'))]);
        const page = await server.page();
        const {token} = Object.fromEntries(new URL(server.address).searchParams);
        const origin = new URL(server.address).origin;
        const send = (name, text) => request(server.address, `POST /upload?token=${token}&name=${name}`,
            {Origin: origin}, Buffer.from(text));
        await send('junk.tif', 'this is no picture');
        const junk = (await page.ask({do: 'open', file: '.gully/uploads/junk.tif'})).error;
        check(junk.startsWith('junk.tif') && !junk.includes(folder) && !/:\d+:/.test(junk), `a raster: ${junk}`);
        await send('bad.json', '{\n  "gully": 1,\n\n\n  "terrain": {"generate": "fbm", "width": 64, "height": 64},\n  "stepz": 3\n}\n');
        const bad = (await page.ask({do: 'open', file: '.gully/uploads/bad.json'})).error;
        check(bad.startsWith('bad.json:6: ') && !bad.includes(folder), `a scene, and its own line: ${bad}`);
    },

    async exportsAreCleaned({folder, start}) {
        const server = await start([writeScene(path.join(folder, 'scene.json'))]);
        const page = await server.page();
        const exported = path.join(folder, '.gully/exports');
        await page.do({do: 'export', field: 'terrain'}, 60);
        const [file] = fs.readdirSync(exported);
        fs.utimesSync(path.join(exported, file), 1e9, 1e9);
        await page.do({do: 'export', field: 'water'}, 60);
        equal(fs.readdirSync(exported).length, 1, 'the old one is gone');
        await server.stop();
        equal(fs.readdirSync(exported).length, 0, 'nothing is left at the end');
    },
});
