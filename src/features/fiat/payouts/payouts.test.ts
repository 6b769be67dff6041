import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { expectEven, flowsOf, houseOf } from '#test/cardano-ramps.ts';
import { arrive, houseBooks, wrongBooks } from '#test/conversions.ts';
import { gatewayOf } from '#test/gateway-controls.ts';
import { harness } from '#test/harness.ts';
import { broken } from '#test/idr-token.ts';
import {
  bankEnd as endAtBank,
  payoutState,
  cardanoPayout as startCardano,
  conversion as startConversion,
  xrplPayout as startXrpl,
} from '#test/payouts.ts';
import { ramps } from '#test/ramps.ts';
import { openPayouts, payoutTotals } from './payouts.ts';

/** One way for all who pay out: news wake each, and what a bank sends back later is accounted for. */
/** As before providers' prices were part of a pay-out: what is booked is what arrives. */
const PROVIDER_PRICES = '{"gateway.payout":"0"}';
const h = await harness({ mock: false, config: { PROVIDER_PRICES } });
await h.drain();
const gateway = gatewayOf(h);
const xrpl = ramps(h);
beforeEach(() => gateway.calm());

const stateOf = (reference: string) => payoutState(h, reference);

/** The events of an account of a user or the house, before and after. */
async function noted(user_id: number): Promise<string[]> {
  const rows = await run<{ action: string }>(
    h.db,
    `select action from activity_log where subject_user_id = $1 order by id`,
    [user_id],
  );
  return rows.map(({ action }) => action);
}

/** What anybody may say of a pay-out. */
const news = (reference_id: string, status: 'REVERSED' | 'FAILED') => ({
  event: `payout.${status.toLowerCase()}`,
  data: { id: 'disb-of-anybody', reference_id, status },
});

const bankEnd = async (reference: string, ...ends: ('complete' | 'fail' | 'reverse')[]) => {
  for (const end of ends)
    expect(await endAtBank(h, reference, end)).toMatchObject({ delivered: true });
};
const xrplPayout = () => startXrpl(h);
const cardanoPayout = () => startCardano(h);
const conversion = () => startConversion(h);

describe('a pay-out that a bank returns after its arrival', () => {
  test('is reissued as USDC on the XRP Ledger to its owner', async () => {
    const { as, before, id, reference } = await xrplPayout();
    const books = await xrpl.house('gateway', 'IDR');
    await bankEnd(reference, 'complete');
    expect(await xrpl.status(as, 'off', id)).toMatchObject([200, { status: 'validated' }]);
    expect(await stateOf(reference)).toBe('PAID');
    await bankEnd(reference, 'reverse');
    expect(await xrpl.status(as, 'off', id)).toMatchObject([200, { status: 'FAILED' }]);
    expect(await stateOf(reference)).toBe('RETURNED');
    expect(await xrpl.usdcOf(as)).toEqual(before);
    expect(await xrpl.house('gateway', 'IDR')).toBe(books);
    expect(await xrpl.house('xrpl-payouts', 'IDR')).toBe(0n);
    expect(await noted(as.user_id)).toContain('XRPL_PAYOUT_RETURNED');
    await xrpl.agree();
  });

  test('is refunded to the wallet that paid the Cardano order', async () => {
    const { user, reference } = await cardanoPayout();
    const before = await houseOf(h);
    await bankEnd(reference, 'complete', 'reverse');
    expect(await flowsOf(h, user)).toMatchObject([{ status: 'FAILED', given_back: 'WALLET' }]);
    expect(await user.balance('USD')).toEqual([10_000n, 0n]);
    expect((await houseOf(h))['gateway IDR']).toBe(before['gateway IDR']);
    expect(await noted(user.as.user_id)).toContain('CARDANO_PAYOUT_RETURNED');
    const steps = await run<{ what: string }>(
      h.db,
      `select step || ' ' || status as what from cardano_steps where user_id = $1`,
      [user.as.user_id],
    );
    expect(steps.map(({ what }) => what)).toEqual(
      expect.arrayContaining(['BANK_OUT FAILED', 'RETURN SUCCESS_RECEIVED']),
    );
    await expectEven(h);
  });

  test('is refunded to the wallet of the conversion', async () => {
    const { user, job_id, reference } = await conversion();
    await bankEnd(reference, 'complete');
    expect(await user.wallet()).toEqual({ posted: 60_000_000n, held: 0n });
    await bankEnd(reference, 'reverse');
    expect(await user.status(job_id)).toMatchObject({ status: 'FAILED' });
    expect(await user.wallet()).toEqual({ posted: 100_000_000n, held: 0n });
    expect(await noted(user.as.user_id)).toContain('CONVERSION_PAYOUT_RETURNED');
    expect(await wrongBooks(h)).toEqual([]);
  });

  test('stays in transit where the exchange has confirmed it', async () => {
    const { user, job_id, reference } = await conversion();
    await arrive(h, reference);
    await h.call('POST /exchange/conversion/poll-balance', { as: await h.operator() });
    expect(await user.status(job_id)).toMatchObject({ status: 'TRADING' });
    const before = await houseBooks(h);
    await bankEnd(reference, 'reverse');
    expect(await user.status(job_id)).toMatchObject({ status: 'TRADING' });
    const after = await houseBooks(h);
    const moved = (name: string) => (after[name] ?? 0n) - (before[name] ?? 0n);
    expect([moved('gateway IDR'), moved('exchange-transit IDR')]).toEqual([
      -40_000_000n,
      40_000_000n,
    ]);
    expect(await wrongBooks(h)).toEqual([]);
  });

  test.each([
    ['xrpl', xrplPayout],
    ['cardano', cardanoPayout],
    ['conversion', conversion],
  ] as const)(
    'is taken back once, however often and by whomever it is said: %s',
    async (_, begin) => {
      const { reference } = await begin();
      await bankEnd(reference, 'complete', 'reverse');
      const before = await run(h.db, 'select sum(seq) as n from ledger.accounts', []);
      const body = news(reference, 'REVERSED');
      const told = await Promise.all(
        Array.from({ length: 20 }, () => h.call('POST /idrtoken/callback/transfer', { body })),
      );
      expect(new Set(told.map(([status]) => status))).toEqual(new Set([200]));
      await h.drain();
      expect(await run(h.db, 'select sum(seq) as n from ledger.accounts', [])).toEqual(before);
      expect(await stateOf(reference)).toBe('RETURNED');
      expect(await broken(h)).toEqual([]);
    },
  );

  test('is believed by the gateway’s answer only', async () => {
    const { reference } = await conversion();
    await bankEnd(reference, 'complete');
    const body = news(reference, 'FAILED');
    await h.call('POST /idrtoken/callback/transfer', { body });
    await h.drain();
    expect(await stateOf(reference)).toBe('PAID');
  });

  test('is found also before the flow has booked the payment', async () => {
    const { as, before, id, reference } = await xrplPayout();
    await gateway.spoil('late-callback', 2, 60_000);
    await gateway.end(reference, 'complete');
    // The flow learns of that by itself, while a call-back reports the return.
    const flow = reference.replace(/-payout$/, '');
    await h.kernel.sagas.signal(h.db, flow, 'payout', 'COMPLETED', { status: 'COMPLETED' });
    await gateway.end(reference, 'reverse');
    const body = news(reference, 'REVERSED');
    await h.call('POST /idrtoken/callback/transfer', { body });
    await h.drain();
    expect(await stateOf(reference)).toBe('RETURNED');
    expect(await xrpl.status(as, 'off', id)).toMatchObject([200, { status: 'FAILED' }]);
    expect(await xrpl.usdcOf(as)).toEqual(before);
  });
});

