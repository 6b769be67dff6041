import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DEMO, seed } from '#src/app/seed.ts';
import { atEnd } from '../at-end.ts';
import { expectSound, testBrowser } from '../browser/browser.ts';
import { harness } from '../harness.ts';
import { runFolder } from '../run-folder.ts';
import { bundled, installed, packedSdk } from './packed.ts';
import { RIGHT, WALK } from './walk-anywhere.ts';

const h = await harness({ config: { ROLE: 'all', CORS_ORIGINS: '*' } });
await seed(h.kernel, h.app.features.afterUser);
const folder = await runFolder();
const { file } = await packedSdk(folder);
const place = join(folder, 'place');
await installed(file, place);

const walk = await bundled(place, WALK);

/** A site with the walk, and a page whose policy allows its own scripts and the API. */
async function site(): Promise<string> {
  const policy = `default-src 'none'; script-src 'self'; worker-src 'self'; connect-src ${h.kernel.publicUrl()}`;
  const worker = `import { walk } from './walk.js';
onmessage = ({ data }) => walk(data).then(postMessage, (error) => postMessage(String(error.stack)));`;
  const files: Readonly<Record<string, readonly [string, string]>> = {
    '/': ['text/html', '<!doctype html><title>A shop</title>'],
    '/walk.js': ['text/javascript', walk],
    '/worker.js': ['text/javascript', worker],
  };
  const server = createServer(({ url = '' }, response) => {
    const [type, body] = files[url] ?? ['text/plain', ''];
    response.writeHead(files[url] ? 200 : 404, {
      'content-type': type,
      'content-security-policy': policy,
    });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  atEnd(async () => void server.close());
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}

const address = await site();
const browser = await testBrowser();
const given = (key: string) => ({
  baseUrl: h.kernel.publicUrl(),
  apiKey: DEMO.apiKey,
  usernameoremail: DEMO.user.email,
  password: DEMO.user.password,
  key,
});
test('the package does the main job in a page of Chromium, under a strict policy', async () => {
  const shown = await browser.page();
  await shown.page.goto(address);
  const answer = await shown.page.evaluate(async (values) => {
    const name = '/walk.js';
    const { walk } = (await import(name)) as { walk(given: object): Promise<unknown> };
    return walk(values);
  }, given('in-a-page'));
  expect(answer).toEqual({ isPage: true, ...RIGHT });
  // The browser notes the declined payment, and the stream that the program has left.
  const own = /status of 400|events\/stream.*ERR_ABORTED/;
  expectSound({ ...shown, problems: shown.problems.filter((one) => !own.test(one)) });
});

test('the package does the same in a worker, which has neither a page nor Node', async () => {
  const { page } = await browser.page();
  await page.goto(address);
  const answer = await page.evaluate(
    (values) =>
      new Promise((resolve) => {
        const { Worker } = globalThis as unknown as {
          Worker: new (
            url: string,
            options: object,
          ) => {
            onmessage: (said: { data: unknown }) => void;
            onerror: (said: { message: string }) => void;
            postMessage(given: object): void;
          };
        };
        const worker = new Worker('/worker.js', { type: 'module' });
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = ({ message }) => resolve(message);
        worker.postMessage(values);
      }),
    given('in-a-worker'),
  );
  expect(answer).toEqual({ isPage: false, ...RIGHT });
});
