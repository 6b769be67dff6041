import { beforeEach, describe, expect, test } from 'vitest';
import { idrDeps } from '#features/ramps/idr-token/idr-token.ts';
import { redemptionFlow } from '#features/ramps/idr-token/redemption/bank-flow.ts';
import { run } from '#kernel/db/db.ts';
import { done } from '#kernel/effects/outcome.ts';
import { correcting } from '#test/adjustments.ts';
import { houseBalance } from '#test/cards.ts';
import { gatewayOf } from '#test/gateway-controls.ts';
import { harness } from '#test/harness.ts';
import { broken, houseOf } from '#test/idr-token.ts';
import { bankEnd, payersOf, payoutState, redemption } from '#test/payouts.ts';
import type { PayoutDeps } from './deps.ts';
import { pollPayout } from './poll.ts';

/** Against the simulated gateway, which pays out what it had called failed. */
const h = await harness({ mock: false });
await h.drain();
const gateway = gatewayOf(h);
const payers = payersOf(h);
const operator = await h.operator();
beforeEach(() => gateway.calm());

const disputed = () => houseBalance(h, 'payout-disputed', 'IDR');
const losses = () => houseBalance(h, 'payout-losses', 'IDR');
async function inOrder() {
  expect(await broken(h)).toEqual([]);
  expect(await gateway.balance()).toBe(-(await houseOf(h)).gateway);
}
async function idOf(reference: string): Promise<number> {
  const text = 'select redeem_id from idr_redeems where reference_id = $1';
  return (await run<{ redeem_id: number }>(h.db, text, [reference]))[0]?.redeem_id ?? 0;
}
const refund = async (reference: string) =>
  h.call('POST /idrtoken/admin/refund', {
    as: operator,
    body: { transactionType: 'REDEEM', transactionId: await idOf(reference), reason: 'It failed' },
  });
async function failed() {
  const { user, reference } = await redemption(h);
  await bankEnd(h, reference, 'fail');
  const status = async () => (await user.status('offramp', reference))[1].data;
  expect(await status()).toMatchObject({ status: 'FAILED', bankTransferStatus: 'FAILED' });
  return { user, reference, status };
}
/** All that was posted so far. */
const moves = () =>
  run<{ key: string }>(h.db, 'select operation_key as key from ledger.transfers', []);
const twice = async (reference: string) => {
  const [, { data }] = await h.call('GET /desk/work', { as: operator });
  const all: { payment: string }[] = data.returned_twice;
  return all.filter(({ payment }) => payment === `payout:${reference}`);
};
const writeOff = (reference: string) =>
  h.call('POST /card-checkout/returned-twice/write-off', {
    as: operator,
    body: { payment: `payout:${reference}` },
  });

test('a late payment completes a failed redemption once, and ends refunds', async () => {
  const { user, reference, status } = await failed();
  await bankEnd(h, reference, 'complete-late');
  expect(await status()).toMatchObject({ status: 'COMPLETED', bankTransferStatus: 'COMPLETED' });
  expect(await payoutState(h, reference)).toBe('PAID');
  const said = { reference_id: reference, status: 'SUCCEEDED', id: 'disb-again' };
  const body = { event: 'payout.succeeded', data: said };
  for (let n = 0; n < 5; n += 1)
    await h.call('POST /idrtoken/callback/transfer', { as: 'nobody', body });
  await h.drain();
  expect(await refund(reference)).toMatchObject([400, { code: 'INVALID_STATUS' }]);
  expect(await user.balance()).toBe(0n);
  expect(await twice(reference)).toEqual([]);
  await inOrder();
  await bankEnd(h, reference, 'reverse');
  expect(await status()).toMatchObject({ status: 'FAILED', bankTransferStatus: 'RETURNED' });
  expect((await refund(reference))[0]).toBe(200);
  await inOrder();
});

