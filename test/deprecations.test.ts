import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { faultOfNotice } from '#kernel/http/declare/deprecated.ts';
import { errorEnvelope } from '#kernel/http/declare/envelope.ts';
import { endpoints } from '#kernel/http/declare/route.ts';
import { mount } from '#kernel/http/serve/mount.ts';
import { createServer } from '#kernel/http/serve/server.ts';
import { harness } from '#test/harness.ts';

const h = await harness();
const deprecated = {
  since: '2026-11-22',
  sunset: '2027-11-22',
  instead: 'POST /thing',
} as const;
const old = endpoints(errorEnvelope)('POST /old-thing/{id}', {
  name: 'things.oldMake',
  auth: 'key',
  summary: 'Does a thing as it used to be done',
  params: Type.Object({ id: Type.Integer() }),
  reply: { 200: Type.Object({ done: Type.Boolean() }) },
  deprecated,
  handler: async () => ({ done: true }),
});

test('a deprecated endpoint announces its end with every answer', async () => {
  const options = { corsOrigins: '', trustProxy: undefined, routes: [old] };
  const server = await createServer({ ...h.kernel, ...options });
  await server.register(async (api) => mount(api, [old], h.kernel), { prefix: '/api' });
  const ask = (headers: Record<string, string>) =>
    server.inject({ method: 'POST', url: '/api/old-thing/x', headers });
  const answers = [await ask({}), await ask({ 'x-api-key': h.key })];
  await server.close();
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([401, 400]);
  for (const { headers } of answers)
    expect(headers).toMatchObject({
      deprecation: `@${Date.UTC(2026, 10, 22) / 1000}`,
      sunset: 'Mon, 22 Nov 2027 00:00:00 GMT',
    });
});

test('no mounted endpoint ends sooner than its callers were promised', () => {
  const faults = h.app.features.routes.flatMap(({ id, endpoint }) => {
    const fault = endpoint.deprecated && faultOfNotice(endpoint.deprecated);
    return fault ? [`${id}: ${fault}`] : [];
  });
  expect(faults).toEqual([]);
  expect(faultOfNotice(deprecated)).toBeUndefined();
  expect(faultOfNotice({ ...deprecated, sunset: '2027-01-01' })).toMatch(/180 days/);
  expect(faultOfNotice({ ...deprecated, since: 'soon' })).toMatch(/none/);
  expect(faultOfNotice({ ...deprecated, instead: ' ' })).toMatch(/instead/);
});
