import { expect, test } from 'vitest';
import { verifyLedger } from '#kernel/ledger/verify.ts';
import { houseBalance } from '#test/cards.ts';
import { gatewayOf } from '#test/gateway-controls.ts';
import { type Body, harness } from '#test/harness.ts';
import { invoicesOf } from '#test/invoices.ts';
import { bankEnd } from '#test/payouts.ts';
import { ACCOUNT, bankRefunds, claimPageOf, strayMoney } from '#test/refunds.ts';

const h = await harness({ mock: false, config: { JWT_TTL: '10000000' } });
await h.drain();
const invoices = invoicesOf(h);
const gateway = gatewayOf(h);
const refunds = bankRefunds(h);
const { client_id } = await h.client();
const merchant = await h.user({ client_id });
const admin = await h.user({ role: 'admin', client_id });
const codeOf = ([status, { error }]: [number, Body]) => [status, error?.code];
const polled = async () => {
  await h.advance(660);
  await h.drain();
};
const read = async (unmatched_id: string): Promise<Body> =>
  (
    await h.call('GET /payment-gateway/unmatched/{unmatched_id}', {
      as: admin,
      params: { unmatched_id },
    })
  )[1].data;
const refund = (unmatched_id: string, body: object = {}, as = admin) =>
  invoices.resolve(as, unmatched_id, 'refund', body);
const owed = () => houseBalance(h, 'invoice-unmatched', 'IDR');

const stray = () => strayMoney(h, merchant, admin);

test('what pays no invoice goes back to a recipient, and is owed until the bank has it', async () => {
  const id = await stray();
  const recipient_id = await refunds.recipient(merchant);
  const before = await owed();
  const [status, { data }] = await refund(id, { recipient_id });
  expect([status, data]).toMatchObject([
    200,
    { status: 'REFUNDING', substatus: 'waiting_for_provider', owed: '20000.00', claim_url: null },
  ]);
  expect(await owed()).toBe(before);
  const other = await invoices.rupiah(merchant, { amount: '20000' });
  const assigned = await invoices.resolve(admin, id, 'assign', { invoice_id: other.invoice_id });
  expect(codeOf(assigned)).toEqual([409, 'INVALID_STATUS']);
  await bankEnd(h, data.refund_id, 'complete');
  await polled();
  expect(await read(id)).toMatchObject({ status: 'REFUNDED', owed: '0.00' });
  expect((await owed()) - before).toBe(-2_000_000n);
  await bankEnd(h, data.refund_id, 'reverse');
  await polled();
  expect(await read(id)).toMatchObject({ status: 'OPEN', owed: '20000.00' });
  expect(await owed()).toBe(before);
});

test('its payer names the account by a link; what the bank refuses is to be decided again', async () => {
  const id = await stray();
  const [, { data }] = await refund(id);
  expect(data.claim_url).toMatch(/\/claim\/[0-9a-f]{36}$/);
  expect((await claimPageOf(data.claim_url, ACCOUNT))[1]).toContain('IDR 20,000 is being paid');
  await bankEnd(h, data.refund_id, 'fail');
  await polled();
  expect(await read(id)).toMatchObject({ status: 'OPEN', owed: '20000.00' });
  const [, again] = await refund(id);
  await h.advance(15 * 86_400);
  await h.drain();
  expect(again.data.refund_id).not.toBe(data.refund_id);
  expect((await read(id)).status).toBe('OPEN');
});

test('of twenty refunds at once one is made', async () => {
  const id = await stray();
  const before = await owed();
  const answers = await Promise.all(Array.from({ length: 20 }, () => refund(id)));
  expect(answers.filter(([status]) => status === 200)).toHaveLength(1);
  const other = answers.find(([status]) => status !== 200) ?? [0, {}];
  expect(codeOf(other)).toEqual([409, 'INVALID_STATUS']);
  expect(await owed()).toBe(before);
});

test('another client’s money and recipients do not exist', async () => {
  const id = await stray();
  const stranger = await h.user({ role: 'admin' });
  expect(codeOf(await refund(id, {}, stranger))).toEqual([404, 'NOT_FOUND']);
  const theirs = await refunds.recipient(stranger);
  expect(codeOf(await refund(id, { recipient_id: theirs }))).toEqual([404, 'NOT_FOUND']);
  expect(codeOf(await refund(id, {}, merchant))).toEqual([403, 'FORBIDDEN']);
  expect((await read(id)).status).toBe('OPEN');
});

test('nothing is made or lost over all of this', async () => {
  expect((await verifyLedger(h.db)).broken).toEqual([]);
  expect(await gateway.balance()).toBe(-(await houseBalance(h, 'gateway', 'IDR')));
});
