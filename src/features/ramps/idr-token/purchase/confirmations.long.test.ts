// Long: a chain takes blocks back.

import { expect, test } from 'vitest';
import { ChainError } from '#chains/evm/port.ts';
import { run } from '#kernel/db/db.ts';
import { freshAddress } from '#test/crosschain.ts';
import { gatewayOf } from '#test/gateway-controls.ts';
import { harness } from '#test/harness.ts';
import { broken, houseOf, mintRow, tokenUser } from '#test/idr-token.ts';
import { fund } from '#test/wallets.ts';
import { idrDeps } from '../idr-token.ts';
import { takeBackEffect } from '../refund/take-back.ts';

/** Its node stands for a public network's, which takes blocks back; what is our own never does. */
const network = await harness();
const h = await harness({
  config: {
    EVM_AMOY_RPC_URL: await network.app.evm.chains.amoy.url(),
    EVM_CONFIRMATIONS: '3',
    JWT_TTL: '10000000',
  },
});
await h.drain();
await blocks(1);
const gateway = gatewayOf(h);
await gateway.hold();
const user = tokenUser(h, await h.user());

/** Blocks on top of all that has happened so far. */
async function blocks(count: number): Promise<void> {
  for (let i = 0; i < count; i += 1) await fund(network, 'amoy', freshAddress(), 'native', '0.01');
}
const later = async () => {
  await h.advance(3600);
  await h.drain();
};

async function minted(): Promise<string> {
  const { referenceId } = await user.begun();
  await gateway.pay(referenceId);
  for (let tries = 0; tries < 5; tries += 1) {
    await h.drain();
    if ((await mintRow(h, referenceId)).status === 'MINTED') break;
    await h.advance(60);
  }
  expect((await mintRow(h, referenceId)).status).toBe('MINTED');
  return referenceId;
}

test('a mint succeeds with the configured number of confirmations', async () => {
  const referenceId = await minted();
  await later();
  expect(await user.statusOf('onramp', referenceId)).toBe('MINTED');
  await blocks(2);
  await later();
  expect(await user.statusOf('onramp', referenceId)).toBe('SUCCESS');
});

test('a mint that the chain has dropped is owed and minted again', async () => {
  const referenceId = await minted();
  const before = await houseOf(h);
  const { mint_tx_hash: first } = await mintRow(h, referenceId);
  // As the journal has it when it was undone in another block, and nothing changes that.
  await run(
    h.db,
    `update chain_transactions set status = 'REVERTED', is_final = true where reference = $1`,
    [`idr-mint:${referenceId}`],
  );
  await later();
  await later();
  await blocks(2);
  await later();
  const row = await mintRow(h, referenceId);
  expect([row.status, row.mint_tx_hash === first]).toEqual(['SUCCESS', false]);
  expect(await houseOf(h)).toEqual(before);
  const booked = await run<{ key: string }>(
    h.db,
    `select operation_key as key from ledger.transfers where operation_key like $1 order by transfer_id`,
    [`${referenceId}:%`],
  );
  expect(booked.map(({ key }) => key.replace(referenceId, ''))).toEqual([
    ':paid',
    ':minted:1',
    ':lost:1',
    ':minted:2',
  ]);
  expect(await broken(h)).toEqual([]);
});

test('a burn counts with the configured confirmations, and is not refused before', async () => {
  const walletAddress = freshAddress();
  await fund(network, 'amoy', walletAddress, 'IDRT', '50000');
  const { tx_hash: burnTxHash } = await network.sandbox('POST', '/chains/amoy/burn', {
    asset: 'IDRT',
    from: walletAddress,
    amount: '50000',
  });
  const body = { burnTxHash, walletAddress, amount: 50_000, bankId: await user.bank() };
  const more = { headers: { 'idempotency-key': 'deep' } };
  expect(await user.offramp(body, more)).toMatchObject([
    503,
    { success: false, code: 'NOT_READY', error: 'The burn has too few confirmations yet' },
  ]);
  await blocks(2);
  expect((await user.offramp(body, more))[0]).toBe(200);
});

test('a take-back that another attempt has signed is not paid from fees', async () => {
  const referenceId = await minted();
  await blocks(2);
  await later();
  const { mint_id } = await mintRow(h, referenceId);
  const body = { transactionType: 'MINT', transactionId: mint_id, reason: 'Asked for' };
  const admin = tokenUser(h, await h.operator());
  const before = await houseOf(h);
  expect((await admin.call('POST /idrtoken/admin/refund', { body }))[0]).toBe(503);
  const [{ refund_id = 0 } = {}] = await run<{ refund_id: number }>(
    h.db,
    'select refund_id from idr_refunds where mint_id = $1',
    [mint_id],
  );
  const { amoy } = h.app.evm.chains;
  const told = async () => Promise.reject(new ChainError('reverted', 'no tokens'));
  const sender = { ...amoy.sender, send: told, find: async () => undefined };
  const evm = { ...h.app.evm, chains: { ...h.app.evm.chains, amoy: { ...amoy, sender } } };
  const late = takeBackEffect(idrDeps({ ...h.kernel, ...h.app.providers, evm }));
  expect(await h.kernel.effects.drive(late, String(refund_id))).toMatchObject({ state: 'open' });
  expect(await houseOf(h)).toEqual(before);
  await blocks(2);
  await later();
  expect((await mintRow(h, referenceId)).payment_status).toBe('REFUNDED');
  expect(await houseOf(h)).toEqual({
    ...before,
    'idr-token-reserve': before['idr-token-reserve'] - 5_000_000n,
    'idr-token-fees': before['idr-token-fees'] + 1_000_000n,
  });
});

/** Asks the node itself. */
async function node(method: string, ...params: unknown[]): Promise<string> {
  const reply = await fetch(await network.app.evm.chains.amoy.url(), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return ((await reply.json()) as { result: string }).result;
}

/** The next moment of that weekday and hour in Jakarta. */
async function waitUntil(weekday: number, hour: number): Promise<void> {
  const at = h.clock.now();
  const then = new Date(at);
  then.setUTCHours(hour - 7, 0, 0, 0);
  while (then <= at || then.getUTCDay() !== weekday) then.setUTCDate(then.getUTCDate() + 1);
  await h.advance(Math.ceil((then.getTime() - at.getTime()) / 1000));
  await h.drain();
}

test('a burn that is rolled back before office hours is not paid', async () => {
  await waitUntil(6, 12);
  const walletAddress = freshAddress();
  await fund(network, 'amoy', walletAddress, 'IDRT', '300000000');
  const checkpoint = await node('evm_snapshot');
  const { tx_hash: burnTxHash } = await network.sandbox('POST', '/chains/amoy/burn', {
    asset: 'IDRT',
    from: walletAddress,
    amount: '300000000',
  });
  await blocks(2);
  const bankId = await user.bank({ accountNumber: '99999999' });
  const burn = { burnTxHash, walletAddress, amount: 300_000_000, bankId };
  const [status, { data }] = await user.offramp(burn);
  expect([status, data.status]).toEqual([200, 'PENDING']);
  await node('evm_revert', checkpoint);
  await node('anvil_mine', '0x5');
  await waitUntil(1, 9);
  expect(await user.statusOf('offramp', data.referenceId)).toBe('PENDING');
  const asked = await run(h.db, 'select state from payouts where reference = $1', [
    data.referenceId,
  ]);
  expect(asked).toEqual([]);
  expect(await h.kernel.sagas.find(h.db, data.referenceId)).toMatchObject({ state: 'prove' });
});
