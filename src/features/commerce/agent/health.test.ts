import { expect, test } from 'vitest';
import { harness } from '#test/harness.ts';

const h = await harness();
const as = await h.user();
await Promise.all(Object.values(h.app.evm.chains).map((chain) => chain.client()));
const ask = () => h.call('GET /agent/health', { as });

test('the agent says how it stands, by what its model, database and chains answer', async () => {
  const checks = [
    'llm_configured',
    ...['sepolia', 'amoy', 'neon'].flatMap((chain) => [`usdc_${chain}`, `rpc_${chain}`]),
  ];
  expect(await ask()).toMatchObject([
    200,
    {
      success: true,
      message: expect.any(String),
      service_status: {
        database_connection: true,
        service_response: true,
        environment_checks: Object.fromEntries(checks.map((name) => [name, true])),
        fully_configured: true,
      },
    },
  ]);
});

test('many who ask cause one call to the model, and a model that is away is a 503', async () => {
  await h.advance(11);
  await h.sandbox('POST', '/faults', { provider: 'llm', kind: 'error' });
  const answers = await Promise.all(Array.from({ length: 10 }, ask));
  for (const answer of answers)
    expect(answer).toMatchObject([
      503,
      {
        success: false,
        error: {
          code: 'PROVIDER_UNAVAILABLE',
          details: { database_connection: true, service_response: false, fully_configured: false },
        },
      },
    ]);
  // One fault was armed, and one call has used it up.
  expect(await h.sandbox('GET', '/faults')).toEqual([]);
  await h.advance(11);
  expect((await ask())[0]).toBe(200);
});
