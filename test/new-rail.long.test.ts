import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeEach, expect, test } from 'vitest';
import type { RouteId } from '#kernel/http/declare/route.ts';
import { balanceOf, houseAccount, openAccount } from '#kernel/ledger/accounts.ts';
import { transfer } from '#kernel/ledger/ledger.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import { verifyLedger } from '#kernel/ledger/verify.ts';
import { transact } from '#kernel/transact.ts';
import { killWhereItHangs } from './child.ts';
import { harness } from './harness.ts';
import { createTeapot, teapot } from './new-rail.ts';

const SECRET = 'teapot-secret';

/** Teapot's side: it stores pay-outs by reference, and follows the test's plan. */
const there = {
  payouts: new Map<string, { status: string; times: number }>(),
  /** In turn: its result for a pay-out, and whether it answers. */
  manners: [] as { status: string; isCut?: boolean }[],
  isSilent: false,
};
const simulator = createServer(async (request, response) => {
  const path = request.url ?? '';
  const isOrder = request.method === 'POST';
  const reference = isOrder ? JSON.parse(await text(request)).reference : path.split('/')[2];
  const known = there.payouts.get(reference);
  const manner = (isOrder && there.manners.shift()) || { status: 'PENDING' };
  if (isOrder && !known && manner.status !== 'LOST' && manner.status !== 'REFUSED')
    there.payouts.set(reference, { status: manner.status, times: 1 });
  if (there.isSilent || manner.isCut || manner.status === 'LOST') return request.socket.destroy();
  const found = there.payouts.get(reference);
  const code = manner.status === 'REFUSED' ? 422 : found ? 200 : 404;
  return response.writeHead(code).end(JSON.stringify(found ?? {}));
});
simulator.listen(0, '127.0.0.1');
await once(simulator, 'listening');
const url = `http://127.0.0.1:${(simulator.address() as AddressInfo).port}`;

const h = await harness({
  features: (kernel) => [
    createTeapot(
      kernel,
      teapot(() => url, SECRET),
    ),
  ],
});
const { db } = h;
afterAll(() => {
  simulator.closeAllConnections();
  simulator.close();
});
beforeEach(() => {
  Object.assign(there, { manners: [], isSilent: false });
});

const HOUR_S = 3600;
const PAY = 'POST /teapot/payouts' as RouteId;
const WEBHOOK = 'POST /teapot/webhook' as RouteId;

/** A user with 100 dollars, who pays out. */
async function payer() {
  const as = await h.user();
  const name = { owner: `user:${as.user_id}`, purpose: 'wallet', asset: 'USD' } as const;
  const wallet = await openAccount(db, name);
  const house = await openAccount(db, houseAccount('teapot', 'USD'));
  const legs = transfer(house, wallet, 10_000n);
  await postWithin(db, { key: `funds-${as.user_id}`, kind: 'test', legs });
  return {
    wallet,
    house,
    pay: async (amount = '40.00', key = '') =>
      h.call(PAY, { as, body: { amount }, ...(key && { headers: { 'idempotency-key': key } }) }),
    /** The balance, and the held part of it. */
    async balance() {
      const { posted, held } = await balanceOf(db, wallet);
      return [posted, held];
    },
  };
}

function tell(reference: string, status: string, secret = SECRET, event: string = randomUUID()) {
  const body = JSON.stringify({ event, reference, status });
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  const headers = { 'x-teapot-signature': signature };
  return h.call(WEBHOOK, { as: 'nobody', body, headers });
}

const stateOf = async (id: string) => (await h.kernel.sagas.find(db, id))?.state;

test('the wiring of a rail takes at most 125 lines', () => {
  const lines = readFileSync('test/new-rail.ts', 'utf8').trimEnd().split('\n').length;
  expect(lines).toBeLessThanOrEqual(125);
});

test('a pay-out with an immediate answer is final in the answer to the request', async () => {
  const { pay, balance } = await payer();
  there.manners = [{ status: 'PAID' }];
  expect(await pay()).toEqual([200, { reference: expect.any(String), state: 'paid' }]);
  expect(await balance()).toEqual([6000n, 0n]);
});

