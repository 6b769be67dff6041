import { run } from '#kernel/db/db.ts';
import { format, money } from '#kernel/money/money.ts';
import type { Books } from '../clients/books.ts';
import type { Mode } from '../plan/plan.ts';
import type { Finding } from './findings.ts';
import { match } from './match.ts';
import type { WalletMove } from './money.ts';
import type { World } from './world.ts';

export interface BankSeen {
  /** By user, the number of bank accounts linked to the wallet. */
  readonly links: readonly number[];
  /** At the provider, such as `debit of 40.07 settled`. */
  readonly moved: readonly string[];
}

/** Linked accounts, and the provider's debits of bank accounts. */
export async function readBank({ db, people }: World): Promise<BankSeen> {
  const linked = await run<{ user_id: number; links: string }>(
    db,
    `select user_id, count(*)::text as links from bank_connections
     where state = 'CONNECTED' group by user_id`,
    [],
  );
  const byUser = new Map(linked.map(({ user_id, links }) => [user_id, Number(links)]));
  const transfers = await run<{ amount: string; status: string }>(
    db,
    `select data ->> 'amount' as amount, data ->> 'status' as status from sandbox.records
     where provider = 'plaid' and kind = 'transfer'`,
    [],
  );
  return {
    links: people.map(({ user_id }) => byUser.get(user_id) ?? 0),
    moved: transfers.map(({ amount, status }) => movedName(money('USD', amount).units, status)),
  };
}

const movedName = (cents: bigint, status: string): string =>
  `debit of ${format({ asset: 'USD', units: cents })} ${status}`;

/** Each user with a linked bank account has one link, and each top-up is one debit; in mock mode none is. */
export function checkBank(books: Books, mode: Mode, seen: BankSeen): Finding[] {
  const links = books.done('bank-link');
  const debits = books.done('bank-top-up').map(({ operation: { key }, effect }) => ({
    key,
    name: movedName(effect.cents, effect.returned ? 'returned' : 'settled'),
  }));
  return [
    ...seen.links.flatMap((count, user) => {
      // Of several attempts the first made the link, and the others were answered with it.
      const first = links.filter(({ effect }) => effect.user === user).slice(0, 1);
      const expected = first.map(({ operation: { key } }) => ({ key, name: 'link' }));
      return match(`bank link of user ${user}`, expected, Array<string>(count).fill('link'));
    }),
    ...match('bank', mode === 'live' ? debits : [], seen.moved),
  ];
}

/** Its credits to wallets in dollars, and its debits. */
export const bankMoves = (books: Books, user: number): WalletMove[] =>
  books
    .done('bank-top-up')
    .filter(({ effect }) => effect.user === user)
    .flatMap(({ operation: { key }, effect: { cents, returned } }) => [
      { key, entry: 'bank-top-up', net: cents },
      ...(returned ? [{ key, entry: 'bank-top-up-return', net: -cents }] : []),
    ]);
