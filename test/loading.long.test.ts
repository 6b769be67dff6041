import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { DEMO } from '#src/app/seed.ts';
import { callService, serviceStarter } from './service.ts';

const start = await serviceStarter();
const HOOK = pathToFileURL(join(import.meta.dirname, 'loads.mjs')).href;

/** Libraries loaded at their first use, since most services never use them. */
const LAZY = [
  '@emurgo/cardano-serialization-lib-nodejs',
  'xrpl',
  'ccxt',
  'plaid',
  'standardwebhooks',
  'minisearch',
  'ioredis',
  '@scalar/fastify-api-reference',
];

test('a service loads no unused library of ledgers and providers', async () => {
  const { api, sandbox, said, end } = await start({ NODE_OPTIONS: `--import=${HOOK}` });
  const loaded = () => [...said().matchAll(/^loads (\S+)$/gm)].map(([, name]) => name);
  const body = { usernameoremail: DEMO.user.email, password: DEMO.user.password };
  const [status, { data }] = await callService('POST /auth/login', api, { body });
  expect(status).toBe(200);
  const { token, user } = data;
  expect((await callService(`GET /wallets/fiat/${user.user_id}`, api, { token }))[0]).toBe(200);
  // The test sees those of a start, so it would see the others.
  expect(loaded()).toContain('pino');
  expect(loaded().filter((name) => LAZY.includes(name ?? ''))).toEqual([]);

  const give = (chain: string, address: string) =>
    fetch(`${sandbox}/faucet`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ chain, address, asset: 'native', amount: '20' }),
    });
  await give('cardano', 'addr_test1vz2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzerspjrlsz');
  await give('xrpl', 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe');
  expect(loaded()).toEqual(expect.arrayContaining([LAZY[0], LAZY[1]]));
  expect(await end('SIGTERM')).toBe(0);
});
