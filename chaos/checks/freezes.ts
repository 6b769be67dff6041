import { run } from '#kernel/db/db.ts';
import { format } from '#kernel/money/money.ts';
import type { Books } from '../clients/books.ts';
import { SAVINGS } from '../clients/play-freeze.ts';
import type { Finding } from './findings.ts';
import { linesIn } from './lines.ts';
import { match } from './match.ts';
import { cardFeeOf } from './money.ts';
import type { World } from './world.ts';

/** The visible state of the frozen wallets. */
export interface FreezesSeen {
  /** By user, movements of money, such as `card-push by -10.00`. */
  readonly moves: readonly { readonly user: number; readonly names: readonly string[] }[];
  /** Such as `stopped user 3`: the records of each freeze and release. */
  readonly turns: readonly string[];
}

export async function readFreezes({ db, api, people }: World): Promise<FreezesSeen> {
  const moves = await Promise.all(
    people.map(async (person, user) => {
      const lines = await linesIn(api, person, SAVINGS);
      return { user, names: lines.map(({ type, amount }) => moveName(type, amount)) };
    }),
  );
  const rows = await run<{ what: string; user_id: number }>(
    db,
    `select s.what, w.user_id from stops s join fiat_wallets w using (wallet_id)`,
    [],
  );
  const turns = rows.map(({ what, user_id }) =>
    turnName(
      what,
      people.findIndex((person) => person.user_id === user_id),
    ),
  );
  return { moves, turns };
}

const moveName = (type: string, amount: string) => `${type} by ${amount}`;
const turnName = (what: string, user: number) => `${what} user ${user}`;
const moved = (cents: bigint) => format({ asset: SAVINGS, units: cents });

/** Every acknowledged operation has moved money once, every refused one none, and each freeze and release counted once. */
export function checkFreezes(books: Books, seen: FreezesSeen): Finding[] {
  const ins = books.done('savings-in').map(({ operation: { key }, effect: { user, cents } }) => {
    return { key, user, name: moveName('card-top-up', moved(cents - cardFeeOf(cents))) };
  });
  const outs = books.done('savings-out').map(({ operation: { key }, effect: { user, cents } }) => {
    return { key, user, name: moveName('card-push', moved(-cents)) };
  });
  const statements = seen.moves.flatMap(({ user, names }) =>
    match(
      `frozen wallet of user ${user}`,
      [...ins, ...outs].filter((one) => one.user === user),
      names,
    ),
  );
  const turns = books.done('freeze').map(({ operation: { key }, effect: { user, what } }) => {
    return { key, name: turnName(what, user) };
  });
  return [...statements, ...match('freezes', turns, seen.turns)];
}
