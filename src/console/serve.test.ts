import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync } from 'node:zlib';
import { afterAll, expect, inject, test } from 'vitest';
import { harness } from '#test/harness.ts';
import { consoleFiles } from './files.ts';
import { foundBy } from './folder.ts';

const folder = await mkdtemp(join(tmpdir(), `archipay-test-${inject('testRun')}-`));
afterAll(() => rm(folder, { recursive: true, force: true }));

const SCRIPT = `console.log('${'what the console does '.repeat(200)}');`;
const INDEX =
  '<!doctype html><title>Console</title><script type="module" src="/console/main-Ab3dEf9_.js">';
const FILES = {
  'index.html': ['text/html; charset=utf-8', INDEX],
  'main-Ab3dEf9_.js': ['text/javascript; charset=utf-8', SCRIPT],
  'page-background.svg': ['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
} as const;

/** As the builder leaves them. */
async function build(place: string, files: Record<string, readonly [string, string]> = FILES) {
  await mkdir(place, { recursive: true });
  for (const [path, [, text]] of Object.entries(files)) await writeFile(join(place, path), text);
  const listed = Object.entries(files).map(([path, [type]]) => ({ path, type }));
  await writeFile(join(place, 'manifest.json'), JSON.stringify({ files: listed }));
  return place;
}

const built = await build(join(folder, 'built'));
await writeFile(join(folder, 'beside.txt'), 'not of the console');
await writeFile(join(built, 'left-over.js'), 'not in the manifest');
const h = await harness({ config: { CONSOLE_DIR: built } });
const base = () => h.app.apiUrl().replace(/\/api$/, '');
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${base()}${path}`, { headers });

/** The bytes as they are sent, of the path as it is written. */
async function raw(path: string, headers: Record<string, string>) {
  const asked = request(`${base()}/`, { path, headers });
  asked.end();
  const answer = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    asked.once('response', resolve).once('error', reject);
  });
  return { status: answer.statusCode, headers: answer.headers, bytes: await buffer(answer) };
}

test('the page is answered for every address of the console, and asked for anew each time', async () => {
  for (const path of [
    '/console',
    '/console/',
    '/console/timeline?q=a%40b.example',
    '/console/a/b',
  ]) {
    const answer = await get(path);
    expect([path, answer.status, await answer.text()]).toEqual([path, 200, INDEX]);
    expect(answer.headers.get('cache-control')).toBe('no-cache');
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  }
  const etag = (await get('/console')).headers.get('etag') ?? '';
  expect((await get('/console', { 'if-none-match': etag })).status).toBe(304);
});

test('the page loads what is its own, runs no text as script or markup, and is framed by nobody', async () => {
  const { headers } = await get('/console');
  expect(headers.get('content-security-policy')).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
      "connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; " +
      "require-trusted-types-for 'script'; trusted-types 'none'",
  );
  expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
});

test('what is named by its content is kept for good, and comes packed', async () => {
  const path = '/console/main-Ab3dEf9_.js';
  const packed = await raw(path, { 'accept-encoding': 'gzip, br' });
  expect(packed.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'content-encoding': 'br',
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'accept-encoding',
  });
  expect(brotliDecompressSync(packed.bytes).toString()).toBe(SCRIPT);
  expect(packed.bytes.length).toBeLessThan(SCRIPT.length / 10);
  const plain = await raw(path, {});
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(plain.bytes.toString()).toBe(SCRIPT);
  const picture = await get('/console/page-background.svg');
  expect(picture.headers.get('cache-control')).toBe('no-cache');
});

test('nothing is answered but what was built, however it is asked for', async () => {
  for (const path of [
    '/console/left-over.js',
    '/console/main-00000000.js',
    '/console/manifest.json',
    '/console/../beside.txt',
    '/console/..%2fbeside.txt',
    '/console/%2e%2e/beside.txt',
    '/console/%2e%2e%2f%2e%2e%2fetc%2fpasswd',
  ]) {
    const { status, bytes } = await raw(path, {});
    expect([path, bytes.toString().includes('not '), status]).toEqual([
      path,
      false,
      expect.toBeOneOf([200, 404]),
    ]);
    if (status === 200) expect(bytes.toString()).toBe(INDEX);
  }
  expect((await get('/console/left-over.js')).status).toBe(404);
});

test('a manifest that names anything outside of its folder is none', async () => {
  for (const path of ['../beside.txt', '/etc/passwd', 'a/../../beside.txt', '.hidden']) {
    const place = join(folder, 'hostile');
    await build(place);
    await writeFile(
      join(place, 'manifest.json'),
      JSON.stringify({ files: [{ path, type: 'text/plain' }] }),
    );
    await expect(consoleFiles(async () => place)()).rejects.toThrow();
  }
});

test('files that were built anew are shown at once, and a build that is half done is tried again', async () => {
  const place = await build(join(folder, 'watched'));
  const files = consoleFiles(async () => place);
  const index = async () => (await files()).get('index.html')?.plain.toString();
  expect(await index()).toBe(INDEX);
  const builtAt = async (s: number) => utimes(join(place, 'manifest.json'), s, s);
  await writeFile(join(place, 'manifest.json'), '{"files":[');
  await builtAt(1000);
  await expect(files()).rejects.toThrow();
  await build(place, { ...FILES, 'index.html': ['text/html', 'another'] });
  await builtAt(1000);
  expect(await index()).toBe('another');
});

test('where there are no files it is said, the API is there all the same, and nothing is tried each time', async () => {
  const none = await harness({ config: { CONSOLE_DIR: join(folder, 'nowhere') } });
  const answer = await fetch(`${none.app.apiUrl().replace(/\/api$/, '')}/console`);
  expect([answer.status, await answer.text()]).toEqual([
    503,
    expect.stringContaining('The console cannot be shown'),
  ]);
  expect(none.logs.join()).toContain('the console has no files to show');
  expect((await none.call('GET /fx/rates'))[0]).toBeLessThan(500);

  let tries = 0;
  const { find } = foundBy(async () => {
    tries += 1;
    throw new Error('no bundler');
  });
  for (let n = 0; n < 5; n += 1) await expect(find()).rejects.toThrow('no bundler');
  expect(tries).toBe(1);
});

test('who ends the service ends what makes the files', async () => {
  const { find, close } = foundBy(
    (signal) =>
      new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(new Error('ended'))),
      ),
  );
  const finding = find();
  close();
  await expect(finding).rejects.toThrow('ended');
});

test('switched off it is not there: no page, no log-in, and no cookie counts', async () => {
  const off = await harness({ config: { CONSOLE: 'off', CONSOLE_DIR: built } });
  const place = off.app.apiUrl();
  const statusOf = async (url: string, method = 'GET') => (await fetch(url, { method })).status;
  expect(await statusOf(`${place.replace(/\/api$/, '')}/console`)).toBe(404);
  expect(await statusOf(`${place}/console/me`)).toBe(404);
  expect(await statusOf(`${place}/console/session`, 'POST')).toBe(404);
  const operator = await off.operator();
  const opened = { user_id: operator.user_id, method: 'console', console: true } as const;
  const { token } = await off.kernel.sessions.open(off.db, opened);
  const headers = { 'sec-fetch-site': 'same-origin', 'x-console': '1' };
  const cookie = `archipay-console=${token}`;
  const [status] = await off.call('GET /desk/work', {
    as: 'nobody',
    headers: { ...headers, cookie },
  });
  expect(status).toBe(401);
});
