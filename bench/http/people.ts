import { run } from '#kernel/db/db.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { houseAccount, openAccount } from '#kernel/ledger/accounts.ts';
import { transfer } from '#kernel/ledger/ledger.ts';
import { postAllWithin } from '#kernel/ledger/post.ts';
import { FUNDS } from '../ledger/ledger-bench.ts';

/** A user with a token, and the accounts of two wallets. */
export interface BenchPerson {
  readonly token: string;
  /** With money in it. */
  readonly rupiah: number;
}

const PEOPLE = 2000;
const LOGGED_IN_AT_ONCE = 50;

const MADE = `with people as (
    insert into users (client_id, username, email, phone, role)
    select 2, 'bench-' || n, 'bench-' || n || '@example.test', '+1555' || n, 'user'
    from generate_series(1, $1::int) n returning user_id
  ), accounts as (
    insert into ledger.accounts (owner, purpose, asset, min_available)
    select 'user:' || user_id, 'wallet', asset, 0 from people, unnest(array['IDR', 'USD']) asset
    returning account_id, asset, substr(owner, 6)::int as user_id
  ), wallets as (
    insert into fiat_wallets (user_id, currency, account_id)
    select user_id, asset, account_id from accounts returning user_id
  )
  select user_id, account_id as rupiah from accounts
  where asset = 'IDR' and exists (select from wallets)`;

/**
 * Of the demo client, each with wallets of their own: payments of one person lock that person's wallet
 * until the commit, and would measure the cost of that instead of a payment's.
 */
export async function makePeople({ db, sessions }: Pick<Kernel, 'db' | 'sessions'>) {
  const made = await run<{ user_id: number; rupiah: number }>(db, MADE, [PEOPLE]);
  const nowhere = await openAccount(db, houseAccount('bench-funds', 'IDR'));
  const gifts = made.map(({ rupiah }) => ({
    key: `bench-funds:${rupiah}`,
    kind: 'bench-funds',
    legs: transfer(nowhere, rupiah, FUNDS),
  }));
  await postAllWithin(db, gifts);
  const people: BenchPerson[] = [];
  // All at once they would wait for connections beyond the time-out.
  for (let at = 0; at < made.length; at += LOGGED_IN_AT_ONCE)
    people.push(
      ...(await Promise.all(
        made.slice(at, at + LOGGED_IN_AT_ONCE).map(async ({ user_id, rupiah }) => {
          const { token } = await sessions.open(db, { user_id, method: 'password' });
          return { token, rupiah };
        }),
      )),
    );
  return people;
}
