import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { run } from '#kernel/db/db.ts';
import type { RouteId } from '#kernel/http/declare/route.ts';
import { houseAccount, openAccount } from '#kernel/ledger/accounts.ts';
import { transfer } from '#kernel/ledger/ledger.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import { verifyLedger } from '#kernel/ledger/verify.ts';
import { type Asset, money } from '#kernel/money/money.ts';
import { transact } from '#kernel/transact.ts';
import { ELSEWHERE } from './cardano.ts';
import { GOOD } from './cards.ts';
import type { Body, Harness, Person } from './harness.ts';

/** People's actions on Cardano, and the books; for tests. */

export type RampName =
  | 'bank-offramp-wallet'
  | 'wallet-offramp-bank'
  | 'bank-offramp-bank'
  | 'wallet-offramp-wallet'
  | 'bank-mint-user'
  | 'wallet-mint-user';
export const RAMPS: readonly RampName[] = [
  'wallet-mint-user',
  'wallet-offramp-wallet',
  'wallet-offramp-bank',
  'bank-mint-user',
  'bank-offramp-wallet',
  'bank-offramp-bank',
];

export const HASH = /^[0-9a-f]{64}$/;

export interface RampUser {
  readonly as: Person;
  /** Their wallet of a currency, opened when they have none. */
  wallet(currency: Asset): Promise<number>;
  /** Money in their wallet, posted directly in the ledger. */
  give(currency: Asset, amount: string): Promise<void>;
  /** Posted and held, in units. */
  balance(currency: Asset): Promise<[posted: bigint, held: bigint]>;
  /** The operation, with sensible fields but for those given. */
  ramp(name: RampName, over?: object, key?: string): Promise<[number, Body]>;
}

/** A user with a USD wallet and that many dollars in it. */
export async function rampUser(h: Harness, given?: Person, usd = '100'): Promise<RampUser> {
  const as = given ?? (await h.user());
  const user: RampUser = {
    as,
    async wallet(currency) {
      const [, body] = await h.call('POST /wallets/fiat', { as, body: { currency } });
      return body.data.wallet_id;
    },
    async give(currency, amount) {
      await user.wallet(currency);
      const { units } = money(currency, amount);
      const from = await openAccount(h.db, houseAccount('test-gifts', currency));
      const to = await openAccount(h.db, {
        owner: `user:${as.user_id}`,
        purpose: 'wallet',
        asset: currency,
      });
      const operation = { key: randomUUID(), kind: 'gift', legs: transfer(from, to, units) };
      await transact(h.db, (tx) => postWithin(tx, operation));
    },
    async balance(currency) {
      const [row] = await run<{ posted: bigint; held: bigint }>(
        h.db,
        `select posted, held from ledger.accounts
         where owner = $1 and purpose = 'wallet' and asset = $2`,
        [`user:${as.user_id}`, currency],
      );
      return row ? [row.posted, row.held] : [0n, 0n];
    },
    async ramp(name, over = {}, key) {
      const body = { ...(await bodyFor(user, name)), ...over };
      const headers = key === undefined ? {} : { 'idempotency-key': key };
      return h.call(`POST /cardano/onramp-${name}` as RouteId, { as, body, headers });
    },
  };
  if (usd !== '0') await user.give('USD', usd);
  return user;
}

async function bodyFor(user: RampUser, name: RampName): Promise<object> {
  const [from, to] = name.split(/-(?:offramp|mint)-/);
  return {
    user_id: user.as.user_id,
    fiat_amount: '100',
    currency_from: 'USD',
    ...(from === 'wallet' ? { wallet_from_id: await user.wallet('USD') } : { cardNumber: GOOD }),
    ...(to === 'user' ? { user_wallet_address: ELSEWHERE } : { currency_to: 'SGD' }),
    ...(to === 'wallet' && { wallet_to_id: await user.wallet('SGD') }),
  };
}

/** The house's accounts, by purpose and asset. */
export async function houseOf(h: Harness): Promise<Record<string, bigint>> {
  const rows = await run<{ name: string; posted: bigint }>(
    h.db,
    `select purpose || ' ' || asset as name, sum(posted) as posted from ledger.accounts
     where owner = 'house' group by purpose, asset`,
    [],
  );
  return Object.fromEntries(rows.map(({ name, posted }) => [name, posted]));
}

/**
 * Checks that the ledger adds up, that no hold is left, and that the chain has exactly the ledger's USDC.
 */
export async function expectEven(h: Harness): Promise<void> {
  expect((await verifyLedger(h.db)).broken).toEqual([]);
  const held = await run(h.db, 'select owner from ledger.accounts where held <> 0', []);
  expect(held).toEqual([]);
  const { 'cardano-circulation USDC': booked = 0n } = await houseOf(h);
  expect(await h.app.cardano.supply()).toEqual({ kind: 'done', value: booked });
  const unbooked = await run(
    h.db,
    `select reference from cardano_transactions where state = 'CONFIRMED' and booked_at is null`,
    [],
  );
  expect(unbooked).toEqual([]);
}

/** Takes the treasury's coins away; answers a function that returns them. */
export async function emptyTreasury(h: Harness): Promise<() => Promise<void>> {
  const { treasury } = await h.app.cardano.identity();
  // The ledger begins at its first call.
  await h.app.cardano.holdings(treasury);
  const change = (data: string) =>
    run<{ data: object }>(
      h.db,
      `update sandbox.records r set data = $2::jsonb
       from (select data from sandbox.records
             where provider = 'cardano' and kind = 'address' and id = $1) old
       where r.provider = 'cardano' and r.kind = 'address' and r.id = $1 returning old.data`,
      [treasury, data],
    );
  const [row] = await change('{"utxos": []}');
  await run(h.db, 'delete from cardano_outputs where spent_by is null', []);
  return async () => void (await change(JSON.stringify(row?.data)));
}

export const flowsOf = (h: Harness, user: RampUser) =>
  run<{ state: string; status: string; given_back: string | null }>(
    h.db,
    `select s.state, o.status, o.given_back from cardano_orders o
     join sagas s on s.id = 'cardano-' || o.order_id where o.user_id = $1 order by o.created_at`,
    [user.as.user_id],
  );
