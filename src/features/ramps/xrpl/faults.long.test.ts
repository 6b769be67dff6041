// Long: the ledger fails in every way at every step.

import { beforeEach, expect, test } from 'vitest';
import { harness } from '#test/harness.ts';
import { loseAnswers } from '#test/lost-answers.ts';
import { ramps } from '#test/ramps.ts';

/** Each step, and the ledger misbehaving in it. */
const h = await harness({ mock: false });
const r = ramps(h);
const as = await h.user();
await r.fund(as, 'USD', 1_000_000n);
await r.on(as, { amount: 1000 });
const outside = await r.outside();
beforeEach(() => h.sandbox('DELETE', '/faults'));

const kinds = ['refuse', 'drop', 'error', 'commit-then-drop', 'delay', 'late-callback'];
const ways = {
  'on-ramp': () => r.on(as, { fiat_currency: 'USD', fiat_amount: 2 }),
  'off-ramp to an address': () => r.off(as, { amount: 2, destination_address: outside }),
  'off-ramp to a wallet': () => r.off(as, { usdc_amount: 2, target_fiat: 'USD' }),
};
const names = Object.keys(ways) as (keyof typeof ways)[];

test.each(names.flatMap((way) => kinds.map((kind) => [way, kind] as const)))(
  'an %s is made once while the ledger has the fault %s',
  async (way, kind) => {
    const [usdc, fiat] = [await r.usdcOf(as), await r.fiatOf(as, 'USD')];
    await r.fault(kind, 1, 30);
    const [status, body] = await ways[way]();
    // Only where it was refused before anything was moved.
    if (status !== 200) {
      expect([status, body.code]).toEqual([503, 'PROVIDER_UNAVAILABLE']);
      expect([await r.usdcOf(as), await r.fiatOf(as, 'USD')]).toEqual([usdc, fiat]);
      return;
    }
    await h.advance(70);
    await h.drain();
    const direction = way === 'on-ramp' ? 1n : -1n;
    expect(await r.usdcOf(as)).toEqual({ units: usdc.units + direction * 2_000_000n, held: 0n });
    const paid = way === 'off-ramp to an address' ? 0n : -direction * 200n;
    expect(await r.fiatOf(as, 'USD')).toEqual({ units: fiat.units + paid, held: 0n });
  },
);

test('a refused payment is refunded and reported', async () => {
  const before = await r.usdcOf(as);
  // By now its owner takes payments only from those that were named before.
  await h.kernel.pool.query(
    `update sandbox.records set data = data || '{"flags": 16777216}'
     where provider = 'xrpl' and kind = 'account' and id = $1`,
    [outside],
  );
  const [status, body] = await r.off(as, { amount: 3, destination_address: outside });
  expect([status, body.code, body.error]).toEqual([
    400,
    'PROVIDER_REJECTED',
    expect.stringContaining('tecNO_PERMISSION'),
  ]);
  expect(await r.usdcOf(as)).toEqual(before);
  expect(await r.status(as, 'off', body.details.id)).toMatchObject([200, { status: 'FAILED' }]);
});

test('a long outage of the ledger ends no flow and loses nothing', async () => {
  const before = await r.usdcOf(as);
  await r.fault('drop', 1000);
  const going = r.on(as, { fiat_currency: 'USD', fiat_amount: 5 });
  const [status, body] = await going;
  expect([status, body.data.xrpl_tx.status]).toEqual([200, 'PENDING']);
  expect(body.data.xrpl_tx.tx_hash).toMatch(/^[0-9A-F]{64}$/);
  expect((await r.fiatOf(as, 'USD')).held).toBe(500n);
  const { tx_hash } = body.data.xrpl_tx;
  expect(await r.status(as, 'on', tx_hash)).toMatchObject([200, { status: 'PENDING' }]);
  await h.sandbox('DELETE', '/faults');
  // All ledgers that might have had it close; it is signed again.
  await h.advance(3600);
  await h.drain();
  expect((await r.usdcOf(as)).units - before.units).toBe(5_000_000n);
  expect((await r.fiatOf(as, 'USD')).held).toBe(0n);
  expect(await r.status(as, 'on', tx_hash)).toMatchObject([200, { status: 'validated' }]);
});

test('ledger and chain agree afterwards', () => r.agree());

test('a repetition after a crash finds the payment, also with a full receiver', async () => {
  const address = await r.outside();
  const before = await r.usdcOf(as);
  const key = { 'idempotency-key': 'died before it could answer' };
  const body = { amount: 3, destination_address: address };
  const [status, { data }] = await r.off(as, body, key);
  expect([status, data.xrpl_tx.status]).toEqual([200, 'tesSUCCESS']);
  await loseAnswers(h);
  const closed = await h.kernel.pool.query(
    `delete from sandbox.records
     where provider = 'xrpl' and kind = 'line' and data::text like '%' || $1 || '%'`,
    [address],
  );
  expect(closed.rowCount).toBe(1);
  expect((await r.off(as, body))[0]).toBe(400);
  const [again, repeated] = await r.off(as, body, key);
  expect([again, repeated.data?.xrpl_tx]).toEqual([200, data.xrpl_tx]);
  expect((await r.usdcOf(as)).units).toBe(before.units - 3_000_000n);
});
