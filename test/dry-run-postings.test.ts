import fc from 'fast-check';
import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { type Asset, format } from '#kernel/money/money.ts';
import { transact } from '#kernel/transact.ts';
import { linkedUser } from './bank-link.ts';
import { ALSO_GOOD, cardUser, EXPIRY, GOOD } from './cards.ts';
import { digestOf } from './digest.ts';
import { type Body, type Harness, harness, type Person } from './harness.ts';

/** What a dry run says is what the operation does when it is made next. */
const h = await harness();
const live = await harness({ mock: false });

interface Operation {
  readonly path:
    | 'card-checkout/cardcc'
    | 'card-checkout/card/manual_refund'
    | 'card-checkout/card/refund'
    | 'banklink/topup';
  readonly body: object;
}

const send = (on: Harness, as: Person, { path, body }: Operation, query = {}) =>
  on.send(`POST /${path}`, { as, body, query });

const dryOf = async (on: Harness, as: Person, operation: Operation): Promise<Body> => {
  const { status, body } = await send(on, as, operation, { dry_run: 'true' });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data.would;
};

interface Leg {
  readonly owner: string;
  readonly purpose: string;
  readonly asset: Asset;
  readonly amount: bigint;
  readonly held: bigint;
}

const lastTransfer = async (on: Harness): Promise<number> => {
  const [row] = await run<{ last: number | null }>(
    on.db,
    'select max(transfer_id) as last from ledger.transfers',
    [],
  );
  return row?.last ?? 0;
};

/** What was posted after that transfer, as a dry run names it. */
async function postedAfter(on: Harness, as: Person, last: number): Promise<object[]> {
  const legs = await run<Leg>(
    on.db,
    `select a.owner, a.purpose, a.asset, e.amount, e.held_delta as held
     from ledger.entries e join ledger.accounts a using (account_id) where e.transfer_id > $1`,
    [last],
  );
  const [wallet] = await run<{ wallet_id: number }>(
    on.db,
    `select wallet_id from fiat_wallets where user_id = $1 and currency = 'USD'`,
    [as.user_id],
  );
  return inOrder(
    legs.map(({ owner, purpose, asset, amount, held }) => ({
      account: owner === 'house' ? purpose : `wallet:${wallet?.wallet_id}`,
      asset,
      amount: format({ asset, units: amount }),
      held: format({ asset, units: held }),
    })),
  );
}
const inOrder = (postings: readonly object[]): object[] =>
  postings.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

/** Of an answer what does not differ by the operation's own names and its time. */
const kindOf = (body: Body): string =>
  JSON.stringify(body, (name, value) =>
    /^(reference_id|refund_id|push_id|trace|timestamp|created_at|updated_at|settled_at|request_id|id|transaction_id|.*_at|topup_id|transfer_id|rrn|.*_identifier|retrieval.*|approval.*|.*reference.*|doc_url)$/.test(
      name,
    )
      ? typeof value
      : value,
  );

const cents = fc.integer({ min: 100, max: 30_000 }).map((n) => (n / 100).toFixed(2));
interface Step {
  readonly kind: string;
  readonly amount: string;
  readonly card: string;
  readonly nth: number;
}
const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('topUp', 'push', 'refund', 'bank'),
  amount: cents,
  card: fc.constantFrom(GOOD, ALSO_GOOD, '4000000000000002'),
  nth: fc.nat(20),
});

/** Made first in every run, whatever chance adds: top-ups that are paid, and a refund of one. */
const ALWAYS: [Step][] = [
  ...['50.00', '12.34', '250.00'].map((amount): [Step] => [
    { kind: 'topUp', amount, card: GOOD, nth: 0 },
  ]),
  [{ kind: 'refund', amount: '5.00', card: GOOD, nth: 0 }],
];

test('postings and answer of a dry run are those of the operation that is made next', async () => {
  const bank = await linkedUser(h);
  const { as } = bank;
  const paid: string[] = [];
  const operationOf = ({ kind, amount, card, nth }: Step): Operation => {
    const of = { amount, currency_code: 'USD', card_number: card };
    if (kind === 'bank')
      return { path: 'banklink/topup', body: { wallet_id: bank.wallet_id, amount } };
    if (kind === 'push')
      return {
        path: 'card-checkout/card/manual_refund',
        body: { ...of, recipient_name: 'Ada Lovelace' },
      };
    if (kind === 'refund' && paid.length > 0) {
      const reference_id = paid[nth % paid.length];
      return {
        path: 'card-checkout/card/refund',
        body: { ...of, reference_id, expiry_date: EXPIRY },
      };
    }
    return { path: 'card-checkout/cardcc', body: { ...of, expiry_date: EXPIRY } };
  };
  await fc.assert(
    fc.asyncProperty(step, async (one) => {
      const operation = operationOf(one);
      const before = await digestOf(h);
      const would = await dryOf(h, as, operation);
      expect(await digestOf(h)).toEqual(before);
      const last = await lastTransfer(h);
      const { status, body } = await send(h, as, operation);
      expect([would.status, kindOf(would.body)]).toEqual([status, kindOf(body)]);
      expect(inOrder(would.postings)).toEqual(await postedAfter(h, as, last));
      if (status < 300 && operation.path.endsWith('cardcc')) paid.push(body.data.reference_id);
    }),
    { numRuns: 40, examples: ALWAYS },
  );
  expect(paid.length).toBeGreaterThanOrEqual(ALWAYS.length - 1);
});

