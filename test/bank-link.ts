import { run } from '#kernel/db/db.ts';
import { verifyLedger } from '#kernel/ledger/verify.ts';
import type { Body, Harness, Person } from './harness.ts';

type Answer = Promise<[number, Body]>;

/** A person's actions on linked bank accounts, and the books; for tests. */
export async function bankUser(h: Harness, as: Person) {
  const [, { data }] = await h.call('POST /wallets/fiat', { as, body: { currency: 'USD' } });
  const wallet_id: number = data.wallet_id;
  const params = { wallet_id };
  const post = (path: string, body: object, key?: string): Answer =>
    h.call(`POST /banklink/${path}`, {
      as,
      body,
      ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
    });
  const publicToken = async (): Promise<Body> => h.sandbox('POST', '/banklink/public-tokens', {});
  const exchange = async (): Answer =>
    post('item/public-token/exchange', { ...(await publicToken()), wallet_id });
  const rows = (text: string): Promise<Body[]> => run(h.db, text, [as.user_id]);
  return {
    as,
    wallet_id,
    post,
    publicToken,
    exchange,
    check: (): Answer => h.call('GET /banklink/{wallet_id}/check', { as, params }),
    /** A bank advances the person's latest transfer, and the service gets the webhook. */
    async step(...events: string[]): Promise<void> {
      const [latest] = await rows(
        `select transfer_id from bank_top_ups where user_id = $1 and transfer_id is not null
         order by created_at desc, top_up_id limit 1`,
      );
      for (const event_type of events)
        await h.sandbox('POST', `/banklink/transfers/${latest?.transfer_id}/events`, {
          event_type,
        });
    },
    disconnect: (): Answer => h.call('DELETE /banklink/{wallet_id}/bank', { as, params }),
    accessToken: (): Answer => h.call('GET /banklink/{wallet_id}/access-token', { as, params }),
    accounts: (user_id = as.user_id): Answer =>
      h.call('GET /banklink/{user_id}/accounts', { as, params: { user_id } }),
    topUp: (amount: unknown, key?: string): Answer => post('topup', { wallet_id, amount }, key),
    /** Of the wallet, in cents. */
    async balance(): Promise<bigint> {
      const [row] = await rows(
        `select a.posted from ledger.accounts a join fiat_wallets w using (account_id)
         where w.user_id = $1 and w.currency = 'USD'`,
      );
      return row?.posted ?? 0n;
    },
    topUps: () =>
      rows(`select t.*, coalesce((select owed from ledger.debts d
              where d.debt = 'bank-top-up:' || t.top_up_id || ':return'), 0) as owed
            from bank_top_ups t where user_id = $1 order by created_at, top_up_id`),
    connections: () =>
      rows('select * from bank_connections where user_id = $1 order by created_at'),
    logged: async () =>
      (await rows('select action from activity_log where subject_user_id = $1 order by id')).map(
        ({ action }) => action as string,
      ),
  };
}
export type BankUser = Awaited<ReturnType<typeof bankUser>>;

/** Of a house account, in cents. */
export async function houseCents(h: Harness, purpose: string): Promise<bigint> {
  const [row] = await run<{ posted: bigint }>(
    h.db,
    `select sum(posted) as posted from ledger.accounts
     where owner = 'house' and purpose = $1 and asset = 'USD'`,
    [purpose],
  );
  return row?.posted ?? 0n;
}

export const armPlaid = (h: Harness, kind: string, times = 1, ms = 20) =>
  h.sandbox('POST', '/faults', { provider: 'plaid', kind, times, ms });

/** An invariant: the books balance, and the money that came in equals the wallets' balances and debts. */
export async function booksHold(h: Harness): Promise<readonly unknown[]> {
  return (await verifyLedger(h.db)).broken;
}

/** The transfers of the sandbox's Plaid. */
export const plaidRecords = (h: Harness, kind: string): Promise<Body[]> =>
  run(
    h.db,
    `select id, data from sandbox.records where provider = 'plaid' and kind = $1 order by seq`,
    [kind],
  );

/** A user with a bank account linked to a wallet in dollars. */
export async function linkedUser(h: Harness): Promise<BankUser> {
  const person = await bankUser(h, await h.user());
  await person.exchange();
  return person;
}

/** The transfers that the sandbox's Plaid has under that reference of ours. */
export const plaidTransfersOf = async (h: Harness, reference: string): Promise<Body[]> =>
  (await plaidRecords(h, 'transfer')).filter(({ data }) => data.metadata?.reference === reference);

/** All banks settle their pending transfers, and the service books them. */
export async function settleAll(h: Harness): Promise<void> {
  for (const { id, data } of await plaidRecords(h, 'transfer'))
    if (data.status === 'pending')
      for (const event_type of ['posted', 'settled'])
        await h.sandbox('POST', `/banklink/transfers/${id}/events`, { event_type });
  await h.drain();
}