test('a call-back is verified at the gateway, whose answer counts', async () => {
  const { reference, status } = await failed();
  const said = { reference_id: reference, status: 'SUCCEEDED', id: 'disb-lie' };
  const body = { event: 'payout.succeeded', data: said };
  await h.call('POST /idrtoken/callback/transfer', { as: 'nobody', body });
  await h.drain();
  expect(await status()).toMatchObject({ status: 'FAILED', bankTransferStatus: 'FAILED' });
  await inOrder();
});

test('an answer from before the booked failure undoes nothing', async () => {
  const { user, reference } = await redemption(h);
  const { gateway: real } = h.app.providers;
  const early: PayoutDeps = {
    ...h.kernel,
    gateway: {
      ...real,
      async findPayout(...asked) {
        const told = await real.findPayout(...asked);
        await bankEnd(h, reference, 'fail');
        expect(await payoutState(h, reference)).toBe('FAILED');
        if (told.kind !== 'done' || !told.value) throw new Error('The gateway knows nothing of it');
        return done({ ...told.value, status: 'COMPLETED' });
      },
    },
    payerOf: () => redemptionFlow(idrDeps({ ...h.kernel, ...h.app.providers })).payer,
  };
  expect(await pollPayout(early, reference)).toMatchObject({ value: { status: 'COMPLETED' } });
  expect(await payoutState(h, reference)).toBe('FAILED');
  expect((await user.status('offramp', reference))[1].data.status).toBe('FAILED');
  await inOrder();
});

test('a refund asks the gateway first, and refunds no late payment', async () => {
  const { user, reference, status } = await failed();
  await gateway.spoil('late-callback', 1, 120_000);
  expect(await gateway.end(reference, 'complete-late')).toMatchObject({ delivered: false });
  expect(await refund(reference)).toMatchObject([400, { code: 'INVALID_STATUS' }]);
  expect(await status()).toMatchObject({ status: 'COMPLETED' });
  expect(await user.balance()).toBe(0n);
  await inOrder();
});

test('a refund waits for an unreachable gateway', async () => {
  const { user, reference } = await failed();
  await gateway.spoil('error', 100);
  expect(await refund(reference)).toMatchObject([503, { code: 'NOT_READY' }]);
  expect(await user.balance()).toBe(0n);
  await gateway.calm();
  expect((await refund(reference))[0]).toBe(200);
  await inOrder();
});

test('a refund waits while the transfer is in flight again', async () => {
  const { user, reference } = await failed();
  const text = `update sandbox.records set data = data || '{"status": "ACCEPTED"}'
    where provider = 'gateway' and kind = 'payout' and id = $1`;
  await run(h.db, text, [reference]);
  expect(await refund(reference)).toMatchObject([503, { code: 'NOT_READY' }]);
  expect(await user.balance()).toBe(0n);
});

test('a late payment after a refund is a claim, which the bank’s return ends', async () => {
  const { user, reference, status } = await failed();
  expect((await refund(reference))[0]).toBe(200);
  const [before, balance] = [await disputed(), await user.balance()];
  await bankEnd(h, reference, 'complete-late');
  const { netAmount = 0 } = await status();
  expect(netAmount).toBeGreaterThan(0);
  expect(await twice(reference)).toMatchObject([{ currency: 'IDR', amount: `${netAmount}.00` }]);
  expect(await disputed()).toBe(before - BigInt(netAmount) * 100n);
  expect(await status()).toMatchObject({ status: 'FAILED', bankTransferStatus: 'REFUNDED' });
  await inOrder();
  await bankEnd(h, reference, 'reverse');
  expect(await payoutState(h, reference)).toBe('RETURNED');
  expect(await twice(reference)).toEqual([]);
  expect(await disputed()).toBe(before);
  expect(await user.balance()).toBe(balance);
  await inOrder();
});

