import { describe, expect, it } from 'vitest';
import { doneBy, newReference, payoutWish, testGateway } from '#test/gateway.ts';
import { PAYMENT_METHODS } from './port.ts';
import { xendit } from './xendit.ts';

const { sandbox, settings, gateway, wish, payment, pay, expire, endPayout, kept } =
  await testGateway();
const balance = async () => doneBy(await gateway.balance());

describe('a payment', () => {
  it('that concurrent requests made twice is the oldest one, and ends with all of them', async () => {
    const asked = wish();
    const all = await Promise.all(Array.from({ length: 3 }, () => gateway.createPayment(asked)));
    const found = doneBy(await gateway.findPayment(asked.reference));
    expect(all.map((made) => doneBy(made).id)).toContain(found?.id);
    expect(doneBy(await gateway.expirePayment(asked.reference)).status).toBe('EXPIRED');
    const invoices = await kept('invoice', asked.reference);
    expect(invoices.every((one) => 'status' in one && one.status === 'EXPIRED')).toBe(true);
  });

  it('can be looked up by its reference', async () => {
    const asked = wish();
    const { id } = doneBy(await gateway.createPayment(asked));
    expect(doneBy(await gateway.findPayment(asked.reference))).toMatchObject({
      id,
      reference: asked.reference,
      status: 'PENDING',
      units: asked.units,
      paymentUrl: expect.stringContaining('/gateway/web/invoices/'),
    });
  });

  it('of an unknown reference is not found', async () => {
    expect(await gateway.findPayment('MINT-0-0')).toEqual({ kind: 'done', value: undefined });
  });

  it('expires when its time is over, and none is made after it', async () => {
    const asked = wish();
    const { id } = doneBy(await gateway.createPayment(asked));
    await sandbox.control('POST /clock', { advance_s: 86_460 });
    expect(doneBy(await gateway.findPayment(asked.reference))).toMatchObject({
      id,
      status: 'EXPIRED',
    });
    expect(await gateway.createPayment(wish({ expiresAt: asked.expiresAt }))).toMatchObject({
      kind: 'refused',
      code: 'EXPIRED',
    });
  });

  it('of cents is refused and never rounded', async () => {
    const asked = wish({ units: 2_500_001n });
    expect(await gateway.createPayment(asked)).toMatchObject({ code: 'AMOUNT_NOT_WHOLE' });
    expect(await gateway.createPayout({ ...payoutWish(), units: 99n })).toMatchObject({
      code: 'AMOUNT_NOT_WHOLE',
    });
    expect(await kept('invoice', asked.reference)).toEqual([]);
  });

  it.each(PAYMENT_METHODS)('by %s offers that way to pay alone', async (method) => {
    const channel = { QRIS: 'QRIS', VA: 'BCA', EWALLET: 'OVO' }[method];
    const { reference } = await payment({ method });
    const [invoice] = (await kept('invoice', reference)) as { payment_methods?: string[] }[];
    expect(invoice?.payment_methods?.[0]).toBe(channel);
    const others = ['QRIS', 'BCA', 'OVO'].filter((other) => other !== channel);
    for (const other of others) expect(invoice?.payment_methods).not.toContain(other);
  });

  it('that is paid adds to the balance once, and is called back with the token', async () => {
    const before = await balance();
    const { reference, units } = await payment();
    const seen = sandbox.received.length;
    expect(await pay(reference)).toMatchObject({
      status: 200,
      body: { status: 'PAID', delivered: true },
    });
    expect(await pay(reference)).toMatchObject({ status: 409 });
    expect(await expire(reference)).toMatchObject({ status: 409 });
    expect(await balance()).toBe(before + units);
    expect(doneBy(await gateway.findPayment(reference))).toMatchObject({ status: 'PAID', units });
    const calls = sandbox.received.slice(seen);
    expect(calls).toHaveLength(1);
    const [call] = calls;
    expect(call?.path).toBe('/api/idrtoken/callback/payment');
    expect(gateway.isGenuine(call?.headers ?? {})).toBe(true);
    expect(gateway.readPaymentNotification(JSON.parse(String(call?.raw)))).toMatchObject({
      reference,
      status: 'PAID',
    });
  });

  it('shows the paid amount where it differs from the request', async () => {
    const { reference } = await payment();
    await pay(reference, 9_999);
    expect(doneBy(await gateway.findPayment(reference))).toMatchObject({
      status: 'PAID',
      units: 999_900n,
    });
  });

  it('can be expired by us, unless it was paid', async () => {
    const { reference } = await payment();
    expect(doneBy(await gateway.expirePayment(reference)).status).toBe('EXPIRED');
    expect(doneBy(await gateway.expirePayment(reference)).status).toBe('EXPIRED');
    expect(await pay(reference)).toMatchObject({ status: 409 });
    const paid = await payment();
    await pay(paid.reference);
    expect(doneBy(await gateway.expirePayment(paid.reference)).status).toBe('PAID');
    expect(await gateway.expirePayment('MINT-0-0')).toMatchObject({ kind: 'refused', status: 404 });
  });

  it('expires when its time is over, with a call-back', async () => {
    const { reference } = await payment();
    await sandbox.control('POST /clock', { advance_s: 86_401 });
    const seen = sandbox.received.length;
    expect(doneBy(await gateway.findPayment(reference))?.status).toBe('EXPIRED');
    expect(await pay(reference)).toMatchObject({ status: 409 });
    await sandbox.world.callbacks.idle();
    const news = sandbox.received.slice(seen).map(({ raw }) => JSON.parse(String(raw)));
    expect(news.map((one) => gateway.readPaymentNotification(one))).toMatchObject([
      { reference, status: 'EXPIRED' },
    ]);
  });
});

