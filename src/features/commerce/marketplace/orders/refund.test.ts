import { expect, test } from 'vitest';
import { rpcSetting } from '#chains/evm/chain-setting.ts';
import { ChainError, type EvmNetwork } from '#chains/evm/port.ts';
import { emittedEvents } from '#test/emitted-events.ts';
import { harness } from '#test/harness.ts';
import { booked, look, payerOn, paymentDesk, shopper } from '#test/marketplace.ts';
import { node } from '#test/strangers.ts';
import { until } from '#test/until.ts';
import { proveKey } from '#test/wallet-proofs.ts';
import { createRefundEffect } from './refund.ts';

/** A node of somebody else's, which takes blocks back: what our own tell us is final at once. */
const host = await harness();
const url = await host.app.evm.chains.sepolia.url();
const h = await harness({
  mock: false,
  config: { [rpcSetting('sepolia')]: url, EVM_CONFIRMATIONS: '3', JWT_TTL: '1000000' },
});
const { sepolia } = h.app.evm.chains;
const mine = (blocks: number) => node(sepolia, 'anvil_mine', `0x${blocks.toString(16)}`);

/** A payer outside, whose user has an order: a chain is read only while someone is to pay there. */
async function awaitedPayer() {
  const [payer, owner] = [await payerOn(h, 'sepolia'), await h.user()];
  await proveKey(h, owner, payer.key);
  await shopper(h, owner).ordered(payer.address);
  return payer;
}

/** The network as an attempt sees it that is told no, and has asked the journal before another one has signed. */
function refusing(evm: EvmNetwork): EvmNetwork {
  const told = async () => Promise.reject(new ChainError('insufficient_funds', 'no coins'));
  const sender = { ...sepolia.sender, execute: told, find: async () => undefined };
  return { ...evm, chains: { ...evm.chains, sepolia: { ...sepolia, sender } } };
}

test('a refund that one attempt has signed stays in flight when another attempt is refused', async () => {
  // Of its own, because a log-in does not stay fresh for as long as a refund takes.
  const desk = await paymentDesk(h);
  const payer = await awaitedPayer();
  await look(h);
  const hash = await payer.pay('MKT-1700000000000-bbbbbbbb', 22n);
  await mine(3);
  await look(h);
  const { payment_id } = await desk.find(hash);
  expect((await desk.refund(payment_id))[1].payment.refund).toBe('SENDING');
  const late = createRefundEffect({ evm: refusing(h.app.evm) });
  const { effects } = h.kernel;
  expect(await effects.drive(late, String(payment_id))).toMatchObject({ state: 'open' });
  expect(await desk.row(payment_id)).toMatchObject({ refund: 'SENDING', refund_attempt: 1 });
  await mine(3);
  await h.advance(1801);
  await until(h, async () => (await desk.row(payment_id))?.refund === 'SENT');
  expect(await desk.row(payment_id)).toMatchObject({ refund: 'SENT', sent_units: 22n });
});

test('a refund counts as sent with its confirmations and not before, and leaves once', async () => {
  const desk = await paymentDesk(h);
  const payer = await awaitedPayer();
  await look(h);
  const hash = await payer.pay('MKT-1700000000000-aaaaaaaa', 21n);
  await mine(3);
  await look(h);
  const { payment_id } = await desk.find(hash);
  const refunds = await booked(h, 'refunds');
  const [status, { payment }] = await desk.refund(payment_id);
  expect([status, payment.refund]).toEqual([200, 'SENDING']);
  expect(await booked(h, 'refunds')).toBe(refunds);
  const sent = await sepolia.sender.find(`marketplace-refund:${payment_id}:1`);
  expect(sent?.status).toBe('CONFIRMED');
  await mine(1);
  await h.advance(61);
  await h.drain();
  expect(await desk.row(payment_id)).toMatchObject({ refund: 'SENDING', sent_units: 0n });
  await mine(1);
  // The job's pause has grown.
  await h.advance(1801);
  await until(h, async () => (await desk.row(payment_id))?.refund === 'SENT');
  expect(await desk.row(payment_id)).toMatchObject({
    refund: 'SENT',
    sent_units: 21n,
    refund_tx_hash: sent?.hash,
  });
  expect(await booked(h, 'refunds')).toBe(refunds - 21n);
  const told = await emittedEvents(h, 'marketplace_payment', payment_id);
  expect(told.map(({ type }) => type)).toEqual([
    'marketplace_payment.unmatched',
    'marketplace_payment.refund_started',
    'marketplace_payment.refunded',
  ]);
  const client = await sepolia.client();
  const nonce = await client.getTransactionCount({ address: h.app.evm.keys.treasury.address });
  expect(nonce).toBe(Number(sent?.nonce) + 1);
});