test('a claim can be written off once, and a later return makes up for it', async () => {
  const { reference } = await failed();
  await refund(reference);
  const before = [await disputed(), await losses()];
  await bankEnd(h, reference, 'complete-late');
  const answers = await Promise.all(Array.from({ length: 5 }, () => writeOff(reference)));
  expect(answers.map(([code]) => code).sort()).toEqual([200, 404, 404, 404, 404]);
  expect(await twice(reference)).toEqual([]);
  expect(await disputed()).toBe(before[0]);
  expect(await losses()).toBeLessThan(before[1] ?? 0n);
  await inOrder();
  await bankEnd(h, reference, 'reverse');
  expect([await disputed(), await losses()]).toEqual(before);
  await inOrder();
});

test('twenty refunds and a concurrent late completion count once', async () => {
  const { user, reference } = await failed();
  const before = await disputed();
  const asked = Array.from({ length: 20 }, () => refund(reference));
  const [answers] = await Promise.all([
    Promise.all(asked),
    gateway.end(reference, 'complete-late'),
  ]);
  await h.drain();
  const refunded = answers.filter(([code]) => code === 200).length;
  expect(refunded).toBeLessThanOrEqual(1);
  expect(await twice(reference)).toHaveLength(refunded);
  expect((await user.balance()) > 0n).toBe(refunded === 1);
  expect((await disputed()) < before).toBe(refunded === 1);
  expect(await payoutState(h, reference)).toBe('PAID');
  await inOrder();
});

describe.each(['xrpl', 'cardano', 'conversions'] as const)('a pay-out of %s', (name) => {
  test('that is paid after its failure is a claim', async () => {
    const payout = await payers[name]();
    await bankEnd(h, payout.reference, 'fail');
    const shown = await payout.shown();
    await bankEnd(h, payout.reference, 'complete-late');
    expect(await payout.shown()).toEqual(shown);
    expect(await twice(payout.reference)).toHaveLength(1);
    await inOrder();
    await bankEnd(h, payout.reference, 'reverse');
    expect(await payout.shown()).toEqual(shown);
    expect(await twice(payout.reference)).toEqual([]);
    await inOrder();
  });

  test('that fails refunds its money once for all call-backs', async () => {
    const payout = await payers[name]();
    await bankEnd(h, payout.reference, 'fail');
    const shown = await payout.shown();
    const before = await moves();
    const said = (status: string) => ({ reference_id: payout.reference, status, id: 'disb-x' });
    const calls = Array.from({ length: 20 }, (_, n) =>
      h.call('POST /idrtoken/callback/transfer', {
        as: 'nobody',
        body: { event: 'payout.failed', data: said(n % 2 === 0 ? 'FAILED' : 'REVERSED') },
      }),
    );
    await Promise.all(calls);
    await h.drain();
    expect(await payout.shown()).toEqual(shown);
    expect(await moves()).toEqual(before);
    await inOrder();
  });
});

test('no ledger correction reverses a payment with a refund of its own', async () => {
  const { propose } = await correcting(h);
  const kinds = await run<{ key: string; kind: string }>(
    h.db,
    `select min(operation_key) as key, kind from ledger.transfers
     where kind ~ '^(xrpl|cardano|conversion|idr|payout)-' group by kind`,
    [],
  );
  expect(kinds.length).toBeGreaterThan(10);
  for (const { key, kind } of kinds) {
    const [status, body] = await propose(operator, { kind: 'reversal', of: key });
    expect([kind, status, body.error?.code]).toEqual([kind, 409, 'NOT_REVERSIBLE']);
  }
});

// Last: the proof of the operator’s log-in is too old afterwards.
test('a completion without a call-back is found by a poll', async () => {
  const { reference, status } = await failed();
  await gateway.spoil('late-callback', 2, 120_000);
  expect(await gateway.end(reference, 'complete-late')).toMatchObject({ delivered: false });
  await h.advance(2 * 3600);
  await h.drain();
  expect(await status()).toMatchObject({ status: 'COMPLETED' });
  await inOrder();
});
