import { run } from '#kernel/db/db.ts';
import { format, money } from '#kernel/money/money.ts';
import { listOf, textOf } from '../clients/answer.ts';
import { answerOf, type Books, type Entry } from '../clients/books.ts';
import { outsideOf } from '../clients/play-xrpl.ts';
import type { Finding } from './findings.ts';
import { equal, match } from './match.ts';
import type { WalletMove } from './money.ts';
import type { World } from './world.ts';

/** Amounts in millionths of a USDC. */
export interface XrplSeen {
  /** By user, such as `OFFRAMP of 1.505000 tesSUCCESS`. */
  readonly histories: readonly (readonly string[])[];
  readonly balances: readonly bigint[];
  /** On the sandbox's ledger: of the platform's address, and of the one outside. */
  readonly platform: bigint;
  readonly outside: bigint;
}

const LIMIT = 100;

/** Users' view, the books' balances, and the ledger's. */
export async function readXrpl(world: World): Promise<XrplSeen> {
  const { db, people, api, seed } = world;
  const histories = await Promise.all(
    people.map(async ({ token }) =>
      listOf(await api(`GET /xrpl/history?limit=${LIMIT}`, { token }), 'history').map((row) =>
        shownName(textOf(row, 'tx_type'), textOf(row, 'amount'), textOf(row, 'status')),
      ),
    ),
  );
  const accounts = await run<{ owner: string; posted: bigint }>(
    db,
    `select owner, sum(posted) as posted from ledger.accounts
     where purpose = 'xrpl' and asset = 'USDC' group by owner`,
    [],
  );
  const byOwner = new Map(accounts.map(({ owner, posted }) => [owner, BigInt(posted)]));
  const lines = await run<{ low: string; high: string; balance: string }>(
    db,
    `select data ->> 'low' as low, data ->> 'high' as high, data ->> 'balance' as balance
     from sandbox.records where provider = 'xrpl' and kind = 'line'`,
    [],
  );
  const outside = outsideOf(seed);
  const isOutside = ({ low, high }: { low: string; high: string }) =>
    low === outside || high === outside;
  const held = (some: typeof lines) =>
    some.reduce((sum, { balance }) => sum + millionths(balance), 0n);
  return {
    histories,
    balances: people.map(({ user_id }) => byOwner.get(`user:${user_id}`) ?? 0n),
    platform: held(lines.filter((line) => !isOutside(line))),
    outside: held(lines.filter(isOutside)),
  };
}

/** The sandbox keeps 15 decimals. */
const MILLIONTH = 10n ** 9n;

/** The balance of the one that holds the other's USDC: the issuer holds none. */
function millionths(balance: string): bigint {
  const units = BigInt(balance) / MILLIONTH;
  return units < 0n ? -units : units;
}

const shownName = (type: string, amount: string, status: string): string =>
  `${type} of ${amount} ${status}`;

/** Each acknowledged ramp is shown and booked once, and the ledger has moved as much. */
export function checkXrpl(books: Books, seen: XrplSeen): Finding[] {
  const [on, off] = [books.done('xrpl-on'), books.done('xrpl-off')];
  const amountOf = (entry: Entry) => textOf(answerOf(entry), 'data.xrpl_tx.amount');
  const sum = (entries: readonly Entry[]) =>
    entries.reduce((total, entry) => total + money('USDC', amountOf(entry)).units, 0n);
  const [bought, sent] = [sum(on), sum(off)];
  const users = seen.histories.flatMap((history, user) => {
    const own = <T extends { effect: { user: number } }>(entries: readonly T[]) =>
      entries.filter(({ effect }) => effect.user === user);
    const expected = [
      ...own(on).map((entry) => [entry, shownName('ONRAMP', amountOf(entry), DONE)] as const),
      ...own(off).map((entry) => [entry, shownName('OFFRAMP', amountOf(entry), DONE)] as const),
    ].map(([{ operation }, name]) => ({ key: operation.key, name }));
    const balance = sum(own(on)) - sum(own(off));
    const where = `XRPL balance of user ${user}`;
    return [
      ...match(`XRPL history of user ${user}`, expected, history),
      ...equal(where, 'the balance', seen.balances[user] ?? 0n, balance),
    ];
  });
  return [
    ...users,
    ...equal(
      'XRP Ledger',
      inWords('the platform has', bought - sent),
      seen.platform,
      bought - sent,
    ),
    ...equal('XRP Ledger', inWords('the address outside has', sent), seen.outside, sent),
  ];
}

const DONE = 'tesSUCCESS';

const inWords = (what: string, units: bigint): string =>
  `${what} (${format({ asset: 'USDC', units: units < 0n ? -units : units })})`;

/** Its debits of wallets in dollars. */
export const xrplMoves = (books: Books, user: number): WalletMove[] =>
  books
    .done('xrpl-on')
    .filter(({ effect }) => effect.user === user)
    .map(({ operation: { key }, effect }) => ({ key, entry: 'xrpl-onramp', net: -effect.cents }));
