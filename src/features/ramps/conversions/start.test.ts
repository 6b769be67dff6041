import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { payInvoice } from '#sandbox/providers/gateway/simulated-invoices.ts';
import { createRecords } from '#sandbox/records.ts';
import { converting, EVM_ADDRESS, giveRupiah, misbehave, wrongBooks } from '#test/conversions.ts';
import { harness } from '#test/harness.ts';

const h = await harness({ mock: false });
await h.drain();
afterEach(async () => {
  await h.sandbox('DELETE', '/faults');
  expect(await wrongBooks(h)).toEqual([]);
});

const sandboxRecords = createRecords(h.db);
/** The gateway holds so many rupiah more than the ledger says. */
async function stray(rupiah: number): Promise<void> {
  await sandboxRecords.insert('gateway', 'account', 'IDR', { balance: 0 });
  await sandboxRecords.update<{ balance: number }>('gateway', 'account', 'IDR', ({ balance }) => ({
    balance: balance + rupiah,
  }));
}

describe('before money leaves, ledger and gateway are compared', () => {
  test('a mismatch stops the disbursement, and is stored with both sides', async () => {
    const user = await converting(h);
    await stray(7);
    const [status, body] = await user.start(300_000);
    expect([status, body]).toEqual([
      403,
      {
        success: false,
        error_code: 'RECONCILIATION_FAILED',
        message: 'Ledger and gateway balance do not match',
        details: {
          ledger_balance: expect.any(Number),
          psp_balance: expect.any(Number),
          difference_amount: expect.any(Number),
        },
        reconciliation_id: expect.any(Number),
        hint: expect.any(String),
        doc_url: expect.stringMatching(/RECONCILIATION_FAILED$/),
        timestamp: expect.any(String),
        request_id: expect.any(String),
      },
    ]);
    const { reconciliation_id, details } = body;
    expect(details.ledger_balance - details.psp_balance).toBe(details.difference_amount);
    const kept = await h.db
      .selectFrom('conversion_reconciliations')
      .select(['status', 'requires_admin_attention'])
      .where('reconciliation_id', '=', reconciliation_id)
      .executeTakeFirst();
    expect(kept).toEqual({ status: 'MISMATCH', requires_admin_attention: true });
    expect((await user.wallet()).held).toBe(0n);
    await stray(-7);
    expect((await user.start(300_000))[0]).toBe(200);
  });

  test('unbooked pay-outs that the gateway has deducted are no mismatch', async () => {
    const user = await converting(h);
    expect((await user.start(300_000))[0]).toBe(200);
    const [, { data }] = await user.start(300_000);
    expect(data.reconciliation).toEqual({
      reconciliation_id: expect.any(Number),
      status: 'MATCHED',
      requires_admin_attention: false,
    });
    // Money in flight may be that of other tenants: the operator alone sees it.
    const params = { job_id: data.job_id };
    const [, seen] = await h.call('GET /exchange/conversion/status/{job_id}', {
      as: await h.operator(),
      params,
    });
    expect(seen.data.reconciliation.in_flight.going_out_idr).toBeGreaterThanOrEqual(300_000);
  });

  test('unreported payments are no mismatch', async () => {
    const user = await converting(h);
    const [, { data: purchase }] = await h.call('POST /idrtoken/onramp/initiate', {
      as: user.as,
      body: { amount: 50_000_000, paymentMethod: 'QRIS', walletAddress: EVM_ADDRESS },
    });
    const path = `/gateway/payments/${purchase.referenceId}/pay`;
    await h.sandbox('POST', path);
    expect((await user.start(300_000))[1].data.reconciliation).toMatchObject({
      status: 'MATCHED',
      requires_admin_attention: false,
    });
    await h.drain();
  });

  test('a payment of another sum is no mismatch, and needs a person at once', async () => {
    const user = await converting(h);
    const [, { data: purchase }] = await h.call('POST /idrtoken/onramp/initiate', {
      as: user.as,
      body: { amount: 50_000_000, paymentMethod: 'QRIS', walletAddress: EVM_ADDRESS },
    });
    await payInvoice(
      { records: createRecords(h.db), clock: h.clock },
      purchase.referenceId,
      49_000_000,
    );
    expect((await user.start(300_000))[1].data.reconciliation).toMatchObject({
      status: 'MATCHED',
      requires_admin_attention: true,
    });
    await h.drain();
    const [, { data }] = await h.call('GET /desk/work', { as: await h.operator() });
    expect(data.unmatched).toMatchObject([{ rail: 'idr_token', reason: 'UNDERPAID' }]);
    expect((await user.start(200_000))[1].data.reconciliation).toMatchObject({
      status: 'MATCHED',
      requires_admin_attention: false,
    });
  });

  test('a disbursement is estimated by the latest fees', async () => {
    const user = await converting(h);
    const [, { data }] = await user.start(500_000);
    const { estimate } = data;
    expect(Number(estimate.usdc_bought)).toBeGreaterThan(25);
    expect(Object.keys(estimate).sort()).toEqual([
      ...['exchange_fee_usdc', 'network_fee_usdc', 'usdc_arriving', 'usdc_bought'],
    ]);
  });

  test('a shortage is found with any amount of pay-outs in flight', async () => {
    const user = await converting(h);
    expect((await user.start(700_000))[0]).toBe(200);
    for (const missing of [1, 100_000]) {
      await stray(-missing);
      const [status, { details }] = await user.start(300_000);
      expect([status, details.difference_amount]).toEqual([403, missing]);
      await stray(missing);
    }
    expect((await user.start(300_000))[0]).toBe(200);
  });

  test('an unexplained surplus is found with any amount of open payments', async () => {
    const user = await converting(h);
    const body = { amount: 50_000_000, paymentMethod: 'QRIS', walletAddress: EVM_ADDRESS };
    expect((await h.call('POST /idrtoken/onramp/initiate', { as: user.as, body }))[0]).toBe(200);
    await stray(7);
    expect((await user.start(300_000))[0]).toBe(403);
    await stray(-7);
    expect((await user.start(300_000))[0]).toBe(200);
  });

  test('a payment with a lost call-back explains the difference and is booked', async () => {
    const user = await converting(h);
    const [, { data: purchase }] = await h.call('POST /idrtoken/onramp/initiate', {
      as: user.as,
      body: { amount: 50_000_000, paymentMethod: 'QRIS', walletAddress: EVM_ADDRESS },
    });
    const late = { provider: 'gateway', kind: 'late-callback', ms: 120_000 };
    await h.sandbox('POST', '/faults', late);
    await h.sandbox('POST', `/gateway/payments/${purchase.referenceId}/pay`);
    await h.advance(3 * 3600);
    expect((await user.start(300_000))[0]).toBe(200);
    await h.drain();
    const params = { reference_id: purchase.referenceId };
    const [, { data }] = await h.call('GET /idrtoken/onramp/status/{reference_id}', {
      as: user.as,
      params,
    });
    expect(data.status).not.toBe('PENDING');
  });

  test('a shortage of one rupiah beyond the pay-outs in flight is a mismatch', async () => {
    const user = await converting(h);
    await stray(-1);
    expect((await user.start(300_000))[1].error_code).toBe('RECONCILIATION_FAILED');
    await stray(1);
    expect((await user.start(300_000))[0]).toBe(200);
  });

  test('a gateway without a balance stops the disbursement', async () => {
    const user = await converting(h);
    await misbehave(h, 'gateway', 'error', 9);
    expect(await user.start(300_000)).toMatchObject([503, { error_code: 'PROVIDER_UNAVAILABLE' }]);
    expect((await user.wallet()).held).toBe(0n);
  });
});

