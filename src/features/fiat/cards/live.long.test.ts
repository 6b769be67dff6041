// Long: the card network fails in every way at every step.

import { beforeEach, expect, test } from 'vitest';
import { verifyLedger } from '#kernel/ledger/verify.ts';
import {
  CVV,
  cardUser,
  DECLINED,
  EXPIRY,
  GOOD,
  houseBalance,
  networkBalance,
  POOR,
  SILENT,
  spoil,
} from '#test/cards.ts';
import { harness } from '#test/harness.ts';
import { sent } from '#test/statements.ts';

const h = await harness({ mock: false });
const someone = async () => cardUser(h, await h.user());
beforeEach(() => h.sandbox('DELETE', '/faults'));

const MINUTE = 60;
// Schedules count from their first run on.
await h.drain();
/** Lets minutes pass, and runs all that is due. */
const wait = async (minutes: number) => {
  await h.advance(minutes * MINUTE);
  await h.drain();
};
const inOrder = async () => {
  expect((await verifyLedger(h.db)).broken).toEqual([]);
  expect(await networkBalance(h, 'USD')).toBe(-(await houseBalance(h, 'card-settlement', 'USD')));
};

test('a checkout goes through the network and carries its references', async () => {
  const user = await someone();
  const [status, { data }] = await user.topUp('25.50');
  expect(status).toBe(200);
  const [seen] = await h.sandbox('GET', '/cards');
  expect(seen).toMatchObject({
    transactionIdentifier: data.transaction_identifier,
    approvalCode: data.approval_code,
    amount: '25.50',
    last4: '1111',
  });
  const [, found] = await user.reference(seen.rrn);
  expect(found.data.reference_id).toBe(data.reference_id);
  await inOrder();
});

test('a checkout reads its row once, when it has ended', async () => {
  const user = await someone();
  await user.topUp(1);
  sent.length = 0;
  await user.topUp(2);
  const read = sent.filter((text) => /^select .* from "card_transactions"/.test(text));
  expect(read).toHaveLength(1);
});

test('validation asks the issuer', async () => {
  const user = await someone();
  const ask = (card_number: string) =>
    user.post('card/validate', { card_number, expiry_date: EXPIRY, cvv: CVV });
  expect((await ask(GOOD))[0]).toBe(200);
  expect(await ask(DECLINED)).toMatchObject([400, { code: 'CARD_DECLINED' }]);
  await spoil(h, 'error');
  expect(await ask(GOOD)).toMatchObject([503, { code: 'PROVIDER_UNAVAILABLE' }]);
});

test.each([
  [DECLINED, 'DECLINED'],
  [POOR, 'INSUFFICIENT_FUNDS'],
])('card %s is declined with the reason %s', async (card, reason) => {
  const user = await someone();
  const again = await user.topUp(10, card, 'USD', 'declined');
  expect(again).toMatchObject([400, { code: 'CARD_DECLINED', details: { reason } }]);
  expect(await user.topUp(10, card, 'USD', 'declined')).toEqual(again);
  expect(await user.balance()).toEqual([0n, 0n]);
  await inOrder();
});

test.each(['commit-then-drop', 'delay'])(
  'an answer spoiled by %s costs no money: it is there at once',
  async (kind) => {
    const user = await someone();
    await spoil(h, kind);
    expect((await user.topUp(10))[0]).toBe(200);
    expect(await user.balance()).toEqual([9_70n, 0n]);
    await inOrder();
  },
);

test('the card whose issuer goes silent is charged and credited once', async () => {
  const user = await someone();
  expect((await user.topUp(10, SILENT))[0]).toBe(200);
  expect(await user.balance()).toEqual([9_70n, 0n]);
  await inOrder();
});

test.each(['refuse', 'drop', 'error'])(
  'a call that fails by %s is answered as open, and given up later',
  async (kind) => {
    const user = await someone();
    await spoil(h, kind);
    const [status, answer] = await user.topUp(10, GOOD, 'USD', kind);
    expect([status, answer.code, answer.details.status]).toEqual([
      503,
      'PROVIDER_UNAVAILABLE',
      'PENDING',
    ]);
    const { reference_id } = answer.details;
    expect(await user.reference(reference_id)).toMatchObject([
      200,
      { data: { status: 'PENDING' } },
    ]);
    // A repeated request finds the open one and does not charge the card again.
    expect(await user.topUp(10, GOOD, 'USD', kind)).toMatchObject([
      503,
      { details: { reference_id } },
    ]);
    await wait(16);
    expect(await user.reference(reference_id)).toMatchObject([200, { data: { status: 'FAILED' } }]);
    expect(await user.balance()).toEqual([0n, 0n]);
    // Now it is certain that nothing happened, and the same request may try again.
    expect((await user.topUp(10, GOOD, 'USD', kind))[0]).toBe(200);
    expect(await user.balance()).toEqual([9_70n, 0n]);
    await inOrder();
  },
);

