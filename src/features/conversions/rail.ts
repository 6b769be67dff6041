import type { Db } from '#kernel/db/db.ts';
import type { BookPage, BookWindow, Rail } from '#kernel/reconciliation/rail.ts';
import type { Exchange } from '#providers/exchange/port.ts';
import { type Booked, listBooked } from './rail-store.ts';

const PAGE = 1000;
/** An order is booked when it has ended and a withdrawal when it has arrived: both may take a while. */
const GRACE_MS = 6 * 3_600_000;

/** What the exchange says of deposits, trades and withdrawals, beside what is booked of them. */
export const exchangeRail = ({ exchange }: { readonly exchange: Exchange }): Rail => ({
  name: 'exchange',
  toleranceUnits: 0n,
  graceMs: GRACE_MS,
  ours: bookedPage,
  theirs: (window, after) => exchange.statement(window, after),
});

async function bookedPage(db: Db, window: BookWindow, after?: string): Promise<BookPage> {
  const [, at, line] = /^([^ ]+) (.+)$/.exec(after ?? '') ?? [];
  const last = at !== undefined && line !== undefined ? { at, line } : undefined;
  const rows = await listBooked(db, window, last, PAGE);
  const end = rows.at(-1);
  return {
    lines: rows.map((row: Booked) => ({ ...row, at: new Date(row.at) })),
    ...(rows.length === PAGE && end && { next: `${end.at} ${end.line}` }),
  };
}