const refusals = [
  ['199999.99', 400, 'AMOUNT_BELOW_MINIMUM'],
  [199_999, 400, 'AMOUNT_BELOW_MINIMUM'],
  ['200000.50', 400, 'VALIDATION_ERROR'],
  ['200000.001', 400, 'VALIDATION_ERROR'],
  [1_000_001, 400, 'INSUFFICIENT_BALANCE'],
  [0, 400, 'AMOUNT_BELOW_MINIMUM'],
  [-5, 400, 'VALIDATION_ERROR'],
  ['x', 400, 'VALIDATION_ERROR'],
  [undefined, 400, 'VALIDATION_ERROR'],
] as const;

test.each(refusals)(
  '%j rupiah are refused with %i %s, and nothing is set aside',
  async (...row) => {
    const [amount, status, code] = row;
    const user = await converting(h);
    const [told, body] = await user.start(amount);
    expect([told, body]).toMatchObject([
      status,
      {
        success: false,
        error_code: code,
        message: expect.any(String),
        timestamp: expect.anything(),
      },
    ]);
    expect(await user.wallet()).toEqual({ posted: 1_000_000_00n, held: 0n });
  },
);

test('the minimum is named, and accepted', async () => {
  const user = await converting(h, { rupiah: '200000' });
  const [, body] = await user.start(100);
  expect(body.details).toEqual({ minimum_amount: 200_000 });
  expect((await user.start('200000.00'))[0]).toBe(200);
});

