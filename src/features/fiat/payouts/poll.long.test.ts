// Long: two months go by.

import { beforeEach, describe, expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { gatewayOf } from '#test/gateway-controls.ts';
import { harness } from '#test/harness.ts';
import { broken, houseOf } from '#test/idr-token.ts';
import { bankEnd, conversion, payersOf, payoutState, type SentPayout } from '#test/payouts.ts';
import { claimDuePayouts, pollPayoutSoon } from './poll-store.ts';

/** Polls find the end of a pay-out without a call-back, once. */
const h = await harness({ mock: false, config: { JWT_TTL: '100000000' } });
// Schedules count from the first look at them.
await h.drain();
const gateway = gatewayOf(h);
const payers = payersOf(h);
const NAMES = ['xrpl', 'cardano', 'conversions', 'idr-token'] as const;
const HOUR = 3600;
const DAY = 24 * HOUR;
beforeEach(() => gateway.calm());

async function later(seconds: number) {
  await h.advance(seconds);
  await h.drain();
}
/** The gateway says nothing of what comes next. */
const loseCallbacks = () => gateway.spoil('late-callback', 2, 120_000);
async function looks(): Promise<(number | null)[]> {
  const text = `select extract(epoch from look_at - service_now())::integer as s from payouts`;
  return (await run<{ s: number | null }>(h.db, text, [])).map(({ s }) => s);
}
/** What the gateway holds for us is what our books say. */
async function inOrder() {
  expect(await broken(h)).toEqual([]);
  expect(await gateway.balance()).toBe(-(await houseOf(h)).gateway);
}
/** Returned pay-outs so far. The day's conversions may begin meanwhile. */
const moves = () =>
  run(h.db, "select operation_key from ledger.transfers where kind ~ 'return|back'", []);

async function lostReturn(payout: SentPayout) {
  await bankEnd(h, payout.reference, 'complete');
  expect(await payoutState(h, payout.reference)).toBe('PAID');
  await loseCallbacks();
  expect(await bankEnd(h, payout.reference, 'reverse')).toMatchObject({ delivered: false });
  expect(await payoutState(h, payout.reference)).toBe('PAID');
}

describe.each(NAMES)('a pay-out of %s', (name) => {
  test('that returns without a call-back is found within the hour and refunded', async () => {
    const payout = await payers[name]();
    await lostReturn(payout);
    await later(HOUR + 600);
    expect(await payoutState(h, payout.reference)).toBe('RETURNED');
    expect(await payout.shown()).toEqual(payout.returned);
    // Another poll may run in the same moment, such as that of the exchange.
    await inOrder();
  });

  test('that was found as returned is booked once for all later call-backs', async () => {
    const payout = await payers[name]();
    await lostReturn(payout);
    await later(HOUR + 600);
    const before = await moves();
    const said = { reference_id: payout.reference, status: 'REVERSED', id: 'disb-late' };
    const body = { event: 'payout.reversed', data: said };
    const calls = Array.from({ length: 5 }, () =>
      h.call('POST /idrtoken/callback/transfer', { as: 'nobody', body }),
    );
    expect((await Promise.all(calls)).map(([status]) => status)).toEqual(Array(5).fill(200));
    await later(2 * HOUR);
    expect(await moves()).toEqual(before);
    expect(await payout.shown()).toEqual(payout.returned);
  });

  test('that arrives without a call-back is booked as paid', async () => {
    const { reference } = await payers[name]();
    await loseCallbacks();
    await bankEnd(h, reference, 'complete');
    await later(HOUR + 600);
    expect(await payoutState(h, reference)).toBe('PAID');
    await inOrder();
  });
});

/** As if it had been paid so many days ago, and were due for a poll. */
const age = (reference: string, days: number) =>
  run(
    h.db,
    `update payouts set look_at = service_now(), asked_at = asked_at - make_interval(days => $2),
       paid_at = paid_at - make_interval(days => $2) where reference = $1`,
    [reference, days],
  );
const dueIn = async (reference: string): Promise<number | null> => {
  const text = `select extract(epoch from look_at - service_now())::integer as s
    from payouts where reference = $1`;
  return (await run<{ s: number | null }>(h.db, text, [reference]))[0]?.s ?? null;
};

test('polls get rarer with age, and stay weekly for two months', async () => {
  const { reference, shown, returned } = await payers.xrpl();
  await bankEnd(h, reference, 'complete');
  for (const [days, wanted] of [
    [1, 1],
    [2, 3],
    [40, 7],
  ] as const) {
    await age(reference, days);
    await later(600);
    const seconds = (await dueIn(reference)) ?? 0;
    expect(seconds).toBeLessThanOrEqual(7 * DAY);
    expect(seconds).toBeGreaterThan(wanted * DAY * 0.9);
  }
  await loseCallbacks();
  await bankEnd(h, reference, 'reverse');
  await age(reference, 0);
  await later(600);
  expect([await payoutState(h, reference), await shown()]).toEqual(['RETURNED', returned]);
  expect(await dueIn(reference)).toBeNull();
});

test('an answer with another sum is not booked, and polled again', async () => {
  const { reference } = await payers.xrpl();
  await lostReturn({ reference, returned: undefined, shown: async () => undefined });
  const setAmount = (change: string) =>
    run(
      h.db,
      `update sandbox.records set data = jsonb_set(data, '{amount}',
         to_jsonb((data ->> 'amount')::numeric ${change}))
       where provider = 'gateway' and kind = 'payout' and data ->> 'reference_id' = $1`,
      [reference],
    );
  await setAmount('+ 1');
  await later(HOUR + 600);
  expect(await payoutState(h, reference)).toBe('PAID');
  expect(h.logs.some((line) => line.includes('tells another sum'))).toBe(true);
  await setAmount('- 1');
  await later(HOUR + 600);
  expect(await payoutState(h, reference)).toBe('RETURNED');
});

test('an unreachable gateway is polled again in an hour', async () => {
  const { reference } = await payers.xrpl();
  await lostReturn({ reference, returned: undefined, shown: async () => undefined });
  await gateway.spoil('drop', 1000);
  await later(HOUR + 600);
  expect(await payoutState(h, reference)).toBe('PAID');
  await gateway.calm();
  await later(HOUR + 600);
  expect(await payoutState(h, reference)).toBe('RETURNED');
});

test('each due pay-out is polled by one of all processes', async () => {
  for (let n = 0; n < 3; n += 1) await conversion(h);
  await run(h.db, 'update payouts set look_at = service_now() where look_at is not null', []);
  const [{ n = 0 } = {}] = await run<{ n: number }>(
    h.db,
    'select count(*) as n from payouts where look_at is not null',
    [],
  );
  const taken = await Promise.all([
    claimDuePayouts(h.db, 1000),
    claimDuePayouts(h.db, 1000),
    claimDuePayouts(h.db, 1000),
  ]);
  const references = taken.flat().map(({ reference }) => reference);
  expect(references.length).toBeGreaterThanOrEqual(3);
  expect(new Set(references).size).toBe(references.length);
  expect(references).toHaveLength(n);
  for (const seconds of (await looks()).filter((s) => s !== null))
    expect(seconds).toBeLessThanOrEqual(7 * DAY);
  const [first = ''] = references;
  await pollPayoutSoon(h.db, first);
  expect((await claimDuePayouts(h.db, 1000)).length).toBe(0);
});

test('a pay-out of two months ago is polled no more', async () => {
  const { reference } = await payers.xrpl();
  await bankEnd(h, reference, 'complete');
  await age(reference, 61);
  await later(600);
  expect([await payoutState(h, reference), await dueIn(reference)]).toEqual(['PAID', null]);
});
