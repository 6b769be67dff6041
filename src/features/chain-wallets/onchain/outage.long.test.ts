// Long: a chain goes away at every step.

import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { ChainError, type ChainSender, type EvmNetwork } from '#chains/evm/port.ts';
import { exchangeRates } from '#providers/fx/adapter.ts';
import { harness } from '#test/harness.ts';
import { until } from '#test/until.ts';
import { fund, heldOf, walletOn } from '#test/wallets.ts';
import { createSends } from './sends.ts';

// Nobody listens there: a chain that is down.
const h = await harness({ config: { EVM_NEON_RPC_URL: 'http://127.0.0.1:9' } });
await h.drain();
const { evm } = h.app;
const TO = '0x52908400098527886E0F7030069857D2E4169EE7';
const request = { token_contract: 'native', to_address: TO, amount: '0.5' };
const onAmoy = { ...request, chain_id: 'amoy', token_symbol: 'POL' } as const;
const fx = exchangeRates({ url: () => `${h.app.sandboxUrl()}/fx`, clock: h.clock });
const open = (network: EvmNetwork) => createSends({ ...h.kernel, evm: network, fx });

async function owner(chain: 'amoy' | 'neon') {
  const as = await h.user();
  const [address] = await walletOn(h, as, chain);
  const { wallet_address } = address ?? { wallet_address: '' };
  if (chain === 'amoy') await fund(h, chain, wallet_address, 'native', '2');
  return { as, wallet_address };
}
const asked = (user_id: number) =>
  h.db.selectFrom('onchain_sends').selectAll().where('user_id', '=', user_id).execute();

const held = (wallet_address: string) => heldOf(h, wallet_address);

/** The chain as it is, but that one call of it. */
const amoyWith = (some: Partial<ChainSender>): EvmNetwork => {
  const sender = { ...evm.chains.amoy.sender, ...some };
  return { ...evm, chains: { ...evm.chains, amoy: { ...evm.chains.amoy, sender } } };
};

test('a chain that is down sends nothing and says when to try again', async () => {
  const { as, wallet_address } = await owner('neon');
  const body = { ...request, wallet_address, chain_id: 'neon', token_symbol: 'NEON' };
  const { status, body: answer, headers } = await h.send('POST /onchain/execute', { as, body });
  expect([status, answer.error.code]).toEqual([503, 'PROVIDER_UNAVAILABLE']);
  expect(headers.get('retry-after')).toBe('5');
  expect(await asked(as.user_id)).toEqual([]);
});

test('a price that nobody tells sends nothing, because the fee is not known', async () => {
  const { as, wallet_address } = await owner('amoy');
  await h.advance(3600);
  await h.sandbox('POST', '/faults', { provider: 'fx', kind: 'error', times: 100 });
  const body = { ...onAmoy, wallet_address };
  expect(await h.call('POST /onchain/execute', { as, body })).toMatchObject([
    503,
    { error: { code: 'PROVIDER_UNAVAILABLE' } },
  ]);
  await h.sandbox('DELETE', '/faults');
  expect((await h.call('POST /onchain/execute', { as, body }))[0]).toBe(201);
});

test('a chain that goes away before anything is signed leaves nothing to be sent later', async () => {
  const { as, wallet_address } = await owner('amoy');
  const away = open(
    amoyWith({ execute: () => Promise.reject(new ChainError('unreachable', 'gone')) }),
  );
  const operation = randomUUID();
  const body = { ...onAmoy, wallet_address };
  await expect(away.send(as.user_id, operation, body)).rejects.toMatchObject({
    code: 'PROVIDER_UNAVAILABLE',
    message: expect.stringMatching(/nothing was sent/),
  });
  expect(await asked(as.user_id)).toEqual([]);
  expect(await held(wallet_address)).toEqual([]);
  const { log } = await open(evm).send(as.user_id, operation, body);
  expect(log.amount).toBe('0.5');
});

test('a chain that goes away after signing leaves the send open, and it is ended later', async () => {
  const { as, wallet_address } = await owner('amoy');
  const { sender } = evm.chains.amoy;
  const away = open(
    amoyWith({
      async execute(transaction) {
        await sender.send(transaction);
        throw new ChainError('unreachable', 'gone');
      },
    }),
  );
  const body = { ...onAmoy, wallet_address };
  await expect(away.send(as.user_id, randomUUID(), body)).rejects.toMatchObject({
    code: 'PROVIDER_UNAVAILABLE',
  });
  expect(await asked(as.user_id)).toMatchObject([{ status: 'PENDING' }]);
  await h.advance(180);
  await until(h, async () => (await asked(as.user_id))[0]?.fee_status === 'PAID');
  expect(await asked(as.user_id)).toMatchObject([{ status: 'CONFIRMED', fee_status: 'PAID' }]);
});

test('a send that the chain may still do after all stays open', async () => {
  const { as, wallet_address } = await owner('amoy');
  const { sender } = evm.chains.amoy;
  const undone = open(
    amoyWith({
      execute: () => Promise.reject(new ChainError('reverted', 'no')),
      async find(reference) {
        const row = await sender.find(reference);
        return row && { ...row, status: 'REVERTED', is_final: false };
      },
    }),
  );
  const operation = randomUUID();
  const body = { ...onAmoy, wallet_address };
  const away = open(
    amoyWith({
      async execute(transaction) {
        await sender.send(transaction);
        throw new ChainError('unreachable', 'gone');
      },
    }),
  );
  const unknown = { code: 'PROVIDER_UNAVAILABLE' };
  await expect(away.send(as.user_id, operation, body)).rejects.toMatchObject(unknown);
  await expect(undone.send(as.user_id, operation, body)).rejects.toMatchObject(unknown);
  expect(await asked(as.user_id)).toMatchObject([{ status: 'PENDING' }]);
  const { log } = await open(evm).send(as.user_id, operation, body);
  expect(log.status).toBe('CONFIRMED');
});

test('a send that the chain undoes has failed, and stays so', async () => {
  const { as, wallet_address } = await owner('amoy');
  const refusing = open(
    amoyWith({ execute: () => Promise.reject(new ChainError('reverted', 'no')) }),
  );
  const operation = randomUUID();
  const body = { ...onAmoy, wallet_address };
  const refused = { code: 'PROVIDER_REJECTED' };
  await expect(refusing.send(as.user_id, operation, body)).rejects.toMatchObject(refused);
  await expect(open(evm).send(as.user_id, operation, body)).rejects.toMatchObject(refused);
  expect(await asked(as.user_id)).toMatchObject([
    { status: 'FAILED', fee_status: 'NONE', address_id: null },
  ]);
  expect(await held(wallet_address)).toEqual([]);
});
