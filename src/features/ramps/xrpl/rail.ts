import { paymentLine, type XrplNetwork } from '#chains/xrpl/port.ts';
import type { Db } from '#kernel/db/db.ts';
import { hasRows } from '#kernel/db/has-rows.ts';
import { type HouseRow, houseStatementOf } from '#kernel/ledger/statement.ts';
import type { BookLine, BookPage, BookWindow, Rail } from '#kernel/reconciliation/rail.ts';
import { chainAccounts } from './books.ts';

const PAGE = 500;

/** Our bookings of the platform's address, against the XRP Ledger's. */
export const xrplRail = (xrpl: Pick<XrplNetwork, 'statement'>): Rail => ({
  name: 'xrpl',
  toleranceUnits: 0n,
  graceMs: 5 * 60_000,
  // The bridge pays over the same address.
  isUsed: async (db) => (await hasRows(db, 'xrpl_transactions')) || isBooked(db),
  ours: async (db, window, after) => {
    const { held } = await chainAccounts(db);
    return ourPage(db, { account: held, read: transferOf }, window, after);
  },
  theirs: (window, after) => xrpl.statement(window, after),
});

/** An account of ours, and the line of a row of its statement, where it has one. */
interface Books {
  readonly account: number;
  read(row: HouseRow): BookLine | undefined;
}

async function isBooked(db: Db): Promise<boolean> {
  const { held } = await chainAccounts(db);
  const { rows } = await houseStatementOf(db, held, { after: undefined, limit: 1 });
  return rows.length > 0;
}

async function ourPage(
  db: Db,
  { account, read }: Books,
  window: BookWindow,
  after: string | undefined,
): Promise<BookPage> {
  const { rows, next } = await houseStatementOf(db, account, { after, limit: PAGE });
  const lines = rows
    .map(read)
    .filter((line) => line !== undefined)
    .filter(({ at }) => at >= window.from && at < window.to);
  const last = rows.at(-1);
  const isOver = next === undefined || !last || new Date(last.created_at) < window.from;
  return { lines, ...(!isOver && { next }) };
}

/** The account is negative by what the address holds. */
function transferOf({ line, amount, meta, created_at }: HouseRow): BookLine | undefined {
  if (amount === 0n) return undefined;
  const hash = meta?.['hash'];
  const tag = meta?.['tag'];
  const reference =
    hash === undefined
      ? line
      : paymentLine(String(hash), typeof tag === 'number' ? tag : undefined);
  const kind = amount < 0n ? 'deposit' : 'withdrawal';
  const at = new Date(created_at);
  return { line, reference, kind, asset: 'USDC', units: -amount, at, ...whose(meta) };
}

const whose = (meta: HouseRow['meta']) => {
  const client = meta?.['client_id'];
  return typeof client === 'number' ? { clientId: client } : {};
};
