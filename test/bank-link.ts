import { run } from '#kernel/db/db.ts';
import { verifyLedger } from '#kernel/ledger/verify.ts';
import type { Body, Harness, Person } from './harness.ts';

type Answer = Promise<[number, Body]>;

/** What a person does with linked bank accounts, and what the books then say; for tests. */
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
      rows('select * from bank_top_ups where user_id = $1 order by created_at, top_up_id'),
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
    `select posted from ledger.accounts where owner = 'house' and purpose = $1 and asset = 'USD'`,
    [purpose],
  );
  return row?.posted ?? 0n;
}

export const armPlaid = (h: Harness, kind: string, times = 1, ms = 20) =>
  h.sandbox('POST', '/faults', { provider: 'plaid', kind, times, ms });

/** Whatever has happened: the books balance, and what came in is what wallets have and owe. */
export async function booksHold(h: Harness): Promise<readonly unknown[]> {
  return (await verifyLedger(h.db)).broken;
}

/** What the sandbox's Plaid knows of transfers. */
export const plaidRecords = (h: Harness, kind: string): Promise<Body[]> =>
  run(
    h.db,
    `select id, data from sandbox.records where provider = 'plaid' and kind = $1 order by seq`,
    [kind],
  );
