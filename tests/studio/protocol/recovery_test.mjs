// SPDX-License-Identifier: MIT
// node recovery_test.mjs GULLY SOURCE: what was not saved is offered again, after kill -9, after Ctrl-C and after another
// session took its place.
import fs from 'node:fs';
import path from 'node:path';
import {sleep} from './client.mjs';
import {check, equal, run, writeScene} from './server.mjs';

run({
    async kill({folder, start}) {
        const scene = writeScene(path.join(folder, 'scene.json'), {width: 120, height: 90});
        const server = await start([scene]);
        const page = await server.page();
        equal(page.hello.recover, null, 'nothing to recover at first');
        await page.do({do: 'play', on: true});
        await page.wait((item) => item.event === 'status' && item.step > 20, 'steps');
        await page.do({do: 'stroke', brush: 'raise', radius: 100, strength: 30, points: [[400, 400], [600, 400]]});
        await page.do({do: 'end'});
        await page.do({do: 'set', key: 'rain.rate', value: 0.003});
        await page.do({do: 'play', on: false});
        const {step} = await page.do({do: 'status'});
        const hash = (await page.do({do: 'hash'})).hashes;
        await sleep(1.5); // what is older than a second is kept
        equal(await server.stop('SIGKILL'), 'SIGKILL', 'how it ended');

        // Offered, with what it is of; the new session is another.
        const second = await start([scene]);
        const other = await second.page();
        const {recover} = other.hello;
        check(recover && recover.steps >= step && recover.records >= 3 && /120 x 90/.test(recover.terrain), `an offer: ${JSON.stringify(recover)}`);
        equal((await other.do({do: 'status'})).step, 0, 'a new session in the meantime');
        await other.do({do: 'recover', take: true}, 30);
        const hello = await other.event('hello');
        equal([hello.recover, hello.session], [null, 2], 'hello of what was recovered');
        const back = await other.do({do: 'status'});
        equal([back.step, (await other.do({do: 'hash'})).hashes], [step, hash], 'what was recovered');
        check((await other.ask({do: 'recover', take: true})).error, 'nothing more to recover');

        // It goes on being kept: killed while it plays, at most a second is missing.
        await other.do({do: 'play', on: true});
        await sleep(3.5);
        await second.stop('SIGKILL');
        const late = other.texts.filter((item) => item.event === 'status');
        const third = await start([scene]);
        const last = await third.page();
        const kept = last.hello.recover?.steps ?? 0;
        const past = late.filter((item) => item.step <= kept).length;
        check(late.length - past <= 6, `${late.length - past} of 4 statuses a second are not in what was kept`);

        // Discarded, it is gone.
        await last.do({do: 'recover', take: false});
        equal(await third.stop(), 0, 'an orderly end');
        const fourth = await start([scene]);
        equal((await fourth.page()).hello.recover, null, 'nothing is left of it');
    },

    // Two studios in a folder: neither spoils what the other keeps.
    async two({folder, start}) {
        const scene = writeScene(path.join(folder, 'scene.json'), {width: 60, height: 60});
        const [one, two] = [await start([scene]), await start([scene])];
        const [first, second] = [await one.page(), await two.page()];
        check(one.address !== two.address, 'two addresses');
        await first.do({do: 'step', steps: 7});
        await second.do({do: 'step', steps: 11});
        await first.wait((item) => item.event === 'status' && item.step === 7, 'step 7');
        await second.wait((item) => item.event === 'status' && item.step === 11, 'step 11');
        check(fs.existsSync(path.join(folder, '.gully/autosave-2')), 'an autosave of the second');
        await sleep(1.5);
        await one.stop('SIGKILL');
        const third = await start([scene]); // beside the second
        const offered = (await third.page()).hello.recover;
        equal(offered?.steps, 7, 'what the first has lost');
        await two.stop('SIGKILL');
        await third.stop('SIGKILL');
        const fourth = await start([scene]);
        const page = await fourth.page();
        const steps = [page.hello.recover?.steps];
        await page.do({do: 'recover', take: true}, 30);
        await page.event('hello');
        steps.push((await (await fourth.page())).hello.recover?.steps);
        equal(steps.sort((a, b) => a - b), [7, 11], 'what both have lost, one after the other');
    },

    // Ctrl-C keeps what kill -9 keeps; what was saved is not offered.
    async interrupted({folder, start}) {
        const scene = writeScene(path.join(folder, 'scene.json'), {width: 60, height: 60});
        const steps = async (page, count) => {
            await page.do({do: 'step', steps: count});
            await page.wait((item) => item.event === 'status' && item.step >= count, `${count} steps`);
        };
        const server = await start([scene]);
        const page = await server.page();
        await steps(page, 5); // and not a single record
        const {hashes} = await page.do({do: 'hash'});
        equal(await server.stop('SIGINT'), 0, 'exit code after Ctrl-C');
        const second = await start([scene]);
        const again = await second.page();
        equal([again.hello.recover?.steps, again.hello.recover?.replaced], [5, false], 'what was done before Ctrl-C');
        await again.do({do: 'recover', take: true}, 30);
        await again.event('hello');
        const back = await again.do({do: 'status'});
        equal([back.step, back.unsaved, (await again.do({do: 'hash'})).hashes], [5, true, hashes], 'what came back');
        await again.do({do: 'save', session: 'hill'});
        const saved = await again.do({do: 'status'});
        equal([saved.unsaved, saved.name], [false, 'hill'], 'after saving');
        equal(await second.stop('SIGINT'), 0, 'exit code after Ctrl-C');
        const third = await start([scene]);
        equal((await third.page()).hello.recover, null, 'nothing is offered that was saved');
    },

    // A new session takes the place of one that was not saved: there is a way back, and one there again.
    async replaced({folder, start}) {
        const scene = writeScene(path.join(folder, 'scene.json'), {width: 60, height: 60});
        const server = await start([scene]);
        const page = await server.page();
        equal((await page.do({do: 'status'})).unsaved, false, 'nothing was done yet');
        await page.do({do: 'set', key: 'rain.rate', value: 0.003});
        equal((await page.do({do: 'status'})).unsaved, true, 'something was done');
        const {hashes} = await page.do({do: 'hash'});
        await page.do({do: 'new', generate: 'fbm', width: 40, height: 50}, 30);
        const hello = await page.event('hello');
        equal([hello.recover?.replaced, /60 x 60/.test(hello.recover?.terrain)], [true, true], 'the way back');
        equal((await page.do({do: 'status'})).unsaved, false, 'the new one has nothing to save');
        await page.do({do: 'set', key: 'rain.rate', value: 0.004});
        await page.do({do: 'recover', take: true}, 30);
        const first = await page.event('hello');
        equal((await page.do({do: 'hash'})).hashes, hashes, 'the first session');
        equal([first.recover?.replaced, /40 x 50/.test(first.recover?.terrain)], [true, true], 'the way to the second');
        await page.do({do: 'recover', take: true}, 30);
        check(/60 x 60/.test((await page.event('hello')).recover?.terrain), 'and back once more');

        // Whatever was replaced is no reason to ask a page that comes in; a studio that starts asks.
        await page.do({do: 'new', generate: 'fbm', width: 30, height: 30}, 30);
        await page.event('hello');
        await page.do({do: 'recover', take: true}, 30);
        equal((await server.page()).hello.recover.replaced, true, 'for another page');
        await server.stop('SIGINT');
        const next = await start([scene]);
        const offers = [];
        for (let other = await next.page(); other.hello.recover; other = await next.page()) {
            offers.push([other.hello.recover.terrain.match(/\d+ x \d+/)[0], other.hello.recover.replaced]);
            await other.do({do: 'recover', take: false});
        }
        equal(offers, [['40 x 50', false], ['60 x 60', false]], 'all that was not saved');
    },

    // A saved session is written over only by itself, or if it was asked for.
    async names({folder, start}) {
        const scene = writeScene(path.join(folder, 'scene.json'), {width: 60, height: 60});
        const server = await start([scene]);
        const page = await server.page();
        await page.do({do: 'save', session: 'hill'});
        await page.do({do: 'save', session: 'hill'}); // its own
        await page.do({do: 'new', generate: 'fbm', width: 40, height: 50}, 30);
        await page.event('hello');
        equal((await page.do({do: 'status'})).name, '', 'a new one has no name');
        check(/another 'hill' already.*60 x 60/.test((await page.ask({do: 'save', session: 'hill'})).error), 'another world is not written over');
        await page.do({do: 'save', session: 'hill', replace: true});
        equal((await page.do({do: 'sessions'})).sessions.map(({terrain}) => /40 x 50/.test(terrain)), [true], 'unless asked');
        await page.do({do: 'open', session: 'hill'}, 30);
        await page.event('hello');
        const {name, unsaved} = await page.do({do: 'status'});
        equal([name, unsaved], ['hill', false], 'what was opened');
    },

    // After a restart a page comes in with the address it has; a token that others could read is not taken.
    async token({folder, start}) {
        const scene = writeScene(path.join(folder, 'scene.json'), {width: 20, height: 20});
        const token = (server) => new URL(server.address).searchParams.get('token');
        const one = await start([scene]);
        const file = path.join(folder, '.gully/token');
        equal(fs.statSync(file).mode & 0o777, 0o600, 'who may read the token');
        await one.stop('SIGINT');
        const two = await start([scene]);
        equal(token(two), token(one), 'the token after a restart');
        await two.stop('SIGINT');
        fs.chmodSync(file, 0o644);
        const three = await start([scene]);
        check(token(three) !== token(one), 'a token that others could read is not taken');
        await three.stop('SIGINT');
        fs.writeFileSync(file, 'short');
        equal(token(await start([scene])).length, 32, 'a file that holds no token');
    },
});