test('a notification moves a conversion without a poll', async () => {
  const { user, job_id, reference } = await conversion();
  await bankEnd(reference, 'complete');
  expect([await stateOf(reference), await user.wallet()]).toEqual([
    'PAID',
    { posted: 60_000_000n, held: 0n },
  ]);
  const failed = await conversion();
  await conversion();
  await bankEnd(failed.reference, 'fail');
  expect(await failed.user.status(failed.job_id)).toMatchObject({ status: 'FAILED' });
  expect(await failed.user.wallet()).toEqual({ posted: 100_000_000n, held: 0n });
  expect(await user.status(job_id)).toMatchObject({ status: 'DISBURSING' });
});

test('the kept sums of open pay-outs equal those of all rows', async () => {
  for (const begin of [xrplPayout, cardanoPayout]) await begin();
  await bankEnd((await cardanoPayout()).reference, 'fail');
  await bankEnd((await xrplPayout()).reference, 'complete');
  const [{ asked, sent } = { asked: 0n, sent: 0n }] = await run<{ asked: bigint; sent: bigint }>(
    h.db,
    `select coalesce(sum(units) filter (where state = 'ASKED'), 0) as asked,
       coalesce(sum(units) filter (where state = 'SENT'), 0) as sent from payouts`,
    [],
  );
  expect(await payoutTotals(h.db)).toEqual({ asked, sent });
  expect(sent).toBeGreaterThan(0n);
  const open = await openPayouts(h.db, 100);
  expect(open.reduce((sum, { units }) => sum + units, 0n)).toBe(asked + sent);
});

test('open pay-outs of an earlier version are taken over in their state', async () => {
  const client = await h.kernel.pool.connect();
  try {
    await client.query('begin');
    const rows = async () =>
      (
        await client.query(
          `select reference, payer, client_id, units::text, state from payouts
           where reference = any($1) order by reference`,
          [standing],
        )
      ).rows;
    // Of returns an earlier version knew only redemptions'.
    const { rows: found } = await client.query(
      `select reference from payouts where state <> 'RETURNED'`,
    );
    const standing = found.map(({ reference }) => reference);
    const before = await rows();
    await client.query('delete from payouts');
    await client.query('update payout_sums set asked = 0, sent = 0');
    const migration = readFileSync('migrations/0050_payouts.sql', 'utf8');
    await client.query(migration.slice(migration.indexOf('insert into payouts')));
    expect(new Set(before.map(({ payer }) => payer)).size).toBeGreaterThan(1);
    expect(await rows()).toEqual(before);
    const sums = await client.query(
      `select sum(sent)::text as sent, (select sum(units)::text from payouts where state = 'SENT')
         as wanted from payout_sums`,
    );
    expect(sums.rows[0].sent).toBe(sums.rows[0].wanted);
  } finally {
    await client.query('rollback');
    client.release();
  }
});
