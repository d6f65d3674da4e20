// node recovery_test.mjs GULLY SOURCE: after kill -9 the session is offered again.
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

    // What was done and closed is not lost either: it is the session "last".
    async last({folder, start}) {
        const scene = writeScene(path.join(folder, 'scene.json'), {width: 60, height: 60});
        const server = await start([scene]);
        const page = await server.page();
        await page.do({do: 'step', steps: 5});
        await page.wait((item) => item.event === 'status' && item.step === 5, 'step 5');
        await page.do({do: 'set', key: 'rain.rate', value: 0.003});
        equal(await server.stop('SIGINT'), 0, 'exit code after Ctrl-C');
        const again = await (await start([scene])).page();
        equal(again.hello.recover, null, 'nothing has crashed');
        equal((await again.do({do: 'sessions'})).sessions.map(({name, steps}) => [name, steps]), [['last', 5]], 'sessions');
        await again.do({do: 'open', session: 'last'}, 30);
        await again.event('hello');
        equal((await again.do({do: 'status'})).step, 5, 'the step of "last"');
    },
});
