import type { XrplNetwork } from '#chains/xrpl/port.ts';
import type { Db } from '#kernel/db/db.ts';
import { type StatementRow, statementOf } from '#kernel/ledger/statement.ts';
import type { BookLine, BookPage, BookWindow, Rail } from '#kernel/reconciliation/rail.ts';
import { chainAccounts } from './books.ts';

const PAGE = 500;

/** What we booked of the platform's address, against what the XRP Ledger says of it. */
export const xrplRail = (xrpl: Pick<XrplNetwork, 'statement'>): Rail => ({
  name: 'xrpl',
  toleranceUnits: 0n,
  graceMs: 5 * 60_000,
  ours: async (db, window, after) => {
    const { held } = await chainAccounts(db);
    return ourPage(db, held, window, after);
  },
  theirs: (window, after) => xrpl.statement(window, after),
});

async function ourPage(
  db: Db,
  account: number,
  window: BookWindow,
  after: string | undefined,
): Promise<BookPage> {
  const before = after === undefined ? {} : { before: Number(after) };
  const rows = await statementOf(db, account, { ...before, limit: PAGE });
  const lines = rows.flatMap((row) => lineOf(row, window));
  const last = rows.at(-1);
  const isOver = rows.length < PAGE || !last || new Date(last.created_at) < window.from;
  return { lines, ...(!isOver && { next: String(last.seq) }) };
}

/** The account is negative by what the address holds. */
function lineOf({ seq, amount, meta, created_at }: StatementRow, window: BookWindow): BookLine[] {
  const at = new Date(created_at);
  if (amount === 0n || at < window.from || at >= window.to) return [];
  const reference = String(meta?.['hash'] ?? seq);
  const kind = amount < 0n ? 'deposit' : 'withdrawal';
  return [{ line: String(seq), reference, kind, asset: 'USDC', units: -amount, at }];
}
