import { run } from '#kernel/db/db.ts';
import { format } from '#kernel/money/money.ts';
import { listOf, numberOf, textOf } from '../clients/answer.ts';
import type { Books } from '../clients/books.ts';
import { SAVINGS } from '../clients/play-freeze.ts';
import type { Finding } from './findings.ts';
import { match } from './match.ts';
import { cardFeeOf } from './money.ts';
import type { World } from './world.ts';

/** What is to be seen of the wallets that were frozen. */
export interface FreezesSeen {
  /** By user, what moved money, such as `card-push by -10.00`. */
  readonly moves: readonly { readonly user: number; readonly names: readonly string[] }[];
  /** Such as `stopped user 3`: what was written down of each freeze and release. */
  readonly turns: readonly string[];
}

/** A wallet of a run has a handful of lines. */
const LINES = 100;

export async function readFreezes({ db, api, people }: World): Promise<FreezesSeen> {
  const moves = await Promise.all(
    people.map(async ({ user_id, token }, user) => {
      const get = (path: string) => api(`GET /wallets/fiat/${path}`, { token });
      const wallets = listOf(await get(String(user_id)), 'data.wallets');
      const wallet = wallets.find((one) => textOf(one, 'currency') === SAVINGS);
      if (wallet === undefined) return { user, names: [] };
      const path = `${numberOf(wallet, 'wallet_id')}/transactions?limit=${LINES}`;
      const lines = listOf(await get(path), 'data.transactions');
      const names = lines.map((line) => moveName(textOf(line, 'type'), textOf(line, 'amount')));
      return { user, names: names.filter((name) => !name.endsWith(` ${moved(0n)}`)) };
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

/** All that was acknowledged has moved money once, what was refused has moved none, and each turn counted once. */
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
