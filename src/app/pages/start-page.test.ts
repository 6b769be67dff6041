import { expect, test } from 'vitest';
import { DEMO } from '#src/app/seed.ts';
import { harness } from '#test/harness.ts';
import { startPageOf } from './start-page.ts';

const h = await harness();
const base = h.kernel.publicUrl();
const read = async (path: string, accept = 'text/html') => {
  const answer = await fetch(`${base}${path}`, { headers: { accept } });
  return { status: answer.status, text: await answer.text() };
};

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

test('the start page has the demo’s log-ins and key to copy, where there is a demo', async () => {
  const { text } = await read('/');
  for (const { email, password } of [DEMO.operator, DEMO.admin, DEMO.user]) {
    expect(text).toContain(email);
    expect(text).toContain(password);
  }
  expect(text).toContain(DEMO.apiKey);
  const { config } = h.kernel;
  const live = startPageOf({ ...config, NODE_ENV: 'production', MOCK_MODE: false }, {});
  expect([live.includes('live mode'), live.includes('demo')]).toEqual([true, false]);
});
