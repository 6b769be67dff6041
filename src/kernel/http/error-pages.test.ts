import { expect, test } from 'vitest';
import { harness } from '#test/harness.ts';
import { CODES } from './error.ts';

const h = await harness();
const base = h.kernel.publicUrl();
const read = async (path: string, accept = 'text/html') => {
  const answer = await fetch(`${base}${path}`, { headers: { accept } });
  return { status: answer.status, text: await answer.text() };
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

test('the start page shows a browser where things are, and tells a program in JSON', async () => {
  for (const path of ['/', '/api']) {
    const shown = await read(path);
    expect([shown.status, shown.text]).toEqual([200, expect.stringContaining(`${base}/docs`)]);
    const told = JSON.parse((await read(path, 'application/json')).text);
    expect(told).toMatchObject({
      name: 'Archipay',
      api: h.app.apiUrl(),
      reference: `${base}/docs`,
    });
  }
});
