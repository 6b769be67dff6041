import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { doneBy, payoutWish, testGateway } from '#test/gateway.ts';
import { type GatewayCall, promisesOfCalls } from '#test/gateway-faults.ts';
import { xendit } from './xendit.ts';

const { sandbox, settings, gateway, wish, payment, pay, arm, endPayout, kept } =
  await testGateway();
const now = () => sandbox.clock.now();
const today = () => ({
  from: new Date(now().getTime() - 86_400_000),
  to: new Date(now().getTime() + 86_400_000),
});

/** Every call that goes out, with what has to be there before it. */
const CALLS: Readonly<Record<string, () => Promise<GatewayCall>>> = {
  async createPayment() {
    const asked = wish();
    return (on) => on.createPayment(asked);
  },
  async findPayment() {
    const { reference } = await payment();
    return (on) => on.findPayment(reference);
  },
  async expirePayment() {
    const { reference } = await payment();
    return (on) => on.expirePayment(reference);
  },
  async createPayout() {
    const asked = payoutWish();
    return (on) => on.createPayout(asked);
  },
  findPayout: async () => (on) => on.findPayout('REDEEM-0-0'),
  balance: async () => (on) => on.balance(),
  statement: async () => (on) => on.statement(today()),
};

beforeEach(async () => {
  await sandbox.control('DELETE /faults');
});

promisesOfCalls(CALLS, {
  arm,
  good: gateway,
  impatient: xendit({ ...settings, timeoutMs: 60 }),
  broken: [{ url: () => 'http://127.0.0.1:1' }, { url: () => '' }, { key: 'wrong' }].map((one) =>
    xendit({ ...settings, ...one }),
  ),
});

describe('a call whose answer got lost', () => {
  it('makes a payment that can be looked up, which stays the one that counts', async () => {
    const asked = wish();
    await arm('commit-then-drop', 1);
    expect((await gateway.createPayment(asked)).kind).toBe('unknown');
    const found = doneBy(await gateway.findPayment(asked.reference));
    expect(found).toMatchObject({ status: 'PENDING', units: asked.units });
    await gateway.createPayment(asked);
    expect(doneBy(await gateway.findPayment(asked.reference))).toEqual(found);
    expect(await kept('invoice', asked.reference)).toHaveLength(2);
  });

  it('makes one pay-out when it is repeated, and debits its money once', async () => {
    const before = doneBy(await gateway.balance());
    const asked = payoutWish();
    await arm('commit-then-drop', 1);
    expect((await gateway.createPayout(asked)).kind).toBe('unknown');
    const found = doneBy(await gateway.findPayout(asked.reference));
    expect(doneBy(await gateway.createPayout(asked))).toEqual(found);
    expect(doneBy(await gateway.balance())).toBe(before - asked.units);
  });

  it('to expire a payment is verified by a look-up', async () => {
    const { reference } = await payment();
    await arm('drop');
    expect((await gateway.expirePayment(reference)).kind).toBe('unknown');
    expect(doneBy(await gateway.expirePayment(reference)).status).toBe('EXPIRED');
  });
});

describe('call-backs', () => {
  const calls = () => sandbox.received.length;

  it('may come twice, and with a wrong token', async () => {
    const { reference } = await payment();
    await arm('duplicate-callback');
    const before = calls();
    await pay(reference);
    const [first, second, ...more] = sandbox.received.slice(before).map(({ raw }) => String(raw));
    expect([first, more]).toEqual([second, []]);

    const payout = doneBy(await gateway.createPayout(payoutWish()));
    await arm('bad-signature');
    await endPayout(payout.reference, 'complete');
    expect(gateway.isGenuine(sandbox.received.at(-1)?.headers ?? {})).toBe(false);
  });

  it('may come late, and in another order', async () => {
    const late = await payment();
    await arm('late-callback', 1, 1);
    expect(await pay(late.reference)).toMatchObject({ body: { delivered: false } });
    await sandbox.world.callbacks.idle();
    expect(String(sandbox.received.at(-1)?.raw)).toContain(late.reference);

    const [one, two] = [await payment(), await payment()];
    await arm('reorder');
    const before = calls();
    await pay(one.reference);
    await pay(two.reference);
    await sandbox.world.callbacks.idle();
    const order = sandbox.received
      .slice(before)
      .map(({ raw }) => JSON.parse(String(raw)).external_id);
    expect(order).toEqual([two.reference, one.reference]);
  });
});

