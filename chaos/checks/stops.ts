import { run } from '#kernel/db/db.ts';
import { format } from '#kernel/money/money.ts';
import { fieldOf, listOf, numberOf, textOf } from '../clients/answer.ts';
import { answerOf, type Books, isDone } from '../clients/books.ts';
import type { Finding } from './findings.ts';
import { linesIn } from './lines.ts';
import { type Expected, match } from './match.ts';
import { cardFeeOf } from './money.ts';
import type { World } from './world.ts';

/** The visible state of the guests, who were stopped, each by the name of their flow. */
export interface StopsSeen {
  /** Movements of money in their wallets, such as `card-push by -30.00`. */
  readonly moves: readonly { readonly guest: string; readonly names: readonly string[] }[];
  /** Such as `stopped c0.stop`. */
  readonly turns: readonly string[];
  /** The outcomes of their proposals, such as `VOIDED c0.stop first`, and changes that still wait. */
  readonly wishes: readonly string[];
}

export async function readStops({ db, api, guests, operator }: World): Promise<StopsSeen> {
  const all = [...guests];
  const moves = await Promise.all(
    all.map(async ([guest, { user_id }]) => {
      const lines = await linesIn(api, { user_id, token: operator }, 'USD');
      return { guest, names: lines.map(({ type, amount }) => moveName(type, amount)) };
    }),
  );
  const turns = await run<{ what: string; reason: string }>(
    db,
    'select what, reason from stops where wallet_id is null',
    [],
  );
  const wishes = await run<{ wish: string }>(
    db,
    `select status || ' ' || reason as wish from adjustments where proposed_by = any ($1::int[])
     union all select 'change ' || change_id || ' waits' from pending_changes
       where proposed_by = any ($1::int[])
     union all select 'address of ' || user_id || ' is ' || email from users
       where email like '%@moved.test'`,
    [all.map(([, { user_id }]) => user_id)],
  );
  return {
    moves,
    turns: turns.map(({ what, reason }) => turnName(what, reason)),
    wishes: wishes.map(({ wish }) => wish),
  };
}

const moveName = (type: string, amount: string) => `${type} by ${amount}`;
const turnName = (what: string, guest: string) => `${what} ${guest}`;
const moved = (cents: bigint) => format({ asset: 'USD', units: cents });

/**
 * Every payment acknowledged to guests is made once, and no refused one; each stop and reinstatement counted once; and
 * the changes that a stop listed as void are void, and are all that were not done before.
 */
export function checkStops(books: Books, seen: StopsSeen): Finding[] {
  const ins = books.done('guest-in').map(({ operation: { key }, effect: { guest, cents } }) => {
    return { key, guest, name: moveName('card-top-up', moved(cents - cardFeeOf(cents))) };
  });
  const outs = books.done('guest-out').map(({ operation: { key }, effect: { guest, cents } }) => {
    return { key, guest, name: moveName('card-push', moved(-cents)) };
  });
  const turns = books.done('stop').map(({ operation: { key }, effect: { guest, what } }) => {
    return { key, name: turnName(what, guest) };
  });
  return [
    ...seen.moves.flatMap(({ guest, names }) =>
      match(
        `wallet of a stopped guest`,
        [...ins, ...outs].filter((one) => one.guest === guest),
        names,
      ),
    ),
    ...match('stops', turns, seen.turns),
    ...match('wishes of stopped guests', wishesOf(books), seen.wishes),
    ...match('answers of stops', voidedBy(books), toldVoid(books)),
  ];
}

const isBooked = (books: Books, id: string): boolean =>
  books
    .all()
    .some((entry) => entry.operation.path === `/adjustments/${id}/approve` && isDone(entry));

/** Each proposal with its id, and whether its approval was faster than the stop. */
const proposalsOf = (books: Books) =>
  books.done('guest-proposal').map((entry) => {
    const id = textOf(answerOf(entry), 'data.adjustment_id');
    const { key } = entry.operation;
    return { key, id, reason: entry.effect.reason, booked: isBooked(books, id) };
  });

const wishesOf = (books: Books): Expected[] =>
  proposalsOf(books).map(({ key, reason, booked }) => ({
    key,
    name: `${booked ? 'BOOKED' : 'VOIDED'} ${reason}`,
  }));

const voidedBy = (books: Books): Expected[] => [
  ...proposalsOf(books)
    .filter(({ booked }) => !booked)
    .map(({ key, id }) => ({ key, name: `correction ${id}` })),
  ...books.done('guest-order').map((entry) => ({
    key: entry.operation.key,
    name: `change ${numberOf(answerOf(entry), 'pending_change.change_id')}`,
  })),
];

/** The lists in the answers of stops. */
const toldVoid = (books: Books): string[] =>
  books.done('stop').flatMap((entry) => {
    const left = fieldOf(answerOf(entry), 'left');
    if (left === undefined) return [];
    return [
      ...listOf(left, 'orders_voided').map((one) => `change ${numberOf(one, 'change_id')}`),
      ...listOf(fieldOf(left, 'proposals_voided') ?? [], '').map((id) => `correction ${id}`),
    ];
  });