test('a committed charge that could not be looked up is credited within minutes, once', async () => {
  const user = await someone();
  await spoil(h, 'commit-then-drop');
  await spoil(h, 'error', 2);
  const [status, answer] = await user.topUp(10, GOOD, 'USD', 'late');
  expect([status, answer.code]).toEqual([503, 'PROVIDER_UNAVAILABLE']);
  expect(await user.balance()).toEqual([0n, 0n]);
  await wait(2);
  await wait(2);
  await wait(2);
  expect(await user.balance()).toEqual([9_70n, 0n]);
  const again = await user.topUp(10, GOOD, 'USD', 'late');
  expect(again).toMatchObject([
    200,
    { data: { reference_id: answer.details.reference_id, status: 'SUCCESS_RECEIVED' } },
  ]);
  expect(await user.balance()).toEqual([9_70n, 0n]);
  await inOrder();
});

test('an open push or refund holds its money until the outcome is known', async () => {
  const user = await someone();
  const [, { data }] = await user.topUp(100);
  await spoil(h, 'error', 2);
  expect((await user.push(20))[0]).toBe(503);
  expect(await user.balance()).toEqual([97_00n, 20_00n]);
  await wait(16);
  expect(await user.balance()).toEqual([97_00n, 0n]);

  await spoil(h, 'commit-then-drop', 2);
  expect((await user.push(20))[0]).toBe(503);
  await wait(2);
  expect(await user.balance()).toEqual([77_00n, 0n]);

  await spoil(h, 'error', 2);
  expect((await user.refund(data.reference_id, 50))[0]).toBe(503);
  expect(await user.balance()).toEqual([77_00n, 48_50n]);
  expect(await user.refund(data.reference_id, 50)).toMatchObject([
    500,
    { code: 'ALREADY_REFUNDED' },
  ]);
  await wait(16);
  expect(await user.balance()).toEqual([77_00n, 0n]);
  expect((await user.refund(data.reference_id, 50))[0]).toBe(200);
  expect(await user.balance()).toEqual([28_50n, 0n]);
  await inOrder();
});

test('a charge that the network took back before our look-up credits nothing', async () => {
  const user = await someone();
  await spoil(h, 'commit-then-drop', 2);
  const [status, { details }] = await user.topUp(10);
  expect(status).toBe(503);
  const [{ transactionIdentifier }] = await h.sandbox('GET', '/cards');
  await h.sandbox('POST', `/cards/${transactionIdentifier}/status`, { status: 'REVERSED' });
  await wait(2);
  expect(await user.reference(details.reference_id)).toMatchObject([
    200,
    { data: { status: 'FAILED' } },
  ]);
  expect(await user.balance()).toEqual([0n, 0n]);
});

test('an unauthenticated callback is only a hint: the network is asked', async () => {
  const user = await someone();
  const [, { data }] = await user.topUp(10);
  const { transaction_identifier: transactionIdentifier, reference_id } = data;
  const call = (status: string) =>
    h.call('POST /card-checkout/card/callback', {
      as: 'nobody',
      body: { transactionIdentifier, status },
    });
  const shown = async () => (await user.reference(reference_id))[1].data.status;
  expect((await call('REVERSED'))[0]).toBe(200);
  expect(await shown()).toBe('COMPLETED');
  const answer = await h.sandbox('POST', `/cards/${transactionIdentifier}/status`, {
    status: 'CHARGEBACK',
  });
  expect(answer.delivered).toBe(true);
  expect(await shown()).toBe('CHARGEBACK');
  await spoil(h, 'error');
  // The network cannot answer now: the hint is stored, not believed, and tried again.
  expect((await call('COMPLETED'))[0]).toBe(200);
  expect(await shown()).toBe('CHARGEBACK');
  expect(await h.kernel.inboxes.stats(h.db)).toMatchObject([{ source: 'card-network', open: 1 }]);
  await h.advance(120);
  await h.drain();
  expect(await h.kernel.inboxes.stats(h.db)).toEqual([]);
  expect(await shown()).toBe('CHARGEBACK');
  await h.sandbox('POST', `/cards/${transactionIdentifier}/status`, { status: 'FAILED' });
  expect(await shown()).toBe('FAILED');
  expect(await user.balance()).toEqual([0n, 0n]);
  expect(h.logs.some((line) => line.includes('took back') && line.includes(reference_id))).toBe(
    true,
  );
});