test('a slow pay-out ends by the webhook, once and only with its signature', async () => {
  const { pay, balance } = await payer();
  const [, { reference, state }] = await pay();
  expect([state, ...(await balance())]).toEqual(['wait', 10_000n, 4000n]);
  expect((await tell(reference, 'PAID', 'forged'))[0]).toBe(401);
  expect(await tell(reference, 'PAID', SECRET, 'one')).toEqual([200, { ok: true }]);
  expect(await tell(reference, 'PAID', SECRET, 'one')).toEqual([200, { ok: false }]);
  await h.drain();
  expect([await stateOf(reference), ...(await balance())]).toEqual(['paid', 6000n, 0n]);
  await tell(reference, 'RETURNED');
  await h.drain();
  expect([await stateOf(reference), ...(await balance())]).toEqual(['paid', 6000n, 0n]);
});

test('a pay-out refused at once or later is refunded', async () => {
  const { pay, balance } = await payer();
  there.manners = [{ status: 'REFUSED' }];
  expect((await pay())[1]).toMatchObject({ state: 'back' });
  const [, { reference }] = await pay();
  await tell(reference, 'RETURNED');
  await h.drain();
  expect([await stateOf(reference), ...(await balance())]).toEqual(['back', 10_000n, 0n]);
});

test('a lost answer is looked up, and nothing is paid twice or refunded too early', async () => {
  const { pay, balance } = await payer();
  there.manners = [{ status: 'PAID', isCut: true }];
  expect((await pay())[1]).toMatchObject({ state: 'paid' });
  there.isSilent = true;
  const [, { reference, state }] = await pay('10.00');
  expect([state, ...(await balance())]).toEqual(['send', 6000n, 1000n]);
  for (let n = 0; n < 5; n += 1) {
    await h.advance(HOUR_S);
    await h.drain();
  }
  expect([await stateOf(reference), ...(await balance())]).toEqual(['send', 6000n, 1000n]);
  there.isSilent = false;
  there.payouts.set(reference, { status: 'PAID', times: 1 });
  await h.advance(6 * HOUR_S);
  await h.drain();
  expect([await stateOf(reference), ...(await balance())]).toEqual(['paid', 5000n, 0n]);
});

test('a pay-out without a webhook is polled', async () => {
  const { pay, balance } = await payer();
  const [, { reference }] = await pay();
  there.payouts.set(reference, { status: 'RETURNED', times: 1 });
  await h.advance(HOUR_S);
  await h.drain();
  expect([await stateOf(reference), ...(await balance())]).toEqual(['back', 10_000n, 0n]);
});

test('an amount beyond the wallet is not paid out, and a repeated request pays once', async () => {
  const { pay, balance } = await payer();
  expect((await pay('500.00'))[0]).toBe(400);
  there.manners = [{ status: 'PAID' }];
  const first = await pay('40.00', 'same');
  expect(await pay('40.00', 'same')).toEqual(first);
  expect(await balance()).toEqual([6000n, 0n]);
});

test.each(['before', 'after'] as const)(
  'killed %s Teapot has heard it, the job goes on',
  async (hangs) => {
    const { wallet, house, balance } = await payer();
    const id = `killed-${hangs}`;
    const data = { payer: wallet, house, units: '4000' };
    const databaseUrl = h.kernel.pool.options.connectionString;
    there.manners = hangs === 'after' ? [{ status: 'PAID' }] : [];
    await killWhereItHangs('new-rail-child.ts', { databaseUrl, url, id, data, hangs });
    expect([await stateOf(id), ...(await balance())]).toEqual(['send', 10_000n, 4000n]);
    there.manners = [{ status: 'PAID' }];
    await h.advance(61);
    await h.drain();
    expect([await stateOf(id), ...(await balance())]).toEqual(['paid', 6000n, 0n]);
    expect(there.payouts.get(id)?.times).toBe(1);
  },
);

test('its pay-outs in doubt are in the metrics, and the books are right at the end', async () => {
  there.isSilent = true;
  const { pay } = await payer();
  const [, { reference }] = await pay();
  const metrics = await h.kernel.metrics.registry.metrics();
  expect(metrics).toContain('archipay_in_doubt{kind="effect.saga.teapot.send"} 1');
  there.isSilent = false;
  await transact(db, (tx) => h.kernel.effects.wake(tx, 'saga.teapot.send', `${reference}:1`));
  await h.drain();
  expect(await stateOf(reference)).toBe('wait');
  expect((await verifyLedger(db)).broken).toEqual([]);
});
