import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { doneBy } from '#test/gateway.ts';
import { type GatewayCall, promisesOfCalls } from '#test/gateway-faults.ts';
import { joinedIdrx, redeemWish, testIdrx, WALLET } from '#test/idrx.ts';

const { sandbox, settings, gateway, wish, pay, endRedeem, arm, mints, redeems } = await testIdrx(
  async () => `0x${'cd'.repeat(32)}`,
);
const today = () => ({
  from: new Date(sandbox.clock.now().getTime() - 86_400_000),
  to: new Date(sandbox.clock.now().getTime() + 86_400_000),
});

/** Every call that goes out, with what has to be there before it. */
const CALLS: Readonly<Record<string, () => Promise<GatewayCall>>> = {
  async createPayment() {
    const asked = wish();
    return (on) => on.createPayment(asked);
  },
  async findPayment() {
    const { reference } = doneBy(await gateway.createPayment(wish()));
    return (on) => on.findPayment(reference);
  },
  async expirePayment() {
    const { reference } = doneBy(await gateway.createPayment(wish()));
    await sandbox.control(`POST /idrx/payments/${reference}/expire`);
    return (on) => on.expirePayment(reference);
  },
  async createPayout() {
    const asked = redeemWish();
    return (on) => on.createPayout(asked);
  },
  findPayout: async () => (on) => on.findPayout('REDEEM-0-0'),
  statement: async () => (on) => on.statement(today()),
};

beforeEach(async () => {
  await sandbox.control('DELETE /faults');
});

promisesOfCalls(CALLS, {
  arm,
  good: gateway,
  impatient: joinedIdrx({ ...settings, timeoutMs: 60 }),
  broken: ['http://127.0.0.1:1', ''].map((url) => joinedIdrx({ ...settings, url: () => url })),
});

describe('a call whose answer got lost', () => {
  it('is found in the history by our reference, without their id', async () => {
    const asked = wish();
    await arm('commit-then-drop');
    expect((await gateway.createPayment(asked)).kind).toBe('unknown');
    const found = doneBy(await gateway.findPayment(asked.reference));
    expect(found).toMatchObject({ status: 'PENDING', units: asked.units });
    expect(found?.paymentUrl).toContain('/idrx/checkout/');
    expect(await mints(asked.reference)).toHaveLength(1);
  });

  it('and is repeated makes two mints, of which the paid one counts', async () => {
    const asked = wish();
    await arm('commit-then-drop');
    await gateway.createPayment(asked);
    await gateway.createPayment(asked);
    expect(await mints(asked.reference)).toHaveLength(2);
    // The newer one, whose link the payer has.
    await pay(asked.reference);
    expect(doneBy(await gateway.findPayment(asked.reference))?.status).toBe('PAID');
  });

  it('of a redemption makes one, because a burn is redeemed once', async () => {
    const asked = redeemWish();
    const cut = joinedIdrx({ ...settings, form: 'path', url: await cuttingOff('redeem-request') });
    expect((await cut.createPayout(asked)).kind).toBe('unknown');
    expect(await redeems(asked.reference)).toHaveLength(1);
    const burnHash = asked.burnt.hash;
    const found = doneBy(await gateway.findRedemption(asked.reference, burnHash));
    // Refused as used before, and seen to be ours.
    expect(doneBy(await gateway.createPayout(asked))).toEqual(found);
    expect(await redeems(asked.reference)).toHaveLength(1);
  });
});

/** A way to the sandbox on which the answers to one kind of call get lost. */
async function cuttingOff(what: string): Promise<() => string> {
  const proxy = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { host: _host, connection: _connection, ...headers } = request.headers;
    const answer = await fetch(`${sandbox.url}${request.url}`, {
      method: request.method ?? 'GET',
      headers: headers as Record<string, string>,
      ...(parts.length > 0 ? { body: Buffer.concat(parts) } : {}),
    });
    const body = await answer.text();
    if (request.url?.includes(what)) return request.socket.destroy();
    return response.writeHead(answer.status, { 'content-type': 'application/json' }).end(body);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void proxy.close());
  const { port } = proxy.address() as AddressInfo;
  return () => `http://127.0.0.1:${port}/idrx`;
}

it('its call-backs come once, accepted or not', async () => {
  const { reference } = doneBy(await gateway.createPayout(redeemWish()));
  sandbox.answerWith(503);
  const before = sandbox.received.length;
  expect(await endRedeem(reference, 'complete')).toMatchObject({ body: { delivered: false } });
  await sandbox.world.callbacks.idle();
  sandbox.answerWith(200);
  expect(sandbox.received.length - before).toBe(1);
  expect(doneBy(await gateway.findPayout(reference))?.status).toBe('COMPLETED');
});