describe('a gateway that lies', () => {
  let answer: readonly [status: number, body: string, listed?: string] = [200, ''];
  const liar = createServer((request, response) => {
    const [status, body, listed] = answer;
    if (listed !== undefined && request.method === 'GET')
      return response.writeHead(200, { 'content-type': 'application/json' }).end(listed);
    // Status 0: it hangs up on every call that would change something.
    if (status === 0 && request.method === 'POST') return request.socket.destroy();
    return response.writeHead(status || 200, { 'content-type': 'application/json' }).end(body);
  });
  const listening = new Promise<void>((resolve) => liar.listen(0, '127.0.0.1', resolve));
  afterAll(() => liar.close());
  const lied = async () => {
    await listening;
    const { port } = liar.address() as AddressInfo;
    return xendit({ ...settings, url: () => `http://127.0.0.1:${port}` });
  };
  const invoice = (fields: object) => ({
    id: 'i',
    external_id: 'MINT-1',
    status: 'PENDING',
    amount: 25_000,
    currency: 'IDR',
    invoice_url: 'https://pay.example/i',
    ...fields,
  });
  const payout = (fields: object) => ({
    id: 'd',
    reference_id: 'REDEEM-1',
    status: 'ACCEPTED',
    amount: 45_000,
    currency: 'IDR',
    ...fields,
  });

  it.each([
    ['another amount', { amount: 2_500 }],
    ['another reference', { external_id: 'MINT-2' }],
    ['another currency', { currency: 'USD' }],
    ['cents of cents', { amount: 25_000.001 }],
    ['no amount', { amount: '1e9' }],
    ['nothing to pay', { amount: 0 }],
    ['a word we do not know', { status: 'HALF_PAID' }],
    ['a word that objects know', { status: 'constructor' }],
    ['a link that is none', { invoice_url: 'javascript:alert(1)' }],
  ])('of %s has not made our payment', async (_name, fields) => {
    answer = [200, JSON.stringify(invoice(fields))];
    const asked = wish({ reference: 'MINT-1' });
    expect(await (await lied()).createPayment(asked)).toMatchObject({ kind: 'unknown' });
  });

  it.each([
    ['another amount', { amount: 450_000 }],
    ['another reference', { reference_id: 'REDEEM-2' }],
    ['another account', { channel_properties: { account_number: '666' } }],
    ['a word we do not know', { status: 'HALF_SENT' }],
    ['a word that objects know', { status: 'toString' }],
  ])('of %s has not made our pay-out', async (_name, fields) => {
    answer = [200, JSON.stringify(payout(fields))];
    const asked = payoutWish('REDEEM-1');
    expect(await (await lied()).createPayout(asked)).toMatchObject({ kind: 'unknown' });
  });

  it.each([
    ['garbage', 200, '<html>'],
    ['nothing', 204, ''],
    ['another shape', 200, '{"data":1}'],
    ['too much', 200, `["${'x'.repeat(3 * 1024 * 1024)}"]`],
    ['too little patience', 429, '{"error_code":"RATE_LIMIT_EXCEEDED","message":"Slow down"}'],
    ['a fault of its own', 503, '{}'],
    ['another place', 302, ''],
  ])('with %s leaves everything unknown', async (_name, status, body) => {
    answer = [status, body];
    const on = await lied();
    const answers = [
      await on.createPayment(wish()),
      await on.findPayment('MINT-1'),
      await on.expirePayment('MINT-1'),
      await on.createPayout(payoutWish()),
      await on.findPayout('REDEEM-1'),
      await on.balance(),
      await on.statement(today()),
    ];
    expect(answers.map(({ kind }) => kind)).toEqual(Array(7).fill('unknown'));
  });

  it('about another payment or pay-out does not deny ours', async () => {
    answer = [200, JSON.stringify([invoice({ external_id: 'MINT-2' })])];
    expect(await (await lied()).findPayment('MINT-1')).toMatchObject({ kind: 'unknown' });
    answer = [200, JSON.stringify({ data: [payout({ reference_id: 'REDEEM-2' })] })];
    expect(await (await lied()).findPayout('REDEEM-1')).toMatchObject({ kind: 'unknown' });
  });

  it('with two payments under one reference counts by the paid one, else the older', async () => {
    const listed = (...invoices: object[]) => {
      answer = [200, JSON.stringify(invoices.map(invoice))];
    };
    const on = await lied();
    listed({ id: 'new' }, { id: 'paid', status: 'SETTLED' }, { id: 'old' });
    expect(doneBy(await on.findPayment('MINT-1'))).toMatchObject({ id: 'paid', status: 'PAID' });
    listed({ id: 'new' }, { id: 'old' }, { id: 'over', status: 'EXPIRED' });
    expect(doneBy(await on.findPayment('MINT-1'))?.id).toBe('old');
    answer = [200, JSON.stringify([payout({}), payout({ id: 'e' })])];
    expect(await on.findPayout('REDEEM-1')).toMatchObject({ kind: 'unknown' });
  });

  it('and still reports the payment as payable has not ended it', async () => {
    answer = [200, JSON.stringify([invoice({})])];
    expect(await (await lied()).expirePayment('MINT-1')).toMatchObject({ kind: 'unknown' });
  });

  it('and hangs up on an expiry leaves its result unknown', async () => {
    answer = [0, JSON.stringify([invoice({})])];
    expect(await (await lied()).expirePayment('MINT-1')).toMatchObject({ kind: 'unknown' });
  });

  it('and refuses a reference that its list lacks has decided nothing', async () => {
    const refusal = JSON.stringify({ error_code: 'DUPLICATE_ERROR', message: 'Used before' });
    const asked = payoutWish('REDEEM-1');
    const on = await lied();
    answer = [409, refusal, '[]'];
    expect(await on.createPayout(asked)).toMatchObject({ kind: 'unknown' });
    expect(await on.createPayment(wish())).toMatchObject({ kind: 'unknown' });
    answer = [400, refusal, '[]'];
    expect(await on.createPayout(asked)).toMatchObject({ kind: 'refused' });
  });

  it('and refuses without a look-up has decided nothing', async () => {
    const refusal = { error_code: 'DUPLICATE_ERROR', message: 'Used before' };
    const asked = payoutWish('REDEEM-1');
    const on = await lied();
    answer = [409, JSON.stringify(refusal)];
    expect(await on.createPayout(asked)).toMatchObject({ kind: 'unknown' });
    expect(await on.createPayment(wish())).toMatchObject({ kind: 'unknown' });
  });
});