describe('a pay-out', () => {
  it('is made once for all repetitions, and its money reserved once', async () => {
    const before = await balance();
    const asked = payoutWish();
    const all = await Promise.all(Array.from({ length: 20 }, () => gateway.createPayout(asked)));
    expect(new Set(all.map((made) => doneBy(made).id)).size).toBe(1);
    expect(await kept('payout', asked.reference)).toHaveLength(1);
    expect(await balance()).toBe(before - asked.units);
    expect(doneBy(await gateway.findPayout(asked.reference))).toMatchObject({
      reference: asked.reference,
      status: 'PENDING',
      units: asked.units,
    });
    expect(await gateway.findPayout('REDEEM-0-0')).toEqual({ kind: 'done', value: undefined });
  });

  it('stays unknown where its reference stands for another amount or account', async () => {
    const asked = payoutWish();
    await gateway.createPayout(asked);
    const dearer = { ...asked, units: asked.units + 100n };
    const elsewhere = { ...asked, to: { ...asked.to, accountNumber: '999999999' } };
    for (const other of [dearer, elsewhere])
      expect(await gateway.createPayout(other)).toMatchObject({ kind: 'unknown' });
  });

  it('that the gateway refuses was not made and takes nothing', async () => {
    const before = await balance();
    const asked = payoutWish();
    for (const to of [
      { ...asked.to, bankCode: 'no bank' },
      { ...asked.to, accountNumber: 'IBAN' },
    ])
      expect(await gateway.createPayout({ ...asked, to })).toMatchObject({
        kind: 'refused',
        status: 400,
      });
    expect(await balance()).toBe(before);
    expect(doneBy(await gateway.createPayout(asked)).status).toBe('PENDING');
  });

  it.each([
    ['complete', 'COMPLETED', 'payout.succeeded', 0n],
    ['fail', 'FAILED', 'payout.failed', 4_500_000n],
  ] as const)('that ends by %s is %s, with a call-back', async (end, status, event, back) => {
    const { reference } = doneBy(await gateway.createPayout(payoutWish()));
    const before = await balance();
    const seen = sandbox.received.length;
    expect(await endPayout(reference, end)).toMatchObject({
      status: 200,
      body: { delivered: true },
    });
    expect(await endPayout(reference, end)).toMatchObject({ status: 409 });
    expect(doneBy(await gateway.findPayout(reference))?.status).toBe(status);
    expect(await balance()).toBe(before + back);
    const [call, ...more] = sandbox.received.slice(seen);
    expect([call?.path, more]).toEqual(['/api/idrtoken/callback/transfer', []]);
    const body = JSON.parse(String(call?.raw));
    expect(body.event).toBe(event);
    expect(gateway.readPayoutNotification(body)).toMatchObject({ reference, status });
  });

  it('that the bank returns has failed, and its money is back', async () => {
    const { reference, units } = doneBy(await gateway.createPayout(payoutWish()));
    expect(await endPayout(reference, 'reverse')).toMatchObject({ status: 409 });
    await endPayout(reference, 'complete');
    const before = await balance();
    await endPayout(reference, 'reverse', { failure_code: 'REJECTED_BY_BANK' });
    expect(doneBy(await gateway.findPayout(reference))).toMatchObject({
      status: 'FAILED',
      failureCode: 'REJECTED_BY_BANK',
    });
    expect(await balance()).toBe(before + units);
  });
});

describe('its call-backs', () => {
  it('are genuine with exactly the token, and without one configured never', () => {
    const token = settings.callbackToken;
    expect(gateway.isGenuine({ 'x-callback-token': token })).toBe(true);
    for (const given of [undefined, '', `${token} `, token.slice(1), [token, token]])
      expect(gateway.isGenuine({ 'x-callback-token': given })).toBe(false);
    const open = xendit({ ...settings, callbackToken: '' });
    expect(open.isGenuine({ 'x-callback-token': '' })).toBe(false);
    expect(open.isGenuine({})).toBe(false);
  });

  it('with an unknown body are ignored', () => {
    const invoice = { id: 'i', external_id: 'MINT-1', status: 'PAID' };
    const payout = {
      event: 'payout.succeeded',
      data: { id: 'd', reference_id: 'R', status: 'NEW' },
    };
    for (const body of [undefined, null, 'PAID', [], {}, { ...invoice, status: 'NEW' }, payout])
      expect(gateway.readPaymentNotification(body)).toBeUndefined();
    for (const body of [undefined, null, '', [], {}, payout, { event: 'x', data: {} }, invoice])
      expect(gateway.readPayoutNotification(body)).toBeUndefined();
    expect(
      gateway.readPaymentNotification({ ...invoice, external_id: 'x'.repeat(300) }),
    ).toBeUndefined();
  });

  it('have one id for repetitions, and another for other notifications', () => {
    const news = (status: string) =>
      gateway.readPaymentNotification({ id: 'i', external_id: 'MINT-1', status })?.event;
    expect(news('PAID')).toBe(news('PAID'));
    expect(news('PAID')).not.toBe(news('EXPIRED'));
  });
});

it('a control reports an unknown object or a wrong body', async () => {
  const none = newReference('MINT');
  expect(await pay(none)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  expect(await expire(none)).toMatchObject({ status: 404 });
  expect(await endPayout(none, 'complete')).toMatchObject({ status: 404 });
  const { reference } = await payment();
  expect(await pay(reference, 0.5)).toMatchObject({ status: 400 });
  expect(await endPayout(reference, 'fail', { failure_code: 'why?' })).toMatchObject({
    status: 400,
  });
});
