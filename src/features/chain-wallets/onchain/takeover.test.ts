import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { ChainFaultKind } from '#chains/evm/fault.ts';
import { ChainError, type ChainSender, type EvmNetwork } from '#chains/evm/port.ts';
import { exchangeRates } from '#providers/fx/adapter.ts';
import { harness } from '#test/harness.ts';
import { until } from '#test/until.ts';
import { gate } from '#test/waiting.ts';
import { fund, heldOf, walletOn } from '#test/wallets.ts';
import { createSends } from './sends.ts';

// A repeated Idempotency-Key carries on the operation of an attempt that may still run elsewhere.
const h = await harness();
await h.drain();
const { evm } = h.app;
const { sender } = evm.chains.amoy;
const fx = exchangeRates({ url: () => `${h.app.sandboxUrl()}/fx`, clock: h.clock });
const open = (network: EvmNetwork, rates = fx) =>
  createSends({ ...h.kernel, evm: network, fx: rates });
const amoyWith = (some: Partial<ChainSender>): EvmNetwork => ({
  ...evm,
  chains: { ...evm.chains, amoy: { ...evm.chains.amoy, sender: { ...sender, ...some } } },
});

async function order() {
  const as = await h.user();
  const [address] = await walletOn(h, as, 'amoy');
  const { wallet_address } = address ?? { wallet_address: '' };
  await fund(h, 'amoy', wallet_address, 'native', '3');
  const to_address = '0x52908400098527886E0F7030069857D2E4169EE7';
  const coin = { chain_id: 'amoy', token_symbol: 'POL', token_contract: 'native' } as const;
  const request = { ...coin, wallet_address, to_address, amount: '0.5' };
  const operation = randomUUID();
  const send = (network: EvmNetwork, rates = fx) =>
    open(network, rates).send(as.user_id, operation, request);
  const held = () => heldOf(h, wallet_address);
  const signed = () => sender.find(`onchain:${operation}`);
  return { send, held, signed };
}

test.each<[ChainFaultKind, string]>([
  ['unreachable', 'PROVIDER_UNAVAILABLE'],
  ['refused', 'PROVIDER_REJECTED'],
])('what one attempt gives up (%s) no other one signs', async (kind, code) => {
  const { send, held, signed } = await order();
  const before = gate();
  const slow = send(
    amoyWith({
      async execute(request) {
        await before.pass();
        return sender.execute(request);
      },
    }),
  );
  await before.reached;
  const failing = amoyWith({ execute: () => Promise.reject(new ChainError(kind, 'gone')) });
  await expect(send(failing)).rejects.toMatchObject({ code });
  before.open();
  await expect(slow).rejects.toMatchObject({ code });
  expect(await signed()).toBeUndefined();
  expect(await held()).toEqual([]);
});

test.each<ChainFaultKind>(['unreachable', 'refused'])(
  'what one attempt has signed no other one gives up (%s), however late it looked',
  async (kind) => {
    const { send, signed } = await order();
    const before = gate();
    // It looked at the journal before the other one signed, and acts on it afterwards.
    const stale = send(
      amoyWith({
        execute: () => Promise.reject(new ChainError(kind, 'gone')),
        async find(reference) {
          const row = await sender.find(reference);
          await before.pass();
          return row;
        },
      }),
    );
    await before.reached;
    const { transaction } = await send(evm);
    before.open();
    expect((await stale).transaction.hash).toBe(transaction.hash);
    expect((await signed())?.hash).toBe(transaction.hash);
    expect((await send(evm)).log.status).toBe('CONFIRMED');
  },
);

test('an attempt that begins after another one has ended sets nothing aside', async () => {
  const { send, held } = await order();
  const before = gate();
  const late = send(evm, {
    ...fx,
    async rate(...pair) {
      await before.pass();
      return fx.rate(...pair);
    },
  });
  await before.reached;
  const first = await send(evm);
  await until(h, async () => (await held()).length === 0);
  expect(await held()).toEqual([]);
  before.open();
  expect((await late).transaction.hash).toBe(first.transaction.hash);
  expect(await held()).toEqual([]);
});
