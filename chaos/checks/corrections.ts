import { run } from '#kernel/db/db.ts';
import type { Books } from '../clients/books.ts';
import type { Finding } from './findings.ts';
import { match } from './match.ts';
import type { WalletMove } from './money.ts';
import type { World } from './world.ts';

/** Corrections booked by two people, such as `adjustment of 701 by user 4`; each with its posting. */
export async function readCorrections({ db, people }: World): Promise<readonly string[]> {
  const rows = await run<{ kind: string; units: bigint; user_id: number }>(
    db,
    `select a.kind, a.units, a.user_id from adjustments a
     join ledger.transfers t on t.operation_key = a.kind || ':' || a.adjustment_id
     where a.status = 'BOOKED'`,
    [],
  );
  return rows.map(({ kind, units, user_id }) => {
    const user = people.findIndex((person) => person.user_id === user_id);
    return nameOf(kind, units, user);
  });
}

const nameOf = (kind: string, cents: bigint, user: number) =>
  `${kind} of ${cents} for user ${user}`;

/** Every approved correction is booked once, and no other is. */
export const checkCorrections = (books: Books, seen: readonly string[]): Finding[] =>
  match(
    'corrections',
    books.done('correction').map(({ operation: { key }, effect: { entry, cents, user } }) => {
      return { key, name: nameOf(entry, cents < 0n ? -cents : cents, user) };
    }),
    seen,
  );

/** Their effect on wallets. */
export const correctionMoves = (books: Books, user: number): WalletMove[] =>
  books
    .done('correction')
    .filter(({ effect }) => effect.user === user)
    .map(({ operation: { key }, effect: { entry, cents } }) => ({ key, entry, net: cents }));