const networkRecords = async (): Promise<unknown> =>
  run(live.db, `select count(*) from sandbox.records`, []);

test('a dry run of a payment out ends at the call, with what would be held until then', async () => {
  const as = await live.user();
  const user = cardUser(live, as);
  await live.call('POST /wallets/fiat', { as, body: { currency: 'USD' } });
  expect((await user.topUp('100.00'))[0]).toBe(200);
  const push: Operation = {
    path: 'card-checkout/card/manual_refund',
    body: {
      amount: '10.00',
      currency_code: 'USD',
      card_number: ALSO_GOOD,
      recipient_name: 'Ada L',
    },
  };
  const [before, records] = [await digestOf(live), await networkRecords()];
  const would = await dryOf(live, as, push);
  expect([would.status, would.body]).toEqual([null, null]);
  expect(would.calls).toEqual([{ provider: 'card-network', operation: 'card' }]);
  expect(await digestOf(live)).toEqual(before);
  expect(await networkRecords()).toEqual(records);
  const last = await lastTransfer(live);
  expect((await send(live, as, push))[0 as never] ?? 200).toBe(200);
  const [hold] = await postedAfter(live, as, last);
  expect(would.postings).toEqual([expect.objectContaining({ held: '10.00', amount: '0.00' })]);
  expect(hold).toBeDefined();
});

test('an Idempotency-Key is not used up, and an unknown field or a schema answers by itself', async () => {
  const as = await h.user();
  await h.call('POST /wallets/fiat', { as, body: { currency: 'USD' } });
  const headers = { 'idempotency-key': crypto.randomUUID() };
  const body = { card_number: GOOD, expiry_date: EXPIRY, amount: '5.00', currency_code: 'USD' };
  const dry = { as, headers, query: { dry_run: 'true' } };
  const first = await h.send('POST /card-checkout/cardcc', {
    ...dry,
    body: { ...body, amount: '6.00' },
  });
  expect(first.body.data.would.status).toBe(200);
  // Another body under the same key is the first one.
  const real = await h.send('POST /card-checkout/cardcc', { as, headers, body });
  expect([real.status, real.headers.get('idempotent-replayed')]).toEqual([200, null]);
  const wrong = await h.send('POST /card-checkout/cardcc', {
    ...dry,
    body: { ...body, surprise: 1 },
  });
  expect([wrong.status, wrong.body.code]).toEqual([400, 'UNKNOWN_FIELD']);
  const maybe = { as, body, query: { dry_run: 'maybe' } };
  expect((await h.send('POST /card-checkout/cardcc', maybe)).status).toBe(400);
  const none = await h.send('POST /wallets/fiat', { as, body: {}, query: { dry_run: 'true' } });
  expect(none.status).toBe(400);
});

test('a dry run waits for a lock for a second, and holds up nobody afterwards', async () => {
  const as = await h.user();
  const user = cardUser(h, as);
  await h.call('POST /wallets/fiat', { as, body: { currency: 'USD' } });
  await user.topUp('50.00');
  const body = {
    amount: '1.00',
    currency_code: 'USD',
    card_number: ALSO_GOOD,
    recipient_name: 'Ada',
  };
  const push: Operation = { path: 'card-checkout/card/manual_refund', body };
  const answer = await transact(h.db, async (tx) => {
    await run(tx, `select from ledger.accounts where owner = $1 for update`, [
      `user:${as.user_id}`,
    ]);
    return send(h, as, push, { dry_run: 'true' });
  });
  expect([answer.status, answer.body.code]).toEqual([503, 'OVERLOADED']);
  expect(answer.headers.get('x-archipay-outcome')).toBe('not-begun');
  const all = await Promise.all(
    Array.from({ length: 20 }, (_, n) => send(h, as, push, n % 2 === 0 ? { dry_run: 'true' } : {})),
  );
  expect(all.filter(({ status }) => status === 200)).toHaveLength(20);
  expect((await user.balance())[0]).toBeLessThan(5000n);
});
