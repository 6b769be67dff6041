import { run } from '#kernel/db/db.ts';
import { type Asset, money } from '#kernel/money/money.ts';
import { transact } from '#kernel/transact.ts';
import { CURRENCY_NUMBER } from '#providers/card-network/wire.ts';
import type { Body, Harness, Person } from './harness.ts';
import { arrivals } from './waiting.ts';

/** The sandbox's cards, as a caller types them. */
export const GOOD = '4111111111111111';
export const ALSO_GOOD = '5555555555554444';
export const DECLINED = '4000000000000002';
export const POOR = '4000000000009995';
export const SILENT = '4000000000000119';
export const EXPIRY = '1139';
export const CVV = '739';

type Answer = Promise<[number, Body]>;

/** A person's actions with cards, and the books; for tests. */
export function cardUser(h: Harness, as: Person) {
  const post = (path: string, body: object, key?: string): Answer =>
    h.call(`POST /card-checkout/${path}`, {
      as,
      body,
      ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
    });
  return {
    as,
    post,
    topUp: (amount: unknown, card_number = GOOD, currency_code = 'USD', key?: string): Answer =>
      post('cardcc', { card_number, expiry_date: EXPIRY, amount, currency_code }, key),
    refund: (reference_id: string, amount: unknown, over: object = {}, key?: string): Answer =>
      post(
        'card/refund',
        {
          reference_id,
          amount,
          currency_code: 'USD',
          card_number: GOOD,
          expiry_date: EXPIRY,
          ...over,
        },
        key,
      ),
    push: (amount: unknown, over: object = {}, key?: string): Answer =>
      post(
        'card/manual_refund',
        {
          amount,
          currency_code: 'USD',
          card_number: ALSO_GOOD,
          recipient_name: 'Ada Lovelace',
          ...over,
        },
        key,
      ),
    reference: (reference_id: string): Answer =>
      h.call('GET /card-checkout/card/reference/{reference_id}', { as, params: { reference_id } }),
    history: (query: Record<string, string | number>): Answer =>
      h.call('GET /card-checkout/card/history', { as, query }),
    /** Posted and held, in units. */
    async balance(currency: Asset = 'USD'): Promise<[bigint, bigint]> {
      const [row] = await run<{ posted: bigint; held: bigint }>(
        h.db,
        `select posted, held from ledger.accounts
         where owner = $1 and purpose = 'wallet' and asset = $2`,
        [`user:${as.user_id}`, currency],
      );
      return [row?.posted ?? 0n, row?.held ?? 0n];
    },
  };
}
export type CardUser = ReturnType<typeof cardUser>;

/** An account of the platform's own, in units. */
export async function houseBalance(h: Harness, purpose: string, asset: Asset): Promise<bigint> {
  const [row] = await run<{ posted: bigint }>(
    h.db,
    `select sum(posted) as posted from ledger.accounts
     where owner = 'house' and purpose = $1 and asset = $2`,
    [purpose, asset],
  );
  return row?.posted ?? 0n;
}

/** Incoming less outgoing money by the network's own account, in units. */
export async function networkBalance(h: Harness, asset: keyof typeof CURRENCY_NUMBER) {
  const all = await run<{ kind: string; amount: string }>(
    h.db,
    `select data ->> 'kind' as kind, data ->> 'amount' as amount from sandbox.records
     where provider = 'card-network' and kind = 'transaction' and data @> $1::jsonb
       and data ->> 'status' <> all('{FAILED,CANCELLED,DECLINED,EXPIRED,REJECTED,REVERSED}')`,
    [JSON.stringify({ actionCode: '00', currency: CURRENCY_NUMBER[asset] })],
  );
  return all
    .map(
      ({ kind, amount }) =>
        money(asset, amount).units * (kind === 'pull' || kind === 'representment' ? 1n : -1n),
    )
    .reduce((sum, units) => sum + units, 0n);
}

/** The next calls to the card network misbehave. */
export const spoil = (h: Harness, kind: string, times = 1): Promise<Body> =>
  h.sandbox('POST', '/faults', { provider: 'card-network', kind, times });

/** Nothing is booked before that many requests have arrived, however slowly they come. */
export async function whenAllHaveAsked<T>(
  h: Harness,
  count: number,
  ask: () => Promise<T>,
): Promise<T> {
  const arrived = arrivals(h, count);
  let answers: Promise<T> | undefined;
  await transact(h.db, async (tx) => {
    await run(
      tx,
      `select from ledger.accounts where purpose = 'card-settlement' order by account_id for update`,
      [],
    );
    answers = ask();
    await arrived;
  });
  return answers as Promise<T>;
}
