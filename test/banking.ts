import { randomUUID } from 'node:crypto';
import { type Fiat, openWallet } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { run } from '#kernel/db/db.ts';
import type { RouteId } from '#kernel/http/declare/route.ts';
import { houseAccount, openAccount } from '#kernel/ledger/accounts.ts';
import { transfer } from '#kernel/ledger/ledger.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import { money } from '#kernel/money/money.ts';
import { transact } from '#kernel/transact.ts';
import type { Body, Harness, Person } from './harness.ts';

/** A person with a wallet, for tests of money between people. */
export type Holder = Person & { readonly wallet_id: number; readonly account_id: number };

/** What tests of money between people do. */
export function banking(h: Harness) {
  /** Somebody of that client whose wallet has so much. */
  async function holder(client_id: number, amount = '0', currency: Fiat = 'USD'): Promise<Holder> {
    const person = await h.user({ client_id });
    return { ...person, ...(await give(person.user_id, amount, currency)) };
  }

  /** Puts money into somebody's wallet, from outside. */
  async function give(user_id: number, amount: string, currency: Fiat = 'USD') {
    const { wallet } = await openWallet(h.db, user_id, currency);
    const { units } = money(currency, amount);
    if (units > 0n)
      await transact(h.db, async (tx) => {
        const from = await openAccount(tx, houseAccount('test-outside', currency));
        const legs = transfer(from, wallet.account_id, units);
        await postWithin(tx, { key: `test:${randomUUID()}`, kind: 'test', legs });
      });
    return { wallet_id: wallet.wallet_id, account_id: wallet.account_id };
  }

  /** Posted, held and available of a wallet. */
  async function balance({ account_id }: Pick<Holder, 'account_id'>): Promise<string> {
    const [row] = await run<{ posted: bigint; held: bigint }>(
      h.db,
      'select posted, held from ledger.accounts where account_id = $1',
      [account_id],
    );
    const text = (units = 0n) => (Number(units) / 100).toFixed(2);
    return `${text(row?.posted)} ${text(row?.held)}`;
  }

  /** An operation that needs a key, with a new one. */
  const post = (
    id: RouteId,
    as: Person,
    { params, body }: { params?: Readonly<Record<string, string | number>>; body?: unknown },
  ): Promise<[number, Body]> =>
    h.call(id, {
      as,
      ...(params && { params }),
      body,
      headers: { 'idempotency-key': randomUUID() },
    });

  const send = (from: Holder, body: object) =>
    post('POST /wallets/fiat/transfers', from, {
      body: { from_wallet_id: from.wallet_id, ...body },
    });

  /** Confirms the address of a person. */
  const confirm = ({ user_id }: Person) =>
    run(h.db, 'update users set confirmed_at = service_now() where user_id = $1', [user_id]);

  /** Zero for every asset: no money was made or lost. */
  async function sums(): Promise<string[]> {
    const rows = await run<{ asset: string; sum: bigint }>(
      h.db,
      'select asset, sum(posted) as sum from ledger.accounts group by asset having sum(posted) <> 0',
      [],
    );
    return rows.map(({ asset, sum }) => `${asset} ${sum}`);
  }

  return { holder, give, balance, post, send, confirm, sums };
}

export const codeOf = ([status, { error }]: [number, Body]) => [status, error?.code];