test('only an own wallet in rupiah is debited', async () => {
  const [user, other] = [await converting(h), await converting(h)];
  const start = (wallet_id: unknown) =>
    h.call('POST /exchange/disbursement/start', {
      as: user.as,
      body: { wallet_id, amount_idr: 300_000 },
    });
  expect(await start(other.wallet_id)).toMatchObject([404, { error_code: 'WALLET_NOT_FOUND' }]);
  expect(await start('x')).toMatchObject([400, { error_code: 'VALIDATION_ERROR' }]);
  const body = { currency: 'USD' };
  const [, { data }] = await h.call('POST /wallets/fiat', { as: user.as, body });
  expect(await start(data.wallet_id)).toMatchObject([400, { error_code: 'VALIDATION_ERROR' }]);
});

test('twenty concurrent starts with money for one make one job', async () => {
  const user = await converting(h, { rupiah: '250000' });
  const answers = await Promise.all(Array.from({ length: 20 }, () => user.start(200_000)));
  const refused = answers.filter(([status]) => status !== 200);
  expect(refused).toHaveLength(19);
  for (const [status, { error_code }] of refused)
    expect([status, error_code]).toEqual([400, 'INSUFFICIENT_BALANCE']);
  expect(await user.wallet()).toEqual({ posted: 250_000_00n, held: 200_000_00n });
});

test('a repeated request, also concurrently, is one job', async () => {
  const user = await converting(h);
  const answers = await Promise.all([1, 2, 3].map(() => user.start(300_000, 'one key')));
  const [, first] = answers.find(([status]) => status === 200) ?? [];
  const [, again] = await user.start(300_000, 'one key');
  expect(again.data).toEqual(first.data);
  expect((await user.wallet()).held).toBe(300_000_00n);
});

test('the audit log names who started a job', async () => {
  const user = await converting(h);
  const [, { data }] = await user.start(300_000);
  const noted = await h.db
    .selectFrom('activity_log')
    .select(['action', 'actor_user_id', 'details'])
    .where('subject_user_id', '=', user.as.user_id)
    .where('action', 'like', 'CONVERSION%')
    .orderBy('id')
    .execute();
  const details = { job_id: data.job_id, reference_id: data.reference_id, units: '30000000' };
  expect(noted).toEqual([
    { action: 'CONVERSION_STARTED', actor_user_id: user.as.user_id, details },
    {
      action: 'CONVERSION_DISBURSED',
      actor_user_id: null,
      details: { ...details, disbursement_id: data.disbursement_id },
    },
  ]);
});

test('a refused pay-out fails the job and releases its money', async () => {
  const gateway = createServer((request, response) => {
    const status = request.method === 'GET' ? 200 : 400;
    const read = request.url?.startsWith('/balance') ? { balance: 0 } : [];
    const told = status === 200 ? read : { error_code: 'CHANNEL_CODE_NOT_SUPPORTED_ERROR' };
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(told));
  });
  await new Promise<void>((listening) => gateway.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void gateway.close());
  const { port } = gateway.address() as AddressInfo;
  const config = { GATEWAY_URL: `http://127.0.0.1:${port}` };
  const elsewhere = await harness({ mock: false, config });
  const user = await converting(elsewhere);
  const [status, body] = await user.start(300_000);
  expect([status, body]).toMatchObject([
    500,
    { error_code: 'DISBURSEMENT_FAILED', details: { job_id: expect.any(Number) } },
  ]);
  expect(await user.status(body.details.job_id)).toMatchObject({
    status: 'FAILED',
    reason: { code: body.details.code },
  });
  expect(await user.wallet()).toEqual({ posted: 1_000_000_00n, held: 0n });
});

test('later money can be sent, too', async () => {
  const user = await converting(h, { rupiah: '0' });
  expect((await user.start(200_000))[0]).toBe(400);
  await giveRupiah(h, user.as.user_id, '200000');
  expect((await user.start(200_000))[0]).toBe(200);
});