describe('an issuer that lies', () => {
  let answers: Readonly<Record<string, readonly [number, string]>> = {};
  const liar = createServer((request, response) => {
    const path = new URL(request.url ?? '', 'http://x').pathname;
    const [status, body] = answers[path] ?? answers['*'] ?? [500, ''];
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  const listening = new Promise<void>((resolve) => liar.listen(0, '127.0.0.1', resolve));
  afterAll(() => liar.close());
  const lied = async () => {
    await listening;
    const { port } = liar.address() as AddressInfo;
    return joinedIdrx({ ...settings, url: () => `http://127.0.0.1:${port}` });
  };
  const HISTORY = '/transaction/user-transaction-history';
  const at = () => sandbox.clock.now().toISOString();
  const mint = (fields: object) => ({
    merchantOrderId: 'm1',
    paymentStatus: 'PAID',
    userMintStatus: 'MINTED',
    toBeMinted: '25000',
    amount: '25000',
    destinationWalletAddress: WALLET,
    txHash: `0x${'ab'.repeat(32)}`,
    productDetails: 'MINT-1',
    createdAt: at(),
    ...fields,
  });
  const redeem = (fields: object) => ({
    id: 7,
    txHash: `0x${'1'.padStart(64, '0')}`,
    amount: '50000',
    bankAccountNumber: '1234567890',
    burnStatus: 'REQUESTED',
    createdAt: at(),
    ...fields,
  });
  const answer = (path: string, body: object) => {
    answers = { ...answers, [path]: [200, JSON.stringify(body)] };
  };
  const historyIs = (...records: object[]) => answer(HISTORY, { records });

  beforeEach(() => {
    answers = {};
  });

  it.each([
    ['garbage', 200, '<html>'],
    ['another shape', 200, '{"data":{}}'],
    ['too much', 200, `{"data":["${'x'.repeat(3 * 1024 * 1024)}"]}`],
    ['a fault of its own', 500, '{"statusCode":500,"message":"Internal","data":null}'],
    ['too little patience', 429, '{}'],
    ['its edge', 403, 'error code: 1010'],
  ])('with %s leaves everything unknown', async (_name, status, body) => {
    answers = { '*': [status, body] };
    const on = await lied();
    const heard = [
      await on.createPayment(wish()),
      await on.findPayment('MINT-1'),
      await on.expirePayment('MINT-1'),
      await on.createPayout(redeemWish()),
      await on.findPayout('REDEEM-1'),
      await on.statement(today()),
    ];
    expect(heard.map(({ kind }) => kind)).toEqual(Array(6).fill('unknown'));
  });

  it('about a lower amount has not made our payment', async () => {
    const data = { merchantOrderId: 'm', paymentUrl: 'https://pay.example/m', amount: '20000' };
    answer('/transaction/mint-request', { statusCode: 200, data });
    expect(await (await lied()).createPayment(wish())).toMatchObject({ kind: 'unknown' });
    const link = { ...data, amount: '25000', paymentUrl: 'javascript:alert(1)' };
    answer('/transaction/mint-request', { statusCode: 200, data: link });
    expect(await (await lied()).createPayment(wish())).toMatchObject({ kind: 'unknown' });
  });

  it.each([
    ['another burn', { txHash: `0x${'f'.repeat(64)}` }],
    ['another amount', { amount: '500000' }],
    ['another account', { bankAccountNumber: '666' }],
  ])('about %s has not made our pay-out', async (_name, fields) => {
    const asked = redeemWish();
    answer('/transaction/method', { data: [{ bankCode: '014', bankName: 'BCA' }] });
    const data = redeem({ txHash: asked.burnt.hash, ...fields });
    answer('/transaction/redeem-request', { statusCode: 200, data });
    expect(await (await lied()).createPayout(asked)).toMatchObject({ kind: 'unknown' });
  });

  it('is not believed a mint without a transaction, or an unknown status', async () => {
    const on = await lied();
    for (const fields of [{ txHash: null }, { txHash: '0x12' }, { paymentStatus: 'HALF' }]) {
      historyIs(mint(fields));
      expect(await on.findPayment('MINT-1')).toMatchObject({ kind: 'unknown' });
    }
    historyIs(mint({ userMintStatus: 'REFUND', txHash: null }));
    expect(doneBy(await on.findPayment('MINT-1'))?.status).toBe('PAID');
    expect(doneBy(await on.findMint('MINT-1'))).toEqual({ failure: 'REFUND' });
  });

  it('whose history hides references never proves that there is none', async () => {
    const on = await lied();
    historyIs(mint({ productDetails: null }));
    expect((await on.findPayment('MINT-1')).kind).toBe('unknown');
    expect(doneBy(await on.findPayment('MINT-1', 'm1'))?.status).toBe('PAID');
    historyIs(redeem({}));
    expect((await on.findPayout('REDEEM-1')).kind).toBe('unknown');
    const burnHash = `0x${'2'.padStart(64, '0')}`;
    expect(await on.findRedemption('REDEEM-1', burnHash)).toEqual({ kind: 'done' });
    historyIs(redeem({}), redeem({ id: 8 }));
    const same = `0x${'1'.padStart(64, '0')}`;
    expect((await on.findRedemption('REDEEM-1', same)).kind).toBe('unknown');
  });

  it('with an endless history is not read for ever', async () => {
    historyIs(...Array.from({ length: 100 }, (_, n) => mint({ productDetails: `MINT-X-${n}` })));
    expect(await (await lied()).findPayment('MINT-1')).toMatchObject({
      kind: 'unknown',
      cause: 'the history is too long to be searched',
    });
  });

  it('sends call-backs that are ignored', async () => {
    const on = await lied();
    for (const body of [undefined, null, '', [], {}, mint({ paymentStatus: 'NEW' }), redeem({})])
      expect(on.readPaymentNotification(body)).toBeUndefined();
    for (const body of [undefined, null, '', [], {}, redeem({ burnStatus: 'NEW' }), mint({})])
      expect(on.readPayoutNotification(body)).toBeUndefined();
    expect(on.readPaymentNotification(mint({ productDetails: null }))?.reference).toBe('m1');
    expect(on.readPayoutNotification(redeem({}))?.reference).toBe('7');
  });
});
