import { format, money } from '#kernel/money/money.ts';
import { listOf, numberOf, textOf } from '../clients/answer.ts';
import type { Books } from '../clients/books.ts';
import type { Finding } from './findings.ts';
import { type Expected, equal, match } from './match.ts';
import { allPages } from './pages.ts';
import type { World } from './world.ts';

/** The service's view of a user's dollars. Money in cents. */
export interface DollarsSeen {
  readonly user: number;
  readonly balance: bigint;
  /** Oldest first. */
  readonly entries: readonly EntrySeen[];
  readonly history: readonly HistorySeen[];
}
interface EntrySeen {
  readonly reference: string;
  readonly type: string;
  readonly amount: bigint;
  readonly held: bigint;
  readonly balance_after: bigint;
}
interface HistorySeen {
  readonly reference_id: string;
  readonly type: string;
  readonly amount: bigint;
  readonly status: string;
}

/** The statements and card histories of all users, to their beginning. */
export const readDollars = ({ people, api }: World): Promise<DollarsSeen[]> =>
  Promise.all(
    people.map(async ({ user_id, token }, user) => {
      const get = (path: string) => api(`GET ${path}`, { token });
      const wallets = listOf(await get(`/wallets/fiat/${user_id}`), 'data.wallets');
      const wallet = wallets.find((found) => textOf(found, 'currency') === 'USD');
      const wallet_id = numberOf(wallet, 'wallet_id');
      const entries = await allPages(100, async (rows) => {
        const page = `transactions?limit=100${before(rows, 'seq')}`;
        return listOf(await get(`/wallets/fiat/${wallet_id}/${page}`), 'data.transactions');
      });
      const history = await allPages(500, async (rows) => {
        const page = `limit=500${before(rows, 'id')}`;
        return listOf(
          await get(`/card-checkout/card/history?wallet_id=${wallet_id}&${page}`),
          'data',
        );
      });
      return {
        user,
        balance: cents(textOf(wallet, 'balance')),
        entries: entries.map(entryOf).reverse(),
        history: history.map(historyOf),
      };
    }),
  );

/** `&before=` the last row's number, when there is one. */
function before(rows: readonly unknown[], number: string): string {
  const last = rows.at(-1);
  return last === undefined ? '' : `&before=${numberOf(last, number)}`;
}

const entryOf = (row: unknown): EntrySeen => ({
  reference: textOf(row, 'reference'),
  type: textOf(row, 'type'),
  amount: cents(textOf(row, 'amount')),
  held: cents(textOf(row, 'held')),
  balance_after: cents(textOf(row, 'balance_after')),
});

const historyOf = (row: unknown): HistorySeen => ({
  reference_id: textOf(row, 'reference_id'),
  type: textOf(row, 'type'),
  amount: cents(String(numberOf(row, 'amount'))),
  status: textOf(row, 'status'),
});

function cents(text: string): bigint {
  const isNegative = text.startsWith('-');
  const { units } = money('USD', isNegative ? text.slice(1) : text);
  return isNegative ? -units : units;
}

/** One acknowledged card operation, as it has to be found in both lists. */
interface Booked {
  readonly key: string;
  readonly type: 'TOPUP' | 'REFUND';
  readonly entry: 'card-top-up' | 'card-refund' | 'card-push';
  readonly cents: bigint;
  /** The network may have changed its status afterwards. */
  readonly worded: boolean;
  /** Its effect on the wallet. */
  readonly net: bigint;
  readonly status: string;
}

/** The effect of an operation without a card on a wallet, as in its statement. */
export interface WalletMove {
  readonly key: string;
  /** Its kind in the statement. */
  readonly entry: string;
  readonly net: bigint;
}

