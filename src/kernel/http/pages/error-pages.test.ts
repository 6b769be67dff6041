import { expect, test } from 'vitest';
import { CODES, type Code } from '#kernel/error.ts';
import { GUIDES } from '#kernel/http/declare/error-guide.ts';
import { harness } from '#test/harness.ts';
import { errorPages } from './error-pages.ts';
import { escapeHtml } from './pages.ts';

const h = await harness();
const base = h.kernel.publicUrl();
const read = async (path: string, accept = 'text/html') => {
  const answer = await fetch(`${base}${path}`, { headers: { accept } });
  const type = answer.headers.get('content-type') ?? '';
  return { status: answer.status, text: await answer.text(), type };
};

test('every error says what to do and leads to a page that explains its code', async () => {
  const [, { code, hint, doc_url }] = await h.call('POST /auth/login', { as: 'nobody', body: {} });
  expect([code, hint]).toEqual(['API_KEY_MISSING', expect.stringContaining('x-api-key')]);
  expect(doc_url).toBe(`${base}/docs/errors/API_KEY_MISSING`);
  const { status, text } = await read('/docs/errors/API_KEY_MISSING');
  expect([status, text]).toEqual([200, expect.stringContaining('What to do')]);
});

test('every code has its page, and the list leads to all of them', async () => {
  const { text } = await read('/docs/errors');
  for (const code of Object.keys(CODES)) {
    expect(text).toContain(`/docs/errors/${code}"`);
    expect(text, code).toContain(escapeHtml(GUIDES[code as Code].cause));
    expect((await read(`/docs/errors/${code}`)).status, code).toBe(200);
  }
});

test('an address below the wrong place is told the right one', async () => {
  const told = async (method: string, path: string) => {
    const answer = await fetch(`${base}${path}`, { method });
    return [answer.status, ((await answer.json()) as { hint: string }).hint];
  };
  expect(await told('POST', '/auth/login')).toEqual([404, 'Did you mean POST /api/auth/login?']);
  expect(await told('GET', '/api/v1/fx/rates')).toEqual([404, 'Did you mean GET /api/fx/rates?']);
  expect(await told('GET', '/api/users/7/')).toEqual([
    404,
    'Did you mean GET /api/users/{user_id}?',
  ]);
  expect(await told('GET', '/nowhere')).toEqual([404, expect.stringContaining('is below /api')]);
});

test('who opens an address that is none in a browser gets a page; programs and the API get JSON', async () => {
  const lost = await read('/reset-passwort?<script>');
  expect([lost.status, lost.type]).toEqual([404, 'text/html; charset=utf-8']);
  expect(lost.text).toContain('<h1>There is no such page</h1>');
  expect(lost.text).toContain('There is no GET /reset-passwort.');
  expect(lost.text).not.toContain('<script>"');
  for (const [path, accept] of [
    ['/reset-passwort', 'application/json'],
    ['/api/reset-passwort', 'text/html'],
  ] as const) {
    const told = await read(path, accept);
    expect([told.status, JSON.parse(told.text).code]).toEqual([404, 'NOT_FOUND']);
  }
});

test('without a reference no page of an error leads to it', async () => {
  const linking = async (DOCS: 'on' | 'off') => {
    const shown = await Promise.all(errorPages({ DOCS }).map(({ render }) => render({}, 'en')));
    return shown.filter(({ text }) => text.includes('href="/docs"')).length;
  };
  expect(await linking('off')).toBe(0);
  expect(await linking('on')).toBe(Object.keys(CODES).length);
});