/** Compares a user's answers with statement, history and balance; `others` are those of the rails. */
export function checkDollars(
  books: Books,
  seen: readonly DollarsSeen[],
  others: readonly ((books: Books, user: number) => readonly WalletMove[])[],
): Finding[] {
  return seen.flatMap(({ user, balance, entries, history }) => {
    const booked = bookedFor(books, user);
    const moves = others.flatMap((movesOf) => movesOf(books, user));
    const amounts = new Map(history.map((row) => [`card:${row.reference_id}`, row.amount]));
    const moving = entries.filter(({ amount }) => amount !== 0n);
    const worded = new Set(booked.flatMap((one) => (one.worded ? [one.cents] : [])));
    const standing = history
      .filter(({ status }) => status !== 'FAILED')
      .map((row) =>
        row.status === WORD && worded.has(row.amount) ? { ...row, status: PAID } : row,
      );
    return [
      ...match(
        `card history of user ${user}`,
        booked.map((one) => expected(one.key, historyName(one))),
        standing.map(historyName),
      ),
      ...match(
        `statement of user ${user}`,
        [
          ...booked.map((one) => expected(one.key, entryName(one.entry, one.cents, one.net))),
          ...moves.map(({ key, entry, net }) => expected(key, entryName(entry, undefined, net))),
        ],
        moving.map(({ type, reference, amount }) =>
          entryName(type, amounts.get(reference), amount),
        ),
      ),
      ...equal(
        `balance of user ${user}`,
        'the balance',
        balance,
        [...booked, ...moves].reduce((sum, { net }) => sum + net, 0n),
      ),
      ...continuous(user, entries),
      ...stillHeld(user, entries),
    ];
  });
}

/** A top-up's status, and the network's later status of some. */
const PAID = 'SUCCESS_RECEIVED';
export const WORD = 'DISPUTED';

const expected = (key: string, name: string): Expected => ({ key, name });

const usd = (units: bigint): string => format({ asset: 'USD', units });

/** By its amount, which is unique in the run. */
const historyName = ({ type, status, ...row }: { type: string; status: string } & Amount) =>
  `${type} of ${usd('cents' in row ? row.cents : row.amount)} ${status}`;
type Amount = { readonly cents: bigint } | { readonly amount: bigint };

const entryName = (type: string, amount: bigint | undefined, net: bigint): string =>
  `${type} of ${amount === undefined ? 'nothing known' : usd(amount)} by ${usd(net)}`;

function bookedFor(books: Books, user: number): Booked[] {
  const topUps = books.done('top-up').map(({ operation, effect }) => ({
    user: effect.user,
    key: operation.key,
    cents: effect.cents,
    ...({
      type: 'TOPUP',
      entry: 'card-top-up',
      net: effect.cents - cardFeeOf(effect.cents),
    } as const),
    status: PAID,
    worded: effect.worded,
  }));
  const refunds = books.done('refund').map(({ operation, effect }) => ({
    user: effect.user,
    key: operation.key,
    cents: effect.cents,
    ...({ type: 'REFUND', entry: 'card-refund' } as const),
    // The platform returns its share of the fee, rounded down to a cent.
    net: (cardFeeOf(effect.of) * effect.cents) / effect.of - effect.cents,
    status: 'REFUND_PROCESSED',
    worded: false,
  }));
  const pushes = books.done('push').map(({ operation, effect }) => ({
    user: effect.user,
    key: operation.key,
    cents: effect.cents,
    // A push is shown as a refund, and known by its status.
    ...({ type: 'REFUND', entry: 'card-push', net: -effect.cents } as const),
    status: 'PUSH_PROCESSED',
    worded: false,
  }));
  return [...topUps, ...refunds, ...pushes].filter((one) => one.user === user);
}

/** 3 percent, a started cent counting as a whole one. */
export const cardFeeOf = (amount: bigint): bigint => (amount * 3n + 99n) / 100n;

function continuous(user: number, entries: readonly EntrySeen[]): Finding[] {
  let balance = 0n;
  return entries.flatMap(({ amount, balance_after, reference }): Finding[] => {
    balance += amount;
    return equal(
      `statement of user ${user}`,
      `the balance after ${reference}`,
      balance_after,
      balance,
    );
  });
}

function stillHeld(user: number, entries: readonly EntrySeen[]): Finding[] {
  const held = entries.reduce((sum, entry) => sum + entry.held, 0n);
  if (held === 0n) return [];
  const what = `${usd(held)} are still set aside`;
  return [{ kind: 'held', where: `statement of user ${user}`, what }];
}
